"""Report of the compass."""
