"""The machines that ship, one package each. Each registers itself; nobody imports them by name."""
