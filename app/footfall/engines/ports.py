"""The ports that every engine has, and what its contact report says.

Inputs: ``actuation`` (num_actuators, Drake's order; N m or N), ``applied_wrench`` (abstract, a list
of Drake's ExternallyAppliedSpatialForce, as a plant's own port takes them; may be left alone).
Outputs: ``state`` ([q; v] in the
plant's order), ``contact_impulses`` (3 a contact, [n, t, s], N s, of the step that ended last),
``contact_report`` (ContactReport).
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array

ACTUATION = "actuation"
APPLIED_WRENCH = "applied_wrench"
STATE = "state"
CONTACT_IMPULSES = "contact_impulses"
CONTACT_REPORT = "contact_report"

# m, m/s, rad or rad/s: no machine is so far or so fast, and squares of it are still numbers
DIVERGED = 1e9


@dataclass
class ContactReport:
    """Contact results of the n contacts in the step that ended last.

    names: one a contact. p_WC: (n, 3) contact points in the world [m]. normal: (n, 3) their unit
    normals n there, NaN for joints, for what is far apart, and, as one number, from who does not
    tell them; t and s follow from n and the terrain as ``footfall.plants.contacts.axes`` says.
    gap: (n,) [m], at the middle of the step (Moreau) or at its end (Drake). impulse: (n, 3) in
    [n, t, s], on the machine, or on the first body of a pair [N s]. velocity: (n, 3) of the
    machine's point at the end of the step [m/s], zero for open contacts. mode: (n,) of
    footfall.contact.Mode, -1 where unknown. work: (n,) done on the machine [J]. residual:
    natural-map residual over its scale (NaN where the engine has none). iterations, stage: of the
    solver. constraint_gap: largest residual of the bilateral constraints [m or rad].
    constraint_work: done by them [J]. energy_residual: kinetic energy gained at a fixed mass matrix
    less the work of all forces [J]. energy_gain: given by the laws of contact where they did not
    take [J]. All but the first are of the step, NaN where the engine cannot tell.
    """

    names: tuple[str, ...] = ()
    p_WC: Array = field(default_factory=lambda: np.zeros((0, 3)))
    gap: Array = field(default_factory=lambda: np.zeros(0))
    normal: Array | float = np.nan
    impulse: Array = field(default_factory=lambda: np.zeros((0, 3)))
    velocity: Array = field(default_factory=lambda: np.zeros((0, 3)))
    mode: npt.NDArray[np.int8] = field(default_factory=lambda: np.zeros(0, dtype=np.int8))
    work: Array = field(default_factory=lambda: np.zeros(0))
    residual: float = 0.0
    iterations: int = 0
    stage: int = 0
    constraint_gap: float = 0.0
    constraint_work: float = 0.0
    energy_residual: float = 0.0
    energy_gain: float = 0.0
