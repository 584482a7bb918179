"""What a report shows of the goalkeeper."""
