"""Account of a run's energy: what forces did in each step, summed up in blocks of steps."""

from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall.engines.step_log import LoggedContacts

# of the kinetic energy: an impact that gives more is worth a word
_GAIN = 1e-9


@dataclass(frozen=True, eq=False)
class Steps:
    """States and forces of n steps that follow each other.

    last_v, v (n, nv): at their beginnings and ends. effort (n, nv): generalized force of the
    actuators, within their limits. push (n, nv): of pushes. mass (n, nv, nv): M at their ends.
    before: M (n, nv, nv) at their beginnings and the force (n, nv) of gravity, springs and inertia
    there, of an engine whose steps take both from there and tell nothing of their constraints.
    """

    last_v: Array
    v: Array
    effort: Array
    push: Array
    mass: Array
    before: tuple[Array, Array] | None = None


@dataclass(frozen=True)
class ImpactGain:
    """Step in which the law of impact gave energy for the first time: its place in the block.

    energy: given [J]; kinetic: energy of the motion before [J].
    """

    step: int
    energy: float
    kinetic: float


class EnergyAccount:
    """Works since the start, by the names that a trajectory has for them [J]."""

    def __init__(self, time_step: float, damping: Array, *, in_middle: bool) -> None:
        """Take the step [s] and the dampers (nv,) of a plant.

        in_middle: dampers take their speed in the middle of a step, and not at its end.
        """
        self._dt, self._damping = time_step, damping
        self._end = 0.5 if in_middle else 1.0
        self._sums = dict.fromkeys(
            (
                "actuator_work",
                "contact_work",
                "damping_work",
                "constraint_work",
                "push_work",
                "energy_gain",
                "energy_residual",
            ),
            0.0,
        )
        self.first_gain: ImpactGain | None = None
        self.given = 0.0
        self._at_start = True

    def give(self, energy: float) -> None:
        """Count energy [J] that a change from outside gives as work of pushes, and in ``given``."""
        self._sums["push_work"] += energy
        self.given += energy

    def begin(self) -> dict[str, Array]:
        """Return the sums at the start, (1,) each."""
        return {name: np.array([value]) for name, value in self._sums.items()}

    def add(self, steps: Steps, logged: LoggedContacts) -> dict[str, Array]:
        """Add steps and what was logged of them, and return the sums after each, (n,).

        Sets ``first_gain`` where it is among these steps.
        """
        mean_v = 0.5 * (steps.last_v + steps.v)
        damped = self._damping * (steps.last_v + self._end * (steps.v - steps.last_v))
        works = {
            "actuator_work": self._dt * np.vecdot(steps.effort, mean_v),
            "contact_work": logged.work,
            "damping_work": -self._dt * np.vecdot(mean_v, damped),
            "constraint_work": self._of_start(logged.of_steps["constraint_work"]),
            "push_work": self._dt * np.vecdot(steps.push, mean_v),
            "energy_gain": self._gains(steps, logged.of_steps["energy_gain"]),
            "energy_residual": logged.of_steps["energy_residual"],
        }
        if steps.before is not None:
            counted = ("actuator_work", "contact_work", "damping_work", "push_work")
            rest = self._given(steps, *steps.before) - sum(works[name] for name in counted)
            works["constraint_work"] = rest
        sums = {}
        for name, work in works.items():
            sums[name] = np.cumsum(np.concatenate(([self._sums[name]], work)))[1:]
            self._sums[name] = float(sums[name][-1])
        return sums

    def _of_start(self, work: Array) -> Array:
        """Work (n,) of bilateral constraints, which G v = 0 keeps from doing any.

        In the first step they may: they stop what a start has of other velocities. Later it is the
        error of the step, for which v_A ends where G is another one.
        """
        law = np.zeros_like(work)
        law[:1] = work[:1] if self._at_start else 0.0
        self._at_start = False
        return law

    def _given(self, steps: Steps, mass: Array, force: Array) -> Array:
        """Work of all but gravity, springs and inertia in each step, (n,).

        By M(q) (v_E - v_A) = dt force + all other impulses, times the mean velocity.
        """
        mean_v = 0.5 * (steps.last_v + steps.v)
        momentum = np.matmul(mass, (steps.v - steps.last_v)[:, :, None])[:, :, 0]
        given: Array = np.vecdot(mean_v, momentum - self._dt * force)
        return given

    def _gains(self, steps: Steps, gain: Array) -> Array:
        """Energy that the law of impact gave in each step, without rounding."""
        self.first_gain = None
        some = np.flatnonzero(gain > 0.0)
        v = steps.last_v[some]
        kinetic = kinetic_energies(v, steps.mass[some])
        gained = gain[some] > _GAIN * kinetic
        if gained.any() and self._sums["energy_gain"] == 0.0:
            first = int(np.argmax(gained))
            step = int(some[first])
            self.first_gain = ImpactGain(step, float(gain[step]), float(kinetic[first]))
        worth_a_word = np.zeros_like(gain)
        worth_a_word[some[gained]] = gain[some[gained]]
        return worth_a_word


def kinetic_energies(v: Array, mass: Array) -> Array:
    """T = 1/2 v^T M v [J] of velocities (n, nv) at mass matrices (n, nv, nv)."""
    momentum = np.matmul((0.5 * v)[:, None], mass)[:, 0]
    energies: Array = np.vecdot(momentum, v)
    return energies
