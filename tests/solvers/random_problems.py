"""Seeded random contact problems with the troubles that walking machines bring."""

from __future__ import annotations

import numpy as np

from footfall.solvers import ContactProblem


def random_problem(
    rng: np.random.Generator, contacts: tuple[int, int] = (1, 20), mu_max: float = 5.0
) -> tuple[ContactProblem, dict[str, object]]:
    """A problem W = J (M^-1 + S) J^T, q = J v, and what was drawn.

    M is positive definite, S antisymmetric (zero in two of three draws; what velocity-dependent
    forces taken implicitly add). Few degrees of freedom make W singular (hyperstatic); q = J v is
    what a machine gives, so that standing still (u = 0) is at least kinematically possible.
    """
    dim = int(rng.integers(2, 4))
    n = int(rng.integers(contacts[0], contacts[1] + 1))
    rows = n * dim
    hyperstatic = bool(rng.random() < 0.4)
    dofs = int(rng.integers(max(1, rows // 3), rows + 1)) if hyperstatic else rows + int(rng.integers(7))
    A = rng.normal(size=(dofs, dofs))
    inverse_mass = A @ A.T / dofs + 0.1 * np.eye(dofs)
    kind = ("symmetric", "noise", "asymmetric")[int(rng.integers(3))]
    if kind == "asymmetric":
        S = rng.normal(size=(dofs, dofs))
        inverse_mass = inverse_mass + rng.uniform(0.0, 0.3) * (S - S.T) / np.sqrt(dofs)
    J = rng.normal(size=(rows, dofs))
    W = J @ inverse_mass @ J.T
    if kind == "noise":
        W = W * (1.0 + 1e-14 * rng.normal(size=W.shape))
    q = J @ rng.normal(size=dofs)
    scaled = ("no", "whole", "contacts")[int(rng.integers(3))]
    if scaled == "whole":
        W = W * 10.0 ** rng.uniform(-6, 6)
        q = q * 10.0 ** rng.uniform(-6, 6)
    elif scaled == "contacts":
        d = np.repeat(10.0 ** rng.uniform(-3, 3, size=n), dim)
        W = d[:, None] * W * d
        q = d * q
    mu = rng.uniform(0.0, mu_max, size=n) if rng.random() < 0.9 else np.zeros(n)
    facts: dict[str, object] = {"hyperstatic": hyperstatic, "kind": kind, "scaled": scaled}
    return ContactProblem(W, q, mu, dim), facts
