"""The two-link hopper of Oh and Huang (2021): model, engines, measures and claims.

Beside Moreau's and Drake's engines `system` knows its equations of motion: event-driven, exact to
the tolerances of its integrator, the reference, and the engine ``hybrid``.
"""
