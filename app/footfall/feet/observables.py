"""Motion and loads of the feet of a robot in a run, as labelled variables of its trajectory.

The loads are sums over a foot's contacts with the ground that bore one. A plant is asked for the
motion at the recorded states.

Frames: W world, B the base, T terrain, L the first link of a foot; contact axes [n, t, s] as in
``footfall.plants.contacts.axes``.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import xarray as xr
from pydrake.math import RollPitchYaw
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import RigidBody
from pydrake.systems.framework import Context

from footfall.arrays import Array, Flags, Indices
from footfall.contact import Mode
from footfall.feet.balance import SUPPORT_POINTS, capture_point, support_margins, zero_moment_point
from footfall.feet.detection import Feet
from footfall.feet.gait import contact_states, events, sample_rows, spread
from footfall.feet.ground_contacts import GroundContacts, UnevenGround, uneven_ground
from footfall.plants.contacts import ContactSet
from footfall.plants.contacts.axes import axes_in_terrain
from footfall.plants.coordinates import bodies_of
from footfall.plants.loading.load import Model
from footfall.plants.terrain import ground_axes, slope_and_gravity
from footfall.trajectory import Trajectory
from footfall.trajectory.contact_table import bore_ever, occurring
from footfall.trajectory.variables import meanings


@dataclass(frozen=True)
class Motion:
    """Motion over the rows of a trajectory.

    p_WCcm (N, 3) [m] and v_WCcm (N, 3) [m/s]: of the robot's centre of mass. p_WB (N, 3) [m]: of
    its base. X_WL (N, feet, 3, 4): poses of the feet's frames. turned (3,): roll, pitch and yaw of
    the base at the end [rad].
    """

    p_WCcm: Array
    v_WCcm: Array
    p_WB: Array
    X_WL: Array
    turned: Array


def motion_of(data: xr.Dataset, model: Model, feet: Feet) -> Motion:
    """Ask the plant for the motion in a trajectory, at samples of its rows."""
    plant = model.plant
    context = plant.CreateDefaultContext()
    states = np.hstack((data["q"].to_numpy(), data["v"].to_numpy()))
    rows = sample_rows(len(states))
    centre = _CentreOfMass(plant, feet)
    links = [links[0] for links in feet.links]
    com, base = np.zeros((len(rows), 2, 3)), np.zeros((len(rows), 3))
    poses = np.zeros((len(rows), len(links), 3, 4))
    for sample, row in enumerate(rows):
        plant.SetPositionsAndVelocities(context, states[row])
        com[sample] = centre(context)
        base[sample] = plant.EvalBodyPoseInWorld(context, feet.tree.base).translation()
        for k, link in enumerate(links):
            poses[sample, k] = plant.EvalBodyPoseInWorld(context, link).GetAsMatrix34()
    R_WB = plant.EvalBodyPoseInWorld(context, feet.tree.base).rotation()
    com = spread(com, rows, len(states))
    return Motion(
        p_WCcm=com[:, 0],
        v_WCcm=com[:, 1],
        p_WB=spread(base, rows, len(states)),
        X_WL=spread(poses, rows, len(states)),
        turned=np.asarray(RollPitchYaw(R_WB).vector()),
    )


class _CentreOfMass:
    """Place and velocity of a robot's centre of mass; what else its models hold is left out."""

    def __init__(self, plant: MultibodyPlant, feet: Feet) -> None:
        tree = feet.tree
        own = {int(body.index()) for body in tree.bodies}
        instances = {int(body.model_instance()): body.model_instance() for body in tree.bodies}
        self._plant, self._mass = plant, tree.mass
        self._instances = list(instances.values())
        self._others: list[RigidBody] = []
        for body in bodies_of(plant)[1:]:
            other = int(body.model_instance()) in instances and int(body.index()) not in own
            if other and body.default_mass() > 0.0:
                self._others.append(body)

    def __call__(self, context: Context) -> Array:
        """Place [m] and velocity [m/s] in W, (2, 3)."""
        plant, models = self._plant, self._instances
        centre = np.array(
            [
                plant.CalcCenterOfMassPositionInWorld(context, models),
                plant.CalcCenterOfMassTranslationalVelocityInWorld(context, models),
            ]
        )
        if not self._others:
            return centre
        whole = self._mass + sum(body.default_mass() for body in self._others)
        centre *= whole
        for body in self._others:
            X_WB, V_WB = body.EvalPoseInWorld(context), body.EvalSpatialVelocityInWorld(context)
            arm = X_WB.rotation().multiply(body.default_com())
            v_WBcm = V_WB.translational() + np.cross(V_WB.rotational(), arm)
            centre -= body.default_mass() * np.array([X_WB.translation() + arm, v_WBcm])
        return centre / self._mass


@dataclass(frozen=True)
class Loads:
    """One entry for every step and contact with an impulse, in the order of the steps.

    row, contact (k,): of the trajectory. force_W (k, 3): mean over the step, on the robot [N].
    normal (k,): its part along the contact's normal [N]. friction_W (k, 3): the rest, with what
    lies along s over the side coefficient [N]; bound (k,): what friction may be at most [N].
    place_W (k, 3) [m]. slip (k,): speed along the ground at the end of the step [m/s].
    """

    row: Indices
    contact: Indices
    force_W: Array
    normal: Array
    friction_W: Array
    bound: Array
    place_W: Array
    slip: Array

    def only(self, entries: Indices) -> "Loads":
        """The entries at some places."""
        return Loads(**{name: getattr(self, name)[entries] for name in self.__dataclass_fields__})


def loads_of(data: xr.Dataset, ground: GroundContacts, bearing: Flags, R_WT: Array) -> Loads:
    """Collect what bore on the ground in a trajectory.

    bearing (n,): contacts that count. R_WT (3, 3): of the terrain.
    """
    columns = np.flatnonzero(bearing & bore_ever(data))  # few of a robot of many corners
    data = data.isel(contact=columns)
    impulse = data["impulse"].to_numpy()
    steps = np.diff(data["time"].to_numpy(), prepend=np.nan)
    acts = np.isfinite(impulse).all(axis=2) & impulse.any(axis=2) & (steps > 0.0)[:, None]
    row, column = np.nonzero(acts)
    contact = columns[column]
    forces = impulse[row, column] / steps[row, None]
    n_W = data["contact_normal"].to_numpy()[row, column]
    known = np.isfinite(n_W).all(axis=1, keepdims=True)
    axes_W = axes_in_terrain(np.where(known, n_W, R_WT[:, 2]), R_WT)
    velocity = data["contact_velocity"].to_numpy()[row, column]
    ratio = np.stack((np.zeros(len(row)), np.ones(len(row)), 1.0 / ground.side[contact]), axis=1)
    mu = ground.mu[contact]
    if data.attrs.get("engine") == "moreau":  # the other engines know no static friction
        sticks = data["mode"].to_numpy()[row, column] == Mode.STICK
        mu = np.where(sticks, ground.mu_static[contact], mu)
    sign = ground.sign[contact, None]
    return Loads(
        row=row,
        contact=contact,
        force_W=sign * np.einsum("kij,kj->ki", axes_W, forces),
        normal=forces[:, 0],
        friction_W=sign * np.einsum("kij,kj->ki", axes_W, ratio * forces),
        bound=mu * forces[:, 0],
        place_W=data["contact_point"].to_numpy()[row, column],
        slip=np.linalg.norm(velocity[:, 1:], axis=1),
    )


def foot_forces(feet: Feet, forces: Array, normals_W: Array, R_WT: Array) -> Array:
    """Return the forces of the ground on feet, (feet, 3) in W [N].

    forces (n, 3): of the reported contacts in [n, t, s] [N]. normals_W (n, 3), or NaN. R_WT (3, 3):
    of the terrain.
    """
    acts = np.flatnonzero((feet.of_contact >= 0) & forces.any(axis=1))
    n_W = normals_W[acts]
    n_W = np.where(np.isfinite(n_W).all(axis=1, keepdims=True), n_W, R_WT[:, 2])
    force_W = np.einsum("kij,kj->ki", axes_in_terrain(n_W, R_WT), forces[acts])
    total = np.zeros((len(feet), 3))
    np.add.at(total, feet.of_contact[acts], feet.ground.sign[acts, None] * force_W)
    return total


def summed(values: Array, row: Indices, group: Indices, shape: tuple[int, int]) -> Array:
    """Sum values (k,) or (k, d) by row and group into an array of a shape (rows, groups[, d])."""
    place = row * shape[1] + group
    total = np.zeros((shape[0] * shape[1], *values.shape[1:]))
    np.add.at(total, place, values)
    return total.reshape(*shape, *values.shape[1:])


LEAST_LOAD = 1e-3  # of the robot's weight: a foot with less bears no load


def with_feet(trajectory: Trajectory, model: Model, contacts: ContactSet, feet: Feet) -> Trajectory:
    """Return a trajectory with what its feet did: variables, touch-downs and lift-offs.

    The coordinate ``foot_of_contact`` names the foot of each contact with the ground, empty for all
    others. Without feet there is only the motion. A trajectory that holds no step is returned as it
    is.
    """
    data = trajectory.data
    time = data["time"].to_numpy()
    if len(time) < 2:
        return trajectory
    motion = motion_of(data, model, feet)
    columns = {"com": motion.p_WCcm, "com_velocity": motion.v_WCcm, "base_position": motion.p_WB}
    if len(feet) == 0:
        return replace(trajectory, data=data.merge(_dataset(columns, feet, data)))
    R_WT = np.ascontiguousarray(ground_axes(model.plant).matrix())
    gravity = slope_and_gravity(model.plant)[1]
    loads = loads_of(data, feet.ground, feet.bearing, R_WT)
    ground = uneven_ground(model, contacts)
    columns |= _of_feet(data, loads, motion, feet, LEAST_LOAD * feet.tree.mass * gravity, ground)
    states = columns["foot_contact"].astype(np.bool_)
    columns |= _of_robot(loads, motion, feet, R_WT[:, 2], gravity, len(time))
    if ground is not None:
        columns["zero_moment_point"] = _pressure(loads, columns["zero_moment_point"], R_WT[:, 2])
    columns["ground_contact"] = feet.bearing.astype(np.int8)
    data = data.merge(_dataset(columns, feet, data))
    data = data.assign(support_margin=_margins(data, planar=contacts.dim == 2))
    happened = sorted(
        (*trajectory.events, *events(time, states, feet.names)), key=lambda event: event.time
    )
    return replace(trajectory, data=data, events=tuple(happened))


def _of_feet(
    data: xr.Dataset,
    loads: Loads,
    motion: Motion,
    feet: Feet,
    least: float,
    ground: UnevenGround | None,
) -> dict[str, Array]:
    """Columns of the feet; least: normal force of a foot that bears a load [N].

    ground: if it is uneven.
    """
    time = data["time"].to_numpy()
    shape = (len(time), len(feet))
    own = loads.only(np.flatnonzero(feet.of_contact[loads.contact] >= 0))
    foot = feet.of_contact[own.contact]

    def total(values: Array) -> Array:
        return summed(values, own.row, foot, shape)

    force, normal = total(own.force_W), total(own.normal)
    weighted = np.maximum(own.normal, 0.0)
    weight = total(weighted)
    bears = normal > least
    with np.errstate(divide="ignore", invalid="ignore"):
        pressure = total(weighted[:, None] * np.nan_to_num(own.place_W)) / weight[..., None]
        use = np.linalg.norm(total(own.friction_W), axis=-1) / total(own.bound)
        speed = total(weighted * own.slip) / weight
    for values in (pressure, use, speed):
        values[~bears] = np.nan
    force[0], normal[0] = np.nan, np.nan  # no step ends at the first row
    states = contact_states(time, bears)
    speed = _filled(time, speed, states)
    X_WL = motion.X_WL
    if data.attrs.get("engine") == "moreau":  # its contacts are measured amid a step
        X_WL = np.concatenate((X_WL[:1], 0.5 * (X_WL[:-1] + X_WL[1:])))
    arm = pressure - X_WL[..., 3]
    return {
        "foot_force": force,
        "foot_normal_force": normal,
        "foot_contact": states.astype(np.int8),
        "foot_centre_of_pressure": pressure,
        "foot_centre_of_pressure_link": np.einsum("nfij,nfi->nfj", X_WL[..., :3], arm),
        "foot_friction_utilisation": use,
        "foot_slip_speed": speed,
        "foot_slip": _slid(time, speed),
        "foot_clearance": _clearance(data, feet, ground),
    }


def _filled(time: Array, speed: Array, states: Flags) -> Array:
    """Slip speeds (N, feet) of stances: interpolated over steps in which a foot bore no load."""
    speeds = np.full_like(speed, np.nan)
    for foot, column in enumerate(speed.T):
        known = np.isfinite(column)
        stands = states[:, foot]
        if known.any():
            speeds[stands, foot] = np.interp(time[stands], time[known], column[known])
    return speeds


def _slid(time: Array, speed: Array) -> Array:
    """Distances (N, feet) [m] slid since the start: the trapezoidal sum of speeds in stances."""
    before = np.where(np.isfinite(speed[:-1]), speed[:-1], speed[1:])
    steps = 0.5 * np.diff(time)[:, None] * (before + speed[1:])
    return np.vstack((np.zeros(speed.shape[1]), np.nancumsum(steps, axis=0)))


def _clearance(data: xr.Dataset, feet: Feet, ground: UnevenGround | None) -> Array:
    """Least recorded gap of every foot, (N, feet) [m]; NaN at the first row, before any step."""
    there = occurring(data)
    there = there[feet.of_contact[there] >= 0]
    own = data["gap"].isel(contact=there)
    gap = own.to_numpy() if ground is None else ground.gaps(data, there)
    clearance = np.full((len(gap), len(feet)), np.nan)
    for foot in range(len(feet)):
        of_foot = gap[:, feet.of_contact[there] == foot]
        known = np.where(np.isfinite(of_foot), of_foot, np.inf)
        clearance[:, foot] = known.min(axis=1, initial=np.inf)
    clearance[np.isinf(clearance)] = np.nan
    clearance[0] = np.nan
    return clearance


def _of_robot(
    loads: Loads, motion: Motion, feet: Feet, n_W: Array, gravity: float, count: int
) -> dict[str, Array]:
    """Columns of the robot as a whole."""
    all_one = np.zeros(len(loads.row), dtype=np.int64)
    force = summed(loads.force_W, loads.row, all_one, (count, 1))[:, 0]
    moment = np.cross(loads.place_W, loads.force_W)
    moment = summed(moment, loads.row, all_one, (count, 1))[:, 0]
    force[~(force @ n_W > LEAST_LOAD * feet.tree.mass * gravity)] = np.nan
    return {
        "zero_moment_point": zero_moment_point(force, moment, n_W),
        "capture_point": capture_point(motion.p_WCcm, motion.v_WCcm, n_W, gravity),
    }


def _pressure(loads: Loads, point: Array, n_W: Array) -> Array:
    """Mean of the places (N, 3) that bear, by their forces along n_W; NaN where point is.

    On ground that is not level no plane has all contacts in it: about any, forces of feet at other
    heights have moments that no pressure answers for.
    """
    weight = np.maximum(loads.force_W @ n_W, 0.0)
    all_one, shape = np.zeros(len(loads.row), dtype=np.int64), (len(point), 1)
    total = summed(weight, loads.row, all_one, shape)[:, 0]
    moment = summed(weight[:, None] * np.nan_to_num(loads.place_W), loads.row, all_one, shape)[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        point_W: Array = moment / total[:, None]
    point_W[np.isnan(point).any(axis=1)] = np.nan
    return point_W


def _dataset(columns: dict[str, Array], feet: Feet, data: xr.Dataset) -> xr.Dataset:
    """Label the columns."""
    variables = {
        name: (
            of["dims"].split(),
            columns[name],
            {"units": of["unit"], "long_name": of["meaning"]},
        )
        for name, of in meanings()["feet"].items()
        if name in columns
    }
    given = {name: data[name] for name in ("time", "xyz")}
    if len(feet) == 0:
        return xr.Dataset(variables, given)
    names = np.array([*feet.names, ""], dtype=np.str_)
    texts: dict[str, tuple[str, Any, str]] = {
        "foot": ("foot", names[:-1], "foot"),
        "foot_of_contact": ("contact", names[feet.of_contact], "foot of a contact, or nothing"),
    }
    coords = {
        name: (dim, values, {"units": "1", "long_name": meaning})
        for name, (dim, values, meaning) in texts.items()
    }
    return xr.Dataset(variables, {**given, **coords})


def _margins(data: xr.Dataset, *, planar: bool) -> xr.DataArray:
    """Label the margins of a trajectory with its feet."""
    names = np.array(list(SUPPORT_POINTS), dtype=np.str_)
    point = xr.Variable("support_point", names, {"units": "1", "long_name": "point of balance"})
    what = "horizontal distance to the edge of the support polygon, negative outside"
    return xr.DataArray(
        support_margins(data, planar=planar),
        {"time": data["time"], "support_point": point},
        ("time", "support_point"),
        attrs={"units": "m", "long_name": what},
    )
