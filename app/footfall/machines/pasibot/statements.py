"""Statements of PASIBOT's document on its results, and tests of them on a machine.

It prints two numbers; the rest are words about figures that are lost. What a word is held to mean
is said with every statement, and is footfall's.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from footfall.machines.pasibot.closed_form.thresholds import LEAST_FRICTION, START_TORQUE
from footfall.registry.claims import Claim, Relation, holds, judged, stated

SOURCE = "Corral et al. 2016"


@dataclass(frozen=True)
class Statement:
    """A statement about a quantity of `predictions`, by its name.

    bound: published, or what a word is held to mean; relation: of the value to it, "about" within
    the tolerance. figure: of the document, as the analysis calls it. fitted: something was chosen
    for it. printed: the document prints the bound, which otherwise is our reading of its words.
    """

    name: str
    unit: str
    quantity: str
    bound: float
    relation: Relation
    source: str
    reason: str
    figure: str
    tolerance: float = 0.0
    fitted: bool = False
    printed: bool = False

    def holds(self, value: float) -> bool:
        """Return whether a value is as it says; NaN is not."""
        return holds(value, self.bound, self.relation, self.tolerance)

    def claim(self, values: Mapping[str, float], besides: str = "") -> Claim:
        """The verdict on a machine's quantities; besides: what else there is to say."""
        value = values.get(self.quantity, math.nan)
        source = f"{SOURCE}, {self.source}"
        reason = "; ".join(part for part in (self.reason, besides) if part)
        named, fitted = (self.name, self.unit, value), self.fitted
        if self.printed:
            number = (self.bound, self.tolerance)
            return judged(*named, *number, source=source, reason=reason, fitted=fitted)
        meant = (self.bound, self.relation, self.tolerance)
        return stated(*named, *meant, source=source, reason=reason, fitted=fitted)


_OURS = "that is our reading of the words"
_DIGIT = 0.005  # half of the last digit printed, of both scalars

STATEMENTS = (
    Statement(
        "torque above which it can start walking: what carries it over V(th8) - V(pi/2)",
        "N m",
        "start_torque",
        START_TORQUE,
        "about",
        "section 6",
        "the weight is fitted to it: the masses are lost",
        "start",
        _DIGIT,
        fitted=True,
        printed=True,
    ),
    Statement(
        "least friction that prevents slip at 3 rad/s",
        "1",
        "least_friction",
        LEAST_FRICTION,
        "about",
        "section 7.2, figure 17",
        "the length of the crank is fitted to it: it is lost",
        "slip_mu",
        _DIGIT,
        fitted=True,
        printed=True,
    ),
    Statement(
        "23 links have 69 equations, which determine 69 forces and the torque (rank in a step)",
        "1",
        "equations",
        69.0,
        "about",
        "section 5",
        "the matrix is lost with figure 9 and rebuilt link by link: 33 joints of two forces, two "
        "slots of one, the torque; its numerical rank, wherever the crank is",
        "torque",
        0.0,
        printed=True,
    ),
    Statement(
        "the supporting foot remains parallel to the slot (largest angle)",
        "rad",
        "foot_tilt",
        0.01,
        "at most",
        "section 3",
        f"half a degree: {_OURS}; C leaves the slot's line, so that it cannot be exact",
        "torque",
    ),
    Statement(
        "the pantograph turns the path of C upside down and makes it twice as large",
        "1",
        "amplification",
        2.0,
        "about",
        "section 3",
        "femur and tibia, whose lengths are not printed, are as long as that asks for; within a "
        "thousandth, since loops in engines give way",
        "torque",
        1e-3,
        fitted=True,
        printed=True,
    ),
    Statement(
        "C moves along a quasi-straight line while its foot stands (width of its path)",
        "l8",
        "straightness",
        0.02,
        "at most",
        "section 3",
        f"a fiftieth of the crank, of a stroke of four: {_OURS}; lengths are printed",
        "torque",
    ),
    Statement(
        "a step is half a turn: then the other foot stands, level and without speed",
        "1",
        "exchange_error",
        1e-9,
        "at most",
        "section 6",
        "height over the crank, tilt, and speeds for a rate of 1 rad/s, the largest of them; that "
        "feet change places so follows from the printed lengths",
        "torque",
    ),
    Statement(
        "torque graphs below 3 rad/s hardly differ (1 and 2 rad/s, rms over the range)",
        "1",
        "low_change",
        0.1,
        "at most",
        "section 5, figure 11",
        f"less than a tenth of the range: {_OURS}",
        "torque",
    ),
    Statement(
        "torque has the same shape at all speeds but the highest (least correlation with 1 rad/s)",
        "1",
        "shape_low",
        0.9,
        "at least",
        "section 5, figure 11",
        f"a correlation of 0.9: {_OURS}; at 2, 3 and 4 rad/s as the figure is drawn here; which "
        "speeds the lost one has between is not said",
        "torque",
    ),
    Statement(
        "torque at 5 rad/s has another shape (correlation with 1 rad/s)",
        "1",
        "shape_5",
        0.9,
        "at most",
        "section 5, figure 11",
        f"a correlation below 0.9: {_OURS}",
        "torque",
    ),
    Statement(
        "torque depends slightly on a load of up to 15 kg (largest change over the range)",
        "1",
        "load_change",
        0.1,
        "at most",
        "section 5, figure 12",
        f"less than a tenth of the range, by more than the machine's own weight: {_OURS}; of 20 "
        "machines with other assumed masses (pasibot/calibrate) 6 keep it",
        "load",
    ),
    Statement(
        "the hip remains at almost the same level in a step (way up and down)",
        "l8",
        "hip_rise",
        0.1,
        "at most",
        "section 5",
        f"a tenth of the crank, on legs of 27 cranks: {_OURS}; lengths are printed, the hip's mass "
        "centre is assumed",
        "load",
    ),
    Statement(
        "a single slide begins at mid-step (phase, friction 0.07)",
        "1",
        "slide_begin",
        0.5,
        "about",
        "section 7.2, figure 17",
        f"within 0.06 of a step: {_OURS}; nothing was chosen for it",
        "slip_mu",
        0.06,
    ),
    Statement(
        "it lasts until the swinging leg is highest, read of the knee (phase of its end)",
        "1",
        "end_after_knee",
        0.0,
        "about",
        "section 7.2, figure 17",
        "from the knee's highest place; which point and which friction is meant is lost: the knee "
        "and 0.07 were chosen since they fit, the slide ends earlier with more friction, later "
        "with less",
        "slip_mu",
        0.03,
        fitted=True,
    ),
    Statement(
        "it lasts until the swinging leg is highest, read of the ankle (phase of its end)",
        "1",
        "end_after_ankle",
        0.0,
        "about",
        "section 7.2, figure 17",
        "the ankle is highest at mid-step, where the slide begins",
        "slip_mu",
        0.03,
    ),
    Statement(
        "of two slides one is in the first quarter (phase of its middle, friction 0.05)",
        "1",
        "second_middle",
        0.25,
        "about",
        "section 7.2, figure 17",
        f"at the end of the first quarter, within 0.06: {_OURS}; of the four assemblies of the "
        "linkage this one was chosen for it",
        "slip_mu",
        0.06,
        fitted=True,
    ),
    Statement(
        "at friction 0.03 slides occur repeatedly (in a step)",
        "1",
        "many_slides",
        3.0,
        "at least",
        "section 7.2, figure 17",
        f"three at least that are longer than 0.02 % of a step: {_OURS}; the other three "
        "assemblies have two",
        "slip_mu",
    ),
    Statement(
        "the bigger the kinetic friction, the smaller the slide (least growth to the next lower)",
        "1",
        "kinetic_order",
        1.0,
        "at least",
        "section 7.2, figure 19",
        "slides at mid-step for 0.2, 0.1, 0.05",
        "slip_kinetic",
    ),
    Statement(
        "slides at all kinetic frictions begin at the same point (spread of phases)",
        "1",
        "kinetic_spread",
        0.0,
        "about",
        "section 7.2, figure 19",
        "slides at mid-step: where a foot leaves static friction does not depend on the kinetic "
        "one, unless it slides still from before",
        "slip_kinetic",
        1e-6,
    ),
    Statement(
        "the same under a given torque, (36): growth of the slide to the next lower friction",
        "1",
        "driven_order",
        1.0,
        "at least",
        "section 7.2",
        "first slides from rest under 1 N m, static friction 0.5, kinetic 0.5, 0.4, 0.3; the "
        "text's words are of figure 19, at a constant speed",
        "slip_torque",
    ),
    Statement(
        "slides under a given torque begin at the same point as well (spread of phases)",
        "1",
        "driven_spread",
        0.0,
        "about",
        "section 7.2",
        "the same slides: until then nothing knows the kinetic friction",
        "slip_torque",
        1e-6,
    ),
)


def judged_statements(
    values: Mapping[str, float], figure: str | None = None, besides: Mapping[str, str] | None = None
) -> list[Claim]:
    """Verdicts on all statements, or on those about a figure.

    besides: by the name of a statement, what else there is to say of it.
    """
    chosen = [one for one in STATEMENTS if figure in (None, one.figure)]
    return [one.claim(values, (besides or {}).get(one.name, "")) for one in chosen]
