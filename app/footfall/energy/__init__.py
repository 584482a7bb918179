"""Energy of a run: the account of what gave and took it, and the verdict on it."""
