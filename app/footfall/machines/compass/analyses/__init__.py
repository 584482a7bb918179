"""Analyses of the compass: its gaits over the slope and the mass ratio, and their basins."""
