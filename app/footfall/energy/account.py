"""Account of a run's energy: what forces did in each step, summed up in blocks of steps."""

from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall.energy.reader import EnergyReader
from footfall.engines.step_log import LoggedContacts

# of the kinetic energy: an impact that gives more is worth a word
_GAIN = 1e-9


@dataclass(frozen=True, eq=False)
class Steps:
    """States and forces of n steps that follow each other.

    begin, end (n, nq + nv): states [q; v]. kinetic (n,): energy at their beginnings [J]. effort
    (n, nv): generalized force of the actuators, within their limits. push (n, nv): of pushes.
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


class EnergyAccount:
    """Works since the start, by the names that a trajectory has for them [J]."""

    def __init__(
        self, time_step: float, damping: Array, reader: EnergyReader, *, in_middle: bool
    ) -> None:
        """Take the step [s], the dampers (nv,) of a plant, and the reader of its energies.

        in_middle: dampers take their speed in the middle of a step, and not at its end.
        """
        self._dt, self._damping, self._reader = time_step, damping, reader
        self._nv = len(damping)
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
        """Add steps and what was logged where they begin and end, and return n sums after each.

        Sets ``first_gain`` where it is among these steps.
        """
        last_v, v = (states[:, states.shape[1] - self._nv :] for states in (steps.begin, steps.end))
        mean_v = 0.5 * (last_v + v)
        damped = self._damping * (last_v + self._end * (v - last_v))
        of_steps = {name: values[1:] for name, values in logged.of_steps.items()}
        works = {
            "actuator_work": self._dt * np.vecdot(steps.effort, mean_v),
            "contact_work": logged.work[1:],
            "damping_work": -self._dt * np.vecdot(mean_v, damped),
            "constraint_work": self._of_start(of_steps["constraint_work"]),
            "push_work": self._dt * np.vecdot(steps.push, mean_v),
            "energy_gain": self._gains(steps, of_steps["energy_gain"]),
            "energy_residual": of_steps["energy_residual"],
        }
        if steps.given is not None:
            counted = ("actuator_work", "contact_work", "damping_work", "push_work")
            works["constraint_work"] = steps.given - sum(works[name] for name in counted)
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

    def _gains(self, steps: Steps, gain: Array) -> Array:
        """Energy that the law of impact gave in each step, without rounding."""
        self.first_gain = None
        # mass matrices change little in a step: what is surely rounding need not be looked at
        some = np.flatnonzero((gain > 0.0) & (gain > 0.5 * _GAIN * steps.kinetic))
        kinetic = self._reader.kinetic(steps.end[some], steps.begin[some])
        gained = gain[some] > _GAIN * kinetic
        if gained.any() and self._sums["energy_gain"] == 0.0:
            first = int(np.argmax(gained))
            step = int(some[first])
            self.first_gain = ImpactGain(step, float(gain[step]), float(kinetic[first]))
        worth_a_word = np.zeros_like(gain)
        worth_a_word[some[gained]] = gain[some[gained]]
        return worth_a_word
