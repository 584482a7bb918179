"""The predictive control of the thesis, (3.136) to (3.156), written from its pages alone.

Places are products of rotations and lengths as they are printed, for angles that are series in
time; Jacobians are their first, accelerations their second derivatives. Angles and rates stand in
arrays of twelve, theta_i at i - 2.
"""

import numpy as np

U1, U2, U3 = np.eye(3)
PITCHES = 3  # of a leg, between the rolls of ankle and hip


def tilde(u):
    """Matrix of the vector product."""
    return np.cross(np.eye(3), u)


def exponential(u, angle, rate, second):
    """Series (3, 3, 3) in time of exp(-u~ theta), up to the second order."""
    x = -tilde(u)
    here = np.eye(3) + np.sin(angle) * x + (1.0 - np.cos(angle)) * x @ x
    return np.array([here, here @ x * rate, here @ (x * second + x @ x * rate**2) / 2.0])


def product(*series):
    """Product of series of matrices."""
    found = series[0]
    for other in series[1:]:
        found = np.array([sum(found[i] @ other[k - i] for i in range(k + 1)) for k in range(3)])
    return found


class Leg:
    """Orientations of a leg's bodies from the ground up, as in (3.154), and places of O1."""

    def __init__(self, p, side, start, base, motion):
        """side: 0 left, 1 right. start: orientation of the foot; base: place of the ankle."""
        turn = [exponential(U1 if k in (0, 4) else U2, *motion[joint(side, k)]) for k in range(5)]
        shank, thigh = product(start, *turn[:2]), product(start, *turn[:3])
        self.trunk = product(start, *turn)
        beside = 0.5 * p.a1 * (2.0 * side - 1.0)  # + a_1^r for the right leg, - a_1^l for the left
        hip = base + p.a6 * shank @ U3 + p.a4 * thigh @ U3
        self.O1 = hip + beside * self.trunk @ U2
        self.G1 = self.O1 + p.c1 * self.trunk @ U3


def joint(side, k):
    """Place in the arrays of the k-th joint of a leg above the foot: theta 10, 8, 6, 4, 2."""
    return 8 - 2 * k + side


def swinging_heel(p, side, flat, motion):
    """A10 or A11 of the leg of the other side, down from the trunk that a flat leg carries."""
    down = [exponential(-U1 if k in (0, 4) else -U2, *motion[joint(side, 4 - k)]) for k in range(5)]
    R = [product(flat.trunk, *down[:k]) for k in range(6)]
    hip = flat.O1 + 0.5 * p.a1 * (1.0 - 2.0 * side) * flat.trunk @ U2
    return hip - p.a4 * R[2] @ U3 - p.a6 * R[3] @ U3 - p.a10 * R[5] @ U3


def still():
    """Series of a foot that lies on the ground."""
    return np.array([np.eye(3), np.zeros((3, 3)), np.zeros((3, 3))])


def at(place):
    """Series of a point that stays."""
    return np.array([place, np.zeros(3), np.zeros(3)])


def outputs(w, angle, rate):
    """Series (3, m) of p of (3.153) or (3.156)."""
    side = w.phase.side
    motion = np.column_stack([angle, rate, np.zeros(12)])
    flat = Leg(w.p, side, still(), at(w.ground.ankle), motion)
    points = [flat.O1, flat.G1]
    if not w.phase.is_double:
        points.insert(1, swinging_heel(w.p, 1 - side, flat, motion))
    return np.hstack(points)


def commanded(w):
    """Joints in the order of the thesis: up the flat leg, down the one that swings."""
    side = w.phase.side
    up = [joint(side, k) for k in range(5)]
    return up if w.phase.is_double else [*up, *(joint(1 - side, 4 - k) for k in range(5))]


def jacobian(w, angle):
    """J of the outputs, (m, k)."""
    return np.column_stack([outputs(w, angle, np.eye(12)[j])[1] for j in commanded(w)])


def command(w, wanted, h, r, s, dt):
    """Accelerations (12,) of least (3.136): rows of a problem of least squares.

    wanted: p* and v* at t + dt. In double support the six joints of the leg on its toe follow from
    the constraints of acceleration, (3.28) and (3.31) in their second derivatives.
    """
    own, (p_wanted, v_wanted) = commanded(w), wanted
    rate = w.rate[own]
    then = w.angle + dt * np.isin(np.arange(12), own) * w.rate
    J, J_p = jacobian(w, w.angle), jacobian(w, then)
    p = outputs(w, w.angle, w.rate)[0] + 0.5 * dt * (J + J_p) @ rate  # (3.142) without q''
    H, R, S = np.sqrt(h), np.sqrt(dt**2 * r), np.sqrt(4.0 * dt**4 * s)
    rows = [H[:, None] * (0.5 * dt**2 * J_p), R[:, None] * (dt * J_p), np.diag(S)]
    right = [H * (p_wanted - p), R * (v_wanted - J_p @ rate), np.zeros(len(S))]
    found = np.zeros(12)
    found[own] = np.linalg.lstsq(np.vstack(rows), np.concatenate(right), rcond=None)[0]
    return found if not w.phase.is_double else _closed(w, found)


def _closed(w, given):
    """Accelerations with those of the leg on its toe, from what both legs say of the trunk."""
    side = 1 - w.phase.side
    rear = [10 + side, *(joint(side, k) for k in range(5))]

    def apart(second):
        motion = np.column_stack([w.angle, w.rate, second])
        flat = Leg(w.p, 1 - side, still(), at(w.ground.ankle), motion)
        foot = exponential(U2, *motion[10 + side])
        ankle = at(w.ground.toe) + foot @ np.array([-w.p.d10, 0.0, w.p.a10])
        other = Leg(w.p, side, foot, ankle, motion)
        turns = [2.0 * leg.trunk[2] @ leg.trunk[0].T for leg in (flat, other)]
        twist = turns[1] - turns[0]
        return np.append(
            0.5
            * np.array(
                [twist[2, 1] - twist[1, 2], twist[0, 2] - twist[2, 0], twist[1, 0] - twist[0, 1]]
            ),
            2.0 * (other.O1[2] - flat.O1[2]),
        )

    rest = apart(given)
    columns = np.column_stack([apart(given + np.eye(12)[j]) - rest for j in rear])
    found = given.copy()
    found[rear] -= np.linalg.solve(columns, rest)
    return found
