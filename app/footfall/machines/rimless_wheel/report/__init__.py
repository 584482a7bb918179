"""Report of the rimless wheel."""
