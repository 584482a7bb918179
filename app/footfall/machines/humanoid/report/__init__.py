"""Report of the humanoid."""
