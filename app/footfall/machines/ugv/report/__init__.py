"""What a report shows of the vehicle with legs."""
