"""PASIBOT, a walking mechanism of one motor: its walks with feet that may slide."""
