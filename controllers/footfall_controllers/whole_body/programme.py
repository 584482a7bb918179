"""The quadratic programme of a whole-body controller at one state.

Unknowns x = [a; l]: accelerations a of the driven velocities and multipliers l >= 0 of the friction
pyramids' edges. The rows of the equations of motion without motors, the base's among them, are
solved for the other accelerations beforehand, so that no equality is left:

    v' = S x + s,  efforts = T x + t,  minimise |R x - r|^2 + small |x|^2,  within bounds.

The size is the same at every state: a contact that is open has multipliers of nothing and rows of
zeros.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall_controllers.whole_body.contacts import Contact, friction_edges
from footfall_controllers.whole_body.terms import RobotTerms, cross_matrix
from footfall_controllers.whole_body.weights import Weights

_DAMPING = 20.0  # 1/s: brings a contact that moves to rest
_OPEN = 1e-3  # N: what a contact that is open may bear, so that bounds have an inside


@dataclass(frozen=True, eq=False)
class Programme:
    """Minimise x'Px/2 + c'x with low <= x <= high and -limit <= T x + t <= limit.

    Accelerations are S x + s (nv,), torques T x + t (nu,), forces at the joints of the multipliers
    push @ x[driven:] (nv,).
    """

    P: Array
    c: Array
    low: Array
    high: Array
    T: Array
    t: Array
    limit: Array
    S: Array
    s: Array
    push: Array

    def torques(self, x: Array) -> Array:
        """Torques of the actuators (nu,) [N m]."""
        return self.T @ x + self.t

    def accelerations(self, x: Array) -> Array:
        """Accelerations of all velocities (nv,)."""
        return self.S @ x + self.s


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
        """Take the contacts; most: largest normal force of a corner [N].

        Raises ScenarioError for a contact without corners.
        """
        for contact in contacts:
            if not contact.corners:
                raise ScenarioError(f"the contact of '{contact.link}' has no corners: give some.")
        self._terms = terms
        self._contacts = contacts
        self._most = most
        self._weights = weights
        turn = _axes_of(normal)
        self._corners = [
            _Corners.of(contact, turn @ friction_edges(contact.friction or friction))
            for contact in contacts
        ]
        sizes = [4 * len(contact.corners) for contact in contacts]
        self._ends = np.cumsum(sizes)
        self.multipliers = int(sum(sizes))
        self.unknowns = len(terms.driven) + self.multipliers

    def build(
        self,
        rows: Array,
        wanted: Array,
        activation: Mapping[str, float],
        bounds: tuple[Array, Array],
    ) -> Programme:
        """Return the programme; rows (n, nv) and wanted (n,) of tasks, scaled by their weights.

        activation: from 0, open, to 1 by link; who is not named is closed.
        """
        terms, weights = self._terms, self._weights
        driven, passive = terms.driven, terms.passive
        nd, n = len(driven), self.unknowns
        J, stance, still = self._contact_rows(activation)
        M, h = terms.M, terms.h
        # passive rows: M_pp v_p' + M_pd a + h_p = J_p l
        given = np.empty((len(passive), n + 1))
        given[:, :nd] = -M[np.ix_(passive, driven)]
        given[:, nd:n] = J[passive]
        given[:, n] = -h[passive]
        given = np.linalg.solve(M[np.ix_(passive, passive)], given)
        S, s = np.zeros((len(h), n)), np.zeros(len(h))
        S[driven, np.arange(nd)] = 1.0
        S[passive] = given[:, :n]
        s[passive] = given[:, n]
        T = M[driven] @ S
        T[:, nd:] -= J[driven]
        T = terms.efforts_of @ T
        t = terms.efforts_of @ (M[driven] @ s + h[driven])
        R, r = np.vstack([rows, stance]), np.concatenate([wanted, still])
        r = r - R @ s
        R = R @ S
        if weights.torque:
            price = np.sqrt(weights.torque)
            R, r = np.vstack([R, price * T]), np.concatenate([r, -price * t])
        P = R.T @ R
        small = np.full(n, weights.force)
        small[:nd] = weights.acceleration
        P[np.diag_indices(n)] += small
        low, high = np.zeros(n), np.full(n, _OPEN)
        low[:nd], high[:nd] = bounds[0][driven], bounds[1][driven]
        start = nd
        for contact, end in zip(self._contacts, self._ends, strict=True):
            high[start : nd + end] += self._most * activation.get(contact.link, 1.0)
            start = nd + end
        return Programme(P, -(R.T @ r), low, high, T, t, terms.effort_limits, S, s, J)

    def _contact_rows(self, activation: Mapping[str, float]) -> tuple[Array, Array, Array]:
        """Return J' of the multipliers (nv, m), rows that hold contacts, what these ask for."""
        terms, nv = self._terms, len(self._terms.h)
        J = np.zeros((nv, self.multipliers))
        rows = np.zeros((sum(corners.rows for corners in self._corners), nv))
        wanted = np.zeros(len(rows))
        start = at = 0
        for contact, corners, end in zip(self._contacts, self._corners, self._ends, strict=True):
            active = activation.get(contact.link, 1.0)
            if active > 0.0:
                link = terms.link(contact.link)
                r = link.R @ corners.p
                J[:, start:end] = link.J.T @ corners.wrenches(r)
                price = np.sqrt(self._weights.stance) * active
                here = slice(at, at + corners.rows)
                if corners.turns:
                    rows[here] = price * link.J
                    wanted[here] = -price * (_DAMPING * link.V + link.bias)
                else:
                    A = corners.velocities(r)
                    rows[here] = price * (A @ link.J)
                    w = link.V[:3]
                    swings = (np.outer(w, w) - (w @ w) * np.eye(3)) @ r  # w x (w x r)
                    still = A @ (_DAMPING * link.V + link.bias) + swings.T.ravel()
                    wanted[here] = -price * still
            start, at = end, at + corners.rows
        return J, rows, wanted


@dataclass(frozen=True, eq=False)
class _Corners:
    """Corners of a contact: places p (3, k) in the link, and what turns them into rows.

    edges: of the friction pyramid, (3, 4). crosses (12, 3): r x edge of each edge, of r.
    """

    p: Array
    edges: Array
    crosses: Array

    @classmethod
    def of(cls, contact: Contact, edges: Array) -> "_Corners":
        crosses = np.concatenate([-cross_matrix(edge) for edge in edges.T])
        return cls(np.array(contact.corners).T, np.tile(edges, len(contact.corners)), crosses)

    @property
    def turns(self) -> bool:
        """True of a patch, which holds the orientation of its link about all axes."""
        return self.p.shape[1] > 2

    @property
    def rows(self) -> int:
        """Count of the rows that hold it."""
        return 6 if self.turns else 3 * self.p.shape[1]

    def wrenches(self, r: Array) -> Array:
        """Moments about the link's origin and forces (6, 4 k) of all edges at places r (3, k)."""
        turning = (self.crosses @ r).reshape(4, 3, -1).transpose(1, 2, 0).reshape(3, -1)
        return np.concatenate([turning, self.edges])

    def velocities(self, r: Array) -> Array:
        """Rows (3 k, 6) of the corners' velocities, of those of the link."""
        A = np.zeros((3 * r.shape[1], 6))
        for k in range(r.shape[1]):
            A[3 * k : 3 * k + 3, :3] = -cross_matrix(r[:, k])
            A[3 * k : 3 * k + 3, 3:] = np.eye(3)
        return A


def _axes_of(normal: Array) -> Array:
    """Return a rotation whose third column is a normal."""
    n = normal / np.linalg.norm(normal)
    t = np.array([1.0, 0.0, 0.0]) - n[0] * n
    t /= np.linalg.norm(t)
    return np.array([t, np.cross(n, t), n]).T
