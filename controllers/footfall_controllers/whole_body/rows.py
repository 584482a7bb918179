"""Rows J v' = wanted of a whole-body controller's tasks at one state."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall.plants.joints import joints_of
from footfall.plants.patterns import broad_first, fitting
from footfall_controllers.whole_body.prediction import (
    Lookahead,
    PredictedPlace,
    Prediction,
    over_horizon,
)
from footfall_controllers.whole_body.targets import Reference, Targets
from footfall_controllers.whole_body.tasks import (
    AngularMomentum,
    AxesTask,
    CentreOfMass,
    JointPosture,
    Orientation,
    Place,
    Task,
)
from footfall_controllers.whole_body.terms import RobotTerms, rotation_error

_ZERO = np.zeros(3)


def links_of(tasks: Mapping[str, Task]) -> list[str]:
    """Links that tasks are about."""
    return [task.link for task in tasks.values() if isinstance(task, Orientation | Place)]


class TaskRows:
    """Rows of all tasks, always as many and in the same order, scaled by roots of their prices."""

    def __init__(self, tasks: Mapping[str, Task], terms: RobotTerms) -> None:
        """Look joints up; raises ScenarioError for names that fit none."""
        self._terms = terms
        self._motions = {k: task for k, task in tasks.items() if isinstance(task, AxesTask)}
        postures = {k: task for k, task in tasks.items() if isinstance(task, JointPosture)}
        self._postures = {k: PostureRows.of(task, terms) for k, task in postures.items()}
        self._sizes = [len(task.rows) for task in self._motions.values()]
        self._sizes += [len(part.v) for part in self._postures.values()]
        horizons = {t.horizon for t in tasks.values() if isinstance(t, PredictedPlace)}
        self._ahead = {dt: Lookahead(terms.plant, dt) for dt in horizons}
        self._held: dict[str, Reference] = {}
        self._q = np.zeros(0)
        q = terms.plant.GetPositions(terms.context)
        terms.set_state(np.concatenate([q, np.zeros(terms.plant.num_velocities())]))
        self._inertia = np.diag(terms.A_L[:, terms.base[:3]])

    def hold(self, q: Array) -> None:
        """Let tasks without a reference hold where they are at positions q; moves the terms."""
        if np.array_equal(q, self._q):
            return
        self._q = q.copy()
        terms = self._terms
        terms.set_state(np.concatenate([q, np.zeros(terms.plant.num_velocities())]))
        self._held = {name: self._place(task) for name, task in self._motions.items()}

    def rows(self, targets: Targets) -> tuple[Array, Array]:
        """Return J (n, nv) and wanted (n,) at the state of the terms."""
        terms = self._terms
        for ahead in self._ahead.values():
            ahead.move(terms.q, terms.v)
        n = sum(self._sizes)
        J, wanted = np.zeros((n, len(terms.h))), np.zeros(n)
        at = 0
        for name, task in self._motions.items():
            rows = task.rows
            price = _price(task, name, targets)
            if price > 0.0:
                reference = targets.tasks.get(name) or self._held[name]
                A, asked = self._motion(task, reference)
                scale = price / self._inertia if isinstance(task, AngularMomentum) else price
                J[at : at + len(rows)] = (A.T * scale).T[rows]
                wanted[at : at + len(rows)] = (asked * scale)[rows]
            at += len(rows)
        for name, posture in self._postures.items():
            end = at + len(posture.v)
            price = _price(posture.task, name, targets)
            J[np.arange(at, end), posture.v] = price
            wanted[at:end] = price * posture.asked(terms, self._q)
            at = end
        return J, wanted

    def _place(self, task: AxesTask) -> Reference:
        """Reference that holds a task where it is."""
        terms = self._terms
        if isinstance(task, CentreOfMass):
            return Reference(terms.p_com)
        if isinstance(task, Orientation):
            return Reference(terms.link(task.link).R)
        if isinstance(task, Place):
            return Reference(terms.link(task.link).at(np.array(task.at))[0])
        return Reference(_ZERO)

    def _motion(self, task: AxesTask, reference: Reference) -> tuple[Array, Array]:
        """Rows (3, nv) of a task of the world, and accelerations (3,) that it asks for."""
        terms = self._terms
        if isinstance(task, PredictedPlace):
            place, rate, _, _ = terms.link(task.link).at(np.array(task.at))
            J = self._ahead[task.horizon].jacobian(task)
            wanted = over_horizon(reference, task.horizon)
            return task.measure(Prediction(place, rate, J, *wanted), terms.v)
        if isinstance(task, CentreOfMass):
            error, rate = reference.value - terms.p_com, terms.v_com
            J, bias = terms.J_com, terms.bias_com
        elif isinstance(task, Orientation):
            link = terms.link(task.link)
            error, rate = rotation_error(link.R, reference.value), link.V[:3]
            J, bias = link.J[:3], link.bias[:3]
        elif isinstance(task, Place):
            p, rate, J, bias = terms.link(task.link).at(np.array(task.at))
            error = reference.value - p
        else:
            error, rate, J, bias = _ZERO, terms.momentum, terms.A_L, terms.bias_L
        asked = task.kp * error + task.kd * (reference.rate - rate) + reference.acceleration
        return J, asked - bias


@dataclass(frozen=True, eq=False)
class PostureRows:
    """Joints of a posture: places among positions and velocities, and positions to hold.

    wanted: NaN for a joint that is held where it starts.
    """

    task: JointPosture
    q: Array
    v: Array
    wanted: Array

    @classmethod
    def of(cls, task: JointPosture, terms: RobotTerms) -> "PostureRows":
        """Look joints up; raises ScenarioError for names that fit none."""
        driven = set(terms.driven.tolist())
        joints = {
            joint.name(): joint
            for joint in joints_of(terms.plant)
            if joint.num_velocities() == 1 and joint.velocity_start() in driven
        }
        known = {name: name for name in joints}
        named = {n for p in task.joints for n in fitting(p, known, "joints of a posture", "joint")}
        chosen = [joints[name] for name in joints if not task.joints or name in named]
        wanted: dict[str, float] = {}
        for pattern in broad_first(task.positions):
            found = fitting(pattern, known, "positions of a posture", "joint")
            wanted |= dict.fromkeys(found, task.positions[pattern])
        return cls(
            task,
            np.array([joint.position_start() for joint in chosen], dtype=np.int64),
            np.array([joint.velocity_start() for joint in chosen], dtype=np.int64),
            np.array([wanted.get(joint.name(), np.nan) for joint in chosen]),
        )

    def asked(self, terms: RobotTerms, start: Array) -> Array:
        """Accelerations of the joints; start: all positions at the start."""
        goal = np.where(np.isnan(self.wanted), start[self.q], self.wanted)
        return self.task.kp * (goal - terms.q[self.q]) - self.task.kd * terms.v[self.v]


def _price(task: Task, name: str, targets: Targets) -> float:
    """Root of a task's price, as far as it counts now."""
    return float(np.sqrt(task.weight * targets.active.get(name, 1.0)))
