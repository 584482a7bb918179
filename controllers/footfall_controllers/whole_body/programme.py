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

from footfall.arrays import Array, Indices
from footfall.checked import Checked, not_negative, positive
from footfall.errors import ScenarioError
from footfall.plants.coordinates import actuators_of, joints_of
from footfall_controllers.whole_body.contacts import Contact, friction_edges
from footfall_controllers.whole_body.force_rows import ForceRows
from footfall_controllers.whole_body.motion_kernels import (
    Bounds,
    CornerTable,
    Gaps,
    Programme,
    programme_sides,
    reduced_motion,
)
from footfall_controllers.whole_body.rows import MotionRows
from footfall_controllers.whole_body.tasks import Targets
from footfall_controllers.whole_body.terms import RobotTerms


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


_DAMPING = 20.0  # 1/s: brings a contact that moves to rest
_OPEN = 1e-3  # N: what a contact that is open may bear, so that bounds have an inside
_PATCH = 2  # corners; a contact of more holds the orientation of its link

# kinds of constraints, in the order in which they give way to those after them
HARD_TASK, JOINT_LIMIT, TORQUE_LIMIT, GROUND = 0, 1, 2, 3


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
        self._contacts = contacts
        self._most = np.array([contact.largest_force or most for contact in contacts])
        self._weights = weights
        self._normal = normal
        self._pyramids = [friction_edges(contact.friction or friction) for contact in contacts]
        self.table = _tabled(terms, contacts, [axes_of(normal) @ edges for edges in self._pyramids])
        self._stance = float(np.sqrt(weights.stance))
        self.multipliers = 4 * len(self.table.corners)

    def corners(self, targets: Targets) -> CornerTable:
        """Corners of the contacts, with edges of their pyramids on the ground of the targets."""
        if not targets.normals:
            return self.table
        edges = [
            axes_of(targets.normals.get(contact.link, self._normal)) @ pyramid
            for contact, pyramid in zip(self._contacts, self._pyramids, strict=True)
        ]
        return self.table._replace(edges=np.array(edges))

    def activation(self, targets: Targets) -> Array:
        """Activation of the contacts, (N,), from 0 to 1."""
        return np.array([targets.contacts.get(c.label, 1.0) for c in self._contacts])

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

    def build(
        self,
        rows: MotionRows,
        hard: Indices,
        forces: ForceRows,
        targets: Targets,
        activation: Array,
        bounds: Bounds,
        gaps: Gaps,
    ) -> Programme:
        """Return the programme; hard: rows that are equations too."""
        terms, weights, table = self._terms, self._weights, self.corners(targets)
        nd, ns, nu = len(terms.driven), len(gaps.least), len(terms.efforts_of)
        n, held, nt = nd + self.multipliers + ns, int(table.row[-1]), len(rows.wanted)
        size, m = nt + held + forces.size, nu + len(self._most) + len(hard) + ns
        A, b = np.empty((size, n)), np.empty(size)
        low, high, least, most = np.empty(n), np.empty(n), np.empty(m), np.empty(m)
        programme = Programme(
            *(np.empty((n, n)), np.empty(n), low, high, np.empty((m, n)), least, most),
            *(np.empty((nu, n)), np.empty(nu), A[:nt], b[:nt]),
            *(np.empty((len(terms.passive), n + 1)), terms.driven, terms.passive, bounds),
        )
        reduced_motion(
            *(terms.M, terms.h, terms.efforts_of, table, activation, self._stance, _DAMPING),
            *(terms.stack(), rows.J, rows.wanted, A, b, programme),
        )
        if forces.size:
            more = forces.rows(table, terms.stack(), activation, targets, programme.T, programme.t)
            A[nt + held :], b[nt + held :] = more
        prices = np.array([weights.torque, weights.acceleration, weights.force, gaps.price])
        loads = self._most * activation + _OPEN
        programme_sides(A, b, hard, rows.counts, gaps, prices, table.first, loads, programme)
        return programme


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
