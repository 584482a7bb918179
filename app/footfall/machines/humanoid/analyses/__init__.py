"""Analyses of the humanoid walker."""
