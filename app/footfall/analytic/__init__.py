"""Closed forms of the published machines: oracles that know neither Drake nor our engines."""
