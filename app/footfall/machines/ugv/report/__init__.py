"""Report of the vehicle with legs."""
