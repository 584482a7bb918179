"""Events at the start of a run: what is seldom meant of it, and what an engine leaves out."""

from footfall.plants.dynamics import Dynamics
from footfall.plants.motors import line_times
from footfall.scenario.assemble import Robot
from footfall.scenario.schema import Scenario
from footfall.trajectory import Event
from footfall.trajectory.events import (
    ENERGY_INCOMPLETE,
    LEFT_OUT,
    LONG_STEP,
    MOVED_START,
    NEVER_ACTS,
    PENETRATION,
)
from footfall.wording import listed

_DEEP = 1e-3  # m: a start deeper in the ground than this is worth a word


def start_events(
    scenario: Scenario, robot: Robot, engine: str, dynamics: Dynamics, *, continuous: bool
) -> list[Event]:
    """Return the events of a start; dynamics: of the robot, for the posture that it has there."""
    dynamics.set_state(robot.initial_state)
    found = _potential(dynamics)
    found += [Event(0.0, LEFT_OUT, line) for line in robot.model.remarks.lines()]
    if robot.start_note:
        found.append(Event(0.0, MOVED_START, robot.start_note))
    found += _penetration(robot, dynamics)
    if not continuous:
        found += _long_steps(robot, dynamics, scenario.time_step)
    if engine.startswith("drake"):
        found += _dry_joints(robot)
    return found + _late_pushes(robot, scenario.duration) + _late_changes(scenario)


def _potential(dynamics: Dynamics) -> list[Event]:
    """Return an event where the potential energy is not known."""
    if dynamics.knows_potential:
        return []
    what = (
        "Drake tells no potential energy of some force element, such as a bushing: "
        "potential_energy is that of gravity, and energy_drift counts the rest"
    )
    return [Event(0.0, ENERGY_INCOMPLETE, what)]


def _penetration(robot: Robot, dynamics: Dynamics) -> list[Event]:
    """Return an event where the machine starts in the ground."""
    contacts = robot.contacts
    gap = dynamics.gaps()[0][: contacts.num_touching]
    if len(gap) == 0 or gap.min() >= -_DEEP:
        return []
    name = contacts.names[contacts.reported_as[int(gap.argmin())]]
    what = f"{name} starts {-gap.min():.3g} m too deep: place the machine higher"
    return [Event(0.0, PENETRATION, what)]


def _long_steps(robot: Robot, dynamics: Dynamics, time_step: float) -> list[Event]:
    """Return an event where the step is long for a motor whose torque falls with its speed."""
    times = line_times(robot.plant, robot.model.spec.motors, dynamics.context)
    return [
        Event(
            0.0,
            LONG_STEP,
            f"time_step {time_step:g} s is long for the torque-speed line of motor '{name}', which "
            f"settles in {time:.2g} s: its speed overshoots",
        )
        for name, time in times.items()
        if time_step > time
    ]


def _dry_joints(robot: Robot) -> list[Event]:
    """Return an event where an engine leaves dry friction in joints out."""
    dry = robot.contacts.frictions
    if not dry:
        return []
    names = listed([friction.name.removesuffix(":friction") for friction in dry])
    what = f"Drake knows no dry friction in joints: that of {names} is left out"
    return [Event(0.0, LEFT_OUT, what)]


def _late_pushes(robot: Robot, duration: float) -> list[Event]:
    """Return an event for each push that would begin after the end."""
    return [
        Event(
            0.0,
            NEVER_ACTS,
            f"a push on {push.link} would begin at {push.start:g} s, and the run ends at "
            f"{duration:g} s: it never acts",
        )
        for push in robot.pushes
        if push.start >= duration
    ]


def _late_changes(scenario: Scenario) -> list[Event]:
    """Return an event for each change that would come after the end."""
    return [
        Event(
            0.0,
            NEVER_ACTS,
            f"a change of settings ({change}) would come at {change.time:g} s, and the run ends at "
            f"{scenario.duration:g} s: it never acts",
        )
        for change in scenario.changes
        if change.time >= scenario.duration
    ]
