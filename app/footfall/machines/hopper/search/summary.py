"""Summary of a search: the jumps judged event by event, arrays, metrics, claims, scenarios."""

import math

import numpy as np

from footfall.analysis.context import AnalysisResult
from footfall.errors import RunError
from footfall.machines.hopper.claims import further
from footfall.machines.hopper.closed_form.model import HopperParameters
from footfall.machines.hopper.published import DISTANCE, START, TORQUE
from footfall.machines.hopper.search.dataset import Named, dataset, history_of
from footfall.machines.hopper.search.design import (
    JumpDesign,
    design_of,
    judged_jump,
    least_margins,
    sensitivity,
    settings_of,
)
from footfall.machines.hopper.search.robust import corners
from footfall.machines.hopper.search.tasks import Found
from footfall.metrics import Metric

METRICS = {
    "best_distance": ("m", "longest jump found"),
    "best_to_published": ("1", "how many times the published 0.1336 m that is"),
    "best_take_off": ("s", "when it takes off"),
    "best_flight": ("s", "how long it flies"),
    "best_least_angle": ("rad", "least margin of its angles"),
    "best_mu_sensitivity": ("m", "change of its distance with the logarithm of mu"),
    "best_mass_sensitivity": ("m", "the same of the mass of both links"),
    "best_torque_sensitivity": ("m", "the same of the torque as a whole"),
    "robust_distance": ("m", "least distance of the robust jump over all other machines"),
    "searches_that_jump": ("1", "searches that found a jump with all margins"),
    "evaluations": ("1", "jumps that were tried"),
}
"""Unit and meaning of every metric of a search."""

_PUBLISHED = JumpDesign(float(START[2]), float(START[3]), TORQUE.segments)


def summarize(
    parameters: HopperParameters,
    found: list[Found],
    optima: list[Found],
    sturdy: list[Found],
    differences: tuple[float, float],
) -> AnalysisResult:
    """Judge the jumps and tell of them.

    found, optima, sturdy: results of searches, of what refined them, and of robust searches;
    differences: parts by which mu and mass of the robust jump's machines differ. Raises RunError
    where there is no jump at all.
    """
    best = _best(parameters, optima)
    if best is None:
        raise RunError("no search found a jump that keeps its margins; search longer")
    designs = {"published": Named(_PUBLISHED, judged_jump(parameters, _PUBLISHED)), "best": best}
    robust = _best(parameters, sturdy)
    if robust is not None:
        designs["robust"] = robust
    kinds = {"search": found, "summit": optima, "robust": sturdy}
    histories = {
        f"{kind} {number}": history_of(one)
        for kind, ones in kinds.items()
        for number, one in enumerate(ones)
    }
    data = dataset(parameters, designs, corners(parameters, *differences), histories)
    data.attrs["class"] = f"torques in {len(best.design.segments)} segments"
    metrics = _metrics(parameters, best, found)
    if robust is not None:
        reached = data["corner_distance"].sel(design="robust")
        metrics["robust_distance"] = float(reached.min(skipna=False))
    metrics["evaluations"] = float(
        sum(one["history"][-1][0] if one["history"] else 0 for one in [*found, *optima])
    )
    scenarios = {
        name: settings_of(one.design, one.jump.end)
        for name, one in designs.items()
        if name != "published"
    }
    claims = [further(best.jump.distance, least_margins(best.jump))]
    return AnalysisResult(data, metrics, claims, scenarios)


def _best(parameters: HopperParameters, found: list[Found]) -> Named | None:
    """The longest of what was found that is a jump when it is judged, in round numbers."""
    order = sorted(
        (one for one in found if one["distance"] > 0.0), key=lambda one: -one["distance"]
    )
    for one in order:
        design = design_of(parameters, np.array(one["jump"]))
        jump = judged_jump(parameters, design)
        if jump.holds:
            return Named(design, jump)
    return None


def _metrics(parameters: HopperParameters, best: Named, found: list[Found]) -> dict[str, Metric]:
    margins = least_margins(best.jump)
    angles = ("PR_forward", "PR_backward", "unfolded_left", "unfolded_right")
    slopes: dict[str, Metric] = {
        f"best_{what}_sensitivity": sensitivity(parameters, best.design, what)
        for what in ("mu", "mass", "torque")
    }
    return {
        "best_distance": best.jump.distance,
        "best_to_published": best.jump.distance / DISTANCE,
        "best_take_off": best.jump.take_off,
        "best_flight": best.jump.landing - best.jump.take_off,
        "best_least_angle": min(margins[name] for name in angles),
        **slopes,
        "robust_distance": math.nan,
        "searches_that_jump": float(sum(math.isfinite(one["distance"]) for one in found)),
    }
