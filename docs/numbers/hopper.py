"""Numbers of what energy allows in docs/machines/hopper.md, see scripts/page_numbers.py."""

from collections.abc import Sequence

from passage import Passage

from footfall.api.running import run
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


PASSAGES = (
    Passage("takes off, {:.2f} J, would throw its mass centre {:.2f} times as far", _thrown),
)
"""Words of the page, with what computes their numbers; of the rest of the page nothing is said."""
