"""The gaits of the published walkers: found, checked by Newton's laws, and as published."""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.machines.compass.newton import NewtonWalker

from footfall.errors import RunError
from footfall.hybrid import find_fixed_point
from footfall.machines.compass.closed_form.model import (
    AUTHORS,
    GOSWAMI,
    LAB_CASE_1,
    LAB_CASE_2,
    Compass,
)
from footfall.machines.compass.cycle import find_cycle
from footfall.machines.compass.system import return_map

SETS = {"authors": AUTHORS, "case 1": LAB_CASE_1, "case 2": LAB_CASE_2, "Goswami": GOSWAMI}
every_walker = pytest.mark.parametrize("walker", SETS.values(), ids=SETS)


def similar(walker, length=1.0, mass=1.0, gravity=1.0):
    """A walker of the same shape: lengths, masses and gravity times these factors."""
    return replace(
        walker,
        l=length * walker.l,
        s=length * walker.s,
        m=mass * walker.m,
        m_hip=mass * walker.m_hip,
        I=mass * length**2 * walker.I,
        g=gravity * walker.g,
    )


def derivative(walk, y, step=1e-4):
    """Jacobian of a map by central differences of order 4."""
    columns = []
    for e in step * np.eye(len(y)):
        near, far = walk(y + e) - walk(y - e), walk(y + 2.0 * e) - walk(y - 2.0 * e)
        columns.append((8.0 * near - far) / (12.0 * step))
    return np.array(columns).T


@pytest.mark.slow
@every_walker
def test_the_gait_repeats_itself_by_newtons_laws(walker):
    cycle = find_cycle(walker)
    found = NewtonWalker(walker).step(cycle.after)
    # two integrations at a relative error of 3e-14 and 1e-12 a step, and rates of 2 1/s
    assert found.after == pytest.approx(cycle.after, abs=1e-11)
    assert found.before == pytest.approx(cycle.before, abs=1e-11)
    assert found.time == pytest.approx(cycle.period, abs=1e-11)
    # impulses of up to 30 N s, energies of up to 15 J
    assert found.impulse == pytest.approx(cycle.impulse, abs=1e-10)
    assert found.lost == pytest.approx(cycle.lost, abs=1e-10)


@pytest.mark.slow
@every_walker
def test_multipliers_are_those_of_newtons_laws(walker):
    fixed = find_cycle(walker).fixed_point
    D = derivative(NewtonWalker(walker).returns, fixed.orbit[0])
    # noise of the integration, 1e-13 over the step of 1e-4, and the step's fourth power times a
    # fifth derivative of up to 1e10, as the walkers of the sheet have it near mid-swing
    assert np.abs(D - fixed.D).max() < 1e-6
    # coefficients of the characteristic polynomial: eigenvalues of a pair that nearly meets would
    # go with the root of that
    assert np.poly(D) == pytest.approx(np.poly(fixed.multipliers).real, abs=1e-6)


@pytest.mark.parametrize(
    ("walker", "published", "stable"),
    [
        pytest.param(LAB_CASE_1, (-0.1860, -2.0504, -0.0428), False, id="case 1"),
        pytest.param(LAB_CASE_2, (-0.1933, -2.0262, -0.1253), True, id="case 2"),
    ],
)
def test_cycles_of_the_lab_sheet(walker, published, stable):
    cycle = find_cycle(walker)
    # "close to" four digits: an integrator at a relative tolerance of 1e-3 makes that of them
    assert np.abs(cycle.published - published).max() < 1.5e-3
    assert abs(cycle.published[0] - published[0]) < 1e-4
    assert cycle.fixed_point.stable is stable
    largest = np.abs(cycle.fixed_point.multipliers).max()
    # far from 1 on its side: no error of the map could turn the verdict
    assert largest > 2.0 if not stable else largest < 0.9


@every_walker
def test_what_the_slope_gives_the_strike_takes(walker):
    cycle, machine = find_cycle(walker), Compass(walker)
    weight = (2.0 * walker.m + walker.m_hip) * walker.g
    gained = weight * cycle.length * math.sin(walker.theta)
    assert cycle.lost == pytest.approx(gained, abs=1e-10)
    kinetic = machine.kinetic_energy(cycle.before) - machine.kinetic_energy(cycle.after)
    assert cycle.lost == pytest.approx(kinetic, abs=1e-10)
    # as does the energy about the standing foot, which lies lower by a step
    assert machine.energy(cycle.before) == pytest.approx(cycle.energy, abs=1e-10)


@pytest.mark.parametrize(
    ("length", "mass", "gravity"), [(2.5, 1.0, 1.0), (1.0, 7.0, 1.0), (0.4, 0.1, 1.622 / 9.81)]
)
@pytest.mark.parametrize("walker", [LAB_CASE_2, GOSWAMI], ids=["case 2", "Goswami"])
def test_a_similar_walker_walks_alike(walker, length, mass, gravity):
    # rates go with the root of g / l, masses drop out
    one, other = find_cycle(walker), similar(walker, length, mass, gravity)
    quick = math.sqrt(gravity / length)
    scale = np.array([1.0, quick, quick])
    y = one.fixed_point.orbit[0] * scale
    found = find_fixed_point(return_map(other), y, other.theta)
    assert found.orbit[0] == pytest.approx(y, rel=1e-10)
    # rates over the pendulum's: D in these units is the same, and so are its eigenvalues
    D = found.D * scale / scale[:, None]
    assert np.abs(D - one.fixed_point.D).max() < 1e-9
    assert found.multipliers == pytest.approx(one.fixed_point.multipliers, abs=1e-9)


def test_of_two_gaits_the_long_one_is_given():
    # the short one has a multiplier beyond 1 on every slope, and steps that are shorter
    cycle = find_cycle(GOSWAMI)
    y = cycle.fixed_point.orbit[0]
    short = find_fixed_point(return_map(GOSWAMI), [0.257, -1.211, 0.498], GOSWAMI.theta)
    assert 0.0 < short.orbit[0][0] < y[0] - 1e-3
    assert np.abs(short.multipliers).max() > 1.0 > np.abs(cycle.fixed_point.multipliers).max()


@pytest.mark.parametrize(
    "theta",
    [
        # on level ground standing repeats itself, which is no gait
        pytest.param(0.0, id="level", marks=pytest.mark.slow),
        pytest.param(-0.05, id="uphill"),
    ],
)
def test_a_walker_without_a_gait_is_told_in_one_line(theta):
    with pytest.raises(RunError, match="no periodic gait") as refused:
        find_cycle(replace(GOSWAMI, theta=theta))
    assert "\n" not in str(refused.value)
