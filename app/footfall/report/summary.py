"""Summary of a run in a few sentences, out of its metrics."""

import math
from collections import Counter
from collections.abc import Mapping

from footfall.engine_names import LOG
from footfall.metrics import Metric, scalar
from footfall.report.section import RunLike, Section
from footfall.report.tables import listed, number
from footfall.trajectory import Status

_MOST_RUNS = 6
_MOST_FEET = 6  # that are named
_LEAST_WAY, _LEAST_SLIP = 1e-3, 1e-6  # m
_LEAST_WORK = 1e-3  # J


def summary_of(section: Section) -> list[tuple[str, str]]:
    """Return name and story of every run that came to an end, or as far as it did."""
    model = section.robot.model
    weight = model.plant.CalcTotalMass(model.plant.CreateDefaultContext()) * (
        section.scenario.gravity
    )
    return [(name, _story(run, weight)) for name, run in list(section.runs.items())[:_MOST_RUNS]]


def _story(run: RunLike, weight: float) -> str:
    """Tell of the way, the feet, the work and the end of a run; weight [N]."""
    metrics = run.metrics
    parts = [
        _length(run),
        _way(metrics),
        _feet(metrics, weight),
        _work(run),
        _end(metrics),
        _verdicts(run),
    ]
    return " ".join(part for part in parts if part)


def _length(run: RunLike) -> str:
    span = scalar(run.metrics, "duration")
    if not math.isfinite(span):
        return ""
    began = "Simulated" if run.trajectory.status is Status.DONE else "Came as far as"
    if run.trajectory.data.attrs.get("engine") == LOG:
        began = "A log of"
    return f"{began} {number(span)} s."


def _way(metrics: Mapping[str, Metric]) -> str:
    way = metrics.get("base_displacement")
    if not isinstance(way, list | tuple) or not all(math.isfinite(each) for each in way):
        return ""
    far, up = math.hypot(way[0], way[1]), way[2]
    if max(far, abs(up)) < _LEAST_WAY:
        return "The base stayed where it was."
    parts = [f"{number(far, 3)} m along the ground"] if far >= _LEAST_WAY else []
    if abs(up) >= _LEAST_WAY:
        parts.append(f"{number(abs(up), 3)} m {'up' if up > 0.0 else 'down'}")
    return f"The base went {listed(parts)}."


def _feet(metrics: Mapping[str, Metric], weight: float) -> str:
    """Tell of touch-downs, the largest force and slip; nothing without feet that bear."""
    downs, peaks, slips = (
        _by_name(metrics, name) for name in ("touch_downs", "peak_foot_force", "slip_by_foot")
    )
    if not peaks or max(peaks.values()) <= 0.0:
        return ""
    sentences = []
    total = int(sum(downs.values()))
    if total:
        by_foot = ", ".join(f"{foot} {int(count)}" for foot, count in downs.items())
        named = f" ({by_foot})" if 1 < len(downs) <= _MOST_FEET else ""
        times = "once" if total == 1 else f"{total} times"
        sentences.append(f"Feet touched down {times}{named}.")
    foot = max(peaks, key=lambda name: peaks[name])
    share = f", {number(peaks[foot] / weight, 2)} of the weight" if weight > 0.0 else ""
    way = sum(slips.values())
    slid = f"; in all, feet slid {number(way, 2)} m" if way >= _LEAST_SLIP else ""
    sentences.append(
        f"The largest mean force was {number(peaks[foot], 3)} N on {foot}{share}{slid}."
    )
    return " ".join(sentences)


def _work(run: RunLike) -> str:
    """Tell of the work of motors and contacts."""
    driven, lost = scalar(run.metrics, "positive_work"), scalar(run.metrics, "energy_lost")
    data = run.trajectory.data
    if math.isnan(driven) and data.sizes["time"]:
        driven = float(data["actuator_work"][-1])
        if math.isnan(lost):
            lost = -float(data["contact_work"][-1])
    parts = []
    if driven > _LEAST_WORK:
        parts.append(f"motors gave {number(driven, 3)} J")
    if lost > _LEAST_WORK:
        parts.append(f"contacts and dampers took {number(lost, 3)} J")
    text = listed(parts) if parts else ""
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _verdicts(run: RunLike) -> str:
    """Count the claims by their verdict."""
    counts = Counter(claim.verdict for claim in run.claims)
    if not counts:
        return ""
    by_verdict = listed(f"{count} {verdict}" for verdict, count in counts.items())
    total = sum(counts.values())
    return f"{'One claim' if total == 1 else f'{total} claims'}: {by_verdict}."


def _end(metrics: Mapping[str, Metric]) -> str:
    fall, rest = scalar(metrics, "fall_time"), scalar(metrics, "rest_time")
    if math.isfinite(fall):
        return f"It fell at {number(fall, 3)} s."
    if math.isfinite(rest):
        return f"It has been at rest since {number(rest, 3)} s."
    return "It did not fall." if scalar(metrics, "fallen") == 0.0 else ""


def _by_name(metrics: Mapping[str, Metric], name: str) -> dict[str, float]:
    """Return a metric that has a number for every name; nothing where there is none."""
    value = metrics.get(name)
    return {key: float(each) for key, each in value.items()} if isinstance(value, Mapping) else {}
