"""The public names of ``import footfall``: load, run, compare, sweep and replay scenarios."""
