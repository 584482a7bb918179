"""Closed form of the humanoid walker: kinematics and Newton-Euler equations of its phases."""
