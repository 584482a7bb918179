"""Leg angles along a track that are best by a criterion."""
