"""Trajectories of motions in smooth pieces with events between them, of any closed form.

Rows stand at the sampled times of every piece, its start and its end among them. Where one piece
follows another, two rows have one time: the state and the efforts before, and those after, with the
impulse of what happens between. The second one is left out where nothing jumps. Between rows the
impulse of the ground is the change of momentum less that of the weight, which is exact however long
they last.

Slope frame: x along the slope, downhill, z its outward normal.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.plants.layout import layout_of
from footfall.registry.context import MachineContext
from footfall.trajectory import Event, Trajectory, trajectory_from_arrays

_SAME_TIME = 1e-12  # of the run: a time step this near to an end is that end


def sample_times(start: float, end: float, time_step: float) -> Array:
    """Return start, the scenario's time steps between, and end [s]; steps at the ends are these."""
    slack = _SAME_TIME * max(1.0, end)
    first = math.floor((start + slack) / time_step) + 1
    last = math.floor((end + slack) / time_step)
    times = np.arange(first, last + 1) * time_step
    return np.concatenate(([start], times[times < end - slack], [end]))


_SAME = 1e-9  # m, rad, m/s, rad/s, N or N m: a state or an effort that changes by less is the same


class Piece(NamedTuple):
    """Rows of a smooth piece of a motion, k of them, or the one after an impact.

    time (k,) [s]; state (k, n): the plant's [q; v]. positions, velocities (k, m, 2): of m points,
    (x, z) in the slope frame [m, m/s]. share (k, m): of each point in the impulse since the row
    before, 0 for one in the air; mode (k,): `Mode` of the points that bear a share. momentum
    (k, 2): along x and z [N s]. energy (k, 2): kinetic and potential [J]. works (k, 2): of
    actuators and of the ground since the start [J]. actuation (k, nu): from the row on, or, at its
    end, up to it [N or N m]. What is the same in all rows may be given once.
    """

    time: Array
    state: Array
    positions: Array
    velocities: Array
    share: npt.ArrayLike
    mode: npt.ArrayLike
    momentum: Array
    energy: Array
    works: npt.ArrayLike
    actuation: npt.ArrayLike

    def whole(self, efforts: int) -> "Piece":
        """The piece with every row of everything; efforts: how many actuators there are."""
        rows, points = self.positions.shape[:2]
        return self._replace(
            share=np.broadcast_to(self.share, (rows, points)),
            mode=np.broadcast_to(self.mode, rows),
            works=np.broadcast_to(self.works, (rows, 2)),
            actuation=np.broadcast_to(self.actuation, (rows, efforts)),
        )


def motion_trajectory(
    context: MachineContext,
    engine: str,
    pieces: Iterable[Piece],
    weight: Array,
    names: Sequence[str] | None = None,
    *,
    slope: float = 0.0,
    integrated: bool = True,
    events: Iterable[Event] = (),
    failure: str = "",
) -> Trajectory:
    """Return the trajectory of a motion of pieces that follow each other.

    weight: force of gravity along x and z of the slope frame [N]. names: the contacts that the
    points are, all in their order if none are given. slope: by which the ground falls towards +x
    [rad]. integrated: works are integrals of their own, whose balance with the energy tells the
    error of the motion. failure: why the motion ended before its time, if it did.
    """
    plant, contacts = context.model.plant, context.contacts.names
    motion = _joined([piece.whole(plant.num_actuators()) for piece in pieces])
    before = np.maximum(np.arange(len(motion.time)) - 1, 0)
    moved, span = motion.momentum - motion.momentum[before], motion.time - motion.time[before]
    impulse = moved - span[:, None] * weight
    works, share = np.asarray(motion.works), np.asarray(motion.share)
    own_mode = np.where(share != 0.0, np.asarray(motion.mode)[:, None], int(Mode.OPEN))
    order = [contacts.index(name) for name in (contacts if names is None else names)]
    by_contact = np.zeros((len(motion.time), len(contacts), 3))
    columns = {name: by_contact.copy() for name in ("impulse", "contact_velocity", "contact_point")}
    columns["impulse"][:, order, :2] = share[:, :, None] * impulse[:, None, ::-1]
    columns["contact_velocity"][:, order, :2] = np.where(
        own_mode[:, :, None] != int(Mode.OPEN), motion.velocities[:, :, ::-1], 0.0
    )
    cos, sin = math.cos(slope), math.sin(slope)
    R_WT = np.array([[cos, sin], [-sin, cos]])
    columns["contact_point"][:, order, ::2] = np.ascontiguousarray(motion.positions) @ R_WT.T
    gap, dissipation = by_contact[:, :, 0].copy(), by_contact[:, :, 0].copy()
    mode = np.full(gap.shape, int(Mode.OPEN), dtype=np.int8)
    mode[:, order] = own_mode
    gap[:, order] = motion.positions[:, :, 1]
    dissipation[:, order] = 0.0 - share * (works - works[before])[:, 1:]
    balance = motion.energy.sum(axis=1) - works.sum(axis=1)
    if integrated:
        columns["energy_residual"] = balance - balance[0]
    q, v = np.split(motion.state, [plant.num_positions()], axis=1)
    return trajectory_from_arrays(
        layout_of(plant, context.contacts),
        motion.time,
        events=sorted(events, key=lambda event: event.time),
        failure=failure,
        attributes={"engine": engine},
        q=q,
        v=v,
        actuation=motion.actuation,
        gap=gap,
        mode=mode,
        dissipation=0.0 + dissipation,  # no -0
        kinetic_energy=motion.energy[:, 0],
        potential_energy=motion.energy[:, 1],
        actuator_work=works[:, 0],
        contact_work=works[:, 1],
        damping_work=0.0,
        constraint_work=0.0,
        push_work=0.0,
        energy_gain=0.0,
        **columns,
    )


def _joined(pieces: Sequence[Piece]) -> Piece:
    """All rows, without those that repeat the one before."""
    columns = [np.concatenate(column) for column in zip(*pieces, strict=True)]
    motion = Piece(*columns)
    tracked = np.concatenate((motion.state, motion.actuation), axis=1)
    jumps = np.abs(np.diff(tracked, axis=0)).max(axis=1, initial=0.0) > _SAME
    stays = np.concatenate(([True], (np.diff(motion.time) > 0.0) | jumps))
    return Piece(*(column[stays] for column in columns))
