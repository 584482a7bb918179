"""Predictions of a machine on PASIBOT's statements: shapes, sizes, phases of slides.

Phases are parts of a step, 0 at th8 = pi/2, where it begins, 1 at 3 pi/2.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from footfall.arrays import Array
from footfall.machines.pasibot.closed_form.linkage import (
    LINK_INDEX,
    PasibotParameters,
    image_ratio,
    total_mass,
)
from footfall.machines.pasibot.closed_form.motion import (
    STEP_BEGINS,
    STEP_ENDS,
    exchange,
    legs,
    pose,
)
from footfall.machines.pasibot.closed_form.newton_euler import coefficients
from footfall.machines.pasibot.closed_form.thresholds import (
    FRICTION_RATE,
    least_friction,
    start_torque,
)
from footfall.machines.pasibot.closed_form.two_freedoms import SlidingProfile, two_freedoms
from footfall.machines.pasibot.slip_system import constant_speed, constant_torque
from footfall.machines.pasibot.slip_walk import Slide, lasting, slip_walk
from footfall.registry.documents import read_metrics

DRAWN = (1.0, 2.0, 3.0, 4.0, 5.0)  # rad/s, figure 11; which ones but the last are lost with it
LOW = 2.0  # rad/s: of those drawn the highest below 3 rad/s
LOADS = (0.0, 5.0, 10.0, 15.0)  # kg, figure 12
ONE_SLIDE, TWO_SLIDES, MANY_SLIDES = 0.07, 0.05, 0.03  # friction; the last one is the text's
KINETIC, STATIC, KINETIC_RATE = (0.2, 0.1, 0.05), 0.2, 5.0  # figure 19
DRIVEN, DRIVEN_STATIC, DRIVEN_TORQUE = (0.5, 0.4, 0.3), 0.5, 1.0  # slip_torque, [N m]
_DRIVEN_TIME = 1.0  # s: the first step takes less, or is not made
SHOWN = 2e-4  # of a step's length: a slide that a figure would show

QUANTITIES = read_metrics(__package__, "quantities.md")
"""Unit and meaning of every quantity."""


def predicted(parameters: PasibotParameters) -> dict[str, float]:
    """All QUANTITIES of a machine; NaN for what it has not, such as a second slide."""
    values: dict[str, float] = {}
    for some in (scales, linkage, torques, loads, slips, kinetic_slips, driven_slips):
        values |= some(parameters)
    return {name: values[name] for name in QUANTITIES}


def scales(parameters: PasibotParameters) -> dict[str, float]:
    """Return what fits the two published scalars, and the starting torque, one of these."""
    return {
        "crank_length": parameters.l8,
        "total_mass": total_mass(replace(parameters, hip_load=0.0)),
        "start_torque": start_torque(parameters).value,
    }


def linkage(parameters: PasibotParameters) -> dict[str, float]:
    """Quantities of the mechanism itself: equations, foot, line of C, half a turn."""
    th8 = np.linspace(STEP_BEGINS, STEP_ENDS, 401)
    support, _ = legs(parameters, th8)
    after = exchange(parameters)
    lengths = ("height", "sliding", "rising")
    off = [abs(after[name]) / (parameters.l8 if name in lengths else 1.0) for name in after]
    ranks = np.linalg.matrix_rank(coefficients(pose(parameters, th8[::20])))
    return {
        "equations": float(ranks.min()),
        "foot_tilt": float(np.abs(np.angle(support.e1.value)).max()),
        "amplification": image_ratio(support.C.value, support.E.value),
        "straightness": float(np.ptp(np.imag(support.C.value))),
        "exchange_error": float(max(off[1:])),
    }


def torque_over_step(parameters: PasibotParameters, rate: float) -> Array:
    """T8 [N m] at a constant rate [rad/s] over a step, (401,)."""
    at = two_freedoms(parameters, np.linspace(STEP_BEGINS, STEP_ENDS, 401))
    return np.asarray(at.inverse(rate, 0.0).torque)


def torques(parameters: PasibotParameters) -> dict[str, float]:
    """Figure 11: the torque's size and shape over the speed."""
    slow, *drawn, five = (torque_over_step(parameters, rate) for rate in DRAWN)
    low = torque_over_step(parameters, LOW)
    return {
        "torque_growth": float(np.ptp(five) / np.ptp(slow)),
        "low_change": float(np.sqrt(np.mean((low - slow) ** 2)) / np.ptp(slow)),
        "shape_low": min(float(np.corrcoef(slow, one)[0, 1]) for one in drawn),
        "shape_5": float(np.corrcoef(slow, five)[0, 1]),
    }


def loads(parameters: PasibotParameters) -> dict[str, float]:
    """Figure 12: what a load on the hip does to the torque."""
    bare, loaded = (
        torque_over_step(replace(parameters, hip_load=load), FRICTION_RATE)
        for load in (LOADS[0], LOADS[-1])
    )
    th8 = np.linspace(STEP_BEGINS, STEP_ENDS, 401)
    hip = pose(parameters, th8).centres.value[LINK_INDEX["13"]]
    return {
        "load_change": float(np.abs(loaded - bare).max() / np.ptp(bare)),
        "hip_rise": float(np.ptp(np.imag(hip))) / parameters.l8,
    }


def slips(parameters: PasibotParameters) -> dict[str, float]:
    """Figure 17: friction, phases and number of slides at 3 rad/s, and phases that it names."""
    one, two, many = (
        slides_of_step(parameters, FRICTION_RATE, mu, mu)
        for mu in (ONE_SLIDE, TWO_SLIDES, MANY_SLIDES)
    )
    first, mid = _nearest(one, 0.5, _begin), _nearest(two, 0.5, _begin)
    end = first.end_phase if first else math.nan
    ankle, knee = _highest(parameters, "E"), _highest(parameters, "K")
    second = _nearest([slide for slide in two if slide is not mid], 0.25, _middle)
    return {
        "least_friction": least_friction(parameters, FRICTION_RATE).value,
        "slide_begin": first.begin_phase if first else math.nan,
        "slide_end": end,
        "ankle_highest": ankle,
        "knee_highest": knee,
        "end_after_ankle": end - ankle,
        "end_after_knee": end - knee,
        "two_slides": float(len(two)),
        "second_middle": _middle(second) if second else math.nan,
        "many_slides": float(len(many)),
        "many_share": float(sum(slide.end_phase - slide.begin_phase for slide in many)),
    }


def kinetic_slips(parameters: PasibotParameters) -> dict[str, float]:
    """Figure 19: slides at 5 rad/s that begin at one static friction and go on at others."""
    return _by_friction(
        "kinetic",
        [
            _nearest(slides_of_step(parameters, KINETIC_RATE, STATIC, mu_k), 0.5, _begin)
            for mu_k in KINETIC
        ],
    )


def driven_slips(parameters: PasibotParameters) -> dict[str, float]:
    """First slides from rest under a torque, likewise."""
    drive, first = constant_torque(DRIVEN_TORQUE), []
    for mu_k in DRIVEN:
        profile = SlidingProfile(replace(parameters, mu_s=DRIVEN_STATIC, mu_k=mu_k))
        shown = _shown(parameters, slip_walk(profile, drive, _DRIVEN_TIME).slides)
        first.append(shown[0] if shown else None)
    return _by_friction("driven", first)


def _by_friction(name: str, slides: Sequence[Slide | None]) -> dict[str, float]:
    """Growth from each of some slides to the next, the least, and the spread of their begins."""
    distances = [abs(slide.distance) if slide else math.nan for slide in slides]
    begins = [slide.begin_phase if slide else math.nan for slide in slides]
    growth = [later / earlier for earlier, later in itertools.pairwise(distances)]
    return {f"{name}_order": float(np.min(growth)), f"{name}_spread": float(np.ptp(begins))}


def slides_of_step(
    parameters: PasibotParameters, rate: float, mu_s: float, mu_k: float
) -> list[Slide]:
    """Slides that begin in the second step at a constant rate, with phases from its beginning.

    Those too short to be seen in a figure, SHOWN of a step, are left out. A walk that ends before,
    since the floor would have to pull, has none.
    """
    profile = SlidingProfile(replace(parameters, mu_s=mu_s, mu_k=mu_k))
    walk = slip_walk(profile, constant_speed(rate), lasting(3.0, rate))
    if walk.ending:
        return []
    return [
        slide._replace(begin_phase=slide.begin_phase - 1.0, end_phase=slide.end_phase - 1.0)
        for slide in _shown(parameters, walk.slides)
        # an exchange is where it is but for rounding
        if 1.0 - 1e-9 <= slide.begin_phase < 2.0 - 1e-9
    ]


def _shown(parameters: PasibotParameters, slides: Iterable[Slide]) -> list[Slide]:
    """Slides that a figure would show."""
    least = SHOWN * 8.0 * parameters.l8
    return [slide for slide in slides if abs(slide.distance) > least]


def _begin(slide: Slide) -> float:
    return slide.begin_phase


def _middle(slide: Slide) -> float:
    return 0.5 * (slide.begin_phase + slide.end_phase)


def _nearest(slides: list[Slide], phase: float, of: Callable[[Slide], float]) -> Slide | None:
    return min(slides, key=lambda slide: abs(of(slide) - phase), default=None)


def _highest(parameters: PasibotParameters, point: str) -> float:
    """Phase at which a point of the swinging leg is highest over the floor."""
    th8 = np.linspace(STEP_BEGINS, STEP_ENDS, 4001)
    support, swing = legs(parameters, th8)
    depth = ((getattr(swing, point) - support.E) * support.e1.conj()).value.imag
    return float((th8[np.argmin(depth)] - STEP_BEGINS) / math.pi)
