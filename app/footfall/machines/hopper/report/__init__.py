"""What a report shows of the hopper."""
