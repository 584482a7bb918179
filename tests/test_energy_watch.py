"""The watch over the account of energy, on columns that are made up: gains, and losses beside."""

import numpy as np
import pytest

from footfall.trajectory.energy_watch import (
    COLUMNS,
    FAILED,
    FAILED_LOSS,
    LASTING,
    REPORTED,
    EnergyWatch,
)

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
    for one in (watch.gains, watch.losses):
        assert one.reported is one.failed is None
        assert one.largest.energy < 1e-12


@pytest.mark.parametrize("block", [1, 70, LASTING, 333, ROWS])
def test_the_verdict_does_not_depend_on_the_blocks(block):
    generator = np.random.default_rng(3)
    rows = columns(np.cumsum(generator.normal(2e-4, 2e-3, ROWS)))
    whole, parts = watched(rows), watched(rows, block)
    for one, other in ((whole.gains, parts.gains), (whole.losses, parts.losses)):
        found = one.reported, one.failed, one.largest
        assert (other.reported, other.failed, other.largest) == found
    assert whole.gains.reported is not None


@pytest.mark.parametrize(("share", "reported", "failed"), [
    (0.9 * REPORTED, False, False),
    (1.1 * REPORTED, True, False),
    (0.9 * FAILED, True, False),
    (1.1 * FAILED, True, True),
])  # fmt: skip
def test_a_gain_is_reported_and_a_large_one_fails(share, reported, failed):
    """The energy in play is the kinetic energy at its height, gain and all."""
    rise = share / (1.0 - share)
    watch = watched(columns(np.where(TIME < 0.25, 0.0, rise))).gains
    assert (watch.reported is not None, watch.failed is not None) == (reported, failed)
    assert watch.largest.share == pytest.approx(share, rel=1e-3)
    if reported:
        assert watch.reported.time == pytest.approx(0.25)
        assert watch.reported.energy == pytest.approx(rise)


@pytest.mark.parametrize(("share", "reported", "failed"), [
    (0.9 * REPORTED, False, False),
    (1.1 * REPORTED, True, False),
    (0.9 * FAILED_LOSS, True, False),
    (1.1 * FAILED_LOSS, True, True),
])  # fmt: skip
def test_a_loss_is_reported_and_one_of_half_the_energy_fails(share, reported, failed):
    """Of the 1 J that was there; what is lost in one piece is no oscillation."""
    watch = watched(columns(np.where(TIME < 0.25, 0.0, -share)))
    assert (watch.losses.reported is not None, watch.losses.failed is not None) == (
        reported,
        failed,
    )
    assert watch.losses.largest.energy == pytest.approx(share)
    assert watch.gains.reported is None


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
    found = watched(columns(rise)).gains.reported
    assert (found is not None) == (reported and (sign > 0.0 or start + length < ROWS))


def test_work_is_no_gain_and_a_damper_takes_only():
    driven = 3.0 * TIME
    for rows in (
        columns(driven, actuator_work=driven),
        columns(-driven, damping_work=-driven),
        columns(-driven, contact_work=-driven),
    ):
        watch = watched(rows)
        assert watch.gains.reported is watch.losses.reported is None
    assert watched(columns(driven, damping_work=driven)).gains.failed is not None


def test_works_that_are_not_told_may_give_back_what_they_took():
    stored = np.where((TIME > 0.2) & (TIME < 0.6), -0.5, 0.0)
    untold = {"constraint_work": np.full(ROWS, np.nan)}
    assert watched(columns(stored, **untold)).gains.failed is not None
    incomplete = watched(columns(stored, **untold), complete=False)
    assert incomplete.gains.reported is incomplete.losses.reported is None
    assert watched(columns(-stored, **untold), complete=False).gains.failed is not None


def test_rest_is_no_alarm():
    """Rounding of a potential energy whose zero lies far off, and a creep of some micrometres."""
    still = columns(kinetic_energy=np.zeros(ROWS), potential_energy=np.zeros(ROWS))
    generator = np.random.default_rng(1)
    far = 1e6 + 1e-9 * generator.normal(size=ROWS)
    creep = 0.1 * 9.81 * 1e-4 * TIME
    for potential in (far, creep, -creep):
        watch = watched(still | {"potential_energy": potential})
        assert watch.gains.reported is watch.losses.reported is None
    assert EnergyWatch(0.0).gains.reported is None
