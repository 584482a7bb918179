"""A pendulum that swings from rest, for footfall."""
