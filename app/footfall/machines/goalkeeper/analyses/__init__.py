"""Analyses of the goalkeeper: the map of shots that it saves."""
