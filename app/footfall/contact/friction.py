"""Coulomb friction of a pair of surfaces, and static friction above kinetic friction.

A contact that does not slide when a step begins may hold up to mu_s; if the step's forces overcome
that, it slides with mu_k from this step on. A contact that slides has mu_k until a step has brought
it to rest. The coefficient thus depends on the state, and the solution on the order of events:
where two contacts are about to break away, both do in the same step, though one alone might have
relieved the other.

A step in which a sliding contact would stop and slide back has a moment of rest in it, which no
step sees. There, too, the contact has mu_s: else a block that is sent up a slope would miss its
stop whenever it is due late in a step.
"""

import math

from footfall.arrays import Array, Flags, Indices
from footfall.jit import njit, scratch_njit


@scratch_njit
def friction_at_start(
    mu: Array, mu_static: Array, gamma: Array, first: Indices, rest_speed: float, chosen: Array
) -> None:
    """Fill the coefficients of contacts whose velocities at the start are gamma [m/s].

    mu, mu_static, chosen (n,): mu_static where the tangential speed is at most rest_speed [m/s],
    else mu. first (n + 1,): first row of each contact in gamma, its normal, and behind the last.
    """
    for i in range(first.size - 1):
        chosen[i] = mu[i]
        if mu_static[i] > mu[i] and slip_speed(gamma, first[i], first[i + 1]) <= rest_speed:
            chosen[i] = mu_static[i]


@scratch_njit
def break_away(
    chosen: Array, mu: Array, r: Array, u: Array, first: Indices, rest_speed: float
) -> bool:
    """Give contacts that slide in spite of mu_static their mu, in place; say whether any did.

    chosen, mu (n,); r, u: impulses [N s] and velocities [m/s] solved with ``chosen``, of rows that
    ``first`` (n + 1,) tells.
    """
    broken = False
    for i in range(first.size - 1):
        slides = chosen[i] > mu[i] and r[first[i]] > 0.0
        if slides and slip_speed(u, first[i], first[i + 1]) > rest_speed:
            chosen[i] = mu[i]
            broken = True
    return broken


@scratch_njit
def catch_reversed(
    chosen: Array, mu_static: Array, caught: Flags, gamma: Array, u: Array, first: Indices
) -> bool:
    """Give contacts whose slip turned round within the step their mu_static, in place, once each.

    gamma, u: velocities at the start and as solved [m/s], of rows that ``first`` (n + 1,) tells;
    caught (n,): those that have had it. Says whether any turned.
    """
    turned = False
    for i in range(first.size - 1):
        along = 0.0
        for k in range(first[i] + 1, first[i + 1]):
            along += gamma[k] * u[k]
        if along < 0.0 and mu_static[i] > chosen[i] and not caught[i]:
            chosen[i] = mu_static[i]
            caught[i] = turned = True
    return turned


@scratch_njit
def slip_speed(velocity: Array, normal: int, end: int) -> float:
    """Tangential speed of a contact [m/s]: of the rows behind that of its normal."""
    total = 0.0
    for k in range(normal + 1, end):
        total += velocity[k] ** 2
    return math.sqrt(total)


@njit
def combine_friction(mu_a: float, mu_b: float) -> float:
    """Coefficient of a pair from those of its surfaces, 2 a b / (a + b); 0 when both are 0.

    Drake's rule (CalcContactFrictionFromSurfaceProperties), so that one file means the same in
    every engine. Dimensionless and not negative; nothing is checked.
    """
    total = mu_a + mu_b
    return 2.0 * mu_a * mu_b / total if total > 0.0 else 0.0
