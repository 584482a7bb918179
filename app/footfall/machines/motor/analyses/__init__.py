"""Analyses of the motor: its best gear ratio."""
