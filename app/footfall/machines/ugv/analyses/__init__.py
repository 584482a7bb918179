"""Analyses of the vehicle: torque over fixed leg angles, over all angles, and over the speed."""
