"""Comparing trajectories: differences of known functions, and the order of known methods."""

import numpy as np
import pytest
from tests.rows import Rows

from footfall.comparison import compare, compare_all
from footfall.errors import RunError
from footfall.trajectory import Layout, Status

LAYOUT = Layout(("x", "a"), ("vx", "va"), ("m", "rad"), ("m/s", "rad/s"))


class Report:
    residual, iterations, stage = 0.0, 0, 0
    normal = np.nan

    def __init__(self, modes):
        self.mode = np.array(modes)
        self.gap = self.work = np.zeros(len(modes))
        self.impulse = self.velocity = self.p_WC = np.zeros((len(modes), 3))


def run(times, q, v=None, *, layout=LAYOUT, modes=None, energies=None):
    """A trajectory of functions of time; ``energies`` gives kinetic and potential."""
    v = v or (lambda _: np.zeros(len(layout.velocity)))
    builder = Rows(layout)
    for t in times:
        kinetic, potential = energies(t) if energies else (np.nan, np.nan)
        contacts = Report(modes(t)) if modes else None
        builder.append(
            t,
            np.asarray(q(t)),
            np.asarray(v(t)),
            None,
            contacts,
            kinetic_energy=kinetic,
            potential_energy=potential,
        )
    return builder.finish(Status.DONE)


def row(comparison, quantity):
    return next(row for row in comparison.rows if row.quantity == quantity)


GRID = np.linspace(0, 2, 201)


def test_a_trajectory_does_not_differ_from_itself():
    one = run(GRID, lambda t: (np.sin(t), t), energies=lambda t: (t, -t))
    for difference in compare(one, one).rows:
        assert (difference.maximum, difference.rms, difference.final) == (0, 0, 0)


def test_a_known_difference_is_measured():
    a = run(GRID, lambda _: (0.0, 0.0))
    b = run(GRID, lambda t: (0.1 * t, -0.5))
    result = compare(a, b, ("moreau", "drake"))
    x, angle = row(result, "q x"), row(result, "q a")
    assert (x.unit, angle.unit) == ("m", "rad")
    # sum of rounding only: the values are exact functions on the same grid
    assert x.maximum == pytest.approx(0.2, abs=1e-15)
    assert x.final == pytest.approx(0.2, abs=1e-15)
    # mean of (0.1 t)^2 over [0, 2] is 0.04/3; the trapezoidal rule adds h^2/6 * 0.01 = 1.7e-7
    assert x.rms == pytest.approx(np.sqrt(0.04 / 3), abs=1e-6)
    assert (angle.maximum, angle.final) == (0.5, -0.5)
    assert angle.rms == pytest.approx(0.5, abs=1e-15)
    np.testing.assert_allclose(result.data.dq.sel(position="x"), 0.1 * GRID, atol=1e-15)
    assert (result.reference, result.other) == ("moreau", "drake")


def test_every_variable_of_the_comparison_has_a_unit():
    result = compare(run(GRID, lambda t: (t, t)), run(GRID, lambda t: (t, t)))
    for name, variable in result.data.variables.items():
        assert "units" in variable.attrs, name
        assert "long_name" in variable.attrs, name


def test_other_steps_and_another_window_are_laid_on_the_reference():
    fine = run(np.linspace(0, 2, 2001), lambda t: (np.sin(t), 3 * t))
    coarse = run(np.linspace(0.5, 3, 251), lambda t: (np.sin(t), 3 * t))
    result = compare(fine, coarse)
    assert result.data.time[0] == pytest.approx(0.5)
    assert result.data.time[-1] == pytest.approx(2.0)
    # linear interpolation errs by at most h^2/8 max|sin| = 1.25e-5; a straight line not at all
    assert 1e-6 < row(result, "q x").maximum < 1.25e-5 * 1.001
    assert row(result, "q a").maximum < 1e-14


def test_times_that_differ_by_rounding_are_the_same_times():
    def ramp(t):
        return (t, np.floor(t * 100 + 0.5))

    multiplied = run([k * 1e-2 for k in range(301)], ramp, modes=None)
    summed = run(np.cumsum([0.0] + [1e-2] * 300), ramp)
    result = compare(multiplied, summed)
    assert result.data.sizes["time"] == 301
    # slope 100 times the rounding of the time (a few 1e-14 after 300 sums)
    assert row(result, "q a").maximum < 1e-10


def test_dense_rows_do_not_weigh_more():
    def step(t):
        return (1.0 if t < 1 else 0.0, 0.0)

    dense_late = np.concatenate([np.linspace(0, 1, 100, endpoint=False), np.linspace(1, 2, 10_000)])
    result = compare(run(dense_late, lambda _: (0.0, 0.0)), run(dense_late, step))
    # half of the time the difference is one: rms = sqrt(1/2), to half a coarse step (0.01/2)
    assert row(result, "q x").rms == pytest.approx(np.sqrt(0.5), abs=5e-3)


def test_names_are_matched_in_whatever_order():
    turned = Layout(("a", "x"), ("va", "vx"), ("rad", "m"), ("rad/s", "m/s"))
    a = run(GRID, lambda t: (t, 10.0), lambda t: (t, 20.0))
    b = run(GRID, lambda t: (10.0, t), lambda t: (20.0, t), layout=turned)
    assert all(row.maximum == 0 for row in compare(a, b).rows)


def test_energies_are_compared_when_both_recorded_them():
    a = run(GRID, lambda t: (t, t), energies=lambda t: (t, 1.0))
    b = run(GRID, lambda t: (t, t), energies=lambda t: (t + 2.0, 0.5))
    result = compare(a, b)
    assert row(result, "kinetic energy").final == 2.0
    assert row(result, "energy").final == 1.5
    names = [row.quantity for row in compare(a, run(GRID, lambda t: (t, t))).rows]
    assert names == ["q x", "q a", "v vx", "v va"]


def contact_layout(*names):
    return Layout(("x",), ("v",), ("m",), ("m/s",), contact=names)


def test_the_first_parting_of_the_modes_is_found():
    def zero(_):
        return (0.0,)

    times = [k * 1e-3 for k in range(1001)]
    a = run(times, zero, zero, layout=contact_layout("heel", "toe", "a"), modes=lambda _: (1, 1, 0))
    b = run(
        times,
        zero,
        zero,
        layout=contact_layout("toe", "b", "heel"),
        modes=lambda t: (2 if 0.2495 < t < 0.7495 else 1, 0, 1),
    )
    result = compare(a, b)
    assert result.data.contact.values.tolist() == ["heel", "toe"]
    assert np.isnan(result.data.mode_divergence.sel(contact="heel"))
    assert result.data.mode_divergence.sel(contact="toe") == 0.25
    assert result.data.mode_agreement.sel(contact="heel") == 1
    assert result.data.mode_agreement.sel(contact="toe") == pytest.approx(1 - 500 / 1000)
    assert result.first_mode_divergence == 0.25


def test_a_mode_belongs_to_the_step_that_ends_at_its_time():
    def zero(_):
        return (0.0,)

    def modes(t):  # the step (0.4, 0.5] sticks, the rest is open
        return (int(0.4 + 1e-9 < t < 0.5 + 1e-9),)

    layout = contact_layout("toe")
    fine = run(np.arange(101) * 0.01, zero, zero, layout=layout, modes=modes)
    coarse = run(np.arange(11) * 0.1, zero, zero, layout=layout, modes=modes)
    assert compare(fine, coarse).first_mode_divergence is None


def test_the_first_row_ends_no_step_and_has_no_mode_to_compare():
    layout = contact_layout("toe")
    stands = run(GRID, lambda t: (t,), layout=layout, modes=lambda _: (1,))
    told_later = run(GRID, lambda t: (t,), layout=layout, modes=lambda t: (int(t > GRID[0]),))
    assert compare(stands, told_later).first_mode_divergence is None
    assert compare(told_later, stands).first_mode_divergence is None


def test_unknown_modes_and_no_contacts_do_not_part():
    known = run(GRID, lambda t: (t,), layout=contact_layout("toe"), modes=lambda _: (1,))
    unknown = run(GRID, lambda t: (t,), layout=contact_layout("toe"))
    result = compare(known, unknown)
    assert result.first_mode_divergence is None
    assert np.isnan(result.data.mode_agreement).all()
    bare = run(GRID, lambda t: (t,), layout=contact_layout())
    assert compare(known, bare).first_mode_divergence is None


def test_a_diverged_run_shows_as_not_a_number():
    a = run(GRID, lambda t: (t, t))
    b = run(GRID, lambda t: (t if t < 1 else np.nan, np.inf))
    result = compare(a, b)
    assert np.isnan(row(result, "q x").maximum)
    assert row(result, "q a").maximum == np.inf


def test_what_cannot_be_compared_is_answered_in_one_line():
    a = run(GRID, lambda t: (t, t))
    other = Layout(("x", "knee"), ("vx", "va"), ("m", "rad"), ("m/s", "rad/s"))
    degrees = Layout(("x", "a"), ("vx", "va"), ("m", "deg"), ("m/s", "rad/s"))
    cases = {
        "not both have position a, knee": run(GRID, lambda t: (t, t), layout=other),
        "units differ for a": run(GRID, lambda t: (t, t), layout=degrees),
        "no time in common": run(GRID + 10, lambda t: (t, t)),
        "one of them has no rows": run([], lambda t: (t, t)),
    }
    for answer, b in cases.items():
        with pytest.raises(RunError, match=answer) as caught:
            compare(a, b, ("moreau", "drake"))
        assert str(caught.value).startswith("cannot compare moreau with drake: ")
        assert "\n" not in str(caught.value)


def test_several_are_compared_with_one():
    runs = {name: run(GRID, lambda t, k=k: (k * t, t)) for k, name in enumerate("abc")}
    assert [(c.reference, c.other) for c in compare_all(runs)] == [("a", "b"), ("a", "c")]
    of_c = compare_all({name: runs[name] for name in "cab"})
    assert [(c.reference, c.other) for c in of_c] == [("c", "a"), ("c", "b")]
    assert row(of_c[0], "q x").final == -4.0
    with pytest.raises(RunError, match="no trajectory to compare"):
        compare_all({})
