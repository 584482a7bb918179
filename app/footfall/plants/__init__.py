"""Machines as Drake plants: loading, checking, terrain, contacts, dynamics."""
