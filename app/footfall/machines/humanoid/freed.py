"""The walker freed from what holds its feet, on the thesis's references: a negative control."""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

from dataclasses import dataclass, field, replace

from pydrake.multibody.plant import MultibodyPlant

from footfall.control.controller import Controller, Reference, Wiring
from footfall.control.whole_body import WholeBody
from footfall.errors import ScenarioError
from footfall.machines.humanoid.control import PATH, SELECTOR, HumanoidWalk
from footfall.machines.humanoid.model import parameters_of
from footfall.machines.humanoid.reference_targets import KINDS, ReferenceTargets, predicted_tasks
from footfall.plants.drives import PdGains


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
