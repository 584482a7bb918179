"""Scenarios: what they may say, how they are read and written, and how they become diagrams."""
