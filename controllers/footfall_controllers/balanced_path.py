"""References of a walk that follow a body that is not where they are: the outer loop of balance."""

from dataclasses import dataclass

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array
from footfall_controllers.swing_path import SwingPath
from footfall_controllers.tracked_points import TrackedPoint, TrackedPoints


@dataclass(frozen=True)
class Balance:
    kp: float
    kd: float
    kp_tilt: float = 400.0
    kd_tilt: float = 40.0


class BalancedPath(LeafSystem):
    def __init__(self, plant: MultibodyPlant, path: SwingPath, balance: Balance) -> None:
        super().__init__()
        self._plant, self._path, self._balance = plant, path, balance
        self._context = plant.CreateDefaultContext()
        p = path._parameters
        self._horizon = p.horizon
        above = TrackedPoint(p.trunk.frame, tuple(np.array(p.trunk.p) + [0, 0, p.above]))
        self._points = TrackedPoints(plant, (p.trunk, above))
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self._phase = self.DeclareVectorInputPort("phase", 2)
        self._start = self.DeclareVectorInputPort("start", plant.num_multibody_states())
        self.DeclareVectorOutputPort("reference", 2 * path._size, self._calc)

    def _calc(self, context: Context, output: BasicVector) -> None:
        index, began = self._phase.Eval(context)
        phase, gone = int(index), context.get_time() - began
        start, dt = self._start.Eval(context), self._horizon[int(index) % 2]
        now = self._path.reference(phase, gone, start)
        then = self._path.reference(phase, gone + dt, start)
        plant = self._plant
        plant.SetPositionsAndVelocities(self._context, self._state.Eval(context))
        place = self._points.positions(self._context)
        rate = self._points.jacobian(self._context) @ plant.GetVelocities(self._context)
        b = self._balance
        cols = (slice(0, 3), slice(6, 9)) if phase % 2 else (slice(0, 3), slice(3, 6))
        a_ref = (then[1, :2] - now[1, :2]) / dt
        a = a_ref - b.kp * (place[0, :2] - now[0, :2]) - b.kd * (rate[0, :2] - now[1, :2])
        tilt, tilting = place[1, :2] - place[0, :2], rate[1, :2] - rate[0, :2]
        a_tilt = -b.kp_tilt * tilt - b.kd_tilt * tilting
        found = then.copy()
        for k, col in enumerate(cols):
            wanted = a + k * a_tilt
            c = slice(col.start, col.start + 2)
            found[1, c] = rate[k, :2] + wanted * dt
            found[0, c] = place[k, :2] + rate[k, :2] * dt + 0.5 * wanted * dt**2
        output.SetFromVector(found.ravel())
