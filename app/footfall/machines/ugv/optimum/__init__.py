"""Leg angles along a track that are best by a criterion, and how much better none can be."""
