"""Machines: what each of them brings along, and how they are found."""
