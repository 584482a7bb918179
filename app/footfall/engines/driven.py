"""Steps under a law of torques, limits of motors and pushes, each worked out before its step.

The step itself is `footfall.engines.moreau_step.roll` as it was compiled for Python, called by its
address: what drives a machine is compiled for itself, in a small part of the time.
"""

# ruff: noqa: ANN401 (numba has no types)
# mypy: disable-error-code="no-untyped-call"

import math
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

from footfall.arrays import Array, Indices
from footfall.engines.ask import call_at
from footfall.engines.moreau_step import KNOWS_DYNAMICS, roll
from footfall.engines.record import OF_LAW
from footfall.engines.tables import DONE, Handle
from footfall.jit import njit, scratch_njit
from footfall.plants.flat.dynamics import Scratch, advance, mass_and_force, place_links
from footfall.plants.flat.laws import (
    InverseDynamicsLaw,
    Law,
    Limits,
    PdLaw,
    inverse_dynamics_torque,
    limit_torques,
    pd_torque,
)
from footfall.plants.flat.outputs import OutputsLaw, hold_outputs
from footfall.plants.flat.pushed import PushTable, add_pushes, turned
from footfall.plants.flat.shaping import EnergyLaw, shape_energy
from footfall.plants.flat.standing import Standing, stand
from footfall.plants.flat.tree import Tree

NO_NUMBER = 100
"""End of a step, beside those of ``moreau_step``: a torque is no number."""


class Driving(NamedTuple):
    """Limits and pushes between a law and the steps.

    roll: address of the compiled function. position, velocity (nu,): places of actuated joints.
    """

    roll: int
    position: Indices
    velocity: Indices
    limits: Limits
    pushes: PushTable


class Rows(NamedTuple):
    """Rows of n steps, filled from the first of states, offs and records on.

    states (n + 1, nq + nv); efforts (n + 1, nu): within limits, at the states; applied (n, nv):
    generalized force of pushes; offs (n + 1, 2 or 0): which feet are off; records (n + 1, size).
    """

    states: Array
    efforts: Array
    applied: Array
    offs: Array
    records: Array

    def part(self, begin: int, end: int) -> "Rows":
        """Return the rows from the beginning of one step to that of another."""
        states, efforts, applied, offs, records = self
        to = end + 1
        return Rows(
            states[begin:to],
            efforts[begin:to],
            applied[begin:end],
            offs[begin:to],
            records[begin:to],
        )


def address_of_roll(handle: Handle, rows: Rows) -> int:
    """Return the address of ``roll`` as it is compiled for handles of this type."""
    none = rows.states[:1], rows.efforts[:0], rows.applied[:0], rows.offs[0], rows.records[:1]
    roll(handle, 0, *none)  # compiles or loads it
    kind, kernel = numba.typeof(handle), roll
    found = next(made for of, made in kernel.overloads.items() if of[0] == kind)  # type: ignore[attr-defined]
    address: int = found.library.get_pointer_to_function(found.fndesc.llvm_cfunc_wrapper_name)
    return address


def drive(
    handle: Handle, driving: Driving, law: Law, first: int, shares: Array, rows: Rows
) -> tuple[int, int]:
    """Make steps under a law as ``roll`` does; returns how many, and how the last ended.

    first: number of the first step, by which tables are read. shares (n, pushes): of the pushes in
    the steps.
    """
    if isinstance(law, PdLaw):
        return _drive_pd(handle, driving, law, first, shares, rows)
    if isinstance(law, Standing):
        return _drive_standing(handle, driving, law, first, shares, rows)
    if isinstance(law, OutputsLaw):
        return _drive_outputs(handle, driving, law, first, shares, rows)
    if isinstance(law, EnergyLaw):
        return _drive_energy(handle, driving, law, first, shares, rows)
    return _drive_inverse_dynamics(handle, driving, law, first, shares, rows)


def _call_roll_at(
    _context: Any,
    address: Any,
    handle: Any,
    known: Any,
    states: Any,
    efforts: Any,
    applied: Any,
    off: Any,
    records: Any,
) -> Any:
    """Call ``roll`` at an address."""
    del address, known
    ends = types.UniTuple(types.int64, 2)
    return call_at(ends, handle, types.int64, states, efforts, applied, off, records)


_call_roll: Any = intrinsic(_call_roll_at)


class Seen(NamedTuple):
    """The few parts of a machine and its memory that are read between steps; dt [s].

    acting (pushes, 2, 3): scratch. The whole of both is a thousand numbers, which numba would hand
    over one by one.
    """

    tree: Tree
    dt: float
    work: Scratch
    q_m: Array
    vectors: Array
    acting: Array


@njit
def _seen(handle: Handle, pushes: int) -> Seen:
    """Take the parts of a handle that are read between steps."""
    m, w = handle.machine, handle.memory
    return Seen(m.tree, m.rules.dt, w.work, w.q_m, w.vectors, np.empty((pushes, 2, 3)))


@scratch_njit
def _make_step(
    handle: Handle, d: Driving, seen: Seen, known: int, k: int, shares: Array, rows: Rows
) -> int:
    """Make step k with the torques in its row of efforts, which behind the last are only limited.

    known: what the memory holds of it.
    """
    tree, work, acting, q_m = seen.tree, seen.work, seen.acting, seen.q_m
    nq, tau, state, applied = q_m.size, rows.efforts[k], rows.states[k], rows.applied
    q, v = state[:nq], state[nq:]
    limit_torques(d.limits, v, tau)
    if k == len(rows.states) - 1:
        return DONE
    for a in range(tau.size):
        if not math.isfinite(tau[a]):
            return NO_NUMBER
    applied[k] = 0.0
    acts = False
    for n in range(shares.shape[1]):
        acts = acts or shares[k, n] != 0.0
    if acts:
        # links turn the pushes that are given in their axes as they are at the start
        place_links(tree, work, q)
        turned(d.pushes, shares[k], work.pose, acting)
        advance(tree.kind, tree.position, tree.velocity, q, v, 0.5 * seen.dt, q_m)
        mass_and_force(tree, work, q_m, v)
        add_pushes(tree, d.pushes, acting, work.pose, work.twist, applied[k])
        known = KNOWS_DYNAMICS
    for foot in range(rows.offs.shape[1]):
        rows.offs[k + 1, foot] = rows.offs[k, foot]
    ends: tuple[int, int] = _call_roll(
        d.roll, handle, known, rows.states[k : k + 2], rows.efforts[k : k + 1], applied[k : k + 1],
        rows.offs[k + 1], rows.records[k : k + 2],
    )  # fmt: skip
    return ends[1]


@njit
def _drive_pd(
    handle: Handle, driving: Driving, law: PdLaw, first: int, shares: Array, rows: Rows
) -> tuple[int, int]:
    seen, states, efforts = _seen(handle, shares.shape[1]), rows.states, rows.efforts
    position, velocity, nq = driving.position, driving.velocity, seen.q_m.size
    for k in range(len(states)):
        pd_torque(
            law.ff, law.q_d, law.v_d, law.kp, law.kd, position, velocity, first + k,
            states[k, :nq], states[k, nq:], efforts[k],
        )  # fmt: skip
        status = _make_step(handle, driving, seen, 0, k, shares, rows)
        if status != DONE:
            return k, status
    return len(states) - 1, DONE


@njit
def _drive_inverse_dynamics(
    handle: Handle,
    driving: Driving,
    law: InverseDynamicsLaw,
    first: int,
    shares: Array,
    rows: Rows,
) -> tuple[int, int]:
    seen, states, efforts = _seen(handle, shares.shape[1]), rows.states, rows.efforts
    position, velocity, nq = driving.position, driving.velocity, seen.q_m.size
    tree, work, ahead, q_m = seen.tree, seen.work, law.lookahead, seen.q_m
    # then the step begins with what the law looks at
    known = KNOWS_DYNAMICS if ahead == 0.5 * seen.dt else 0
    for k in range(len(states)):
        q, v = states[k, :nq], states[k, nq:]
        advance(tree.kind, tree.position, tree.velocity, q, v, ahead, q_m)
        mass_and_force(tree, work, q_m, v)
        inverse_dynamics_torque(
            law.q_d, law.v_d, law.a_d, law.kp, law.kd, law.pairs, position, velocity, tree.depth,
            tree.path, work.H, work.h, first + k, q_m, v, seen.vectors, efforts[k],
        )  # fmt: skip
        status = _make_step(handle, driving, seen, known, k, shares, rows)
        if status != DONE:
            return k, status
    return len(states) - 1, DONE


@njit
def _drive_standing(
    handle: Handle, driving: Driving, law: Standing, _first: int, shares: Array, rows: Rows
) -> tuple[int, int]:
    seen, states, efforts = _seen(handle, shares.shape[1]), rows.states, rows.efforts
    nq = seen.q_m.size
    for k in range(len(states)):
        q, v, tau = states[k, :nq], states[k, nq:], efforts[k]
        if not stand(seen.tree, seen.work, law.law, law.frames, q, v, tau):
            tau[:] = math.nan
        status = _make_step(handle, driving, seen, 0, k, shares, rows)
        if status != DONE:
            return k, status
    return len(states) - 1, DONE


@njit
def _drive_outputs(
    handle: Handle, driving: Driving, law: OutputsLaw, _first: int, shares: Array, rows: Rows
) -> tuple[int, int]:
    seen, states, records = _seen(handle, shares.shape[1]), rows.states, rows.records
    nq, place = seen.q_m.size, records.shape[1] + OF_LAW
    for k in range(len(states)):
        q, v = states[k, :nq], states[k, nq:]
        support = hold_outputs(seen.tree, seen.work, law, records[k, place], q, v, rows.efforts[k])
        status = _make_step(handle, driving, seen, 0, k, shares, rows)
        if status != DONE:
            return k, status
        if k < len(states) - 1:
            records[k + 1, place] = support
    return len(states) - 1, DONE


@njit
def _drive_energy(
    handle: Handle, driving: Driving, law: EnergyLaw, _first: int, shares: Array, rows: Rows
) -> tuple[int, int]:
    seen, states = _seen(handle, shares.shape[1]), rows.states
    nq = seen.q_m.size
    for k in range(len(states)):
        shape_energy(seen.tree, seen.work, law, states[k, :nq], states[k, nq:], rows.efforts[k])
        status = _make_step(handle, driving, seen, 0, k, shares, rows)
        if status != DONE:
            return k, status
    return len(states) - 1, DONE


@njit
def foreseen(
    torques: Array, state: Array, record: Array, held: Array, rows: Rows, row: int
) -> tuple[bool, bool]:
    """Say whether torques are those that were held, and a row begins with a state and record."""
    at_start = _agree(state, rows.states[row]) and _agree(record, rows.records[row])
    return _agree(torques, held), at_start


@njit
def _agree(one: Array, other: Array) -> bool:
    """Say whether numbers are the same, or none in the same places."""
    for k in range(one.size):
        if one[k] != other[k] and not (math.isnan(one[k]) and math.isnan(other[k])):
            return False
    return True
