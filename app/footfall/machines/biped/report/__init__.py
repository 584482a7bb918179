"""Report of the biped."""
