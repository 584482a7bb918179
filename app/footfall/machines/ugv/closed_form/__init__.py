"""The vehicle that moves its legs, in quasi-static balance on any track (document 002, 8)."""
