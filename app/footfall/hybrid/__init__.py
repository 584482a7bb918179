"""Event-driven simulation and what is built on it: return maps, their fixed points and branches."""
