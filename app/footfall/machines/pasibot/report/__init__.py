"""Report of PASIBOT."""
