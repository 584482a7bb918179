"""Numbers of docs/machines/compass.md, see scripts/page_numbers.py."""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import xarray as xr
from computed import analysed, context, metric, numbers, ran
from passage import Passage
from scipy.optimize import minimize_scalar

from footfall.analysis.context import AnalysisContext, AnalysisResult
from footfall.machines.compass.analyses.basin import Basin
from footfall.machines.compass.closed_form.model import Compass
from footfall.machines.compass.cycle import Cycle, find_cycle
from footfall.machines.compass.model import parameters_of
from footfall.machines.compass.observables import heel_strikes
from footfall.metrics import scalar
from footfall.scenario.io import load_scenario


@functools.cache
def _cycle(name: str) -> Cycle:
    one = context(f"compass/{name}")
    return find_cycle(parameters_of(one.model, one.contacts))


def _gait(name: str) -> Callable[[], Sequence[float]]:
    """State before a heel strike, period and length of a step, largest multiplier."""

    def values() -> Sequence[float]:
        cycle = _cycle(name)
        largest = max(abs(each) for each in cycle.fixed_point.multipliers)
        return [*cycle.published, cycle.period, cycle.length, largest]

    return values


def _scuffing() -> Sequence[float]:
    """Depth of the swing foot in a step of the exact cycle [mm]."""
    found = []
    for name in ("lab_case1", "lab_case2", "report", "goswami"):
        data, one = (
            ran(f"compass/{name}", "hybrid", "duration=0.1").data,
            context(f"compass/{name}"),
        )
        machine = Compass(parameters_of(one.model, one.contacts))
        found.append(-1e3 * float(machine.swing_height(data["cycle_x"].to_numpy()).min()))
    return found


def _smallest() -> Sequence[float]:
    """Smallest largest modulus of a multiplier over the mass of the hip, and that mass [kg]."""
    one = context("compass/goswami")
    walker = parameters_of(one.model, one.contacts)

    def largest(mass: float) -> float:
        multipliers = find_cycle(replace(walker, m_hip=mass)).fixed_point.multipliers
        return max(abs(each) for each in multipliers)

    found = minimize_scalar(largest, (0.25, 0.5, 0.75), tol=1e-4)
    return [found.fun, found.x]


def _friction() -> Sequence[float]:
    cycles = [_cycle(name) for name in ("lab_case1", "lab_case2", "goswami")]
    return [*(c.friction_stance for c in cycles), *(c.friction_impact for c in cycles)]


def _strike() -> Sequence[float]:
    """Time by which the rigid engine is early at its first strike."""
    cycle, one = _cycle("goswami"), context("compass/goswami")
    data = ran("compass/goswami", "moreau", "duration=0.9").data
    machine = Compass(parameters_of(one.model, one.contacts))
    return [cycle.period - heel_strikes(data, machine)[0].time]


def _periods() -> Sequence[float]:
    """Mean period in Drake's engines at 1 ms, the exact one, and Drake's at 0.25 ms."""
    found = [
        metric("compass/goswami", engine, "step_period", f"time_step={dt}")
        for dt in (1e-3, 2.5e-4)
        for engine in ("drake-lagged", "drake-sap")
    ]
    return [*found[:2], _cycle("goswami").period, *found[2:]]


def _shares() -> Sequence[float]:
    metrics = analysed("compass/basin").metrics
    columns = [numbers(metrics, name) for name in ("shares", "shares_from", "shares_to")]
    return [100.0 * column[gain] for gain in range(2) for column in columns]


def _widening() -> Sequence[float]:
    metrics = analysed("compass/basin").metrics
    return [numbers(metrics, name)[1] for name in ("widening", "widening_errors")]


def _slices() -> Sequence[float]:
    metrics = analysed("compass/basin").metrics
    return [100.0 * share for share in numbers(metrics, "slice_shares")]


def _strong() -> Sequence[float]:
    asked = Basin(gains=[0.5, 1.0], most_torque=10.0, points=[2, 2])
    metrics: Mapping[str, Any] = asked.run(context("compass/goswami"), AnalysisContext()).metrics
    return [100.0 * share for share in metrics["shares"]]


@functools.cache
def _doublings(name: str) -> Mapping[str, Any]:
    """Metrics of a bifurcation without its diagram, which takes longest."""
    asked: Any = load_scenario(f"compass/{name}").analysis
    brief: AnalysisResult = replace(asked, slopes=2, settle=1, keep=1).run(
        context(f"compass/{name}"), AnalysisContext()
    )
    return brief.metrics


def _doubling(which: int) -> Callable[[], Sequence[float]]:
    def values() -> Sequence[float]:
        degrees = _doublings("bifurcation")["period_doubling_slopes_deg"]
        gammas = _doublings("simplest_bifurcation")["period_doubling_slopes"]
        return [degrees[which], *gammas[which : which + 1]]

    return values


def _accumulation() -> Sequence[float]:
    return [_doublings("bifurcation")["accumulation_slope_deg"]]


def _ratios() -> Sequence[float]:
    found: Sequence[float] = _doublings("bifurcation")["feigenbaum_ratios"]
    return found


def _last() -> Sequence[float]:
    return [scalar(analysed("compass/bifurcation").metrics, "last_slope_deg")]


_HIP = "arguments.compass.m_hip"


def _masses() -> xr.Dataset:
    hips = "analysis.over={arguments.compass.m_hip: !Values {values: [5.0, 10.0, 40.0]}}"
    return analysed("compass/mass_ratio", hips, "analysis.borders=[]").data.isel(engine=0)


def _by_mass() -> Sequence[float]:
    data = _masses()
    return [
        float(data[name].sel({_HIP: at}))
        for at in (5.0, 40.0)
        for name in ("step_period", "step_length")
    ]


def _doubling_by_mass() -> Sequence[float]:
    return [float(_masses()["first_doubling"].sel({_HIP: at})) for at in (5.0, 10.0, 40.0)]


_ROW = "| {:.7f}, {:.7f}, {:.7f} | {:.5f} s, {:.5f} m | {:.3f}: "

PASSAGES = (
    Passage(
        "the swing foot is {:.1f} mm (case 1), {:.1f} mm (case 2), {:.1f} mm (the report's) and "
        "{:.1f} mm (Goswami) in the ground",
        _scuffing,
    ),
    Passage("is smallest, {:.2f}, at a hip of {:.2f} kg", _smallest),
    Passage(
        "friction is {:.2f} (case 1), {:.2f} (case 2) and {:.2f} (Goswami) in stance, and {:.2f}, "
        "{:.2f}, {:.2f} at the strike",
        _friction,
    ),
    Passage("| case 1, 3° " + _ROW + "unstable", _gait("lab_case1")),
    Passage("| case 2, 3° " + _ROW + "stable", _gait("lab_case2")),
    Passage("| the report's, 2° " + _ROW + "unstable", _gait("report")),
    Passage("| Goswami's, 3° " + _ROW + "stable", _gait("goswami")),
    Passage("the strike is {:.1e} s early at a step of 1 ms", _strike),
    Passage(
        "mean period is {:.4f} s (lagged) and {:.4f} s (SAP) at 1 ms against {:.4f} s, and "
        "{:.4f} s and {:.4f} s at 0.25 ms",
        _periods,
        minutes=True,
    ),
    Passage(
        "of random starts in its box, {:.2f} % ({:.2f} to {:.2f} %) lead to the passive gait and "
        "{:.2f} % ({:.2f} to {:.2f} %) with the hip",
        _shares,
        minutes=True,
    ),
    Passage("{:.2f} ± {:.2f} times as many", _widening, minutes=True),
    Passage(
        "of the starts with the gait's own angle, the picture, {:.1f} % and {:.1f} %",
        _slices,
        minutes=True,
    ),
    Passage("({:.1f} % at 0.5 s, {:.1f} % at 1 s)", _strong, minutes=True),
    Passage("| 1 to 2 | {:.6f}° | gamma = {:.8f} |", _doubling(0), minutes=True),
    Passage("| 2 to 4 | {:.6f}° | {:.8f} |", _doubling(1), minutes=True),
    Passage("| 4 to 8 | {:.6f}° | {:.8f} |", _doubling(2), minutes=True),
    Passage("| 8 to 16 | {:.6f}° | {:.8f} |", _doubling(3), minutes=True),
    Passage("| 16 to 32 | {:.6f}° |", _doubling(4), minutes=True),
    Passage("| accumulation | {:.6f}° |", _accumulation, minutes=True),
    Passage("The ratios of the distances, {:.3f}, {:.3f}, {:.3f},", _ratios, minutes=True),
    Passage("Walks of Goswami's compass last up to about {:.2f}°", _last, minutes=True),
    Passage(
        "({:.2f} s and {:.2f} m at 1, {:.2f} s and {:.2f} m at 8) and more stable",
        _by_mass,
        slow=True,
    ),
    Passage("{:.2f}° at 1, {:.2f}° at 2, {:.2f}° at 8", _doubling_by_mass, slow=True),
)
"""Words of the page, with what computes their numbers."""

GIVEN = {
    "the laboratory sheet": ("(-.1860, -2.0504, -.0428) and (-.1933, -2.0262, -.1253)",),
    "Feigenbaum; Garcia et al. 1998": ("tend to Feigenbaum's 4.669", "first doubling as 0.0151"),
    "bounds that tests hold, tests/machines/compass": (
        "to less than 1e-3 of the largest rate",
        "a relative tolerance of 1e-3",
        "met to 1e-11 J",
    ),
    "chosen": (
        "at 0.25 ms",
        "a gain of 0.15 s",
        "intervals of 95 % confidence",
        "at 0.5 s most of the gain",
        "at 1 s they are fewer",
        "m_hip / m at 3°",
        "it is unstable at 3°",
    ),
}
"""Words of the page whose numbers are published, parameters or chosen, by where they are from."""
