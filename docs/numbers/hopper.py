"""Numbers of the published jump in docs/machines/hopper.md, see scripts/page_numbers.py."""

from collections.abc import Sequence

from passage import Passage

from footfall.api.running import run
from footfall.machines.hopper.authors import published_distance
from footfall.machines.hopper.authors_steps import program_distance
from footfall.machines.hopper.closed_form.model import CODE
from footfall.machines.hopper.model import parameters_of
from footfall.machines.hopper.published import DISTANCE
from footfall.metrics import scalar
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario


def _thrown() -> Sequence[float]:
    """Kinetic energy at take-off, and its throw over the published distance."""
    scenario = load_scenario("hopper/report")
    robot = build_robot(scenario)
    machine = parameters_of(robot.model, robot.contacts)
    far = scalar(run(scenario, "hybrid").metrics, "energy_range")
    return [0.5 * far * 2.0 * machine.m * machine.g, far / DISTANCE]


def _stepped() -> Sequence[float]:
    """Distance in the program's steps and what that lacks, by either impact law; what is left."""
    exact, early = published_distance(CODE), published_distance(CODE, early_impact=True)
    stepped, stepped_early = program_distance(CODE), program_distance(CODE, early_impact=True)
    left = exact - program_distance(CODE, late=False)
    return [stepped, exact - stepped, stepped_early, early - stepped_early, left]


PASSAGES = (
    Passage(
        "d at g = 9.8 is {:.6f} m, {:.3e} m below the exact one, and {:.6f} m with the earlier "
        "impact law, {:.3e} m below; the latter it prints as 0.1336, as published. With the right "
        "direction from the start of a slide, {:.1e} m would be left",
        _stepped,
    ),
    Passage("takes off, {:.2f} J, would throw its mass centre {:.2f} times as far", _thrown),
)
"""Words of the page, with what computes their numbers; of the rest of the page nothing is said."""
