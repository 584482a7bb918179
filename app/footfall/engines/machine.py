"""The tables of a machine in contact, from its plant, its contacts and the choices of a run."""

import numpy as np

from footfall.arrays import Array
from footfall.engines.contact_part import Surfaces, group_of
from footfall.engines.few_points import face_of_points
from footfall.engines.impacts import NEWTON
from footfall.engines.record import COLUMNS, begun_for, rows_for
from footfall.engines.tables import VECTORS, Feet, Later, Machine, Memory, Motors, Rules
from footfall.engines.velocities import MANY_OF_A_TREE
from footfall.plants.contacts import ContactSet
from footfall.plants.contacts.pairs import gap_scratch
from footfall.plants.coordinates import actuators_of
from footfall.plants.dynamics import Dynamics
from footfall.plants.flat.dynamics import scratch_of
from footfall.plants.flat.held import held_for
from footfall.plants.flat.tree import Kind, spins_of
from footfall.plants.forces import springs_join_bodies
from footfall.plants.motors import Drives

_MOST_ROWS = 96  # of the memory for contact problems, until a larger one comes


def machine_of(
    dynamics: Dynamics,
    contacts: ContactSet,
    rules: Rules,
    added: Array,
    drives: Drives | None,
) -> Machine:
    """Put the tables together; added (nv,): what stands beside M on its diagonal."""
    plant, axes, tree = dynamics.plant, dynamics.axes, dynamics.kinematics.tree
    nv = plant.num_velocities()
    measure = dynamics.measure
    ground, joints, pairs = measure.gap_tables
    own = measure.surfaces
    laws = contacts.coefficients()
    surfaces = Surfaces(
        own.links,
        own.pair_of,
        np.ascontiguousarray(axes.R_WT),
        np.ascontiguousarray(axes.on_ground().T),
        own.columns,
        own.signs,
        laws,
        len(contacts.limits),
        contacts.dim,
        bool(axes.planar),
    )
    depth, path = tree.depth, tree.path
    if springs_join_bodies(plant):  # and so any two velocities
        depth = np.arange(nv, dtype=np.int64)
        path = np.tile(depth, (nv, 1))
    diagonal = np.zeros((nv, path.shape[1]))
    diagonal[np.arange(nv), depth] = added
    face = face_of_points(contacts) if rules.impact_law == NEWTON else np.full(len(contacts), -1)
    drakes = (tree.kind == Kind.OTHER).any()  # whose gyroscopic terms Drake alone knows
    return Machine(
        tree,
        depth,
        path,
        diagonal,
        spins_of(tree)[: 0 if drakes else None],
        ground,
        joints,
        pairs,
        surfaces,
        face,
        dynamics.bilateral.table,
        len(dynamics.bilateral),
        _motors(dynamics, drives),
        _feet(contacts),
        rules,
    )


def memory_of(
    machine: Machine, contacts: ContactSet, nq: int, rows: int = 0, points: int = 0
) -> Memory:
    """Return memory for one world; rows, points: of the largest problem, if that is known."""
    nv, count, dim, m = len(machine.depth), len(contacts), contacts.dim, machine.equations
    rows, nu = max(rows, 1, min(_MOST_ROWS, dim * count)), len(machine.motors.velocity)
    moved = machine.rules.midpoint or machine.rules.recover_gaps
    more = m + rows if moved else m  # contacts beside loops
    each, nothing = np.zeros(count, dtype=np.int64), np.zeros(nu)
    return Memory(
        scratch_of(machine.tree),
        gap_scratch(machine.pairs),
        np.zeros((len(contacts.pairs), 3)),
        np.full(count, np.inf),
        np.full((count, 3), np.nan),
        begun_for(contacts),
        held_for(more, nv),
        Later(
            scratch_of(machine.tree),
            np.zeros((more, nv)),
            np.zeros(more),
            np.full(count, np.inf),
            np.full((count, 3), np.nan),
        ),
        group_of(nv, min(m, nv), rows, max(points, rows), dim),
        np.zeros(machine.path.shape),
        np.zeros(machine.path.shape),
        np.zeros((VECTORS, nv)),
        np.zeros(count, dtype=np.bool_),
        each,
        each.copy(),
        np.zeros(machine.tree.tree.max(initial=0) + 1, dtype=np.int64),
        np.zeros(count),
        np.zeros(nq),
        np.zeros(nq),
        nothing,
        nothing.copy(),
        np.zeros(nu, dtype=np.bool_),
        np.zeros(6, dtype=np.int64),
        np.zeros((rows_for(contacts), COLUMNS)),
    )


def _motors(dynamics: Dynamics, drives: Drives | None) -> Motors:
    plant = dynamics.plant
    velocity = [actuator.joint().velocity_start() for actuator in actuators_of(plant)]
    nothing = np.zeros(len(velocity))
    return Motors(
        np.array(velocity, dtype=np.int64),
        dynamics.effort_limits,
        drives is not None,
        nothing if drives is None else drives.slope,
        nothing if drives is None else drives.of_start,
    )


def _feet(contacts: ContactSet) -> Feet:
    feet = contacts.swing_foot_filter
    if feet is None:
        none = np.zeros(0, dtype=np.int64)
        return Feet(none, none, np.zeros(3), 0.0)
    first, second = (np.asarray(foot.points, dtype=np.int64) for foot in feet.feet)
    return Feet(first, second, np.asarray(feet.ahead_W, dtype=np.float64), float(feet.landed))


def most_rows(held: bool) -> float:
    """Rows of a problem of one tree that is solved densely."""
    return np.inf if held else float(MANY_OF_A_TREE)
