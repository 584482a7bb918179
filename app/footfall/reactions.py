"""Reactions that the joints of a machine carried in a run."""

import numpy as np
import numpy.typing as npt
import xarray as xr
from pydrake.multibody.plant import ExternallyAppliedSpatialForce, MultibodyPlant

from footfall.arrays import Array
from footfall.engine_names import ENGINES, INTEGRATING
from footfall.engines.moreau_config import MIDPOINT
from footfall.errors import RunError
from footfall.plants.coordinates import coordinate_names, full_name, joints_of
from footfall.plants.dynamics import Dynamics
from footfall.plants.pushes import applied, body_of
from footfall.plants.reactions import (
    COMPONENTS,
    JOINT_REACTION,
    UNEXPLAINED,
    BodyMotion,
    StepReactions,
    reaction_variables,
)
from footfall.scenario.assemble import Robot
from footfall.trajectory import Trajectory
from footfall.trajectory.contact_table import contact_table
from footfall.trajectory.pushes import pushes_of
from footfall.trajectory.variables import RECORD_EVERY

_MOREAU = "moreau"


def joint_reactions(trajectory: Trajectory, robot: Robot, *, every: int = 1) -> xr.DataArray:
    """Forces and moments that the joints transmit, (time, joint, component) [N m, N].

    What acts on the child body C of a joint, at its frame Jc on C and expressed in Jc: moment mx,
    my, mz, then force fx, fy, fz, as Drake's reaction port has them. It includes what the joint's
    motor, damping, stops and dry friction do; pushes are taken from the trajectory.
    A row of an engine that takes steps has the means over the step that ends at its time, so that
    an impact is its impulse over the step; the first row, before any step, is NaN, as are rows that
    are no numbers. A row of a machine's own engine that records reactions has those of its instant.
    The coordinate ``unexplained`` (time) [N or N m] is the largest generalized force by which the
    equations of motion are not met: rounding, and in Drake's engines stops at limits as well, and
    that contacts act some micrometres from where they are measured.

    trajectory: of the Moreau engine, Drake's with steps, or one that has `JOINT_REACTION`. robot:
    that of its scenario, as ``build_robot`` makes it.
    every: of a long run, compute only one row in so many (a row takes some half a millisecond).
    Raises RunError for a trajectory of another engine or machine, ModelError for a force element
    whose forces on bodies are not known.
    """
    data = trajectory.data
    if JOINT_REACTION in data:
        return _labelled(data.isel(time=slice(None, None, every)), robot.plant)
    _require_own(trajectory, robot)
    states = np.hstack((data["q"].to_numpy(), data["v"].to_numpy()))
    time, actuation = data["time"].to_numpy(), data["actuation"].to_numpy()
    table = contact_table(data)
    steps = StepReactions(
        Dynamics(robot.model, robot.contacts),
        midpoint=data.attrs.get("scheme") == MIDPOINT,
        at_start=data.attrs["engine"] != _MOREAU,
    )
    pushing = _Pushing(trajectory, robot)
    rows = range(0, len(time), every)
    motions: list[BodyMotion] = []
    # the steps of which everything was recorded
    complete: npt.NDArray[np.bool_] = np.zeros(len(time), dtype=np.bool_)
    of_states = _finite(states)
    complete[1:] = of_states[:-1] & of_states[1:] & _finite(actuation)[:-1]
    complete[table.row[~_finite(table.columns["impulse"])]] = False
    entries = np.searchsorted(table.row, np.arange(len(time) + 1))
    carried = np.full((len(rows), len(steps.joints), len(COMPONENTS)), np.nan)
    unexplained = np.full(len(rows), np.nan)
    for index, k in enumerate(rows):
        if not complete[k]:
            continue
        motion, unexplained[index] = steps.of_contacts(
            states[k - 1],
            states[k],
            time[k] - time[k - 1],
            table.only(slice(*entries[k : k + 2])),
            actuation[k - 1],
            pushing.between(states[k - 1], time[k - 1], time[k]),
        )
        motions.append(motion)
    carried[complete[::every]] = steps.carried(motions)
    names = [full_name(robot.plant, joint) for joint in steps.joints]
    variables = reaction_variables(names, carried, unexplained)
    return _labelled(variables.assign_coords(time=data["time"][::every]), robot.plant)


def _labelled(data: xr.Dataset, plant: MultibodyPlant) -> xr.DataArray:
    """Return the reactions of a dataset, with all names of joints and what is unexplained."""
    full = {joint.name(): full_name(plant, joint) for joint in joints_of(plant)}
    reactions = data[JOINT_REACTION].load()
    return reactions.assign_coords(
        joint=[full.get(name, name) for name in reactions["joint"].values.tolist()],
        unexplained=data[UNEXPLAINED].variable,
    )


def _finite(values: Array) -> npt.NDArray[np.bool_]:
    """Return which rows (N, ...) hold nothing but numbers."""
    across = tuple(range(1, values.ndim))
    return np.asarray(np.isfinite(values).all(axis=across), dtype=np.bool_)


class _Pushing:
    """Pushes of a run on the links of its machine."""

    def __init__(self, trajectory: Trajectory, robot: Robot) -> None:
        self._plant, self._context = robot.plant, robot.plant.CreateDefaultContext()
        pushes = pushes_of(trajectory.data)
        self._pushes = [(body_of(robot.plant, push), push) for push in pushes]

    def between(
        self, state: Array, begin: float, end: float
    ) -> list[ExternallyAppliedSpatialForce]:
        """Mean forces in a step that begins at a state [q; v]."""
        shares = [push.mean_share(begin, end) for _, push in self._pushes]
        if any(shares):
            self._plant.SetPositionsAndVelocities(self._context, state)
        return [
            applied(body, push, share, self._context)
            for (body, push), share in zip(self._pushes, shares, strict=True)
            if share != 0.0
        ]


def _require_own(trajectory: Trajectory, robot: Robot) -> None:
    """Raise RunError unless the trajectory is of an engine that takes steps and of this machine."""
    data = trajectory.data
    engine = data.attrs.get("engine")
    if engine not in ENGINES or engine in INTEGRATING:
        raise RunError(
            f"joint reactions: this run is of engine '{engine}', which takes no steps that they "
            "could follow, and records none: run the scenario with engine moreau or drake."
        )
    if RECORD_EVERY in data.attrs:
        raise RunError(
            "joint reactions: they follow from every step, and of this run one in "
            f"{data.attrs[RECORD_EVERY]} is recorded: run it again with record_every=1."
        )
    own = {
        "position": coordinate_names(robot.plant)[0],
        "contact": list(robot.contacts.names),
    }
    for dim, names in own.items():
        if data[dim].values.tolist() != names:
            raise RunError(
                f"joint reactions: the run has other {dim}s than the machine: build the machine "
                "from the run's own scenario."
            )
