"""The walker on ground that only pushes: the thesis's control, or its references alone.

`!GroundWalk` has the thesis's two controllers on contact as it is. `!FreedWalk` is a negative
control: a whole-body controller gives forces that ground can give, and its targets are what the
thesis wants of O1, G1 and the swinging heel a horizon ahead; it falls.
"""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from pydrake.common.value import AbstractValue, Value
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import Context, LeafSystem

from footfall.arrays import Array
from footfall.checked import not_negative, positive
from footfall.control.whole_body import WholeBody, add_foot_switch, require_whole_steps
from footfall.errors import ScenarioError
from footfall.machines.humanoid.closed_form.parameters import Numbers
from footfall.machines.humanoid.closed_form.phases import SIDES, GaitPhase
from footfall.machines.humanoid.control import (
    ACCELERATION,
    GUIDED,
    PATH,
    PLANT,
    SELECTOR,
    TORQUE,
    WIRES,
    HumanoidWalk,
    connect_systems,
    state_to,
)
from footfall.machines.humanoid.model import parameters_of, support, tracked_points
from footfall.plants.coordinates import actuators_of
from footfall.plants.motors import PdGains
from footfall_controllers.controller import Controller, Reference, Wiring
from footfall_controllers.torque_hold import HeldVelocities, TorqueHold, TorqueHoldParameters
from footfall_controllers.tracked_points import TrackedPoint
from footfall_controllers.whole_body.prediction import PredictedPlace
from footfall_controllers.whole_body.tasks import Reference as PointReference
from footfall_controllers.whole_body.tasks import Targets

KINDS = ("double", "single")
FEET = tuple([f"{side}_foot", f"{side}_toe"] for side in SIDES)
"""Links of the left and the right foot."""
_HELD, _HOLD, _TARGETS, _BODY = "held_velocities", "torque_hold", "targets", "whole_body"
# a foot that lands is where it is: no kinematics set it level
_LANDS_WHERE_IT_IS = (PLANT, "state", SELECTOR, "landing")


@dataclass
class FreedWalk(Controller):
    """Follow the thesis's references by forces that ground can give, with the whole body.

    The thesis welds the foot that stands. Here the same predictive control (3.136) of O1, G1 and
    the swinging heel is the cost of a whole-body controller: friction, ground that only pushes and
    a trunk free in space are its constraints.
    """

    # Phases, references, horizons and weights, as !HumanoidWalk has them.
    gait: HumanoidWalk = field(default_factory=HumanoidWalk)
    # Contacts, limits and further tasks, as !WholeBody has them.
    body: WholeBody = field(default_factory=WholeBody)

    def __post_init__(self) -> None:
        """Refuse two sources of references, and a gait without predictions."""
        if self.body.walk is not None:
            raise ScenarioError("controller.body.walk: the gait has the references: leave it out.")
        gait = self.gait
        listed = any(
            isinstance(getattr(weights, kind), list)
            for weights in (gait.position_weight, gait.velocity_weight)
            for kind in KINDS
        )
        if gait.feedback is not None or gait.level_foot or listed:
            raise ScenarioError(
                "controller.gait: feedback, level_foot and lists of weights are for feet that are "
                "held: leave them out."
            )

    def pd_gains(self, plant: MultibodyPlant) -> PdGains | None:
        """Return the damping of drives, if there is any."""
        return self.body.pd_gains(plant)

    def connect(self, wiring: Wiring, _reference: Reference | None) -> None:
        """Connect selector, paths, targets and whole-body control."""
        plant, gait = wiring.model.plant, self.gait
        p = parameters_of(wiring.model).numbers()
        horizons = gait.horizon.pair
        h, r = gait.position_weight, gait.velocity_weight
        weights = [
            (h.each(double=double, count=1)[0], r.each(double=double, count=1)[0])
            for double in (True, False)
        ]
        tasks = self.body.tasks | predicted_tasks(p, horizons, weights)
        selector, path = gait.references(plant, p)
        connect_systems(
            wiring,
            {
                SELECTOR: selector,
                PATH: path,
                _TARGETS: ReferenceTargets(p, horizons),
                _BODY: replace(self.body, tasks=tasks).system(plant, wiring.time_step),
            },
            (
                *state_to(SELECTOR, _BODY),
                _LANDS_WHERE_IT_IS,
                *GUIDED,
                (SELECTOR, "phase", _TARGETS, "phase"),
                (PATH, "reference", _TARGETS, "reference"),
                (_TARGETS, "targets", _BODY, "targets"),
                (_BODY, "actuation", PLANT, "actuation"),
            ),
        )


def predicted_tasks(
    p: Numbers, horizons: Sequence[float], weights: Sequence[tuple[float, float]]
) -> dict[str, PredictedPlace]:
    """Tasks of O1, G1 and the heels, by the names that `ReferenceTargets` gives them.

    horizons, weights (h, r): of double and single support.
    """
    O1, G1, *both = tracked_points(p)
    tasks: dict[str, PredictedPlace] = {}

    def add(name: str, point: TrackedPoint, k: int, axes: str = "xyz") -> None:
        h, r = weights[k]
        tasks[name] = PredictedPlace(
            link=point.frame, at=list(point.p), axes=axes, horizon=horizons[k], h=h, r=r
        )

    for k, kind in enumerate(KINDS):
        add(f"O1/{kind}", O1, k)
        add(f"G1/{kind}", G1, k)
    for side, heel in zip(SIDES, both, strict=True):
        add(f"rise/{side}", heel, 0, "z")
        add(f"heel/{side}", heel, 1)
    return tasks


class ReferenceTargets(LeafSystem):
    """Targets out of what `swing_path` wants.

    Inputs: ``reference`` [p*; v*] of `SwingPath` at t + dt, ``phase`` [index, ...]. Output:
    ``targets`` (abstract, `Targets`). The flat foot and its toe are closed; in double support the
    toe behind as well, about whose hinge the heel rises as the angle of the toe says.
    """

    def __init__(self, p: Numbers, horizons: Sequence[float]) -> None:
        """Take the walker's numbers, and dt of double and single support [s]."""
        super().__init__()
        self._foot, self._horizons = p.d10, horizons
        self._reference = self.DeclareVectorInputPort("reference", 18)
        self._phase = self.DeclareVectorInputPort("phase", 2)
        self.DeclareAbstractOutputPort("targets", lambda: Value(Targets()), self._calc)

    def _calc(self, context: Context, output: AbstractValue) -> None:
        phase = GaitPhase(int(self._phase.Eval(context)[0]))
        place, rate = self._reference.Eval(context).reshape(2, 9)
        output.set_value(self.targets(phase, place, rate))

    def targets(self, phase: GaitPhase, place: Array, rate: Array) -> Targets:
        """Return the targets of a phase; place, rate (9,): p*, v* at the end of the horizon."""
        flat, other = SIDES[phase.side], SIDES[1 - phase.side]
        kind = KINDS[0 if phase.is_double else 1]
        horizon = self._horizons[0 if phase.is_double else 1]
        rows = {f"O1/{kind}": slice(0, 3), f"G1/{kind}": slice(3, 6)}
        contacts = {f"{flat}_foot": 1.0, f"{flat}_toe": 1.0}
        contacts |= {f"{other}_foot": 0.0, f"{other}_toe": float(phase.is_double)}
        tasks: dict[str, PointReference] = {}
        if phase.is_double:
            angle, turning = -place[6], -rate[6]
            up = np.array([0.0, 0.0, self._foot])
            wanted = np.sin(angle) * up, np.cos(angle) * turning * up
            tasks[f"rise/{other}"] = _now(*wanted, horizon)
        else:
            rows = {f"O1/{kind}": slice(0, 3), f"heel/{other}": slice(3, 6)}
            rows[f"G1/{kind}"] = slice(6, 9)
        tasks |= {name: _now(place[row], rate[row], horizon) for name, row in rows.items()}
        names = [f"{point}/{each}" for point in ("O1", "G1") for each in KINDS]
        names += [f"{point}/{side}" for point in ("rise", "heel") for side in SIDES]
        active = {name: float(name in tasks) for name in names}
        return Targets(tasks, active, contacts)


def _now(place: Array, rate: Array, horizon: float) -> PointReference:
    """Return a reference that has a place and a velocity a horizon [s] from now."""
    return PointReference(place - horizon * rate, rate)


@dataclass
class GroundWalk(Controller):
    """Let the walker of the thesis walk where nothing holds its feet, from contact as it is.

    Optimal predictive control (3.136) and redundant torque (3.135) are those of !HumanoidWalk: they
    take the foot that stands for welded. What differs from the thesis is an option each.
    """

    # References, horizons, weights and torques, as !HumanoidWalk has them.
    gait: HumanoidWalk = field(default_factory=HumanoidWalk)
    # Time between two ticks of the controllers, in which torques are held [s].
    period: float = positive(0.005)
    # Load from which on the swinging foot counts as down [N]; null: it does where its heel is 1 mm
    # above the ground, as in the thesis.
    contact_load: float | None = positive(1.0)
    # Take the velocities that the support allows in place of those measured.
    held_velocities: bool = True
    # Gains by which the drives of the toes keep them straight where the thesis has a foot in one
    # piece [N m/rad], [N m s/rad]; the damping acts on all toes within a step.
    toe_stiffness: float = not_negative(1000.0)
    toe_damping: float = not_negative(2.0)

    def __post_init__(self) -> None:
        """Refuse what no law takes, and what is of feet that are held."""
        super().__post_init__()
        if self.gait.feedback is not None or self.gait.springs:
            raise ScenarioError(
                "controller.gait: feedback and springs are for feet that are held: leave them out."
            )

    def pd_gains(self, plant: MultibodyPlant) -> PdGains | None:
        """Return the gains of the drives of the toes."""
        names = [actuator.joint().name() for actuator in actuators_of(plant)]
        toes = np.array([float(name.endswith("_toe")) for name in names])
        return PdGains(self.toe_stiffness * toes, self.toe_damping * toes, by_drive=True) or None

    def connect(self, wiring: Wiring, _reference: Reference | None) -> None:
        """Connect selector, paths, predictive control, torques, and the drives that hold them."""
        plant, gait = wiring.model.plant, self.gait
        require_whole_steps(self.period, wiring.time_step)
        phases = [GaitPhase(k) for k in range(4)]
        supports = [support(phase, gait.cut) for phase in phases]
        locked = [each.locked for each in supports]
        hold = TorqueHoldParameters(self.period, locked, self.toe_stiffness, self.toe_damping)
        systems: dict[str, LeafSystem] = gait.systems(plant, parameters_of(wiring.model))
        systems |= {_HELD: HeldVelocities(plant, supports), _HOLD: TorqueHold(plant, hold)}
        allowed = (_HELD, "held") if self.held_velocities else (PLANT, "state")
        connect_systems(
            wiring,
            systems,
            (
                *WIRES,
                (SELECTOR, "phase", _HELD, "phase"),
                (SELECTOR, "phase", _HOLD, "phase"),
                (TORQUE, "actuation", _HOLD, "torque"),
                (*allowed, ACCELERATION, "state"),
                (*allowed, TORQUE, "state"),
                *state_to(SELECTOR, _HELD, _HOLD),
                _LANDS_WHERE_IT_IS,
                (_HOLD, "actuation", PLANT, "actuation"),
            ),
        )
        if self.contact_load is not None:
            least = self.contact_load * (wiring.time_step or self.period)
            add_foot_switch(wiring, FEET, least, "foot_switch", systems[SELECTOR])
