"""The quadratic programme of a whole-body controller at one state.

Unknowns x = [a; l; s]: accelerations a of the driven velocities, multipliers l >= 0 of the friction
pyramids' edges, and slacks s >= 0 of capsules that come too close. The rows of the equations of
motion without motors, the base's among them, are solved for the other accelerations beforehand, so
that no equation of them is left:

    v' = S x + s,  efforts = T x + t,  minimise |A x - b|^2 + small |x|^2,  within bounds and rows.

The size is the same at every state: a contact that is open has multipliers of nothing and rows of
zeros.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.checked import Checked, not_negative, positive
from footfall.errors import ScenarioError
from footfall.plants.coordinates import actuators_of, joints_of
from footfall_controllers.whole_body.collisions import KeptDistances
from footfall_controllers.whole_body.contacts import Contact, friction_edges
from footfall_controllers.whole_body.force_rows import ForceRows
from footfall_controllers.whole_body.inspection import Inspection
from footfall_controllers.whole_body.limits import Stops
from footfall_controllers.whole_body.motion_kernels import Bounds, CornerTable, Programme
from footfall_controllers.whole_body.rows import TaskRows
from footfall_controllers.whole_body.solver import GROUND, HARD_TASK, JOINT_LIMIT, TORQUE_LIMIT
from footfall_controllers.whole_body.tasks import Targets
from footfall_controllers.whole_body.terms import RobotTerms
from footfall_controllers.whole_body.tick import Tables


@dataclass
class Weights(Checked, at="controller.weights."):
    """Prices of contacts that move, forces, torques and accelerations, beside those of tasks."""

    # Of the square of the acceleration of a contact [s^4/m^2 and s^4/rad^2].
    stance: float = positive(1000.0)
    # Of the square of the multiplier of an edge of a friction pyramid [1/N^2].
    force: float = positive(1e-5)
    # Of the square of a torque [1/(N m)^2].
    torque: float = not_negative(0.0)
    # Of the square of a joint's acceleration [s^4/rad^2].
    acceleration: float = positive(1e-4)


_PATCH = 2  # corners; a contact of more holds the orientation of its link


@dataclass(frozen=True, eq=False)
class ConstraintNames:
    """Constraints of a programme, bounds of n unknowns before m rows: numbers of names, and kinds.

    names: one for all constraints of a joint, a contact or a task along an axis. number, kind
    (n + m,).
    """

    names: tuple[str, ...]
    number: npt.NDArray[np.int64]
    kind: npt.NDArray[np.int64]

    @classmethod
    def of(cls, labels: Sequence[tuple[str, int]]) -> "ConstraintNames":
        """Number labels, (name, kind), of all constraints."""
        names = tuple(dict.fromkeys(name for name, _ in labels))
        places = {name: k for k, name in enumerate(names)}
        return cls(
            names,
            np.array([places[name] for name, _ in labels], dtype=np.int64),
            np.array([kind for _, kind in labels], dtype=np.int64),
        )


class ProgrammeBuilder:
    """Puts a programme together from terms, contacts and rows of tasks."""

    def __init__(
        self,
        terms: RobotTerms,
        contacts: Sequence[Contact],
        friction: float,
        normal: Array,
        most: float,
        weights: Weights,
    ) -> None:
        """Take the contacts; most: largest normal force of a contact that has none of its own [N].

        Raises ScenarioError for a contact without corners.
        """
        for contact in contacts:
            if not contact.corners:
                raise ScenarioError(f"the contact of '{contact.link}' has no corners: give some.")
        self._terms = terms
        self._contacts, self._labels = contacts, [contact.label for contact in contacts]
        self._most = np.array([contact.largest_force or most for contact in contacts])
        self._weights = weights
        self._normal = normal
        self._pyramids = [friction_edges(contact.friction or friction) for contact in contacts]
        self.table = _tabled(terms, contacts, [axes_of(normal) @ edges for edges in self._pyramids])
        self._tilted = False
        self.multipliers = 4 * len(self.table.corners)

    def tilt(self, targets: Targets) -> None:
        """Turn the pyramids of the table to the ground of the targets."""
        if targets.normals or self._tilted:
            self._tilted = bool(targets.normals)
            for k, (contact, pyramid) in enumerate(
                zip(self._contacts, self._pyramids, strict=True)
            ):
                normal = targets.normals.get(contact.link, self._normal)
                self.table.edges[k] = axes_of(normal) @ pyramid

    def activation(self, targets: Targets) -> Array:
        """Activation of the contacts, (N,), from 0 to 1."""
        return np.array([targets.contacts.get(label, 1.0) for label in self._labels])

    def names(self, hard: Sequence[str], pairs: Sequence[str]) -> ConstraintNames:
        """Names of all constraints, in their order; of hard rows, and pairs of capsules."""
        terms = self._terms
        joints: dict[int, str] = {}
        for joint in joints_of(terms.plant):
            start = joint.velocity_start()
            joints |= dict.fromkeys(range(start, start + joint.num_velocities()), joint.name())
        labels = [(f"joint limit of {joints[v]}", JOINT_LIMIT) for v in terms.driven.tolist()]
        for contact in self._contacts:
            cone = (f"friction cone of {contact.label}", GROUND)
            labels += [cone] * (4 * len(contact.corners))
        labels += [(f"distance of {pair}", GROUND) for pair in pairs]
        labels += [
            (f"torque limit of {actuator.joint().name()}", TORQUE_LIMIT)
            for actuator in actuators_of(terms.plant)
        ]
        labels += [(f"load limit of {contact.label}", GROUND) for contact in self._contacts]
        labels += [(label, HARD_TASK) for label in hard]
        labels += [(f"distance of {pair}", GROUND) for pair in pairs]
        return ConstraintNames.of(labels)

    def tables(
        self,
        rows: TaskRows,
        forces: ForceRows,
        distances: KeptDistances,
        stops: Stops,
        inspection: Inspection,
    ) -> Tables:
        """Return the tables of ticks, with memory for a programme."""
        terms, weights, table = self._terms, self._weights, self.table
        nd, ns, nu = len(terms.driven), len(distances.names), len(terms.efforts_of)
        n, nt, k = nd + self.multipliers + ns, len(rows.task_of), forces.size
        size, m = nt + int(table.row[-1]) + k, nu + len(self._most) + len(rows.hard) + ns
        A, b, nv = np.zeros((size, n)), np.zeros(size), nd + len(terms.passive)
        c, low, high = np.zeros((3, n))
        least, most = np.zeros((2, m))
        P, G, T = (np.zeros((count, n)) for count in (n, m, nu))
        given = np.zeros((len(terms.passive), n + 1))
        bounds = Bounds(*np.zeros((2, nv)), *np.zeros((2, nu)))
        programme = Programme(
            *(P, c, low, high, G, least, most, T, np.zeros(nu), A[:nt], b[:nt]),
            *(given, terms.driven, terms.passive, bounds),
        )
        prices = [weights.torque, weights.acceleration, weights.force, distances.price]
        return Tables(
            tasks=rows.table,
            asked=rows.asked,
            forces=(np.zeros((k, self.multipliers)), np.zeros((k, nu)), np.zeros(k)),
            corners=table,
            capsules=distances.table,
            stops=stops,
            efforts_of=terms.efforts_of,
            most=self._most,
            stance=float(np.sqrt(weights.stance)),
            prices=np.array(prices),
            hard=rows.hard,
            task_of=rows.task_of,
            number=inspection.number,
            told=(len(inspection.tasks), len(inspection.constraints)),
            A=A,
            b=b,
            x=np.zeros(n),
            programme=programme,
        )


def _tabled(terms: RobotTerms, contacts: Sequence[Contact], edges: Sequence[Array]) -> CornerTable:
    """Put contacts into a table, with the edges of their pyramids."""
    counts = np.array([len(contact.corners) for contact in contacts])
    patch = counts > _PATCH
    return CornerTable(
        link=np.array([terms.number[contact.link] for contact in contacts], dtype=np.int64),
        first=np.cumsum([0, *counts]).astype(np.int64),
        edges=np.array(edges),
        corners=np.concatenate([np.array(c.corners, dtype=np.float64) for c in contacts]),
        patch=patch,
        row=np.cumsum([0, *np.where(patch, 6, 3 * counts)]).astype(np.int64),
    )


def axes_of(normal: Array) -> Array:
    """Return a rotation whose third column is a normal."""
    n = normal / np.linalg.norm(normal)
    t = np.array([1.0, 0.0, 0.0]) - n[0] * n
    if np.linalg.norm(t) < 0.5:  # the normal is near x
        t = np.array([0.0, 1.0, 0.0]) - n[1] * n
    t /= np.linalg.norm(t)
    return np.array([t, np.cross(n, t), n]).T
