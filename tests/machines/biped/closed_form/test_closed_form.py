"""The biped's closed form against Lagrange's equations, derived anew symbolically."""

import numpy as np
import pytest
from pydrake.symbolic import Expression, Jacobian, MakeVectorContinuousVariable, cos, sin
from scipy.differentiate import jacobian as numerical_jacobian

from footfall.machines.biped.closed_form.model import Biped, BipedParameters

# nothing alike, so that a mixed-up index shows
UNEQUAL = BipedParameters(
    m=(1.3, 0.7, 0.35, 0.9, 0.22),
    l=(0.8, 1.15, 0.95, 0.65),
    alpha=np.deg2rad(17.0),
    g=9.7,
    reflected=(0.05, 0.21, 0.4, 0.08),
)


def _heads(q, l):
    """Positions of the masses, with the legs written out one by one."""
    x, z, t1, t2, t3, t4 = q
    knee_a = (x + l[0] * sin(t1), z - l[0] * cos(t1))
    foot_a = (knee_a[0] + l[1] * sin(t1 + t2), knee_a[1] - l[1] * cos(t1 + t2))
    knee_b = (x + l[2] * sin(t3), z - l[2] * cos(t3))
    foot_b = (knee_b[0] + l[3] * sin(t3 + t4), knee_b[1] - l[3] * cos(t3 + t4))
    return [(x, z), knee_a, foot_a, knee_b, foot_b]


def _gradient(expression, variables):
    return Jacobian([Expression(0.0) + expression], variables)[0]


def _dot(a, b):
    # numpy's @ asks symbols whether they are NaN
    return sum((x * y for x, y in zip(a, b, strict=True)), Expression(0.0))


class Lagrangian:
    """M q'' = H from L = T - V, with exact derivatives."""

    def __init__(self, p: BipedParameters) -> None:
        self.q = MakeVectorContinuousVariable(6, "q")
        self.v = MakeVectorContinuousVariable(6, "v")
        kinetic, potential = Expression(0.0), Expression(0.0)
        for mass, (x, z) in zip(p.m, _heads(self.q, p.l), strict=True):
            dx, dz = _dot(_gradient(x, self.q), self.v), _dot(_gradient(z, self.q), self.v)
            kinetic += 0.5 * mass * (dx * dx + dz * dz)
            # height above the horizontal through the origin, along the vertical
            potential += mass * p.g * (x * np.sin(p.alpha) + z * np.cos(p.alpha))
        for inertia, rate in zip(p.reflected, self.v[2:], strict=True):
            kinetic += 0.5 * inertia * rate * rate
        momentum = _gradient(kinetic, self.v)
        self.mass = Jacobian(momentum, self.v)
        force = _gradient(kinetic - potential, self.q)
        turning = Jacobian(momentum, self.q)
        self.h = np.array([f - _dot(row, self.v) for f, row in zip(force, turning, strict=True)])

    def at(self, q, v):
        env = dict(zip(self.q, q, strict=True)) | dict(zip(self.v, v, strict=True))
        mass = np.array([[entry.Evaluate(env) for entry in row] for row in self.mass])
        return mass, np.array([entry.Evaluate(env) for entry in self.h])


def _states(count, seed):
    rng = np.random.default_rng(seed)
    return [(rng.uniform(-np.pi, np.pi, 6), rng.uniform(-5.0, 5.0, 6)) for _ in range(count)]


@pytest.mark.parametrize("parameters", [BipedParameters(), UNEQUAL], ids=["report", "unequal"])
def test_equations_of_motion_are_lagranges(parameters):
    reference, machine = Lagrangian(parameters), Biped(parameters)
    for q, v in _states(20, seed=2):
        mass, h = reference.at(q, v)
        # some tens of roundings each: 1e-13 of the largest entry
        assert np.abs(machine.mass_matrix(q) - mass).max() <= 1e-13 * np.abs(mass).max()
        assert np.abs(machine.h(q, v) - h).max() <= 1e-13 * np.abs(h).max()


def test_contact_directions_are_gradients_of_the_heights():
    machine = Biped(UNEQUAL)
    for q, _ in _states(10, seed=3):

        def heights(x):
            return np.moveaxis(machine.points(np.moveaxis(x, 0, -1)), -2, 0)[..., 1]

        def along(x):
            return np.moveaxis(machine.points(np.moveaxis(x, 0, -1)), -2, 0)[..., 0]

        # the differentiation itself is good to some 1e-10
        assert np.allclose(machine.w_n(q).T, numerical_jacobian(heights, q).df, atol=1e-9)
        assert np.allclose(machine.w_t(q).T, numerical_jacobian(along, q).df, atol=1e-9)
        assert np.array_equal(machine.g_n(q), machine.points(q)[:, 1])


def test_energies_are_those_of_five_points_and_four_rotors():
    machine = Biped(UNEQUAL)
    masses = np.array(UNEQUAL.m)
    for q, v in _states(10, seed=4):
        eps = 1e-6
        speed = (machine.points(q + eps * v) - machine.points(q - eps * v)) / (2.0 * eps)
        # central differences with 1e-6: 1e-12 from curvature (r''' up to 100), 1e-10 from rounding
        rotors = 0.5 * np.array(UNEQUAL.reflected) @ v[2:] ** 2
        assert machine.kinetic_energy(q, v) == pytest.approx(
            0.5 * masses @ (speed**2).sum(1) + rotors, rel=1e-8
        )
        x, z = machine.points(q).T
        rise = x * np.sin(UNEQUAL.alpha) + z * np.cos(UNEQUAL.alpha)
        assert machine.potential_energy(q) == pytest.approx(UNEQUAL.g * masses @ rise, rel=1e-13)


def test_a_slope_that_falls_towards_x_pulls_towards_x():
    along, across, *_ = Biped().h(np.zeros(6), np.zeros(6))
    assert along > 0.0 > across


def test_standing_height_is_the_reach_of_the_longer_leg():
    machine = Biped()
    bent = np.array([0.1, 0.2, -0.3, 0.9])
    q = np.concatenate(([0.3, machine.standing_height(bent)], bent))
    # a rounding of z
    assert machine.g_n(q).min() == pytest.approx(0.0, abs=1e-15)
    reaches = np.cos(bent[0]) + np.cos(bent[:2].sum()), np.cos(bent[2]) + np.cos(bent[2:].sum())
    assert q[1] == pytest.approx(max(reaches), abs=1e-15)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("m", (1.0, 0.0, 0.5, 0.5, 0.5)),
        ("m", (1.0, np.nan, 0.5, 0.5, 0.5)),
        ("l", (1.0, 1.0, -1.0, 1.0)),
        ("l", (1.0, 1.0, np.inf, 1.0)),
        ("alpha", np.nan),
        ("g", np.inf),
        ("reflected", (0.0, np.nan, 0.0, 0.0)),
        ("reflected", (0.0, 0.0, -1e-3, 0.0)),
    ],
)
def test_parameters_of_no_machine_are_refused(name, value):
    with pytest.raises(ValueError, match=f"^{name} is .*: give a"):
        BipedParameters(**{name: value})
