"""Rows of a whole-body controller's tasks of forces: centre of pressure and torques of joints."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall.plants.coordinates import actuators_of
from footfall.plants.flat.motion import FrameMotions
from footfall.plants.names import by_pattern, fitting
from footfall_controllers.whole_body.motion_kernels import CornerTable
from footfall_controllers.whole_body.tasks import AnyTask, CentreOfPressure, JointTorque, Targets
from footfall_controllers.whole_body.terms import RobotTerms

_FAR = 1e-9  # N: less load than this has no centre


@dataclass(frozen=True, eq=False)
class _Torques:
    """Actuators of a task of torques, and what they are led to [N m]."""

    task: JointTorque
    actuators: Array
    wanted: Array


class ForceRows:
    """Rows of unknowns of all tasks of forces, always as many.

    names: of the tasks; size: count of the rows.
    """

    def __init__(self, tasks: Mapping[str, AnyTask], terms: RobotTerms, turn: Array) -> None:
        """Look joints up; turn: rotation whose third column is the ground's normal.

        Raises ScenarioError for names that fit no joint.
        """
        self._weight = terms.mass * float(np.linalg.norm(terms.gravity))
        self._tangents = turn[:, :2]
        self._pressures = {k: t for k, t in tasks.items() if isinstance(t, CentreOfPressure)}
        self._torques = {
            name: _torques_of(task, terms)
            for name, task in tasks.items()
            if isinstance(task, JointTorque)
        }
        self.names = [*self._pressures, *self._torques]
        sizes = [len(part.actuators) for part in self._torques.values()]
        self.size = 2 * len(self._pressures) + sum(sizes)

    def fill(
        self,
        rows: tuple[Array, Array, Array],
        contacts: CornerTable,
        links: FrameMotions,
        activation: Array,
        targets: Targets,
    ) -> None:
        """Fill rows of multipliers (k, m) and of torques (k, nu), and what they are to give (k,).

        All are scaled by roots of prices; what other tasks have in them is 0.
        """
        (multipliers, torques, wanted), at = rows, 0
        for name, task in self._pressures.items():
            price = np.sqrt(task.weight * targets.active.get(name, 1.0)) / self._weight
            goal = self._goal(name, contacts, links, activation, targets)
            moments = self.moments(contacts, links, activation, goal)
            multipliers[at : at + 2] = price * moments
            at += 2
        for name, part in self._torques.items():
            price = np.sqrt(part.task.weight * targets.active.get(name, 1.0))
            end = at + len(part.actuators)
            torques[np.arange(at, end), part.actuators] = price
            wanted[at:end] = price * part.wanted
            at = end

    def moments(
        self, contacts: CornerTable, links: FrameMotions, activation: Array, place: Array
    ) -> Array:
        """Moments (2, m) about a place, along the ground, of the edges of closed contacts."""
        of_contacts = []
        for k, p in enumerate(places_of(contacts, links)):
            arms = p - place
            edges = contacts.edges[k] * (activation[k] > 0.0)
            turning = np.cross(arms[:, None], edges.T[None])  # (corners, 4, 3)
            of_contacts.append(turning.reshape(-1, 3) @ self._tangents)
        return np.concatenate(of_contacts).T

    def _goal(
        self,
        name: str,
        contacts: CornerTable,
        links: FrameMotions,
        activation: Array,
        targets: Targets,
    ) -> Array:
        reference = targets.tasks.get(name)
        if reference is not None:
            return reference.value
        places = places_of(contacts, links)
        closed = [p for p, active in zip(places, activation, strict=True) if active > 0.0]
        return np.concatenate(closed or places).mean(axis=0)

    def errors(
        self,
        contacts: CornerTable,
        links: FrameMotions,
        activation: Array,
        targets: Targets,
        multipliers: Array,
        torques: Array,
    ) -> tuple[Array, Array]:
        """Distances [m] and torques [N m] that are off, by task, and what they cost."""
        errors, costs = [], []
        for name, task in self._pressures.items():
            goal = self._goal(name, contacts, links, activation, targets)
            moment = self.moments(contacts, links, activation, goal) @ multipliers
            errors.append(float(np.linalg.norm(moment)) / max(multipliers.sum(), _FAR))
            share = task.weight * targets.active.get(name, 1.0)
            costs.append(share * float(moment @ moment) / self._weight**2)
        for name, part in self._torques.items():
            off = torques[part.actuators] - part.wanted
            errors.append(float(np.linalg.norm(off)))
            share = part.task.weight * targets.active.get(name, 1.0)
            costs.append(share * float(off @ off))
        return np.array(errors), np.array(costs)


def places_of(contacts: CornerTable, links: FrameMotions) -> list[Array]:
    """Corners of the contacts in the world, (corners, 3) each [m]."""
    return [
        links.p[link]
        + contacts.corners[contacts.first[k] : contacts.first[k + 1]] @ links.R[link].T
        for k, link in enumerate(contacts.link)
    ]


def _torques_of(task: JointTorque, terms: RobotTerms) -> _Torques:
    joints = [actuator.joint().name() for actuator in actuators_of(terms.plant)]
    known = {name: name for name in joints}
    named = {n for p in task.joints for n in fitting(p, known, "joints of a torque", "joint")}
    wanted = dict.fromkeys(joints, 0.0)
    wanted |= by_pattern(task.torques, known, "torques of a torque", "joint")
    chosen = [k for k, name in enumerate(joints) if not task.joints or name in named]
    return _Torques(task, np.array(chosen, dtype=np.int64), np.array([*wanted.values()])[chosen])
