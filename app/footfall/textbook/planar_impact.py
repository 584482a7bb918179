"""Impact laws of one planar contact, case by case.

    u+ = u- + W r,  u = [n, t] velocities [m/s], r = [n, t] impulses [N s], W (2, 2) [1/kg]

Written out by hand for two unknowns, so that no solver of contact problems has a part in it.

Sources: T. R. Kane, D. A. Levinson: Dynamics, Theory and Applications, McGraw-Hill 1985 (Newton).
F. Pfeiffer, Ch. Glocker: Multibody Dynamics with Unilateral Contacts, Wiley 1996, chapter 8
(Poisson). A. Chatterjee, A. Ruina: A new algebraic rigid-body collision law based on impulse space
considerations, Journal of Applied Mechanics 65 (1998) 939-951.
"""

from typing import NamedTuple

import numpy as np

from footfall.arrays import Array


class Answer(NamedTuple):
    """One solution: "open", "stick", "slide+" or "slide-", and its impulse (2,) [N s]."""

    mode: str
    r: Array


def stopping(W: Array, u: Array) -> Array:
    """Impulse (2,) [N s] that takes the velocities u (2,) away, by Cramer's rule."""
    determinant = W[0, 0] * W[1, 1] - W[0, 1] * W[1, 0]
    n = W[0, 1] * u[1] - W[1, 1] * u[0]
    t = W[1, 0] * u[0] - W[0, 0] * u[1]
    return np.array([n, t]) / determinant


def all_solutions(W: Array, q: Array, mu: float) -> list[Answer]:
    """Every r with u = W r + q, 0 <= u_n, r_n >= 0, u_n r_n = 0 and Coulomb's law for u_t and r_t.

    There may be one, several or none (Painleve). q (2,) [m/s]: the velocities without impulse.
    """
    solutions = []
    if q[0] >= 0.0:
        solutions.append(Answer("open", np.zeros(2)))
    r = stopping(W, q)
    if r[0] > 0.0 and abs(r[1]) <= mu * r[0]:
        solutions.append(Answer("stick", r))
    for sign, mode in ((1.0, "slide+"), (-1.0, "slide-")):
        lever = W[0, 0] - sign * mu * W[0, 1]
        if lever == 0.0:
            continue
        r_n = -q[0] / lever
        u_t = q[1] + (W[1, 0] - sign * mu * W[1, 1]) * r_n
        if r_n > 0.0 and sign * u_t > 0.0:
            solutions.append(Answer(mode, np.array([r_n, -sign * mu * r_n])))
    return solutions


def newton(W: Array, u: Array, mu: float, e_n: float) -> Answer:
    """Newton's law, u_n+ = -e_n u_n-, with Coulomb's law between the impulses and u_t+.

    u (2,): velocities before the impact, u_n < 0. Raises ValueError unless there is one answer.
    """
    return _only(all_solutions(W, np.array([(1.0 + e_n) * u[0], u[1]]), mu))


def poisson(W: Array, u: Array, mu: float, e_n: float) -> Answer:
    """Poisson's law: compression is a plastic impact, expansion gives e_n times its normal impulse.

    Friction acts in each phase with the velocity at its end. The mode is that of expansion. Raises
    ValueError where the contact would be pressed in again by the impulse it gives back.
    """
    r_c = newton(W, u, mu, 0.0).r
    u_c = u + W @ r_c
    r_n = e_n * r_c[0]
    hold = -(u_c[1] + W[1, 0] * r_n) / W[1, 1]
    r_t = min(max(hold, -mu * r_n), mu * r_n)
    r_e = np.array([r_n, r_t])
    if u_c[0] + W[0] @ r_e < 0.0:
        raise ValueError("expansion presses the contact in: e_n r_n is not its impulse")
    if hold == r_t:
        return Answer("stick", r_c + r_e)
    return Answer("slide+" if r_t < hold else "slide-", r_c + r_e)


def chatterjee_ruina(W: Array, u: Array, mu: float, e_n: float, e_t: float = 0.0) -> Answer:
    """Chatterjee and Ruina's law.

    (1 + e_n) P_I + (1 + e_t) (P_II - P_I), with P_I the frictionless plastic impulse and P_II the
    plastic one that sticks; where that leaves the cone, 1 + e_t is made smaller until it lies on
    it.
    """
    first = np.array([-u[0] / W[0, 0], 0.0])
    turn = stopping(W, u) - first
    r = (1.0 + e_n) * first + (1.0 + e_t) * turn
    if abs(r[1]) <= mu * r[0]:
        return Answer("stick", r)
    # |r_t| = mu r_n along the line (1 + e_n) P_I + kappa turn, linear in kappa
    kappa = mu * (1.0 + e_n) * first[0] / (abs(turn[1]) - mu * turn[0])
    r = (1.0 + e_n) * first + kappa * turn
    return Answer("slide+" if r[1] < 0.0 else "slide-", r)


def energy_change(W: Array, u: Array, r: Array) -> float:
    """Kinetic energy gained in an impact [J]: the mean velocity times the impulse (Kelvin)."""
    return float(r @ (u + 0.5 * W @ r))


def _only(solutions: list[Answer]) -> Answer:
    if len(solutions) != 1:
        raise ValueError(f"the impact has {len(solutions)} solutions")
    return solutions[0]
