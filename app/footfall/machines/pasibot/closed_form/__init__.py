"""Closed forms of PASIBOT, a walking mechanism of 24 links with one motor."""
