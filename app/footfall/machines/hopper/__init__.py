"""The two-link hopper of Oh and Huang (2021): model, engines, measures, claims and analyses.

Beside Moreau's and Drake's engines two simulations know its equations of motion:

- `system`: event-driven, exact to the tolerances of its integrator: the reference, and the engine
  ``hybrid``. The authors' own program is this one with their impact (`authors`).
- `transcription.phases`: intervals of known phases for a batch of complex numbers: what a nonlinear
  programme needs for gradients.
"""
