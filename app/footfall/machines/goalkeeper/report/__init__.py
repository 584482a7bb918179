"""Report of the goalkeeper."""
