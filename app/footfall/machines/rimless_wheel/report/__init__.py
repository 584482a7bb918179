"""What a report shows of the rimless wheel."""
