"""The watch over the account of energy, on columns that are made up."""

import numpy as np
import pytest

from footfall.trajectory.energy_watch import COLUMNS, FAILED, LASTING, REPORTED, EnergyWatch

ROWS = 1000
TIME = 1e-3 * np.arange(ROWS)
TURN = np.sin(2.0 * np.pi * TIME) ** 2  # of 1 J between height and motion


def columns(gained=0.0, **more):
    """Columns of a pendulum of 1 J, whose kinetic energy has a gain on top."""
    nothing = {name: np.zeros(ROWS) for name in COLUMNS}
    return nothing | {"kinetic_energy": TURN + gained, "potential_energy": 5.0 - TURN} | more


def watched(rows, block=ROWS, **options):
    watch = EnergyWatch(0.1, **options)
    for start in range(0, ROWS, block):
        some = slice(start, start + block)
        watch.look(TIME[some], {name: column[some] for name, column in rows.items()})
    watch.close()
    return watch


def test_what_swings_gains_nothing():
    watch = watched(columns())
    assert watch.reported is watch.failed is None
    assert watch.largest.energy < 1e-12


@pytest.mark.parametrize("block", [1, 70, LASTING, 333, ROWS])
def test_the_verdict_does_not_depend_on_the_blocks(block):
    generator = np.random.default_rng(3)
    rows = columns(np.cumsum(generator.normal(2e-4, 2e-3, ROWS)))
    whole, parts = watched(rows), watched(rows, block)
    assert (parts.reported, parts.failed, parts.largest) == (
        whole.reported,
        whole.failed,
        whole.largest,
    )
    assert whole.reported is not None


@pytest.mark.parametrize(("share", "reported", "failed"), [
    (0.9 * REPORTED, False, False),
    (1.1 * REPORTED, True, False),
    (0.9 * FAILED, True, False),
    (1.1 * FAILED, True, True),
])  # fmt: skip
def test_a_gain_is_reported_and_a_large_one_fails(share, reported, failed):
    """The energy in play is the kinetic energy at its height, gain and all."""
    rise = share / (1.0 - share)
    watch = watched(columns(np.where(TIME < 0.25, 0.0, rise)))
    assert (watch.reported is not None, watch.failed is not None) == (reported, failed)
    assert watch.largest.share == pytest.approx(share, rel=1e-3)
    if reported:
        assert watch.reported.time == pytest.approx(0.25)
        assert watch.reported.energy == pytest.approx(rise)


@pytest.mark.parametrize(("start", "length", "reported"), [
    (300, LASTING // 2, False),  # a scheme gives it back
    (300, 2 * LASTING, True),
    (ROWS - 10, 10, True),  # to the end
])  # fmt: skip
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_gain_lasts(start, length, reported, sign):
    """A dip is its mirror: what follows it is a gain only if it lasted."""
    rise = np.zeros(ROWS)
    rise[start : start + length] = 0.1 * sign
    found = watched(columns(rise)).reported
    assert (found is not None) == (reported and (sign > 0.0 or start + length < ROWS))


def test_work_is_no_gain_and_a_damper_takes_only():
    driven = 3.0 * TIME
    assert watched(columns(driven, actuator_work=driven)).reported is None
    assert watched(columns(-driven, damping_work=-driven)).reported is None
    assert watched(columns(driven, damping_work=driven)).failed is not None


def test_works_that_are_not_told_may_give_back_what_they_took():
    stored = np.where((TIME > 0.2) & (TIME < 0.6), -0.5, 0.0)
    untold = {"constraint_work": np.full(ROWS, np.nan)}
    assert watched(columns(stored, **untold)).failed is not None
    assert watched(columns(stored, **untold), complete=False).reported is None
    assert watched(columns(-stored, **untold), complete=False).failed is not None


def test_rest_is_no_alarm():
    """Rounding of a potential energy whose zero lies far off, and a creep of some micrometres."""
    still = columns(kinetic_energy=np.zeros(ROWS), potential_energy=np.zeros(ROWS))
    generator = np.random.default_rng(1)
    far = 1e6 + 1e-9 * generator.normal(size=ROWS)
    assert watched(still | {"potential_energy": far}).reported is None
    assert watched(still | {"potential_energy": 0.1 * 9.81 * 1e-4 * TIME}).reported is None
    assert EnergyWatch(0.0).reported is None
