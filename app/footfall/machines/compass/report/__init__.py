"""What a report shows of the compass."""
