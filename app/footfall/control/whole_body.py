"""Whole-body control, as scenarios describe it."""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import Diagram, System

from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.feet.ground_contacts import loads_by_link
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import actuators_of
from footfall.plants.loading.load import Model, load_model
from footfall.plants.motors import Motor, PdGains
from footfall.trajectory.control import ControlTicks
from footfall.wording import did_you_mean
from footfall_controllers.controller import Controller, Reference, Wiring
from footfall_controllers.foot_switch import FootSwitch
from footfall_controllers.walk_pattern import WalkPattern
from footfall_controllers.walking.walk import Walk, WalkParameters
from footfall_controllers.walking.walk_reach import WalkReach
from footfall_controllers.walking.walking_ground import WalkingGround
from footfall_controllers.whole_body.contacts import Contact
from footfall_controllers.whole_body.limits import by_actuator
from footfall_controllers.whole_body.rows import Gains
from footfall_controllers.whole_body_qp import WholeBodyParameters, WholeBodyQp

_LAW = "whole_body"  # the system in the diagram
_WHOLE = 1e-9  # of a number of steps
_REACHED: list[tuple[Model, str, WalkReach]] = []  # the walk that was worked out last, of whom


@dataclass
class WholeBody(WholeBodyParameters, Controller):
    """Do tasks with the whole body, by forces that the ground can give and within all limits."""

    # Whether its model of the robot has the masses of the scenario's mass_scale; false: it believes
    # those of the files, as a controller that nobody told of a load.
    knows_mass_scale: bool = True
    # A walk, with tasks of its own for centre of mass, trunk and feet; absent: the robot stands.
    walk: Walk | None = None

    @property
    def held_for(self) -> float:
        """Time between two ticks [s]."""
        return self.period

    def pd_gains(self, plant: MultibodyPlant) -> PdGains | None:
        """Return the damping of drives, if there is any."""
        damping = by_actuator(plant, self.drive_damping, "drive_damping", 0.0)
        return PdGains(np.zeros_like(damping), damping, by_drive=True) or None

    def connect(self, wiring: Wiring, _reference: Reference | None) -> None:
        """Connect the machine's state -> the controller -> the machine's actuation."""
        model = self._model(wiring.model)
        law = self.system(model.plant, wiring.time_step, wiring.motors)
        wiring.add_feedback(_LAW, law)
        builder = wiring.builder
        if self.walk is not None:
            known = self._walking(self.walk, wiring.model)
            reach = self._reach(model, known) if self.walk.com_height == "auto" else None
            pattern = WalkPattern(model.plant, known, reach)
            builder.AddNamedSystem("walk_pattern", pattern)
            builder.Connect(wiring.state, pattern.GetInputPort("state"))
            builder.Connect(pattern.GetOutputPort("targets"), law.GetInputPort("targets"))
            if self.walk.by_contact is not None:
                feet = [list(foot.contacts) for foot in known.feet.values()]
                least = self.walk.by_contact.load * law.terms.weight * self._step(wiring)
                add_foot_switch(wiring, feet, least, "walk_switch", pattern)
        if self.contact_switch is not None:
            self._require_period("contact_switch")
            links = [[contact.link] for contact in self._bearing()]
            least = self.contact_switch.threshold * self._step(wiring)
            add_foot_switch(wiring, links, least, "foot_switch", law)

    def _step(self, wiring: Wiring) -> float:
        """Time of which an engine tells the impulses [s]."""
        return wiring.time_step or self.period

    def ticks(self, diagram: Diagram) -> ControlTicks | None:
        """Return what the ticks of a run tell, once it is over."""
        law = diagram.GetSubsystemByName(_LAW)
        if not isinstance(law, WholeBodyQp) or not law.log:
            return None
        told, look = np.array([each for _, each in law.log.values()]), law.inspection
        return ControlTicks(
            tasks=look.tasks,
            units=look.units,
            constraints=look.constraints,
            time=np.array(list(law.log)),
            outcome=look.outcome(told),
            error=look.errors(told),
            cost=look.costs(told),
            active=look.active(told),
            conflict=look.conflict(told),
            took=np.array([took for took, _ in law.log.values()]),
        )

    def adjustable(self, diagram: Diagram) -> Mapping[str, float]:
        """Return gains and weights of the tasks of motion as they are, ``task.kp`` and the like."""
        gains = self._law_in(diagram).gains()
        return {
            f"{task}.{name}": value
            for task, each in gains.items()
            for name, value in asdict(each).items()
        }

    def adjust(self, diagram: Diagram, name: str, value: float) -> None:
        """Change one of them between two steps; raises ScenarioError for another name."""
        known = self.adjustable(diagram)
        if name not in known:
            raise ScenarioError(f"controller: {did_you_mean(name, list(known))}")
        task, _, part = name.rpartition(".")
        self._law_in(diagram).retune(task, Gains(**{part: value}))

    def _law_in(self, diagram: Diagram) -> WholeBodyQp:
        return diagram.GetSubsystemByName(_LAW)

    def _require_period(self, field_name: str) -> None:
        if not self.period:
            raise ScenarioError(
                f"controller.period is 0: {field_name} needs a period, such as 0.005 s."
            )

    def _model(self, model: Model) -> Model:
        """Return the model of the robot that the controller has."""
        if self.knows_mass_scale or not model.spec.mass_scale:
            return model
        return load_model(replace(model.spec, mass_scale={}))

    def _bearing(self) -> list[Contact]:
        """Return the contacts that forces are worked out for."""
        return self.contacts if self.walk is None else self.walk.bearing(self.contacts)

    def _walking(self, walk: Walk, model: Model) -> WalkParameters:
        """Return the parameters of a walk, on the ground of a model that it knows."""
        self._require_period("a walk")
        axes = model.spec.terrain.X_WTerrain().rotation().matrix()
        surface = model.surface if walk.knows_ground else None
        ground = WalkingGround(axes, surface)
        return WalkParameters(walk, walk.feet_on(self.contacts), self.period, ground)

    def _reach(self, model: Model, walk: WalkParameters) -> WalkReach:
        """Return the reach of a walk, with the largest torques of file and controller.

        A run asks twice, for its pattern and for a warning: the last one is kept.
        """
        of = model, repr(self)
        if not (_REACHED and _REACHED[0][0] is model and _REACHED[0][1] == of[1]):
            plant = model.plant
            efforts = np.array([actuator.effort_limit() for actuator in actuators_of(plant)])
            limits = by_actuator(plant, self.torque_limits, "torque_limits", np.inf)
            _REACHED[:] = [(*of, WalkReach(plant, walk, np.minimum(efforts, limits)))]
        return _REACHED[0][2]

    def start_warning(self, model: Model, q: Array) -> str | None:
        """Return a line on a walk that is too fast for the posture in which it starts."""
        if self.walk is None:
            return None
        reach = self._reach(model, self._walking(self.walk, model))
        return reach.warning(q, lowers=self.walk.com_height == "auto")

    def system(
        self,
        plant: MultibodyPlant,
        time_step: float = 0.0,
        motors: Mapping[str, Motor] | None = None,
    ) -> WholeBodyQp:
        """Return the controller of a plant, for steps of a length [s], 0: any; with its motors."""
        tasks: dict[str, Any] = dict(self.tasks)
        if self.walk is not None:
            tasks |= self.walk.tasks(self.walk.feet_on(self.contacts))
        for group in ("contacts", "tasks"):
            if not getattr(self, group):
                message = f"controller.{group} is empty: a whole-body controller needs some."
                raise ScenarioError(message)
        require_whole_steps(self.period, time_step)
        law = replace(self, tasks=tasks, contacts=self._bearing())
        return WholeBodyQp(plant, law, time_step, motors)


def add_foot_switch(
    wiring: Wiring, feet: Sequence[Sequence[str]], least: float, name: str, system: System
) -> None:
    """Connect the loads of feet, the links of each, with the port ``contact`` of a system.

    least: impulse of a step from which on a foot is felt [N s]. Raises ScenarioError for an engine
    without impulses.
    """
    if wiring.impulses is None:
        raise ScenarioError(f"controller: {name} needs an engine that measures contact impulses.")
    switch = FootSwitch(foot_loads(wiring.model.plant, wiring.contacts, feet), least)
    builder = wiring.builder
    builder.AddNamedSystem(name, switch)
    builder.Connect(wiring.impulses, switch.GetInputPort("contact_impulses"))
    builder.Connect(switch.GetOutputPort("contact"), system.GetInputPort("contact"))


def foot_loads(plant: MultibodyPlant, contacts: ContactSet, feet: Sequence[Sequence[str]]) -> Array:
    """Return the rows (feet, 3 n) that sum normal impulses of feet, the links of each."""
    return np.array([loads_by_link(plant, contacts, links).sum(axis=0) for links in feet])


def require_whole_steps(period: float, time_step: float) -> None:
    """Raise ScenarioError for a period [s] that is no whole number of steps [s]; 0: any is."""
    if not (time_step and period):
        return
    steps = period / time_step
    if abs(steps - round(steps)) > _WHOLE * steps or round(steps) < 1:
        raise ScenarioError(
            f"controller.period is {period} s: give a whole number of time steps of {time_step} s."
        )
