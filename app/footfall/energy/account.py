"""Account of a run's energy: what forces did in each step, summed up in blocks of steps."""

from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall.energy.reader import EnergyReader
from footfall.engines.step_log import LoggedContacts
from footfall.jit import njit

# of the kinetic energy: an impact that gives more is worth a word
_GAIN = 1e-9


@dataclass(frozen=True, eq=False)
class Steps:
    """States and forces of n steps that follow each other.

    begin, end (n, nq + nv): states [q; v]. kinetic (n,): energy at their beginnings [J]. effort
    (n, nu): of the actuators, within their limits. push (n, nv): generalized force of pushes.
    given (n,): work of all but gravity, springs and inertia, of an engine that tells nothing of
    its constraints.
    """

    begin: Array
    end: Array
    kinetic: Array
    effort: Array
    push: Array
    given: Array | None = None


@dataclass(frozen=True)
class ImpactGain:
    """Step in which the law of impact gave energy for the first time: its place in the block.

    energy: given [J]; kinetic: energy of the motion before [J].
    """

    step: int
    energy: float
    kinetic: float


_COUNTED = ("actuator_work", "damping_work", "push_work", "contact_work")
_NAMES = (*_COUNTED, "constraint_work", "energy_gain", "energy_residual")


class EnergyAccount:
    """Works since the start, by the names that a trajectory has for them [J]."""

    def __init__(
        self,
        time_step: float,
        damping: Array,
        actuation: Array,
        reader: EnergyReader,
        *,
        in_middle: bool,
    ) -> None:
        """Take the step [s], the dampers (nv,) and B (nv, nu) of a plant, and its reader.

        in_middle: dampers take their speed in the middle of a step, and not at its end.
        """
        self._forces = damping, actuation
        self._dt, self._end = time_step, 0.5 if in_middle else 1.0
        self._reader = reader
        self._sums = np.zeros(len(_NAMES))
        self.first_gain: ImpactGain | None = None
        self.given = 0.0
        self._at_start = True

    def give(self, energy: float) -> None:
        """Count energy [J] that a change from outside gives as work of pushes, and in ``given``."""
        self._sums[_NAMES.index("push_work")] += energy
        self.given += energy

    def begin(self) -> dict[str, Array]:
        """Return the sums at the start, (1,) each."""
        return dict(zip(_NAMES, self._sums[:, None].copy(), strict=True))

    def add(self, steps: Steps, logged: LoggedContacts) -> dict[str, Array]:
        """Add steps and what was logged where they begin and end, and return n sums after each.

        Sets ``first_gain`` where it is among these steps.
        """
        sums = np.empty((len(_NAMES), len(steps.begin) + 1))
        sums[:, 0] = self._sums
        works = dict(zip(_NAMES, sums[:, 1:], strict=True))
        forces = steps.effort, steps.push, *self._forces
        _works(steps.begin, steps.end, *forces, self._dt, self._end, sums)
        works["contact_work"][:] = logged.work[1:]
        works["energy_residual"][:] = logged.of_steps["energy_residual"][1:]
        works["energy_gain"][:] = self._gains(steps, logged.of_steps["energy_gain"][1:])
        if steps.given is None:
            works["constraint_work"][:] = self._of_start(logged.of_steps["constraint_work"][1:])
        else:
            rest = steps.given - sum(works[name] for name in _COUNTED)
            works["constraint_work"][:] = rest
        np.cumsum(sums, axis=1, out=sums)
        self._sums = sums[:, -1].copy()
        return works

    def _of_start(self, work: Array) -> Array:
        """Work (n,) of bilateral constraints, which G v = 0 keeps from doing any.

        In the first step they may: they stop what a start has of other velocities. Later it is the
        error of the step, for which v_A ends where G is another one.
        """
        law = np.zeros_like(work)
        law[:1] = work[:1] if self._at_start else 0.0
        self._at_start = False
        return law

    def _gains(self, steps: Steps, gain: Array) -> Array:
        """Energy that the law of impact gave in each step, without rounding."""
        self.first_gain = None
        # mass matrices change little in a step: what is surely rounding need not be looked at
        some = np.flatnonzero((gain > 0.0) & (gain > 0.5 * _GAIN * steps.kinetic))
        kinetic = self._reader.kinetic(steps.end[some], steps.begin[some])
        gained = gain[some] > _GAIN * kinetic
        if gained.any() and self._sums[_NAMES.index("energy_gain")] == 0.0:
            first = int(np.argmax(gained))
            step = int(some[first])
            self.first_gain = ImpactGain(step, float(gain[step]), float(kinetic[first]))
        worth_a_word = np.zeros_like(gain)
        worth_a_word[some[gained]] = gain[some[gained]]
        return worth_a_word


@njit
def _works(
    begin: Array,
    end: Array,
    effort: Array,
    push: Array,
    damping: Array,
    actuation: Array,
    dt: float,
    share: float,
    sums: Array,
) -> None:
    """Fill the works of actuators, dampers and pushes in steps, behind the first column of sums."""
    nv = damping.size
    for n in range(begin.shape[0]):
        driven = damped = pushed = 0.0
        for k in range(nv):
            last, v = begin[n, begin.shape[1] - nv + k], end[n, begin.shape[1] - nv + k]
            mean, force = 0.5 * (last + v), 0.0
            for j in range(effort.shape[1]):
                force += actuation[k, j] * effort[n, j]
            driven += force * mean
            damped += mean * (damping[k] * (last + share * (v - last)))
            pushed += push[n, k] * mean
        sums[0, n + 1], sums[1, n + 1], sums[2, n + 1] = dt * driven, -dt * damped, dt * pushed
