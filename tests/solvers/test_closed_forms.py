"""One step of simple machines, worked out by hand."""

import numpy as np
import pytest

from footfall.solvers import METHODS, ContactNotSolved, solve

G, DT = 9.81, 1e-3
# in every method: the fixed point's r = 0.5 is below 2/|W| for these masses
PLANAR = [pytest.param(method, id=method) for method in METHODS]


def _rigid_body(points, mass, inertia):
    """W and J of contact points (n, dim) on one body, n along z, t along x, s along y."""
    points = np.asarray(points, dtype=float)
    dim = points.shape[1]
    if dim == 2:  # (x, z), velocities [vx, vz, omega] with omega from x towards z
        rows = [[[0.0, 1.0, x], [1.0, 0.0, -z]] for x, z in points]
        inverse = np.diag([1.0 / mass, 1.0 / mass, 1.0 / inertia])
    else:
        axes = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
        rows = [[np.concatenate([a, np.cross(p, a)]) for a in axes] for p in points]
        inverse = np.diag(np.concatenate([np.full(3, 1.0 / mass), 1.0 / np.asarray(inertia)]))
    J = np.array(rows).reshape(points.size, -1)
    return J @ inverse @ J.T, J


@pytest.mark.parametrize("method", PLANAR)
@pytest.mark.parametrize("ratio", [0.5, 0.999, 1.001, 2.0])
def test_block_on_an_incline_sticks_iff_mu_exceeds_the_slope(method, ratio):
    mass, slope = 2.0, np.radians(20.0)
    mu = ratio * np.tan(slope)
    q = np.array([-G * np.cos(slope) * DT, G * np.sin(slope) * DT])
    u = solve(np.eye(2) / mass, q, mu, 2, method=method).u
    expected = max(0.0, G * DT * (np.sin(slope) - mu * np.cos(slope)))
    # 1e-10 of the velocity that one step of gravity gives
    assert u == pytest.approx([0.0, expected], abs=1e-11 * G)


@pytest.mark.parametrize("method", PLANAR)
def test_sliding_block_stops_and_does_not_turn_back(method):
    fast = solve(np.eye(2), np.array([-G * DT, 1.0]), 0.5, 2, method=method)
    assert fast.u[1] == pytest.approx(1.0 - 0.5 * G * DT, abs=1e-10)
    slow = solve(np.eye(2), np.array([-G * DT, 0.2 * G * DT]), 0.5, 2, method=method)
    assert slow.u == pytest.approx([0.0, 0.0], abs=1e-11)


@pytest.mark.parametrize("e_n", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("mu", [0.0, 0.5, 2.0])
def test_impact_of_a_point_mass(e_n, mu):
    # lands with (-1, 2): Newton's law gives e, Coulomb takes mu (1 + e) of the sliding, or all
    mass = 0.5
    u = solve(np.eye(2) / mass, np.array([-1.0 - e_n, 2.0]), mu, 2).u
    assert u - [e_n, 0.0] == pytest.approx([-e_n, max(0.0, 2.0 - mu * (1.0 + e_n))], abs=1e-12)


def test_impact_of_a_slanted_rod():
    # uniform rod, m = 1, l = 2 (I = 1/3), lands on its tip at 45 degrees with (-1, 0), no friction:
    # 1/m + x^2/I = 1 + 3/2, so r_n = 2/5, and the tip slips with W_tn r_n = (3/2)(2/5)
    arm = np.sqrt(0.5)
    W, J = _rigid_body([[-arm, -arm]], 1.0, 1.0 / 3.0)
    q = J @ [0.0, -1.0, 0.0]
    assert W[0, 0] == pytest.approx(2.5)
    smooth = solve(W, q, 0.0, 2)
    assert smooth.r == pytest.approx([0.4, 0.0])
    assert smooth.u == pytest.approx([0.0, -0.6])
    # with friction against that slip: r_t = mu r_n, r_n = 1/(W_nn + mu W_nt) = 1/(2.5 - 1.5 mu),
    # until it sticks at mu = 3/5 (r_t/r_n = -W_nt/W_tt)
    rough = solve(W, q, 0.3, 2)
    assert rough.r == pytest.approx([1.0 / 2.05, 0.3 / 2.05])
    assert solve(W, q, 0.61, 2).u == pytest.approx([0.0, 0.0], abs=1e-12)


@pytest.mark.parametrize(
    "method", ["fallback-chain", "enumeration", "newton", "gauss-seidel", "proximal"]
)
def test_two_feet_share_the_weight_as_the_lever_says(method):
    # feet 0.3 m behind and 0.1 m before the centre of mass, 1 m below it: W has rank three
    mass = 4.0
    W, J = _rigid_body([[-0.3, -1.0], [0.1, -1.0]], mass, 0.2)
    assert np.linalg.matrix_rank(W) == 3
    impulses = solve(W, J @ [0.0, -G * DT, 0.0], 0.6, 2, method=method)
    weight = mass * G * DT
    # at rest (u = 0); the tangential impulses may brace against each other, their sum is zero,
    # so they do not enter the balance of moments about the centre of mass; 1e-6 is the tolerance
    # times |W| over its smallest singular value other than zero (about 1e3), with a factor 10
    assert impulses.u == pytest.approx(np.zeros(4), abs=1e-10)
    assert impulses.r[[0, 2]] == pytest.approx([0.25 * weight, 0.75 * weight], rel=1e-6)
    assert impulses.r[1] + impulses.r[3] == pytest.approx(0.0, abs=1e-8 * weight)


BOX = np.array([[sx * 0.2, sy * 0.1, -0.15] for sx in (-1, 1) for sy in (-1, 1)])


def _box(mu, slope, method="fallback-chain"):
    mass, inertia = 3.0, [0.05, 0.08, 0.07]
    W, J = _rigid_body(BOX, mass, inertia)
    assert np.linalg.matrix_rank(W) == 6  # of twelve: hyperstatic
    gravity = G * DT * np.array([np.sin(slope), 0.0, -np.cos(slope)])
    impulses = solve(W, J @ np.concatenate([gravity, np.zeros(3)]), mu, 3, method=method)
    return impulses, impulses.r.reshape(4, 3).sum(axis=0) / mass / DT


@pytest.mark.parametrize("method", ["fallback-chain", "newton", "gauss-seidel", "proximal"])
def test_box_on_four_corners_rests(method):
    impulses, acceleration = _box(0.4, np.radians(20.0), method)  # tan 20 deg = 0.364
    assert impulses.u == pytest.approx(np.zeros(12), abs=1e-10)
    expected = [G * np.cos(np.radians(20.0)), -G * np.sin(np.radians(20.0)), 0.0]
    assert acceleration == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("method", ["fallback-chain", "newton", "gauss-seidel", "proximal"])
def test_box_on_four_corners_slides_without_turning(method):
    slope, mu = np.radians(20.0), 0.3
    impulses, acceleration = _box(mu, slope, method)
    sliding = G * DT * (np.sin(slope) - mu * np.cos(slope))
    assert impulses.u.reshape(4, 3) == pytest.approx(np.tile([0.0, sliding, 0.0], (4, 1)), abs=1e-9)
    assert acceleration[1] == pytest.approx(-mu * acceleration[0], rel=1e-6)
    # the friction's moment mu N h presses the lower edge (+x): lever rule about the upper edge
    lower = impulses.r.reshape(4, 3)[2:, 0].sum() / impulses.r.reshape(4, 3)[:, 0].sum()
    assert lower == pytest.approx(0.5 + 0.5 * mu * 0.15 / 0.2, rel=1e-6)


def test_slip_in_three_dimensions_points_along_the_motion():
    # isotropic mass: the sliding direction stays what it was
    u = solve(np.eye(3), np.array([-1.0, 3.0, 4.0]), 0.5, 3).u
    assert u == pytest.approx([0.0, 0.9 * 3.0, 0.9 * 4.0])


def test_floor_and_ceiling_that_close_in_have_no_solution():
    # one mass between two surfaces that both approach it: no impulse satisfies both
    W = np.array([[1.0, 0, -1, 0], [0, 1, 0, 1], [-1, 0, 1, 0], [0, 1, 0, 1]], dtype=float)
    with pytest.raises(ContactNotSolved):
        solve(W, np.array([-1.0, 0.0, -1.0, 0.0]), 0.5, 2)
