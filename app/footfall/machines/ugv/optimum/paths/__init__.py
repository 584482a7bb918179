"""Paths through stations and grids of angles by dynamic programming, compiled."""
