"""Machines that stand on one foot after another: phases, trajectories, metrics."""
