"""``problem``: the contact problem of a step of a saved run."""

from pathlib import Path

import numpy as np
from pydrake.systems.framework import DiagramBuilder

from footfall.engines import MoreauEngine
from footfall.engines.ports import CONTACT_IMPULSES
from footfall.errors import RunError
from footfall.run_folder import SCENARIO, find_run
from footfall.scenario.assemble import add_robot, build_robot
from footfall.scenario.io import load_scenario
from footfall.solvers import StepProblem
from footfall.trajectory import Trajectory
from footfall.trajectory.contact_table import contact_table
from footfall.trajectory.variables import RECORD_EVERY

_STEPS_BEFORE = 8  # that are made for what the trajectory does not tell of the last impulses
_FEET_OFF = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))
_SAME = 1e-6  # of the velocities


def problem(run: str | Path, at: float) -> tuple[StepProblem, float]:
    """Return the contact problem of the step that ends at a time [s], out of a run's folder.

    The engine makes the step again, from the state and under the torques that the trajectory has.
    Also returns how far its impulses are from those that the run recorded, over the largest of
    them: more than rounding where contacts can share a load in several ways, and a contact between
    bodies has several points, of which the trajectory has the sum. Code of the scenario is run.
    Raises RunError, one line, for a run or a time without such a step, and where the velocities at
    its end are not those of the run.
    """
    folder = find_run(run)
    data, engine = Trajectory.load(folder.trajectory).data, folder.read_metrics()["engine"]
    scenario = load_scenario(str(folder.path / SCENARIO))
    lacking = {
        f"is of engine {engine}, which poses none: run it with engine moreau": engine != "moreau",
        "has not every step recorded: run it again with record_every=1": RECORD_EVERY in data.attrs,
        "has changes, which are not made again: run it without": bool(scenario.changes),
    }
    for what, lacks in lacking.items():
        if lacks:
            raise RunError(f"the run in {folder.path} {what}.")
    time, dt = data["time"].to_numpy(), scenario.time_step
    last = round(at / dt) if np.isfinite(at) else 0
    if not 1 <= last < len(time):
        raise RunError(f"--at is {at:g}: the steps of the run end at {dt:g} to {time[-1]:g} s.")
    begin = max(0, last - 1 - _STEPS_BEFORE)
    states = np.hstack((data["q"].to_numpy(), data["v"].to_numpy()))[begin : last + 1]
    efforts = data["actuation"].to_numpy()[begin:last]
    robot = build_robot(scenario, start=states[0])
    builder = DiagramBuilder()
    system = add_robot(builder, scenario, robot, engine)
    diagram = builder.Build()
    if not isinstance(system, MoreauEngine):
        raise TypeError(type(system))
    root = diagram.CreateDefaultContext()
    context = system.GetMyMutableContextFromRoot(root)
    table, efforts = contact_table(data), system.commands(states, efforts)
    recorded = data["impulse"].isel(time=last).to_numpy().ravel()
    largest = np.abs(recorded).max(initial=0.0) or 1.0
    # which of two feet that take turns were off is not in the trajectory
    turns = _FEET_OFF if scenario.alternating_feet is not None else _FEET_OFF[:1]
    found: list[tuple[float, float, StepProblem]] = []
    for off in turns:
        system.set_state(context, states[0])
        system.remember(context, table.only(table.row == begin))
        if len(turns) > 1:
            context.SetDiscreteState(2, off)
        for k in range(last - begin):
            root.SetTime((begin + k) * dt)
            context.SetDiscreteState(0, states[k])
            posed = system.repeat(context, efforts[k])
        impulses = system.GetOutputPort(CONTACT_IMPULSES).Eval(context)
        far = float(np.abs(impulses - recorded).max(initial=0.0)) / largest
        v_e = states[-1, -robot.plant.num_velocities() :]
        v = context.get_discrete_state(0).get_value()[-v_e.size :]
        scale = max(np.abs(v_e).max(initial=0.0), np.abs(posed.q).max(initial=0.0))
        found.append((float(np.abs(v - v_e).max(initial=0.0)) / (scale or 1.0), far, posed))
    apart, far, posed = min(found, key=lambda each: each[:2])
    if not apart <= _SAME:
        raise RunError(
            f"the step at {time[last]:g} s, made again, ends with velocities that differ by "
            f"{apart:.1e} of the largest: something acted in the run that its folder does not "
            "tell, or faces that slide on each other shared their load in another way."
        )
    return posed, far
