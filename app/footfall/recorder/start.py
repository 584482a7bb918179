"""Events at the start of a run: what is seldom meant of it, and what an engine leaves out."""

import numpy as np

from footfall.engine_names import MUJOCO
from footfall.plants.coordinates import fixed_bodies
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
    SLOWER,
    TOO_FAST,
)
from footfall.wording import listed

_DEEP = 1e-3  # m: a start deeper than this is worth a word
_IN_GROUND = (
    "the start is too deep in the ground ({names}): raise the machine by {depth:.3g} m, or let "
    "initial.drop_along do so"
)
_APART = "bodies overlap at the start ({names}): move them apart"
_OF_ONE = (
    "links of one robot overlap at the start ({names}): where they are drawn so, keep them from "
    "colliding (add_collision_filter_group in directives, drake:collision_filter_group in the "
    "model), else start in another posture"
)


def start_events(
    scenario: Scenario, robot: Robot, engine: str, dynamics: Dynamics, *, continuous: bool
) -> list[Event]:
    """Return the events of a start; dynamics: of the robot, for the posture that it has there."""
    dynamics.set_state(robot.initial_state)
    events = _potential(dynamics)
    events += [Event(0.0, LEFT_OUT, line) for line in robot.model.warnings.lines()]
    events += [Event(0.0, MOVED_START, line) for line in robot.start_notes]
    events += _penetration(robot, dynamics)
    if scenario.controller is not None:
        q = robot.initial_state[: robot.plant.num_positions()]
        warning = scenario.controller.start_warning(robot.model, q)
        events += [Event(0.0, TOO_FAST, warning)] if warning else []
    if not continuous:
        events += _long_steps(robot, dynamics, scenario.time_step)
    if engine != "moreau":
        events += _unknown_to(engine, robot)
    elif dynamics.why_not:
        events.append(Event(0.0, SLOWER, dynamics.why_not))
    return events + _late_pushes(robot, scenario.duration) + _late_changes(scenario)


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
    """Return an event for each way in which shapes start in each other, with what mends it."""
    contacts, fixed = robot.contacts, fixed_bodies(robot.plant)
    kinds = [(_IN_GROUND, shape.first, len(shape.points)) for shape in contacts.ground]
    for pair in contacts.pairs:
        a, b = pair.body_a, pair.body_b
        kind = _APART
        if pair.on_surface:
            kind = _IN_GROUND
        elif a.model_instance() == b.model_instance() and not {a.index(), b.index()} & fixed:
            kind = _OF_ONE
        kinds.append((kind, pair.first, len(pair)))
    gap = dynamics.gaps()[0]
    depths: dict[str, dict[str, float]] = {}
    for kind, first, count in kinds:
        worst = first + int(gap[first : first + count].argmin())
        if gap[worst] < -_DEEP:
            name = contacts.names[contacts.reported_as[worst]]
            of_kind = depths.setdefault(kind, {})
            of_kind[name] = max(-float(gap[worst]), of_kind.get(name, 0.0))
    events = []
    for kind, of_kind in depths.items():
        names = sorted(of_kind, key=lambda name: -of_kind[name])
        depths_of = listed([f"{name} by {of_kind[name]:.3g} m" for name in names])
        what = kind.format(names=depths_of, depth=of_kind[names[0]])
        events.append(Event(0.0, PENETRATION, what))
    return events


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


def _unknown_to(engine: str, robot: Robot) -> list[Event]:
    """Return events where an engine with soft contacts leaves out what contacts and joints have."""
    contacts, touching = robot.contacts, slice(robot.contacts.num_touching)
    more = {"restitution": contacts.restitution[touching] > 0.0}
    lost = {}
    if engine == MUJOCO:
        mu = contacts.mu[touching]
        more["static friction above that of sliding"] = contacts.mu_static[touching] > mu
        more["friction that differs along s"] = contacts.side[touching] != 1.0
    else:
        dry = [friction.name.removesuffix(":friction") for friction in contacts.frictions]
        lost["dry friction in joints"] = dry
    for what, has in more.items():
        names = (contacts.names[place] for place in contacts.reported_as[np.flatnonzero(has)])
        lost[what] = list(dict.fromkeys(name.partition("#")[0] for name in names))
    who = "MuJoCo" if engine == MUJOCO else "Drake"
    return [
        Event(0.0, LEFT_OUT, f"{who} knows no {what}: that of {listed(names)} is left out")
        for what, names in lost.items()
        if names
    ]


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
