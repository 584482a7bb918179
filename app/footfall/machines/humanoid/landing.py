"""Changes of phase of the walker: their jumps of velocities as impulses and energy.

The thesis sets angles and rates anew at a touch-down (3.5) and asks nothing of it. Here the jump is
held against the laws of impact: M (v+ - v-) = J' Lambda + rest, where J are the rows of what the
ground holds from then on. The rest is what only the joints could give, as impulsive torques.
"""

from typing import NamedTuple

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.machines.humanoid.closed_form.phases import GaitPhase
from footfall.plants.support_motions import free_motions
from footfall.plants.supports import SupportRows


class Landed(NamedTuple):
    """Change of phase.

    time [s]; phase: after it; before: state [q; v] in which the last phase ended; angles: jumps of
    all joints, in the plant's order [rad]; rate: largest jump of a rate [rad/s]; impulse (2, 3): of
    the ground on flat foot and toe [N s]; torque: largest impulse that a joint would have to give
    [N m s]; energy: that it gives the
    walker [J]; plastic: that a plastic impact on the same feet would give [J], which is not
    positive.
    """

    time: float
    phase: int
    before: Array
    angles: Array
    rate: float
    impulse: Array
    torque: float
    energy: float
    plastic: float

    @property
    def angle(self) -> float:
        """Return the largest jump of an angle [rad]."""
        return float(np.abs(self.angles).max())

    @property
    def words(self) -> str:
        """Say it in a line."""
        ground = float(np.linalg.norm(self.impulse[0]))
        return (
            f"angles jump by up to {np.degrees(self.angle):.3g} degrees, rates by {self.rate:.3g} "
            f"rad/s; impulse {ground:.3g} N s on the flat foot, {self.torque:.3g} N m s in joints, "
            f"energy {self.energy:+.3g} J (a plastic impact {self.plastic:+.3g} J)"
        )


def landing(
    plant: MultibodyPlant,
    context: Context,
    rows: SupportRows,
    time: float,
    phase: GaitPhase,
    states: tuple[Array, Array],
) -> Landed:
    """Compare states [q; v] before and after a change of phase; rows: of the phase after it."""
    before, after = states
    energy = []
    for state in (before, after):
        plant.SetPositionsAndVelocities(context, state)
        energy.append(plant.CalcKineticEnergy(context) + plant.CalcPotentialEnergy(context))
    nq = plant.num_positions()
    M, J = plant.CalcMassMatrix(context), rows.jacobian(context)
    v, change = before[nq:], after[nq:] - before[nq:]
    # impulses of least kinetic energy of the rest: J' Lambda is M times what leaves no free motion
    free = free_motions(J, rows.cut)
    kept = free @ np.linalg.solve(free.T @ M @ free, free.T @ (M @ change))
    by_ground = M @ (change - kept)
    multipliers = np.linalg.lstsq(J.T, by_ground, rcond=1e-10)[0]
    impulse = np.zeros((2, 3))
    for k in range(len(rows.frames)):
        impulse[k] = multipliers[6 * k + 3 : 6 * k + 6]
    stays = free @ np.linalg.solve(free.T @ M @ free, free.T @ (M @ v))
    rest = M @ kept
    return Landed(
        time,
        int(phase),
        before,
        after[7:nq] - before[7:nq],
        float(np.abs(change[6:]).max()),
        impulse,
        float(np.abs(rest[6:]).max()),
        energy[1] - energy[0],
        0.5 * float(stays @ M @ stays - v @ M @ v),
    )
