"""What a report shows of the biped."""
