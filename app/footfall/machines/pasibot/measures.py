"""Readings of a run of PASIBOT by any engine: crank, slides, force of the floor, metrics."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.feet import MachineFeet
from footfall.machines.pasibot.closed_form.linkage import (
    PasibotParameters,
    image_ratio,
    joint_index,
    total_mass,
)
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, exchange, fold, pose
from footfall.machines.pasibot.closed_form.thresholds import start_torque, static_torque
from footfall.machines.pasibot.engine import sole
from footfall.machines.pasibot.model import (
    ACTUATOR,
    BASE,
    CRANK,
    POINTS,
    parameters_of,
    state_of,
    th8_of,
)
from footfall.machines.pasibot.predictions import SHOWN
from footfall.metrics import Metric
from footfall.plants.constraints import Ball, BilateralRows
from footfall.plants.coordinates import coordinate_names
from footfall.plants.loading.load import Model
from footfall.registry.context import MachineContext
from footfall.registry.documents import read_metrics
from footfall.trajectory import Trajectory

_OTHER_ANKLE = joint_index("E", leg=2)
_SLIDES = 1e-4  # m/s: slower than that no foot slides
_WINDOW = 0.01  # s
_CARRIED = 0.02  # of the weight: less force tells neither friction nor where it acts


@dataclass(frozen=True, eq=False)
class WalkObservables:
    """A run, row by row (N,): time [s]; phase: steps made, with fractions; torque T8 [N m].

    slide: how far all supporting feet have slid ahead [m], speed of that, a mean of 10 ms [m/s];
    rubbing: whether a sole slips, by the engine's account, since the row before.
    along, up: force of the floor on all feet, mean of the time since the row before [N]; zmp: where
    it acts, ahead of the supporting ankle [m]. Forces are NaN where no time has passed and where
    nothing touches; zmp where the foot hardly carries.
    """

    time: Array
    phase: Array
    torque: Array
    slide: Array
    speed: Array
    rubbing: npt.NDArray[np.bool_]
    along: Array
    up: Array
    zmp: Array


def observables_of(trajectory: Trajectory, parameters: PasibotParameters) -> WalkObservables:
    """Read a trajectory of any engine."""
    time = trajectory.data["time"].to_numpy()
    th8 = th8_of(trajectory)
    slide = _slide(trajectory, parameters, th8)
    along, up, zmp = _floor(trajectory, parameters, th8)
    return WalkObservables(
        time,
        (th8 - STEP_BEGINS) / math.pi,
        trajectory.data["actuation"].sel(actuator=ACTUATOR).to_numpy(),
        slide,
        _rate(time, slide),
        _rubbing(trajectory),
        along,
        up,
        zmp,
    )


def slip_of_steps(gait: WalkObservables) -> list[float]:
    """Return how far the foot slid in every whole step [m], with its sign; of a walk onwards."""
    whole = np.arange(math.ceil(gait.phase[0] - 1e-6), math.floor(gait.phase.max() + 1e-6) + 1)
    if len(whole) < 2 or not (np.diff(gait.phase) >= 0.0).all():
        return []
    return np.diff(np.interp(whole, gait.phase, gait.slide)).tolist()


def slides(gait: WalkObservables, least: float) -> list[tuple[float, float]]:
    """Phases at which slides begin and end, in steps from the start; those of a length [m]."""
    moving = gait.rubbing & (np.abs(gait.speed) > _SLIDES)
    direction = np.where(moving, np.sign(gait.speed), 0.0)
    edges = np.flatnonzero(np.diff(direction, prepend=0.0, append=0.0))
    ends = []
    for begin, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        first, last = max(begin - 1, 0), min(end, len(gait.phase) - 1)
        if direction[begin] and abs(gait.slide[last] - gait.slide[first]) > least:
            ends.append((float(gait.phase[begin]), float(gait.phase[last])))
    return ends


def _slide(trajectory: Trajectory, parameters: PasibotParameters, th8: Array) -> Array:
    """Slide of all supporting feet [m], from where foot 1 is and how far the crank has turned."""
    data, x = trajectory.data, BASE[0]
    if x not in data["position"].to_numpy().tolist():
        return np.zeros_like(th8)  # the ground holds the foot
    x_foot = data["q"].sel(position=x).to_numpy()
    folded, steps = fold(th8)
    ankle = pose(parameters, folded).joints.value[_OTHER_ANKLE].real
    away = np.where(steps % 2 == 1, ankle, 0.0) + exchange(parameters)["step"] * steps
    slide = x_foot - away
    return np.asarray(slide - slide[0])


def _rubbing(trajectory: Trajectory) -> npt.NDArray[np.bool_]:
    """Return True for a sole that slips: engines that recover gaps move sticking feet a little."""
    data = trajectory.data
    here = [name for name in POINTS if name in data["contact"].to_numpy().tolist()]
    slips: npt.NDArray[np.bool_] = (
        (data["mode"].sel(contact=here) == int(Mode.SLIP)).any("contact").to_numpy()
    )
    return slips


def _rate(time: Array, values: Array) -> Array:
    """Rate of change as a mean over _WINDOW.

    The velocities themselves do not do: engines with time steps keep loops closed half a step
    before or after them, and what an acceleration makes of that is as fast as a slow slide.
    """
    early, late = (np.clip(time + sign * _WINDOW / 2, time[0], time[-1]) for sign in (-1, 1))
    moved = np.interp(late, time, values) - np.interp(early, time, values)
    return np.asarray(moved / np.maximum(late - early, np.finfo(float).tiny))


def _floor(
    trajectory: Trajectory, parameters: PasibotParameters, th8: Array
) -> tuple[Array, Array, Array]:
    """Force of the floor along it and upwards [N], and where it acts [m]."""
    force = MachineFeet(trajectory.data, POINTS).force
    if not set(POINTS) & set(trajectory.data["contact"].to_numpy().tolist()):
        return (np.full(len(force), np.nan),) * 3
    up, along = (force[:, :, axis].sum(axis=1) for axis in (0, 1))
    up[up <= 0.0] = np.nan
    heel, toe = sole(parameters)
    # of the foot that supported half way between the rows
    half = 0.5 * (th8 + np.concatenate((th8[:1], th8[:-1])))
    foot = fold(half)[1] % 2
    mine = np.array([[name.endswith(f"_{f + 1}") for name in POINTS] for f in (0, 1)])[foot]
    normal = np.where(mine, force[:, :, 0], 0.0)
    on = [normal[:, [end in name for name in POINTS]].sum(axis=1) for end in ("heel", "toe")]
    whole = on[0] + on[1]
    carried = whole > _CARRIED * total_mass(parameters) * parameters.g
    zmp = np.full_like(whole, np.nan)
    zmp[carried] = (heel * on[0][carried] + toe * on[1][carried]) / whole[carried]
    return along, up, zmp


# unit and meaning of every metric of ``measures``
METRICS = read_metrics(__package__)

_LOOKED_AT = 40  # rows whose coordinates are held against the closed form
_EXCHANGE = 0.05  # of a step, on either side of an exchange: there both feet may carry
_CARRIES = 0.1  # of the weight: a machine that the floor carries, and does not just touch


def measures(trajectory: Trajectory, context: MachineContext) -> dict[str, Metric]:
    """PASIBOT's own metrics, in SI; METRICS says what they are.

    Those of what a run does not come to, or has not, are left out.
    """
    parameters = parameters_of(context.model, context.contacts)
    gait = observables_of(trajectory, parameters)
    torque = gait.torque[:-1]  # the last row's acts in no step
    turned = math.pi * float(gait.phase[-1] - gait.phase[0])
    work = trajectory.data["actuator_work"].to_numpy()
    carried = gait.up > _CARRIES * total_mass(parameters) * parameters.g
    away = np.abs(gait.phase - np.round(gait.phase)) > _EXCHANGE
    held = carried & away & ~gait.rubbing
    values: dict[str, float] = {
        "steps_made": float(gait.phase[-1] - gait.phase[0]),
        "loop_gap": loop_gap(context.model, trajectory),
        "closure_residual": _closure(trajectory, context),
        "amplification": amplification(context.model, trajectory),
        "start_torque": start_torque(parameters).value,
        "static_torque": static_torque(parameters).value,
        "peak_torque": float(torque.max()),
        "min_torque": float(torque.min()),
        "mean_torque": float(work[-1] - work[0]) / turned if turned else math.nan,
        "slip_threshold_mu": _most(np.abs(gait.along[held]) / gait.up[held]),
        "floor_force_least": -_most(-gait.up[np.isfinite(gait.up)]),
        "zmp_behind": -_most(-gait.zmp[np.isfinite(gait.zmp)]),
        "zmp_ahead": _most(gait.zmp[np.isfinite(gait.zmp)]),
    }
    metrics: dict[str, Metric] = {
        name: value for name, value in values.items() if math.isfinite(value)
    }
    if BASE[0] in trajectory.data["position"].to_numpy().tolist():
        metrics["slip_distance_per_step"] = slip_of_steps(gait)
        metrics["slip_intervals"] = [
            list(ends) for ends in slides(gait, SHOWN * 8.0 * parameters.l8)
        ]
    return metrics


def _closure(trajectory: Trajectory, context: MachineContext) -> float:
    """Largest distance of a coordinate from the closed form at the same crank.

    x, z and tilt of foot 1 are left out, which a floor may let go.
    """
    parameters = parameters_of(context.model, context.contacts)
    names = coordinate_names(context.model.plant)[0]
    fixed = [index for index, name in enumerate(names) if name not in BASE]
    positions = trajectory.data["q"].to_numpy()
    rows = np.unique(np.linspace(0, len(positions) - 1, _LOOKED_AT).astype(int))
    worst = 0.0
    for q in positions[rows]:
        th8 = float(q[names.index(CRANK)]) + 0.5 * math.pi
        closed = state_of(context.model.plant, parameters, th8, 0.0)[: len(names)]
        worst = max(worst, float(np.abs(closed - q)[fixed].max()))
    return worst


def _most(values: npt.NDArray[np.float64]) -> float:
    """The largest value; NaN where there is none."""
    return float(values.max()) if values.size else math.nan


_ROWS = 100


def loop_gap(model: Model, trajectory: Trajectory) -> float:
    """Largest distance [m] of two points that a ball constraint joins, over all rows."""
    return float(loop_gaps(model, trajectory.data["q"].to_numpy()).max(initial=0.0))


def loop_gaps(model: Model, positions: Array) -> Array:
    """The same at each of positions (N, nq), (N,) [m]."""
    plant, balls = model.plant, [one for one in model.constraints if isinstance(one, Ball)]
    context = plant.CreateDefaultContext()
    rows = BilateralRows(plant, balls, context)
    largest = np.zeros(len(positions))
    for row, q in enumerate(positions):
        plant.SetPositions(context, q)
        gaps = rows.evaluate()[0].reshape(-1, 3)
        largest[row] = np.linalg.norm(gaps, axis=1).max(initial=0.0)
    return largest


def amplification(model: Model, trajectory: Trajectory) -> float:
    """Way of both ankles over that of their points C, the other way round, seen from the hip.

    NaN where the crank does not move.
    """
    plant, positions = model.plant, trajectory.data["q"].to_numpy()
    context, hip = plant.CreateDefaultContext(), plant.GetFrameByName("hip")
    ends = [[plant.GetFrameByName(f"{name}_{n}") for n in (1, 2)] for name in ("C", "foot")]
    rows = np.unique(np.linspace(0, len(positions) - 1, _ROWS).astype(int))
    ways = np.empty((2, 2, len(rows)), dtype=complex)
    for row, q in enumerate(positions[rows]):
        plant.SetPositions(context, q)
        for point, frames in enumerate(ends):
            for leg, frame in enumerate(frames):
                x, _, z = frame.CalcPose(context, hip).translation()
                ways[point, leg, row] = complex(x, z)
    ways -= ways.mean(axis=2, keepdims=True)
    return image_ratio(*ways.reshape(2, -1))
