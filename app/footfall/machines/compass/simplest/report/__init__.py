"""Report of the simplest walker."""
