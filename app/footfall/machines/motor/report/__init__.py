"""What a report shows of the motor."""
