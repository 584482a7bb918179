"""The tables of a machine in contact, from its plant, its contacts and the choices of a run."""

import numpy as np

from footfall.arrays import Array
from footfall.engines.contact_part import Surfaces, group_of
from footfall.engines.few_points import face_of_points
from footfall.engines.held import Held
from footfall.engines.impacts import NEWTON
from footfall.engines.record import begun_for
from footfall.engines.tables import Feet, Machine, Memory, Motors, Rules
from footfall.engines.velocities import MANY_OF_A_TREE
from footfall.plants.constraints import LoopTable
from footfall.plants.contacts import ContactSet
from footfall.plants.contacts.gaps import joint_table
from footfall.plants.contacts.ground import ground_table
from footfall.plants.contacts.pairs import gap_scratch, pair_table
from footfall.plants.coordinates import actuators_of, quaternion_joints
from footfall.plants.dynamics import Dynamics
from footfall.plants.flat.dynamics import scratch_of
from footfall.plants.forces import springs_join_bodies
from footfall.plants.motors import Drives
from footfall.plants.terrain import FRAME_NAME

_MOST_COLUMNS = 96  # of the memory for contact problems; larger ones get memory of their own
_NO_LOOPS = LoopTable(
    np.zeros((0, 14), dtype=np.int64), np.zeros((0, 2, 3, 4)), np.zeros((0, 2))
)


def machine_of(
    dynamics: Dynamics,
    contacts: ContactSet,
    rules: Rules,
    added: Array,
    drives: Drives | None,
) -> Machine:
    """Put the tables together; added (nv,): what stands beside M on its diagonal."""
    plant, kinematics, axes = dynamics.plant, dynamics.kinematics, dynamics.axes
    tree = kinematics.tree
    X_WT = plant.GetFrameByName(FRAME_NAME).CalcPoseInWorld(dynamics.context)
    nv = plant.num_velocities()
    ground = ground_table(contacts.ground, kinematics, X_WT)
    joints = joint_table(contacts.limits, contacts.frictions)
    touching = contacts.num_touching
    links, pair_of = np.zeros((touching, 2), dtype=np.int64), np.full(touching, -1, dtype=np.int64)
    links[: contacts.num_ground, 0] = ground.links
    for number, pair in enumerate(contacts.pairs):
        places = slice(pair.first, pair.first + len(pair))
        pair_of[places] = number
        links[places] = [kinematics.link_of(body) for body in (pair.body_a, pair.body_b)]
    laws = contacts.coefficients()
    surfaces = Surfaces(
        links,
        pair_of,
        np.ascontiguousarray(axes.R_WT),
        np.ascontiguousarray(axes.on_ground().T),
        joints.columns,
        joints.signs,
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
    starts = [joint.velocity_start() for joint in quaternion_joints(plant)]
    return Machine(
        tree,
        depth,
        path,
        diagonal,
        np.array([start + k for start in starts for k in range(3)], dtype=np.int64),
        ground,
        joints,
        pair_table(contacts.pairs, contacts.ground, kinematics, X_WT),
        surfaces,
        face,
        dynamics.bilateral.table if dynamics.bilateral else _NO_LOOPS,
        _motors(dynamics, drives),
        _feet(contacts),
        rules,
    )


def memory_of(machine: Machine, contacts: ContactSet, nq: int, m: int) -> Memory:
    """Return memory for one world; m: bilateral rows."""
    nv, count, dim = len(machine.depth), len(contacts), contacts.dim
    rows = max(1, min(_MOST_COLUMNS, dim * count))
    nu = len(machine.motors.velocity)
    return Memory(
        scratch_of(machine.tree),
        gap_scratch(machine.pairs),
        np.zeros((len(contacts.pairs), 3)),
        np.full(count, np.inf),
        np.full((count, 3), np.nan),
        begun_for(contacts),
        Held(np.zeros((nv, m)), np.zeros((nv, m)), np.zeros((m, m))),
        np.zeros((m, nv)),
        np.zeros(m),
        group_of(nv, rows, rows, dim),
        np.zeros(machine.path.shape),
        np.zeros(machine.path.shape),
        np.zeros((8, nv)),
        np.zeros(count, dtype=np.bool_),
        np.zeros(count, dtype=np.int64),
        np.zeros(nq),
        np.zeros(nu),
        np.zeros(nu),
        np.zeros(nu, dtype=np.bool_),
        np.zeros(1, dtype=np.int64),
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
