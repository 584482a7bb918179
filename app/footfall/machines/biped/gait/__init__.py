"""Gaits of the biped by internal torques alone: trajectory optimisation, return map, analysis."""
