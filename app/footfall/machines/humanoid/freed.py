"""The walker freed from what holds its feet, on the thesis's references: a negative control.

Targets of a whole-body controller are what the thesis wants of O1, G1 and the swinging heel a
horizon ahead; contacts are closed as its phases say, whether ground can give the forces or not.
"""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from pydrake.common.value import AbstractValue, Value
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import Context, LeafSystem

from footfall.arrays import Array
from footfall.control.whole_body import WholeBody
from footfall.errors import ScenarioError
from footfall.machines.humanoid.closed_form.parameters import Numbers
from footfall.machines.humanoid.closed_form.phases import SIDES, GaitPhase
from footfall.machines.humanoid.control import PATH, SELECTOR, HumanoidWalk
from footfall.machines.humanoid.model import TRUNK, parameters_of
from footfall.machines.humanoid.supports import heels
from footfall.plants.drives import PdGains
from footfall_controllers.controller import Controller, Reference, Wiring
from footfall_controllers.tracked_points import TrackedPoint
from footfall_controllers.whole_body.prediction import PredictedPlace
from footfall_controllers.whole_body.targets import Reference as PointReference
from footfall_controllers.whole_body.targets import Targets

KINDS = ("double", "single")


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
        p = parameters_of(wiring.model, wiring.contacts).numbers()
        horizons = gait.horizon.pair
        h, r = gait.position_weight, gait.velocity_weight
        weights = [
            (h.each(double=double, count=1)[0], r.each(double=double, count=1)[0])
            for double in (True, False)
        ]
        tasks = self.body.tasks | predicted_tasks(p, horizons, weights)
        selector, path = gait.references(plant, p)
        targets = ReferenceTargets(p, horizons)
        law = replace(self.body, tasks=tasks).system(plant, wiring.time_step)
        builder = wiring.builder
        builder.AddNamedSystem(SELECTOR, selector)
        builder.AddNamedSystem(PATH, path)
        builder.AddNamedSystem("targets", targets)
        wiring.add_feedback("whole_body", law)
        builder.Connect(wiring.state, selector.GetInputPort("state"))
        # a foot that lands is where it is: no kinematics set it level
        builder.Connect(wiring.state, selector.GetInputPort("landing"))
        for port in ("phase", "start"):
            builder.Connect(selector.GetOutputPort(port), path.GetInputPort(port))
        builder.Connect(selector.GetOutputPort("phase"), targets.GetInputPort("phase"))
        builder.Connect(path.GetOutputPort("reference"), targets.GetInputPort("reference"))
        builder.Connect(targets.GetOutputPort("targets"), law.GetInputPort("targets"))


def predicted_tasks(
    p: Numbers, horizons: Sequence[float], weights: Sequence[tuple[float, float]]
) -> dict[str, PredictedPlace]:
    """Tasks of O1, G1 and the heels, by the names that `ReferenceTargets` gives them.

    horizons, weights (h, r): of double and single support.
    """
    left, right = heels(p)
    found: dict[str, PredictedPlace] = {}

    def add(name: str, point: TrackedPoint, k: int, axes: str = "xyz") -> None:
        h, r = weights[k]
        found[name] = PredictedPlace(
            link=point.frame, at=list(point.p), axes=axes, horizon=horizons[k], h=h, r=r
        )

    for k, kind in enumerate(KINDS):
        add(f"O1/{kind}", TrackedPoint(TRUNK), k)
        add(f"G1/{kind}", TrackedPoint(TRUNK, (0.0, 0.0, p.c1)), k)
    for side, heel in zip(SIDES, (left, right), strict=True):
        add(f"rise/{side}", heel, 0, "z")
        add(f"heel/{side}", heel, 1)
    return found


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
