"""Whole-body control: tasks, contacts and limits of a robot as one quadratic programme."""
