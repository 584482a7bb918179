"""Trajectories of machines that stand on one foot after another, and of those with a lumped mass.

Rows stand at the sampled times of a motion, and twice at every impact, before and after it; the
second row's impulse is that of the impact alone. Between rows the impulse of the ground is the
change of momentum less that of the weight, which is exact however long they last.

Slope frame: x along the slope, downhill, z its outward normal.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.plants.layout import layout_of
from footfall.registry.context import MachineContext
from footfall.stance.phases import Points
from footfall.trajectory import Event, Trajectory, trajectory_from_arrays
from footfall.trajectory.events import SLIDES

_ROUNDING = 1e-12  # N s


def stance_trajectory(
    context: MachineContext,
    points: Points,
    slope: float,
    engine: str,
    *,
    foot: npt.NDArray[np.intp],
    time: Array,
    state: Array,
    impulse: Array,
    work: Array,
    kinetic_energy: Array,
    potential_energy: Array,
    actuation: npt.ArrayLike = 0.0,
    actuator_work: npt.ArrayLike = 0.0,
    events: Iterable[Event] = (),
    failure: str = "",
) -> Trajectory:
    """Return the trajectory of N rows in which one foot stands, the others are in the air.

    slope: by which the ground falls towards +x [rad]. foot (N,): the one that stands. time (N,)
    [s], state (n, N): the plant's [q; v]. impulse (2, N): (tangential, normal) on that foot since
    the row before [N s]; work (N,): of the ground on it since then [J]. failure: why the motion
    ended before its time, if it did. A foot that would slide, which no such machine knows, is an
    event.
    """
    middle = len(state) // 2
    rows = np.arange(len(time))
    positions, velocities = (np.moveaxis(each, -1, 0) for each in points(state))
    by_foot = np.zeros((*positions.shape[:2], 3))
    contacts = {name: by_foot.copy() for name in ("impulse", "contact_velocity", "contact_point")}
    contacts["impulse"][rows, foot, :2] = impulse[::-1].T
    contacts["contact_velocity"][rows, foot, :2] = velocities[rows, foot, ::-1]
    cos, sin = math.cos(slope), math.sin(slope)
    R_WT = np.array([[cos, sin], [-sin, cos]])
    contacts["contact_point"][:, :, ::2] = np.ascontiguousarray(positions) @ R_WT.T
    mode = np.full(positions.shape[:2], int(Mode.OPEN), dtype=np.int8)
    mode[rows, foot] = int(Mode.STICK)
    dissipation = np.zeros(positions.shape[:2])
    dissipation[rows, foot] = 0.0 - work
    events = [*events, *_first_slide(context, foot, time, impulse)]
    return trajectory_from_arrays(
        layout_of(context.model.plant, context.contacts),
        time,
        events=sorted(events, key=lambda event: event.time),
        failure=f"{failure} at t = {time[-1]:.4f} s" if failure else "",
        attributes={"engine": engine},
        q=state[:middle].T,
        v=state[middle:].T,
        actuation=actuation,
        gap=positions[:, :, 1],
        mode=mode,
        dissipation=dissipation,
        kinetic_energy=kinetic_energy,
        potential_energy=potential_energy,
        actuator_work=actuator_work,
        contact_work=np.cumsum(work),
        damping_work=0.0,
        constraint_work=0.0,
        energy_gain=0.0,
        **contacts,
    )


def _first_slide(
    context: MachineContext, foot: npt.NDArray[np.intp], time: Array, impulse: Array
) -> list[Event]:
    """The first row in which a standing foot would slide, if there is one."""
    tangential, normal = np.abs(impulse[0]), impulse[1]
    mu = context.mu[foot]
    slides = np.flatnonzero(tangential > mu * normal + _ROUNDING)
    if not slides.size:
        return []
    row = slides[0]
    what = (
        f"{context.contacts.names[foot[row]]} would slide: it needs a coefficient of friction of "
        f"{tangential[row] / normal[row]:.3g}, and has {mu[row]:.3g}; this engine lets it stand, "
        "moreau and drake let it slide"
    )
    return [Event(float(time[row]), SLIDES, what)]


@dataclass(frozen=True)
class LumpedMass:
    """Mass [kg] at the first two coordinates x, z, with a moment [kg m^2] that turns at the third.

    gamma: slope [rad], falling towards +x; g [m/s^2]. States: the plant's [q; v].
    """

    mass: float
    moment: float
    gamma: float
    g: float

    def kinetic_energy(self, state: Array) -> float:
        """Kinetic energy of one state (n,) [J]."""
        v = state[len(state) // 2 :]
        return float(0.5 * self.mass * (v[0] ** 2 + v[1] ** 2) + 0.5 * self.moment * v[2] ** 2)

    def potential_energy(self, state: Array) -> Array:
        """Potential energy of states (n, k) above the origin of the slope, (k,) [J]."""
        height = -state[0] * math.sin(self.gamma) + state[1] * math.cos(self.gamma)
        return np.asarray(self.mass * self.g * height)

    def momentum(self, state: Array) -> Array:
        """Momentum of states (n, k) along x and z, (2, k) [N s]."""
        middle = len(state) // 2
        return self.mass * state[middle : middle + 2]

    @property
    def weight(self) -> Array:
        """Weight along x and z, (2,) [N]."""
        return self.mass * self.g * np.array([math.sin(self.gamma), -math.cos(self.gamma)])


class LumpedMassWalk:
    """Collects the stance phases and impacts of a walk of a lumped mass."""

    def __init__(self, context: MachineContext, lump: LumpedMass, points: Points) -> None:
        self._context, self._lump, self._points = context, lump, points
        self._feet: list[npt.NDArray[np.intp]] = []
        self._times: list[Array] = []
        self._states: list[Array] = []
        self._impacts: list[npt.NDArray[np.bool_]] = []

    @property
    def time(self) -> float:
        """Time of the last row [s]."""
        return float(self._times[-1][-1]) if self._times else 0.0

    def add_stance(self, foot: int, times: Array, states: Array) -> None:
        """Add rows of a stance: states (n, k) at times (k,) from its start to its end.

        The first is left out where the row after an impact is there already.
        """
        first = 1 if self._times else 0
        self._add(foot, times[first:], states[:, first:], impact=False)

    def add_impact(self, foot: int, state: Array) -> None:
        """Add the row after an impact of a foot: no time passes since the last row."""
        self._add(foot, np.array([self.time]), state[:, None], impact=True)

    def _add(self, foot: int, times: Array, states: Array, *, impact: bool) -> None:
        if not times.size:
            return
        self._feet.append(np.full(times.size, foot, dtype=np.intp))
        self._times.append(times)
        self._states.append(states)
        self._impacts.append(np.full(times.size, impact))

    def trajectory(self, engine: str, events: Iterable[Event], failure: str = "") -> Trajectory:
        """Return the trajectory of all rows; failure: why it ended before its time, if it did."""
        lump, time = self._lump, np.concatenate(self._times)
        state = np.concatenate(self._states, axis=1)
        before = np.maximum(np.arange(len(time)) - 1, 0)
        kinetic = np.array([lump.kinetic_energy(one) for one in state.T])
        momentum = lump.momentum(state)
        moved = momentum - momentum[:, before]
        return stance_trajectory(
            self._context,
            self._points,
            lump.gamma,
            engine,
            foot=np.concatenate(self._feet),
            time=time,
            state=state,
            impulse=moved - lump.weight[:, None] * (time - time[before]),
            work=np.where(np.concatenate(self._impacts), kinetic - kinetic[before], 0.0),
            kinetic_energy=kinetic,
            potential_energy=lump.potential_energy(state),
            events=events,
            failure=failure,
        )
