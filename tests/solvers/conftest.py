"""Problems that are drawn, and the laws of contact checked in plain numpy."""

from collections.abc import Callable

import numpy as np
import pytest

from footfall.solvers import ContactProblem


def _draw(
    rng: np.random.Generator, contacts=(1, 20), mu_max=5.0, *, possible=True
) -> ContactProblem:
    """W = J (M^-1 + S) J^T and q = J v with the troubles that walking machines bring.

    M is positive definite. S is antisymmetric and zero in two of three draws: what forces that
    depend on velocity add when they are taken implicitly. Few degrees of freedom make W singular
    (hyperstatic). With q = J v standing still is kinematically possible, so that no draw asks for
    the impossible, unless ``possible`` is off: then any q is drawn. In one draw of three everything
    is scaled by up to 1e+-6, in another the contacts are scaled one by one (which multiplies the
    blocks of W by up to 1e+-6 each).
    """
    dim = int(rng.integers(2, 4))
    n = int(rng.integers(contacts[0], contacts[1] + 1))
    rows = n * dim
    dofs = int(rng.integers(1, rows + 1)) if rng.random() < 0.4 else rows + int(rng.integers(7))
    root = rng.normal(size=(dofs, dofs))
    inverse_mass = root @ root.T / dofs + 0.1 * np.eye(dofs)
    kind = rng.integers(3)
    if kind == 1:
        S = rng.normal(size=(dofs, dofs))
        inverse_mass = inverse_mass + rng.uniform(0.0, 0.3) * (S - S.T) / np.sqrt(dofs)
    J = rng.normal(size=(rows, dofs))
    W = J @ inverse_mass @ J.T
    if kind == 2:  # the asymmetry of rounding
        W = W * (1.0 + 1e-15 * rng.normal(size=W.shape))
    q = J @ rng.normal(size=dofs)
    if not possible:
        q = rng.normal(size=rows)
    scaled = rng.integers(3)
    if scaled == 1:
        W = W * 10.0 ** rng.uniform(-6, 6)
        q = q * 10.0 ** rng.uniform(-6, 6)
    elif scaled == 2:
        d = np.repeat(10.0 ** rng.uniform(-3, 3, size=n), dim)
        W, q = d[:, None] * W * d, d * q
    mu = rng.uniform(0.0, mu_max, size=n) if rng.random() < 0.9 else np.zeros(n)
    return ContactProblem(W, q, mu, dim)


def _draw_hard(rng: np.random.Generator) -> tuple[ContactProblem, float]:
    """Up to 20 contacts of up to six bodies, and how far apart the masses of these may be.

    That is up to 1e12. Three contacts of ten repeat another one, to 1e-12 up to 1e-4 or exactly.
    Friction is none, the same for all, none for some, or of any size; a guess is there or not.
    """
    dim, bodies = int(rng.integers(2, 4)), int(rng.integers(1, 7))
    per = 3 * (dim - 1)
    ratio = 10.0 ** rng.choice([0, 2, 4, 6, 8, 12], p=[0.3, 0.2, 0.2, 0.15, 0.1, 0.05])
    mass = ratio ** rng.random(bodies)
    if bodies > 1:
        mass[rng.integers(bodies)], mass[rng.integers(bodies)] = ratio, 1.0
    rows: list[np.ndarray] = []
    for _ in range(int(rng.integers(1, 21))):
        if rows and rng.random() < 0.3:
            J = rows[rng.integers(len(rows))]
            J = J + rng.choice([0.0, 1e-12, 1e-8, 1e-4]) * rng.normal(size=J.shape) * (J != 0.0)
        else:
            J = np.zeros((dim, bodies, per))
            first, second = int(rng.integers(bodies)), int(rng.integers(-1, bodies))
            J[:, first] = rng.normal(size=(dim, per))
            if second not in {-1, first}:
                J[:, second] = rng.normal(size=(dim, per))
            J = J.reshape(dim, -1)
        rows.append(J)
    n, J = len(rows), np.vstack(rows)
    half = J / np.repeat(mass, per) * np.exp(0.5 * rng.normal(size=bodies * per))
    W = half @ J.T
    q = J @ (rng.normal(size=bodies * per) * 10.0 ** rng.uniform(-3, 1))
    if rng.random() < 0.3:
        q += half @ rng.normal(size=bodies * per)
    mu = (
        lambda: np.zeros(n),
        lambda: np.full(n, rng.uniform(0.0, 1.0)),
        lambda: rng.uniform(0.0, 1.2, n) * rng.integers(0, 2, n),
        lambda: 10.0 ** rng.uniform(-3.0, 0.5, n),
    )[rng.integers(4)]()
    guess = None
    if rng.random() < 0.5:
        size = np.abs(q).max() / np.linalg.norm(W, 2)
        guess = rng.normal(size=n * dim) * size * 10.0 ** rng.uniform(-2, 1)
    return ContactProblem(W, q, mu, dim, guess), ratio


def _assert_laws(problem: ContactProblem, r: np.ndarray, epsilon: float = 1e-10) -> None:
    """Signorini and Coulomb, one by one, without the natural map or any kernel.

    They are looked at twice: as the problem stands, and with every contact scaled to |W_ii| = 1, so
    that a light contact is not judged by what is negligible beside a heavy one.
    """
    dim = problem.dim
    blocks = problem.W.reshape(problem.mu.size, dim, problem.mu.size, dim)
    sizes = np.array([np.linalg.norm(blocks[i, :, i]) for i in range(problem.mu.size)])
    d = np.repeat(np.where(sizes > 0.0, sizes, 1.0) ** -0.5, dim)
    scaled = ContactProblem(d[:, None] * problem.W * d, d * problem.q, problem.mu, dim)
    _assert_laws_as_scaled(problem, r, epsilon)
    _assert_laws_as_scaled(scaled, r / d, epsilon)


def _assert_laws_as_scaled(problem: ContactProblem, r: np.ndarray, epsilon: float) -> None:
    """The laws at a problem whose contacts are alike.

    If the natural map is off by epsilon of the impulse scale s, then r is within epsilon s of its
    cone, u + mu |u_T| n within epsilon |W| s of the dual cone, and their product within a few
    epsilon |W| s^2 of zero. The geometry of the cones turns each into a bound with (1 + mu). Of 40
    000 draws none came beyond 1.2 epsilon (1 + mu)^2.
    """
    dim = problem.dim
    u = (problem.W @ r + problem.q).reshape(-1, dim)
    r = r.reshape(-1, dim)
    norm = np.linalg.norm(problem.W, 2)
    s = max(np.linalg.norm(r), np.linalg.norm(problem.q) / norm)
    loose = 3.0 * epsilon * (1.0 + problem.mu) ** 2
    r_t, u_t = np.linalg.norm(r[:, 1:], axis=1), np.linalg.norm(u[:, 1:], axis=1)
    power = np.sum(r[:, 1:] * u[:, 1:], axis=1)
    assert np.all(r[:, 0] >= -loose * s), "a contact pulls"
    assert np.all(r_t <= problem.mu * r[:, 0] + loose * s), "an impulse lies outside its cone"
    assert np.all(u[:, 0] >= -loose * norm * s), "a contact still approaches"
    assert np.all(np.abs(r[:, 0] * u[:, 0]) <= loose * norm * s * s), (
        "a contact pulls at a distance"
    )
    assert np.all(power <= loose * norm * s * s), "friction drives"
    dissipated = problem.mu * r[:, 0] * u_t
    assert np.all(np.abs(power + dissipated) <= loose * norm * s * s), (
        "friction does not oppose slip"
    )


@pytest.fixture
def draw() -> Callable[..., ContactProblem]:
    return _draw


@pytest.fixture
def draw_hard() -> Callable[..., tuple[ContactProblem, float]]:
    return _draw_hard


@pytest.fixture
def assert_laws() -> Callable[..., None]:
    return _assert_laws
