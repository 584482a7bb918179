"""What a report shows of PASIBOT."""
