"""Report of the hopper."""
