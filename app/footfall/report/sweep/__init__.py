"""The page of a sweep, of a small vocabulary of figures."""
