"""What a report shows of the simplest walker."""
