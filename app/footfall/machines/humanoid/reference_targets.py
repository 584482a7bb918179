"""References of the thesis's walk as targets of a whole-body controller.

O1, G1 and the swinging heel are where the thesis wants them a horizon ahead; contacts are closed as
its phases say. Nothing here asks whether the ground can give the forces.
"""

from collections.abc import Sequence

import numpy as np
from pydrake.common.value import AbstractValue, Value
from pydrake.systems.framework import Context, LeafSystem

from footfall.arrays import Array
from footfall.machines.humanoid.closed_form.parameters import Numbers
from footfall.machines.humanoid.closed_form.phases import SIDES, GaitPhase
from footfall.machines.humanoid.model import TRUNK
from footfall.machines.humanoid.points import heels
from footfall_controllers.tracked_points import TrackedPoint
from footfall_controllers.whole_body.prediction import PredictedPlace
from footfall_controllers.whole_body.targets import Reference, Targets

KINDS = ("double", "single")


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
        tasks: dict[str, Reference] = {}
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


def _now(place: Array, rate: Array, horizon: float) -> Reference:
    """Return a reference that has a place and a velocity a horizon [s] from now."""
    return Reference(place - horizon * rate, rate)
