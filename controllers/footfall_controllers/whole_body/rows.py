"""Rows J v' = wanted of a whole-body controller's tasks of motion at one state."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array, Indices
from footfall.checked import Checked, not_negative
from footfall.plants.coordinates import joints_of
from footfall.plants.names import by_pattern, fitting
from footfall_controllers.whole_body.motion_kernels import (
    COM,
    MOMENTUM,
    NO_LINK,
    ORIENTATION,
    PLACE,
    Asked,
    MotionTable,
)
from footfall_controllers.whole_body.prediction import (
    Lookahead,
    PredictedPlace,
    Prediction,
    over_horizon,
)
from footfall_controllers.whole_body.tasks import (
    AngularMomentum,
    AnyTask,
    AxesTask,
    CentreOfMass,
    JointPosture,
    LinkTask,
    Orientation,
    Place,
    Reference,
    Targets,
)
from footfall_controllers.whole_body.terms import RobotTerms

_AXES = "xyz"


def links_of(tasks: Mapping[str, AnyTask]) -> list[str]:
    """Links that tasks are about."""
    return [link for task in tasks.values() if isinstance(task, AxesTask) for link in task.links]


@dataclass(frozen=True)
class Gains(Checked, at="the retuned task: "):
    """New gains of a task, [1/s^2] and [1/s], and its weight; None: as they are."""

    kp: float | None = not_negative(None)
    kd: float | None = not_negative(None)
    weight: float | None = not_negative(None)


class TaskRows:
    """Rows of all tasks of motion, always as many and in the same order.

    names: of the tasks, task_of (n,): task of each row. hard: rows of equations; labels: what each
    row is. table, asked: what ``motion_rows`` takes.
    """

    def __init__(self, tasks: Mapping[str, AnyTask], terms: RobotTerms) -> None:
        """Look joints and links up; raises ScenarioError for names that fit none."""
        self._terms = terms
        self._motions = {k: task for k, task in tasks.items() if isinstance(task, AxesTask)}
        postures = {k: task for k, task in tasks.items() if isinstance(task, JointPosture)}
        self._postures = {k: PostureRows.of(task, terms) for k, task in postures.items()}
        self.names = [*self._motions, *self._postures]
        sizes = [len(task.rows) for task in self._motions.values()]
        sizes += [len(part.v) for part in self._postures.values()]
        ends = np.cumsum([0, *sizes])
        everyone = [*self._motions.values(), *postures.values()]
        self.hard = np.flatnonzero(np.repeat([task.hard for task in everyone], sizes))
        self.labels = [
            f"task {name} along {_AXES[axis]}"
            for name, task in self._motions.items()
            for axis in task.rows
        ]
        self.labels += [
            f"task {name} of joint {joint}"
            for name, part in self._postures.items()
            for joint in part.joints
        ]
        q = terms.plant.GetPositions(terms.plant.CreateDefaultContext())
        terms.set_state(np.concatenate([q, np.zeros(terms.plant.num_velocities())]))
        self.table = self._tabled(ends)
        self._predicted = {k: t for k, t in tasks.items() if isinstance(t, PredictedPlace)}
        horizons: dict[float, dict[str, PredictedPlace]] = {}
        for name, task in self._predicted.items():
            horizons.setdefault(task.horizon, {})[name] = task
        self._ahead = {dt: Lookahead(terms.plant, dt, some) for dt, some in horizons.items()}
        self._held = np.zeros((len(self._motions), 9))
        self.task_of = np.repeat(np.arange(len(sizes)), sizes)
        self._place_of = {name: k for k, name in enumerate(self.names)}
        self._prices = np.sqrt([task.weight for task in everyone])
        self._feedforward = np.array(
            [task.feedforward for task in self._motions.values()], dtype=np.float64
        ).reshape(-1, 3)
        self._q = np.zeros(0)
        predicted = [self._place_of[name] for name in self._predicted]
        places = np.flatnonzero(np.isin(self.task_of, predicted))
        nv, rates = terms.plant.num_velocities(), np.zeros_like(self._feedforward)
        self.asked = Asked(
            price=self._prices.copy(),
            value=self._held.copy(),
            rate=rates,
            acceleration=rates.copy(),
            goal=np.zeros(len(self.table.joint_q)),
            places=places,
            J=np.zeros((len(places), nv)),
            wanted=np.zeros(len(places)),
        )

    def _tabled(self, first: Array) -> MotionTable:
        """Put the tasks of links, centre of mass and momentum into a table."""
        tasks, number = list(self._motions.values()), self._terms.number
        parts = list(self._postures.values())
        everyone = [*tasks, *(part.task for part in parts)]
        joints = [np.zeros(0, dtype=np.int64)]  # where there are no postures

        def links(names: list[str]) -> Indices:
            return np.array([number[n] if n else NO_LINK for n in names], dtype=np.int64)

        return MotionTable(
            kind=np.array([_kind(task) for task in tasks], dtype=np.int64),
            link=links([task.link if isinstance(task, LinkTask) else "" for task in tasks]),
            other=links([task.relative_to if isinstance(task, LinkTask) else "" for task in tasks]),
            axes=links([task.axes_of for task in tasks]),
            at=np.array(
                [task.at if isinstance(task, Place) else [0.0] * 3 for task in tasks]
            ).reshape(-1, 3),
            kp=np.array([task.kp for task in everyone]),
            kd=np.array([task.kd for task in everyone]),
            first=np.asarray(first[: len(tasks) + 1], dtype=np.int64),
            mask=np.array(
                [[a in task.rows for a in range(3)] for task in tasks], dtype=np.bool_
            ).reshape(-1, 3),
            joint_task=len(tasks) + np.repeat(np.arange(len(parts)), [len(p.q) for p in parts]),
            joint_q=np.concatenate(joints + [part.q for part in parts]),
            joint_v=np.concatenate(joints + [part.v for part in parts]),
            inertia=self._terms.inertia,
        )

    def retune(self, name: str, gains: Gains) -> None:
        """Change gains of a task in place; raises KeyError for one that is not there."""
        k = self._place_of[name]
        if gains.weight is not None:
            self._prices[k] = np.sqrt(gains.weight)
        if gains.kp is not None:
            self.table.kp[k] = gains.kp
        if gains.kd is not None:
            self.table.kd[k] = gains.kd

    def gains(self, name: str) -> Gains:
        """Return gains and weight of a task as they are; raises KeyError for one not there."""
        k = self._place_of[name]
        kp, kd = self.table.kp[k], self.table.kd[k]
        return Gains(float(kp), float(kd), float(self._prices[k] ** 2))

    def hold(self, q: Array) -> None:
        """Let tasks without a reference hold where they are at positions q; moves the terms."""
        if q.tobytes() == self._q.tobytes():
            return
        self._q = q.copy()
        goals = [part.goal(q) for part in self._postures.values()]
        self.asked.goal[:] = np.concatenate([np.zeros(0), *goals])
        terms = self._terms
        terms.set_state(np.concatenate([q, np.zeros(terms.plant.num_velocities())]))
        for k, task in enumerate(self._motions.values()):
            value = self._place(task).ravel()
            self._held[k, : len(value)] = value

    def ask(self, targets: Targets) -> None:
        """Fill what is asked at the state of the terms."""
        asked, count = self.asked, len(self._motions)
        asked.price[:], asked.value[:] = self._prices, self._held
        asked.rate[:], asked.acceleration[:] = 0.0, self._feedforward
        for name, active in targets.active.items():
            k = self._place_of.get(name)
            if k is not None:
                asked.price[k] *= np.sqrt(active)
        for name, reference in targets.tasks.items():
            k = self._place_of.get(name)
            if k is not None and k < count:
                value = reference.value.ravel()
                asked.value[k, : len(value)] = value
                asked.rate[k] = reference.rate
                asked.acceleration[k] += reference.acceleration
        self._predict(targets)

    def _predict(self, targets: Targets) -> None:
        """Fill the rows of places that are predicted over a horizon."""
        terms, asked, row = self._terms, self.asked, 0
        for ahead in self._ahead.values():
            ahead.move(terms.q, terms.v)
        for name, task in self._predicted.items():
            price = asked.price[self._place_of[name]]
            reference = targets.tasks.get(name) or Reference(self._held[self._place_of[name], :3])
            place, rate, _, _ = terms.link(task.link).at(np.array(task.at))
            there = over_horizon(reference, task.horizon)
            J_p = self._ahead[task.horizon].jacobian(name)
            A, wanted = task.measure(Prediction(place, rate, J_p, *there), terms.v)
            end = row + len(task.rows)
            asked.J[row:end] = price * A[task.rows]
            asked.wanted[row:end] = price * wanted[task.rows]
            row = end

    def _place(self, task: AxesTask) -> Array:
        """Value of a task where the robot is."""
        terms = self._terms
        if isinstance(task, CentreOfMass):
            return terms.p_com
        if not isinstance(task, LinkTask):
            return np.zeros(3)
        link = terms.link(task.link)
        R, p = np.eye(3), np.zeros(3)
        if task.relative_to:
            other = terms.link(task.relative_to)
            R, p = other.R, other.p
        if isinstance(task, Place):
            return R.T @ (link.at(np.array(task.at))[0] - p)
        return R.T @ link.R


@dataclass(frozen=True, eq=False)
class PostureRows:
    """Joints of a posture: places among positions and velocities, and positions to hold.

    wanted: NaN for a joint that is held where it starts.
    """

    task: JointPosture
    joints: list[str]
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
        wanted = by_pattern(task.positions, known, "positions of a posture", "joint")
        return cls(
            task,
            [joint.name() for joint in chosen],
            np.array([joint.position_start() for joint in chosen], dtype=np.int64),
            np.array([joint.velocity_start() for joint in chosen], dtype=np.int64),
            np.array([wanted.get(joint.name(), np.nan) for joint in chosen]),
        )

    def goal(self, start: Array) -> Array:
        """Positions that joints are led to; start: all positions at the start."""
        return np.where(np.isnan(self.wanted), start[self.q], self.wanted)


def _kind(task: AxesTask) -> int:
    if isinstance(task, CentreOfMass):
        return COM
    if isinstance(task, AngularMomentum):
        return MOMENTUM
    return ORIENTATION if isinstance(task, Orientation) else PLACE
