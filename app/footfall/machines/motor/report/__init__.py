"""Report of the motor."""
