"""Numbers of docs/machines/ugv.md, see scripts/page_numbers.py."""

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from computed import analysed, context, metric, ran
from passage import Passage
from scipy.optimize import brentq

from footfall.analysis.context import AnalysisContext, AnalysisResult
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.energy import rates
from footfall.machines.ugv.closed_form.forces import forces
from footfall.machines.ugv.closed_form.parameters import UgvParameters
from footfall.machines.ugv.closed_form.position import pose
from footfall.machines.ugv.closed_form.tracks import Track, bump, steps
from footfall.machines.ugv.closed_form.traversal import Traversal, traversal
from footfall.machines.ugv.ground import track_of
from footfall.machines.ugv.measures import traversal_metrics
from footfall.machines.ugv.observables import Observables, observables_of
from footfall.measures import driving_work
from footfall.metrics import scalar
from footfall.scenario.io import load_scenario

UGV = UgvParameters()
_STEEP = bump(height=0.45, width=0.7)


# --- balance at angles that stay ----------------------------------------------------------------


@functools.cache
def _crossed(track: str, rear: float, front: float) -> tuple[Track, Traversal]:
    """Traversal of a track at angles [degrees] that stay."""
    ground = {
        "bump": bump(),
        "steep": _STEEP,
        "step": steps([4.0], [0.12]),
    }[track]
    curve = CentreCurve(ground, UGV.r, -2.0, 9.1)
    stations = np.linspace(0.5, 9.0, 1701)
    return ground, traversal(UGV, curve, stations, math.radians(rear), math.radians(front))


@functools.cache
def _crossing(track: str, rear: float, front: float) -> Mapping[str, float]:
    return traversal_metrics(UGV, *_crossed(track, rear, front))


def _without_pitch() -> Sequence[float]:
    """Error of the torque by energy that forgets the pitch, over the peak [%]."""
    at = _crossed("bump", 115.0, 115.0)[1].pose
    by = rates(UGV, at)
    turned = by.theta_r[0] + by.theta_f[0]
    right, wrong = by.potential[0] / turned, by.potential[0] / (turned - 2.0 * by.psi[0])
    return [100.0 * float(np.abs(wrong - right).max() / np.abs(right).max())]


def _held(track: str, *names: str) -> Callable[[], Sequence[float]]:
    """Numbers of a traversal at 115 degrees."""
    return lambda: [_crossing(track, 115.0, 115.0)[name] for name in names]


def _steepest() -> Sequence[float]:
    """Largest angle of the steep bump [degrees]."""
    slope = _STEEP.profile(np.linspace(0.0, 8.0, 8001)).slope
    return [math.degrees(math.atan(float(slope.max())))]


_COLUMNS = ("torque_rms", "required_friction", "min_normal_force")


def _pair(rear: float, front: float) -> Callable[[], Sequence[float]]:
    """Row of a pair of angles: torque, and the rest of the columns."""

    def values() -> Sequence[float]:
        metrics = _crossing("bump", rear, front)
        ends = ["torque_max"] if rear == front else ["torque_min", "torque_max"]
        return [metrics[name] for name in (*ends, *_COLUMNS)]

    return values


def _gentle() -> Sequence[float]:
    """Most friction that any angles from 75 to 175 degrees need."""
    angles = np.arange(75.0, 176.0, 12.5).tolist()
    each = (_crossing("bump", rear, front) for rear in angles for front in angles)
    return [max(one["required_friction"] for one in each)]


def _slips_from() -> Sequence[float]:
    data = analysed("ugv/steep_angles").data.isel(engine=0)
    return [float(data["slips_from"].sel(variant="90 / 90"))]


def _map(name: str) -> Sequence[float]:
    """Least peaks of the torque with angles that move, and with those that stay."""
    metrics = analysed(f"ugv/{name}").metrics
    return [scalar(metrics, "least_peak"), scalar(metrics, "fixed_peak")]


# --- drives -------------------------------------------------------------------------------------

_ENGINES = ("moreau", "drake")


def _read_back() -> Sequence[float]:
    """Distance [um] of the track that is read off boxes from the function that made them."""
    x = np.linspace(1.0, 7.0, 6001)
    found = track_of(context("ugv/drive").model).profile(x).height
    return [1e6 * float(np.abs(found - bump().profile(x).height).max())]


def _driven(*names: str, scale: float = 1.0) -> Callable[[], Sequence[float]]:
    """Metrics of the drive in the engines with time steps."""
    return lambda: [
        scale * metric("ugv/drive", engine, name) for engine in _ENGINES for name in names
    ]


@functools.cache
def _observed(name: str, engine: str, *settings: str) -> Observables:
    return observables_of(ran(name, engine, *settings).trajectory, context(name, *settings))


def _left_over() -> Sequence[float]:
    """What is left of the account of work at the end, in engines with time steps [J]."""
    found = []
    for engine in _ENGINES:
        data = ran("ugv/drive", engine).data
        energy = (data["kinetic_energy"] + data["potential_energy"]).to_numpy()
        work = driving_work(data) + data["contact_work"].to_numpy()
        found.append(float((work - work[0] - energy + energy[0])[-1]))
    return found


def _slow(speed: float) -> Callable[[], Sequence[float]]:
    """Largest and rms distance from the balance [%], and the order, in both engines."""

    def values() -> Sequence[float]:
        data = analysed("ugv/speed_limit").data.sel({"parameters.speed": speed})
        found = []
        for engine in ("moreau", "drake-sap"):
            one = data.sel(engine=engine)
            found += [100.0 * float(one["largest_share"]), 100.0 * float(one["rms_share"])]
            found += [float(one["order"])] if speed < 0.8 else []
        return found

    return values


def _slowest() -> Sequence[float]:
    """Largest distances at 0.05 m/s in steps of 1 ms, in both engines [%]."""
    over = "analysis.over={parameters.speed: !Values {values: [0.05]}}"
    data = analysed("ugv/speed_limit", over, "time_step=1e-3").data
    peak = float(np.abs(data["balance"]).max())
    return [100.0 * float(one) / peak for one in data["largest_distance"].to_numpy().ravel()]


def _tips() -> Sequence[float]:
    """Where the front wheel lifts in Moreau's engine [m]."""
    observed = _observed("ugv/tipping_drive", "moreau")
    lifted = (observed.normal[1] < 1e-6) & observed.steady  # N: rounding
    return [float(observed.s_f[int(np.argmax(lifted))])]


def _tips_in_balance() -> Sequence[float]:
    """Where the balance has its normal force vanish [m]."""
    curve, angle = CentreCurve(bump(height=1.0), UGV.r, -1.0, 6.0), math.radians(80.0)

    def normal(place: float) -> float:
        return float(forces(UGV, pose(UGV, curve, np.array(place), angle, angle)).normal_f)

    return [float(brentq(normal, 2.5, 3.5))]


def _step_impact() -> Sequence[float]:
    """Energy that blows on the front wheel take, and that of the vehicle as it comes [J]."""
    data = ran("ugv/step_drive", "moreau").data
    place = _observed("ugv/step_drive", "moreau").s_f
    before, taken = place < 3.6, -np.diff(data["contact_work"].to_numpy())
    blows = taken[(place[1:] < 4.5) & (taken > 0.05)]  # the rear wheel is a wheelbase behind
    moving = float(data["kinetic_energy"].to_numpy()[before][-1])
    return [float(blows.sum()), moving]


def _up_the_hill() -> Sequence[float]:
    """Friction that the legs that move use in Moreau's engine."""
    return [metric("ugv/hill_moving_drive", "moreau", "required_friction")]


def _stuck() -> Sequence[float]:
    """Where legs that stay come to up the hill, the best and those at 115 degrees: see below."""
    other = "controller.stations=[{position: 2.2, rear: 115.0, front: 115.0}]"
    (driven, balance), (driven_115, balance_115) = _comes_to(), _comes_to(other)
    return [driven, driven_115, balance, balance_115]


def _comes_to(*settings: str) -> list[float]:
    """Where the front wheel comes to up the hill, driven, and in balance [m]."""
    return [
        float(_observed("ugv/hill_drive", engine, *settings).s_f.max())
        for engine in ("moreau", "closed-form")
    ]


# --- angles that move ---------------------------------------------------------------------------


@functools.cache
def _metrics(name: str, *settings: str) -> Mapping[str, Any]:
    asked: Any = load_scenario(f"ugv/{name}", settings).analysis
    found: AnalysisResult = asked.run(context(f"ugv/{name}", *settings), AnalysisContext())
    return found.metrics


def _row(name: str) -> Callable[[], Sequence[float]]:
    """Criterion of given angles, of the best that stay and of the best found, and the bound."""

    def values() -> Sequence[float]:
        given, fixed, *_, best = _metrics(name)["criterion_values"]
        return [given, fixed, best, _metrics(name)["criterion_bound"]]

    return values


def _by(criterion: str) -> Mapping[str, Any]:
    """Metrics of the document's bump by another criterion."""
    return _metrics("optimum", f"analysis.criterion={criterion}")


def _of(criterion: str) -> Callable[[], Sequence[float]]:
    """Criterion of given angles, of the best that stay and of the best found."""

    def values() -> Sequence[float]:
        given, fixed, *_, best = _by(criterion)["criterion_values"]
        return [given, fixed, best]

    return values


def _normal() -> Sequence[float]:
    return [*_of("normal_force")(), _by("normal_force")["criterion_bound"]]


def _normal_left() -> Sequence[float]:
    *_, best, bound = _normal()
    return [best - bound]


def _dear() -> Sequence[float]:
    """Share that moving legs gain, what they are given, what legs that stay are, and the ratio."""
    _, fixed, *_, best = _metrics("optimum")["criterion_values"]
    _, still, *_, moving = _metrics("optimum")["supplied_energy"]
    return [100.0 * (1.0 - best / fixed), moving, still, moving / still]


def _constant() -> Sequence[float]:
    """Range of the torque with legs that move over that of the best that stay."""
    _, fixed, *_, best = _metrics("optimum")["criterion_values"]
    return [best / fixed]


def _least() -> Sequence[float]:
    metrics = _metrics("optimum")
    return [
        metrics["criterion_bound"],
        metrics["criterion_values"][-1] - metrics["criterion_bound"],
    ]


_PAIR = "| ±{:.1f} | {:.1f} | {:.4f} | {:.0f} |"
_UNLIKE = "| {:.1f}, {:.1f} | {:.1f} | {:.4f} | {:.0f} |"
_HELD = ("torque_max", "required_friction", "min_normal_force")
_SLOW = "{:.2f} % | {:.2f} % | {:.2f} | {:.1f} % | {:.2f} % | {:.2f} |"
_FAST = "{:.1f} % | {:.2f} % | {:.2f} | {:.1f} % | {:.2f} % | {:.2f} |"

PASSAGES = (
    Passage("it is off by {:.0f} % of the peak", _without_pitch),
    Passage("the document's | ±{:.2f} N m | {:.4f} | {:.0f} N |", _held("bump", *_HELD)),
    Passage("bump of 0.45 m, up to {:.0f} degrees", _steepest),
    Passage("degrees | ±{:.1f} N m | {:.3f} | {:.0f} N |", _held("steep", *_HELD)),
    Passage(
        "step of 0.12 m | {:.0f} to {:.0f} N m | {:.3f}, at the kink | {:.0f} N |",
        _held("step", "torque_min", *_HELD),
    ),
    Passage(f"| 90° / 90° {_PAIR}", _pair(90.0, 90.0)),
    Passage(f"| 115° / 115° {_PAIR}", _pair(115.0, 115.0)),
    Passage(f"| 140° / 140° {_PAIR}", _pair(140.0, 140.0)),
    Passage(f"| 165° / 165° {_PAIR}", _pair(165.0, 165.0)),
    Passage(f"| 90° / 140° {_UNLIKE}", _pair(90.0, 140.0)),
    Passage(f"| 140° / 90° {_UNLIKE}", _pair(140.0, 90.0)),
    Passage("90° / 90° slips from {:.2f} m on", _slips_from, slow=True),
    Passage("need no more than {:.1f} N m wherever", lambda: _map("torque_map")[:1], slow=True),
    Passage("165° / 165°, come to {:.1f} N m", lambda: _map("torque_map")[1:], slow=True),
    Passage(
        "On the steep bump these are {:.1f} and {:.0f} N m", lambda: _map("steep_map"), slow=True
    ),
    Passage("within {:.0f} µm of the function", _read_back, bound=True),
    Passage("| torque | ±{:.2f} N m", _held("bump", "torque_max")),
    Passage(
        "N m | {:.2f} to {:.2f} | {:.2f} to {:.2f} |",
        _driven("torque_min", "torque_max"),
        minutes=True,
    ),
    Passage(
        "over the peak | 0 | {:.2f} % | {:.1f} % |",
        _driven("torque_error", scale=100.0),
        minutes=True,
    ),
    Passage("| friction used | {:.4f}", _held("bump", "required_friction")),
    Passage("| {:.4f} | {:.4f} | | way that", _driven("required_friction"), minutes=True),
    Passage("slid | 0 | {:.0f} | {:.2f} mm of", _driven("wheel_slip", scale=1e3), minutes=True),
    Passage("mm of {:.1f} m |", lambda: [metric("ugv/drive", "drake", "front_way")], minutes=True),
    Passage(
        "account of work, of {:.0f} J | 0 | {:.2f} J | {:.0f} J |",
        lambda: [metric("ugv/drive", "closed-form", "supplied_energy"), *_left_over()],
        minutes=True,
    ),
    Passage(
        "the blows on the front wheel take some {:.1f} J of {:.1f} J", _step_impact, minutes=True
    ),
    Passage(
        "| 0.8 m/s | {:.1f} % | {:.2f} % | | {:.1f} % | {:.2f} % | |", _slow(0.8), minutes=True
    ),
    Passage(f"| 0.4 m/s | {_FAST}", _slow(0.4), minutes=True),
    Passage(f"| 0.2 m/s | {_SLOW}", _slow(0.2), minutes=True),
    Passage(f"| 0.1 m/s | {_SLOW}", _slow(0.1), minutes=True),
    Passage("it is {:.1f} % in Moreau and {:.1f} % in", _slowest, minutes=True),
    Passage("wheel lifts at {:.2f} m, where the balance", _tips, minutes=True),
    Passage("normal force vanish at {:.2f} m", _tips_in_balance),
    Passage(
        "bump of 0.1 m | {:.2f} N m | {:.2f} N m (160, 160) | {:.2f} N m | {:.2f} N m |",
        _row("optimum"),
        slow=True,
    ),
    Passage(
        "two waves of 0.1 m | {:.2f} N m | {:.2f} N m | {:.2f} N m | {:.2f} N m |",
        _row("optimum_peak"),
        slow=True,
    ),
    Passage("bump of 1 m | {:.4f} | {:.4f} | {:.5f} | {:.5f} |", _row("hill"), slow=True),
    Passage(
        "step of 0.12 m | {:.4f} | {:.5f} (160, 90) | {:.5f} | {:.5f} |", _row("step"), slow=True
    ),
    Passage(
        "`criterion: torque_rms` | {:.2f} N m | {:.2f} N m (160, 160) | {:.2f} N m |",
        _of("torque_rms"),
        slow=True,
        minutes=True,
    ),
    Passage(
        "`criterion: normal_force`, the most | {:.0f} N | {:.0f} N (160, 160) | {:.0f} N "
        "| {:.0f} N |",
        _normal,
        slow=True,
        minutes=True,
    ),
    Passage(
        "`criterion: wheel_energy` | {:.1f} J | {:.1f} J (160, 160) | {:.1f} J |",
        _of("wheel_energy"),
        slow=True,
        minutes=True,
    ),
    Passage(
        "{:.0f} J are supplied in all",
        lambda: [_by("wheel_energy")["supplied_energy"][-1]],
        slow=True,
        minutes=True,
    ),
    Passage(
        "The normal force comes {:.1f} N above the bound", _normal_left, slow=True, minutes=True
    ),
    Passage(
        "nor nearly: {:.2f} N m remain for any angles of the grid between 90 and 160 degrees, "
        "however fast the legs, and the best path is within {:.2f} N m of it",
        lambda: [_least()[0], _least()[1] + 0.005],  # rounded up
        slow=True,
    ),
    Passage(
        "The last {:.1f} % are dear: wheels and legs are given {:.0f} J, where legs that stay take "
        "{:.0f} J, {:.1f} times as much",
        _dear,
        slow=True,
    ),
    Passage(
        "115 degrees at both ends | {:.0f} J | {:.0f} J | {:.0f} J | {:.0f} J |",
        _row("optimum_energy"),
        slow=True,
        minutes=True,
    ),
    Passage("it uses {:.3f}", _up_the_hill, minutes=True),
    Passage(
        "comes to {:.2f} m at most; at 115 degrees to {:.2f} m. The balance has them slip from "
        "{:.2f} and {:.2f} m",
        _stuck,
        minutes=True,
    ),
    Passage(
        "`criterion_values_at_stations` has {:.2f} N m",
        lambda: [_metrics("optimum")["criterion_values_at_stations"][-1]],
        slow=True,
    ),
    Passage("they vary it {:.2f} times as much", _constant, slow=True),
    Passage("from 75 to 175 degrees it needs {:.3f} at most", _gentle, slow=True),
)
"""Words of the page, with what computes their numbers."""

GIVEN = {
    "the document, section 8": (
        "doi 10.5772/63372",
        "f = 0.1 exp(-(x - 4)²) m",
        "bump of 0.1 m, the document's",
    ),
    "bounds of app/footfall/machines/ugv/closed_form": ("steeper than 89 degrees",),
    "chosen or assumed": (
        "115 degrees, held",
        "bump of 0.45 m, up to",
        "step of 0.12 m |",
        "one of 0.45 m with a friction of 0.6",
        "90° / 90°",
        "165° / 165°",
        "175° / 175°",
        "at 0.2 m/s, 2 ms",
        "means over 20 ms",
        "in 20 ms",
        "at 0.1 m/s. `ugv/speed_limit`",
        "| 0.8 m/s |",
        "Below 0.2 m/s",
        "At 0.05 m/s",
        "at 1 ms. A fast wheel",
        "at 0.8 m/s needs steps of 0.5 ms",
        "a friction of 0.04",
        "| | 115 degrees |",
        "bump of 0.1 m, 115 degrees at both ends",
        "between 90 and 160 degrees",
        "at 0.2 m/s with friction 0.52",
        "held at 150 and 152.5 degrees",
        "At the stations alone, 5 cm",
        "r = 0.30 m, a belly 0.10 m",
        "(180 degrees in line, 90 down)",
    ),
}
"""Words of the page whose numbers are published, parameters or chosen, by where they are from."""
