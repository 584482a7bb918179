"""Time of a tick of whole-body control along a run: median and 99th percentile, beside PlaCo's.

    python scripts/benchmarks/whole_body.py              prints a table
    python scripts/benchmarks/whole_body.py --write      and writes docs/reference/control_speed.md
    python scripts/benchmarks/whole_body.py scenes/trot  one scenario of yours or ours

A run of each scenario gives the states; then every tick of it is solved again, alone, and timed by
the processor's clock, which other programs disturb less than that on the wall; so are whole runs.
Where robots stand, PlaCo gets the same states, tasks, contacts and limits in turn with ours, if it
is installed (`placo_peer`). G1 is of the extra `robots`.
"""

import argparse
import datetime as dt
import importlib.metadata
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import jinja2
import numpy as np
from computer import computer, versions
from placo_peer import HAS_PLACO, PlacoStand
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

from footfall.arrays import Array
from footfall.control.whole_body import WholeBody
from footfall.engines.ports import STATE
from footfall.plants.repair import repair_urdf
from footfall.scenario.assemble import Robot, add_robot, build_robot
from footfall.scenario.io import load_scenario, parse_scenario
from footfall.scenario.schema import Scenario
from footfall.simulation import Hooks, simulate
from footfall_controllers.whole_body.tasks import Targets
from footfall_controllers.whole_body_qp import WholeBodyQp

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "reference" / "control_speed.md"
G1 = "G1"
HAS_ROBOTS = "example-robot-data" in versions("example-robot-data")
_SCENARIOS = ("scenes/balance", "scenes/trot", "humanoid/stand", "humanoid/walk", G1)
_FIRST = 20  # ticks that warm up
_RUNS = 4  # of which the first warms up
_Result = TypeVar("_Result")

# Unitree's G1 with 29 joints on soles of four corners, pushed as the others are
_G1 = """
duration: 3.0
time_step: 0.001
friction: 0.8
directives:
- add_model: {{name: robot, file: {file}}}
- add_collision_filter_group:
    name: hips
    members: ["robot::pelvis"]
    ignored_collision_filter_groups: [hips]
initial:
  drop_along: "robot::pelvis"
  positions:
    left_hip_pitch_joint: -0.3
    right_hip_pitch_joint: -0.3
    left_knee_joint: 0.6
    right_knee_joint: 0.6
    left_ankle_pitch_joint: -0.3
    right_ankle_pitch_joint: -0.3
pushes:
- {{link: torso_link, start: 0.5, duration: 0.1, force: [40.0, 40.0, 0.0]}}
controller: !WholeBody
  period: 0.005
  contacts:
  - link: left_ankle_roll_link
    corners: &sole
    - [0.12, 0.03, -0.035]
    - [-0.05, 0.025, -0.035]
    - [-0.05, -0.025, -0.035]
    - [0.12, -0.03, -0.035]
  - {{link: right_ankle_roll_link, corners: *sole}}
  tasks:
    com: !CentreOfMass {{kp: 50.0, kd: 14.0, weight: 10.0}}
    trunk: !Orientation {{link: pelvis, weight: 10.0}}
    posture: !JointPosture {{kp: 50.0, kd: 14.0, weight: 0.05}}
"""


@dataclass(frozen=True)
class Row:
    """Ticks of a scenario: times [us] of ours, of what is not its programme, and of PlaCo's.

    second: processor time of a second of the run [ms].
    """

    name: str
    unknowns: int
    ours: Array
    others: Array
    outcomes: str
    placo: Array
    failures: int
    apart: float
    second: float

    @staticmethod
    def median(times: Array) -> float:
        """Median [us]."""
        return float(np.median(times))

    @staticmethod
    def late(times: Array) -> float:
        """99th percentile [us]."""
        return float(np.quantile(times, 0.99))


def main() -> None:
    """Measure, print a line a scenario, and write the page if it is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("scenarios", nargs="*", default=_SCENARIOS)
    parser.add_argument("--duration", type=float, default=3.0)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    heads = "".join(f"{head:>9}" for head in ("median", "p99", "ms/s", "PlaCo", "p99"))
    print(f"{'us':18}{'unknowns':>9}{'ticks':>7}{heads}")
    rows = []
    for name in asked.scenarios:
        if name == G1 and not HAS_ROBOTS:
            continue
        with tempfile.TemporaryDirectory() as folder:
            row = _measured(name, asked.duration, Path(folder))
        rows.append(row)
        placo = ""
        if len(row.placo):
            placo = f"{row.median(row.placo):9.0f}{row.late(row.placo):9.0f}"
        print(
            f"{name:18}{row.unknowns:9d}{len(row.ours):7d}{row.median(row.ours):9.0f}"
            f"{row.late(row.ours):9.0f}{row.second:9.0f}{placo:18}  {row.outcomes}"
        )
    if asked.write:
        template = jinja2.Template((HERE / "whole_body.md.j2").read_text(), trim_blocks=True)
        text = template.render(
            rows=rows,
            date=dt.datetime.now(tz=dt.UTC).date(),
            computer=computer(),
            load=os.getloadavg()[0],
            versions=versions("drake", "numba", "placo", "pin"),
        )
        PAGE.write_text(text + "\n")
        print(PAGE)


def _scenario(name: str, folder: Path) -> Scenario:
    """Scenario by name; folder: for the copy of a maker's robot whose meshes are repaired."""
    if name != G1:
        return load_scenario(name)
    files = importlib.metadata.files("example-robot-data") or []
    path = next(Path(str(f.locate())) for f in files if f.name == "g1_29dof_rev_1_0.urdf")
    return parse_scenario(_G1.format(file=repair_urdf(path, folder).file))


def _measured(name: str, duration: float, folder: Path) -> Row:
    """Solve the ticks of a scenario again, in turn with PlaCo where it stands."""
    scenario = _scenario(name, folder)
    controller = scenario.controller
    if not isinstance(controller, WholeBody):
        raise SystemExit(f"{name} has no whole-body controller")
    robot = build_robot(scenario)
    law, ticks = _ticks(scenario, robot, controller, duration)
    peer = None
    if HAS_PLACO and controller.walk is None:
        peer = PlacoStand(scenario, robot, controller, law.torque_limits)
    ours, others, placo, apart, outcomes = [], [], [], [], Counter[str]()
    for state, targets, start in ticks:
        took, tick = _timed(lambda: law.solve(state, targets, start))  # noqa: B023 (used at once)
        ours.append(took)
        outcomes[tick.outcome.name.lower()] += 1
        others.append(took - _timed(lambda: law.solver.solve(tick.programme))[0])  # noqa: B023
        if peer is not None:
            own = peer.state_of(state)
            took, (found, torques) = _timed(lambda: peer.tick(*own))  # noqa: B023
            placo.append(took if found else np.nan)
            apart.append(np.abs(peer.in_drake_order(torques) - tick.torques).max())
    times = np.array(placo[_FIRST:])
    return Row(
        name,
        len(tick.x),
        np.array(ours[_FIRST:]),
        np.array(others[_FIRST:]),
        ", ".join(f"{count} {what}" for what, count in outcomes.items()),
        times[np.isfinite(times)],
        int(np.isnan(times).sum()),
        float(np.median(apart)) if apart else np.nan,
        _second(replace(scenario, duration=duration), robot),
    )


def _second(scenario: Scenario, robot: Robot) -> float:
    """Return the processor time [ms] of a second of a run, its start and its record included."""
    run = partial(simulate, scenario, robot, scenario.engine, Hooks(lambda: False, None))
    return 1e-3 * min(_timed(run)[0] for _ in range(_RUNS)) / scenario.duration


def _ticks(
    scenario: Scenario, robot: Robot, controller: WholeBody, duration: float
) -> tuple[WholeBodyQp, list[tuple[Array, Targets, Array]]]:
    """Return the controller of a scenario, and state, targets and start at each of its ticks."""
    builder = DiagramBuilder()
    engine = add_robot(builder, scenario, robot, scenario.engine)
    diagram = builder.Build()
    simulator = Simulator(diagram)
    root = simulator.get_mutable_context()
    engine.set_state(engine.GetMyMutableContextFromRoot(root), robot.initial_state)
    found, period = [], controller.period or scenario.time_step
    start = robot.initial_state[: robot.plant.num_positions()]
    simulator.Initialize()
    for k in range(round(duration / period)):
        targets = Targets()
        if controller.walk is not None:
            pattern = diagram.GetSubsystemByName("walk_pattern")
            port = pattern.GetOutputPort("targets")
            targets = port.Eval(pattern.GetMyContextFromRoot(root))
        state = engine.GetOutputPort(STATE).Eval(engine.GetMyContextFromRoot(root))
        found.append((state.copy(), targets, start))
        simulator.AdvanceTo((k + 1) * period)
    return controller.system(robot.plant), found


def _timed(work: Callable[[], _Result]) -> tuple[float, _Result]:
    """Return the processor time [us] of a call, and what it gives."""
    begun = time.process_time_ns()
    result = work()
    return 1e-3 * (time.process_time_ns() - begun), result


if __name__ == "__main__":
    main()
