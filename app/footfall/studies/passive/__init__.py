"""The two passive walkers that are known in closed form: the rimless wheel, the simplest walker.

Sources: T. McGeer: Passive dynamic walking, International Journal of Robotics Research 9 (1990)
62-82; M. Garcia, A. Chatterjee, A. Ruina, M. Coleman: The simplest walking model: stability,
complexity, and scaling, ASME Journal of Biomechanical Engineering 120 (1998) 281-288.
"""
