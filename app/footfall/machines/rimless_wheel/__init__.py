"""The rimless wheel: spokes that roll down a slope, known in closed form.

Source: T. McGeer: Passive dynamic walking, International Journal of Robotics Research 9 (1990)
62-82.
"""
