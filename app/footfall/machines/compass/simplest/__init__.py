"""The simplest walker: a compass whose feet weigh next to nothing, and the limit of it.

Source: M. Garcia, A. Chatterjee, A. Ruina, M. Coleman: The simplest walking model: stability,
complexity, and scaling, ASME Journal of Biomechanical Engineering 120 (1998) 281-288.
"""
