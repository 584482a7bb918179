"""Event-driven simulation against motions that are known in closed form."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.hybrid import (
    FALLING,
    RISING,
    Ending,
    Guard,
    HybridMode,
    HybridSystem,
    Options,
    Transition,
    simulate,
)
from footfall.textbook.bouncing_ball import BouncingBall

G = 9.81


def one_mode(derivative, *guards, components=("x", "v")):
    return HybridSystem({"only": HybridMode("only", derivative, guards)}, components)


def falling(_, x):
    return np.array([x[1], -G + 0.0 * x[1]])


def ball(e, *, rests=True):
    def bounce(_, x):
        return Transition("air", np.array([0.0 * x[0], -e * x[1]]))

    def rest(guard, _, x):
        assert guard == "floor"
        return Transition("rest", np.zeros(2), {"lost": x[:1]})

    air = HybridMode("air", falling, (Guard("floor", lambda _, x: x[0], FALLING, bounce),))
    still = HybridMode("rest", lambda _, x: 0.0 * x, ())
    modes = {"air": air, "rest": still}
    return HybridSystem(modes, ("q", "v"), zeno=rest if rests else None)


@pytest.mark.parametrize("e", [0.1, 0.5, 0.7, 0.9])
def test_a_bouncing_ball_comes_to_rest_after_infinitely_many_impacts(e):
    known = BouncingBall(h=0.8, e=e, g=G)
    run = simulate(ball(e), "air", [0.8, 0.0], (0.0, known.end + 1.0))
    bounces = [event for event in run.events if not event.accumulation]
    times = np.array([event.time for event in bounces])
    # a time of order 1 is rounded, and with it the speed of the next flight, 1 / (1 - e) times
    assert times == pytest.approx(known.impact_times(len(times)), abs=1e-11)
    (limit,) = [event for event in run.events if event.accumulation]
    assert limit.time == pytest.approx(known.end, abs=1e-11)
    assert limit.x_before == pytest.approx([0.0, 0.0], abs=1e-12)
    assert (run.ending, run.mode) == (Ending.END_OF_TIME, "rest")
    assert run.state.tolist() == [0.0, 0.0]


def test_the_path_between_the_impacts_is_the_parabola():
    known = BouncingBall(h=0.8, e=0.6, g=G)
    run = simulate(ball(0.6), "air", [0.8, 0.0], (0.0, 3.0))
    times = np.linspace(0.0, 3.0, 1001)
    # DOP853's interpolant holds parabolas exactly; infinitely many flights lower than 1e-11 are
    # replaced by a straight path
    assert run.at(times)[0] == pytest.approx(known.height(times), abs=1e-11)
    assert run.at(1.0).tolist() == run.at([1.0])[:, 0].tolist()
    (first, *_), start = run.events, run.segments[0]
    assert run.at(first.time).tolist() == first.x_after.tolist()
    assert start.path(first.time) == pytest.approx(first.x_before, abs=1e-12)
    assert run.at(3.0).tolist() == [0.0, 0.0]
    with pytest.raises(ValueError, match="goes from"):
        run.at(3.1)


def test_without_a_word_on_what_follows_accumulation_ends_the_motion():
    known = BouncingBall(h=0.8, e=0.6, g=G)
    run = simulate(ball(0.6, rests=False), "air", [0.8, 0.0], (0.0, 9.0))
    assert run.ending is Ending.ZENO
    assert "'floor' accumulate" in run.message
    assert run.time == pytest.approx(known.end, abs=1e-12)
    assert run.at(run.time) == pytest.approx([0.0, 0.0], abs=1e-12)


@pytest.mark.parametrize("e", [1e-4, 0.01, 0.3, 0.8])
def test_accumulation_is_seen_where_heights_are_rounded(e):
    # the floor is at 1000 m, so that flights lower than 1e-13 m are lost
    floor = 1000.0

    def bounce(_, x):
        return Transition("air", np.array([x[0], -e * x[1]]))

    guard = Guard("floor", lambda _, x: x[0] - floor, FALLING, bounce)
    still = HybridMode("rest", lambda _, x: 0.0 * x, ())
    system = HybridSystem(
        {"air": HybridMode("air", falling, (guard,)), "rest": still}, ("q", "v"),
        zeno=lambda _guard, _time, x: Transition("rest", np.array([x[0], 0.0])),
    )  # fmt: skip
    known = BouncingBall(h=0.8, e=e, g=G)
    run = simulate(system, "air", [floor + 0.8, 0.0], (0.0, 10.0))
    assert run.mode == "rest"
    limit = run.events[-1]
    assert limit.accumulation
    # the last flights seen, some 1e-6 s, are blurred by rounding over their speed
    assert limit.time == pytest.approx(known.end, abs=2e-6)
    assert run.state[0] == pytest.approx(floor, abs=1e-11)


def test_a_ball_that_leaves_the_floor_by_less_than_rounding_rests():
    run = simulate(ball(0.5), "air", [0.0, 1e-17], (5.0, 6.0))
    assert (run.mode, run.events[0].accumulation, run.events[0].time) == ("rest", True, 5.0)


def test_a_ball_comes_to_rest_on_a_slowly_shaken_table():
    # below g the table keeps what has come to rest; chattering accumulates as on resting ground
    A, w, e = 0.02, 15.0, 0.6

    def gap(t, x):
        return x[0] - A * np.sin(w * t)

    def bounce(t, x):
        return Transition("air", np.array([x[0], (1.0 + e) * A * w * np.cos(w * t) - e * x[1]]))

    carried = HybridMode("carried", lambda t, x: np.array([x[1], -A * w * w * np.sin(w * t)]), ())
    air = HybridMode("air", falling, (Guard("table", gap, FALLING, bounce),))
    system = HybridSystem({"air": air, "carried": carried}, ("q", "v"),
                          zeno=lambda _guard, _time, x: Transition("carried", x))  # fmt: skip
    run = simulate(system, "air", [0.05, 0.0], (0.0, 3.0))
    (limit,) = [event for event in run.events if event.accumulation]
    # the state is extrapolated too: it moves with the table, but for the square of 1e-6 s
    assert gap(limit.time, limit.x_after) == pytest.approx(0.0, abs=1e-11)
    assert limit.x_after[1] == pytest.approx(A * w * np.cos(w * limit.time), abs=1e-9)
    assert gap(3.0, run.state) == pytest.approx(0.0, abs=1e-8)
    times = np.linspace(0.0, 3.0, 5000)
    assert gap(times, run.at(times)).min() >= -1e-8


K = 12.0
WALL = 0.7


def pendulum(e=0.9):
    def swing(_, x):
        return np.array([x[1], -K * np.sin(x[0])])

    def bounce(_, x):
        return Transition("only", np.array([x[0], -e * x[1]]))

    return one_mode(swing, Guard("wall", lambda _, x: x[0] - WALL, RISING, bounce))


@pytest.mark.parametrize("relative", [1e-12, 1e-6])
@pytest.mark.parametrize("excess", [1e-3, 1e-6, 1e-9])
def test_a_pendulum_that_reaches_a_wall_slowly_hits_it(excess, relative):
    amplitude = WALL + excess
    options = Options(relative=relative, absolute=1e-13)
    run = simulate(pendulum(), "only", [-amplitude, 0.0], (0.0, 1.5), options)
    if relative > 1e-9 and excess < 1e-5:
        return  # the amplitude itself is not kept that well
    speed = math.sqrt(2.0 * K * (math.cos(WALL) - math.cos(amplitude)))
    event = run.events[0]
    # d(speed^2) = 2 K d(cos): the tolerance times the integrator's growth, over the speed
    assert event.x_before[1] == pytest.approx(speed, abs=100.0 * relative / speed)
    assert event.x_before[0] == pytest.approx(WALL, abs=1e-15)
    assert event.x_after[1] == -0.9 * event.x_before[1]


def test_energy_is_kept_in_smooth_phases_and_lost_at_impacts_only():
    run = simulate(pendulum(), "only", [-1.5, 0.0], (0.0, 20.0))
    assert len(run.events) > 10

    def energy(x):
        return 0.5 * x[1] ** 2 - K * np.cos(x[0])

    for segment in run.segments:
        assert energy(segment.x_end) == pytest.approx(energy(segment.x_start), abs=1e-11)
        within = segment.path(np.linspace(segment.start, segment.end, 50))
        # between the steps the interpolant is of one order less
        assert energy(within) == pytest.approx(np.full(50, energy(segment.x_start)), abs=1e-9)
    for event in run.events:
        lost = energy(event.x_before) - energy(event.x_after)
        assert lost == pytest.approx(0.5 * (1.0 - 0.81) * event.x_before[1] ** 2, rel=1e-10)


def test_two_crossings_within_one_step_are_both_seen():
    # without a force a step is as long as the span; the gap of a passing body is a parabola
    def still(_, x):
        return np.array([x[1], 0.0 * x[1]])

    def guard(name, direction):
        return Guard(
            name, lambda _, x: x[0] ** 2 - 1e-6, direction, lambda _, x: Transition("only", x)
        )

    system = one_mode(still, guard("into", FALLING), guard("out of", RISING))
    run = simulate(system, "only", [-1.0, 1.0], (0.0, 100.0))
    assert [event.guard for event in run.events] == ["into", "out of"]
    assert [event.time for event in run.events] == pytest.approx([0.999, 1.001], abs=1e-13)


def test_fast_guards_of_time_are_resolved_within_a_long_step():
    def still(_, x):
        return 0.0 * x

    clock = Guard("clock", lambda t, _: np.sin(40.0 * t), RISING,
                  lambda _, x: Transition("only", x + 1.0))  # fmt: skip
    run = simulate(one_mode(still, clock, components=("count",)), "only", [0.0], (0.1, 10.0))
    expected = np.pi / 20.0 * np.arange(1, 64)
    assert [event.time for event in run.events] == pytest.approx(expected, abs=1e-13)
    assert run.state.tolist() == [63.0]


def test_a_motion_without_length_is_its_start():
    run = simulate(pendulum(), "only", [0.1, 0.2], (1.0, 1.0))
    assert (run.ending, run.time, run.segments) == (Ending.END_OF_TIME, 1.0, ())
    assert run.state.tolist() == [0.1, 0.2]
    with pytest.raises(ValueError, match="no segment"):
        run.at(1.0)


def test_a_guard_that_begins_at_zero_waits_for_its_next_zero():
    # sin falls through zero at pi, 3 pi, ...; the start at zero, falling, is none of them
    def swing(_, x):
        return np.array([x[1], -x[0]])

    def same(_, x):
        return Transition("only", x)

    system = one_mode(swing, Guard("zero", lambda _, x: x[0], FALLING, same))
    run = simulate(system, "only", [0.0, -1.0], (0.0, 20.0))
    times = [event.time for event in run.events]
    assert times == pytest.approx(2.0 * np.pi * np.arange(1, 4), abs=1e-10)


def two_balls(names):
    """Balls of one kind, dropped beside each other; guards in the given order."""

    def fall(_, x):
        return np.array([x[2], x[3], -G + 0.0 * x[2], -G + 0.0 * x[3]])

    def lands(k):
        def bounce(_, x):
            after = np.array(x)
            after[2 + k] = -0.5 * x[2 + k]
            return Transition("only", after)

        return Guard(f"ball {k}", lambda _, x: x[k], FALLING, bounce)

    return one_mode(fall, *(lands(k) for k in names), components=("a", "b", "va", "vb"))


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_guards_that_fire_together_all_fire_in_the_order_of_declaration(order):
    run = simulate(two_balls(order), "only", [0.5, 0.5, 0.0, 0.0], (0.0, 0.5))
    assert [event.guard for event in run.events] == [f"ball {k}" for k in order]
    assert run.events[0].time == run.events[1].time
    assert run.state[0] == pytest.approx(run.state[1], abs=1e-15)
    assert run.state[0] > 0.0
    assert len(run.segments) == 2


def test_guards_that_fire_one_after_another_do_so_however_they_are_declared():
    run = simulate(two_balls((0, 1)), "only", [0.5 + 1e-9, 0.5, 0.0, 0.0], (0.0, 0.5))
    assert [event.guard for event in run.events] == ["ball 1", "ball 0"]
    apart = run.events[1].time - run.events[0].time
    # d t = d h / sqrt(2 g h), known to the rounding of times
    assert apart == pytest.approx(1e-9 / math.sqrt(2.0 * G * 0.5), abs=4e-16)


def test_an_impact_runs_through_a_row_of_touching_balls():
    def roll(_, x):
        return np.concatenate([x[3:], 0.0 * x[3:]])

    def hits(k):
        def exchange(_, x):
            after = np.array(x)
            after[[3 + k, 4 + k]] = x[[4 + k, 3 + k]]
            return Transition("only", after)

        return Guard(f"{k} on {k + 1}", lambda _, x: x[k + 1] - x[k], FALLING, exchange)

    row = one_mode(roll, hits(0), hits(1), components=tuple("abcuvw"))
    run = simulate(row, "only", [-1.0, 0.0, 0.0, 2.0, 0.0, 0.0], (0.0, 1.0))
    assert [event.guard for event in run.events] == ["0 on 1", "1 on 2"]
    assert [event.time for event in run.events] == pytest.approx([0.5, 0.5], abs=1e-15)
    assert run.state == pytest.approx([0.0, 0.0, 1.0, 0.0, 0.0, 2.0], abs=1e-15)


def test_a_motion_can_end_with_a_guard_or_go_up_to_one():
    lands = Guard("lands", lambda _, x: x[0], FALLING)
    run = simulate(one_mode(falling, lands), "only", [1.0, 0.0], (0.0, 5.0))
    assert (run.ending, run.events[0].after) == (Ending.GUARD, None)
    assert run.state[1] == pytest.approx(-math.sqrt(2.0 * G), rel=1e-14)
    up_to = simulate(ball(0.5), "air", [1.0, 0.0], (0.0, 5.0), until="floor")
    assert (up_to.ending, up_to.mode, len(up_to.events)) == (Ending.GUARD, "air", 1)
    assert up_to.state[1] == -0.5 * run.state[1]


def test_what_runs_away_ends_with_what_was_computed():
    burst = one_mode(lambda _, x: x * x, components=("x",))
    run = simulate(burst, "only", [1.0], (0.0, 2.0))
    assert run.ending is Ending.DIVERGED
    assert run.time == pytest.approx(1.0, abs=1e-6)
    # x = 1 / (1 - t), good to the tolerance times its growth, 1 / (1 - t)
    assert run.at(0.5) == pytest.approx([2.0], rel=1e-11)


@pytest.mark.parametrize(
    ("rate", "why"),
    [
        (lambda t: np.sqrt(1.0 - t), ""),
        (lambda t: math.sqrt(1.0 - t), ": "),
        (lambda t: 1.0 if t < 1.0 else math.exp(1e4 * t), ": math range error"),
    ],
    ids=["nan", "domain", "overflow"],
)
def test_a_derivative_that_is_no_number_ends_the_motion(rate, why):
    def derivative(t, _):
        return np.array([rate(t)])

    run = simulate(one_mode(derivative, components=("x",)), "only", [0.0], (0.0, 2.0))
    assert run.ending is Ending.NOT_FINITE
    # up to there it went; a root's slope has no bound, so that steps shrink as they come near
    assert run.time == pytest.approx(1.0, abs=1e-6)
    assert f"derivative of mode 'only' is not finite after t = {run.time:.9g} s{why}" in run.message
    never = one_mode(lambda _, x: x / np.zeros(1), components=("x",))
    at_once = simulate(never, "only", [1.0], (0.0, 2.0))
    assert (at_once.ending, at_once.time, at_once.segments) == (Ending.NOT_FINITE, 0.0, ())


def test_guards_and_resets_that_are_no_number_end_the_motion():
    bad = Guard("bad", lambda _, x: x[0] * np.nan, FALLING)
    run = simulate(one_mode(falling, bad), "only", [1.0, 0.0], (0.0, 1.0))
    assert (run.ending, "guard 'bad'" in run.message) == (Ending.NOT_FINITE, True)
    lands = Guard("lands", lambda _, x: x[0], FALLING, lambda _, x: Transition("only", x * np.inf))
    run = simulate(one_mode(falling, lands), "only", [1.0, 0.0], (0.0, 1.0))
    assert (run.ending, "reset of guard 'lands'" in run.message) == (Ending.NOT_FINITE, True)
    assert len(run.segments) == len(run.events) == 1
    # a reset to where the derivative fails
    lands = Guard("lands", lambda _, x: x[0], FALLING, lambda _, x: Transition("root", x - 1.0))
    modes = {
        "air": HybridMode("air", falling, (lands,)),
        "root": HybridMode("root", lambda _, x: np.array([math.sqrt(x[0]), 0.0]), ()),
    }
    run = simulate(HybridSystem(modes, ("x", "v")), "air", [1.0, 0.0], (0.0, 1.0))
    assert (run.ending, "mode 'root'" in run.message) == (Ending.NOT_FINITE, True)
    assert run.mode == "root"


def test_endless_events_are_given_up():
    hand_over = Guard(
        "lands", lambda _, x: x[0], FALLING, lambda _, x: Transition("only", x * [0.0, -1])
    )
    run = simulate(
        one_mode(falling, hand_over), "only", [1.0, 0.0], (0.0, 1e3), Options(most_events=20)
    )
    assert (run.ending, len(run.events)) == (Ending.TOO_MANY_EVENTS, 20)


def test_the_caller_can_stop_after_a_step():
    steps = itertools.count()
    run = simulate(pendulum(), "only", [-1.5, 0.0], (0.0, 50.0), stopped=lambda: next(steps) > 20)
    assert run.ending is Ending.STOPPED
    assert 0.0 < run.time < 50.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"mode": "sky"}, "no mode 'sky'"),
        ({"x0": [1.0]}, "2 finite numbers"),
        ({"x0": [1.0, np.nan]}, "2 finite numbers"),
        ({"span": (1.0, 0.0)}, "forwards"),
        ({"until": "flor"}, "no guard 'flor', only floor"),
    ],
)
def test_wrong_requests_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        simulate(ball(0.5), **({"mode": "air", "x0": [1.0, 0.0], "span": (0.0, 1.0)} | change))


def test_a_reset_to_nowhere_is_refused():
    lands = Guard("lands", lambda _, x: x[0], FALLING, lambda _, x: Transition("sea", x))
    with pytest.raises(ValueError, match="'lands' leads to 'sea', which is no mode"):
        simulate(one_mode(falling, lands), "only", [1.0, 0.0], (0.0, 1.0))


@pytest.mark.parametrize("wrong", [{"relative": 1e-15}, {"absolute": 0.0}, {"zeno": -1.0}])
def test_options_that_make_no_sense_are_refused(wrong):
    (name,) = wrong
    with pytest.raises(ValueError, match=f"{name} is .*: give"):
        Options(**wrong)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(
    st.floats(0.3, 5.0), st.floats(0.3, 5.0), st.floats(-0.5, 0.5), st.floats(-0.5, 0.5),
    st.floats(0.5, 3.0),
)  # fmt: skip
def test_a_piecewise_linear_oscillator_switches_at_its_known_times(w1, w2, c1, c2, speed):
    # x'' = -w^2 (x - c) on either side of x = 0, each with a spring of its own. From x = 0 with v
    # x - c = R cos(w t - phase), tan(phase) = v / (-c w): back at 0 after 2 phase / w, with -v
    def side(w, c):
        return lambda _, x: np.array([x[1], -(w**2) * (x[0] - c)])

    def to(mode):
        return lambda _, x: Transition(mode, x)

    right = HybridMode(
        "right", side(w1, c1), (Guard("out", lambda _, x: x[0], FALLING, to("left")),)
    )
    left = HybridMode("left", side(w2, -c2), (Guard("in", lambda _, x: x[0], RISING, to("right")),))
    system = HybridSystem({"right": right, "left": left}, ("x", "v"))
    stays = [2.0 / w * math.atan2(speed / w, -c) for w, c in ((w1, c1), (w2, c2))]
    run = simulate(system, "right", [0.0, speed], (0.0, 3.0 * stays[0] + 2.5 * stays[1]))
    times = [event.time for event in run.events]
    assert len(times) == 5
    # some hundred steps, each with an error of 1e-12 of the amplitude (up to 10), over the speed
    assert np.diff([0.0, *times]) == pytest.approx([*stays, *stays, stays[0]], abs=1e-9)
    speeds = [abs(event.x_before[1]) for event in run.events]
    assert speeds == pytest.approx([speed] * 5, abs=1e-9)


def between_walls(rng):
    """Two coupled pendulums that hit walls and each other, shaken; gaps, and a start without."""
    k, e, w = rng.uniform(0.5, 3.0, 3), rng.uniform(0.2, 1.0, 4), rng.uniform(0.1, 1.2, 4)
    force, rhythm = rng.uniform(0.0, 0.3), rng.uniform(1.0, 30.0)

    def swing(t, x):
        a, b, u, v = x
        push = force * np.cos(rhythm * t)
        rate = -k[0] * np.sin(a) - k[2] * (a - b) + push
        return np.array([u, v, rate, -k[1] * b - k[2] * (b - a)])

    def wall(j, side, i):
        def bounce(_, x):
            after = np.array(x)
            after[2 + i] = -e[j] * x[2 + i]
            return Transition("only", after)

        return Guard(f"wall {j}", lambda _, x: w[j] - side * x[i], FALLING, bounce)

    def collide(_, x):
        change = 0.5 * (1.0 + e[3]) * (x[3] - x[2])
        return Transition("only", np.array([x[0], x[1], x[2] + change, x[3] - change]))

    both = Guard("both", lambda _, x: x[1] - x[0] + w[3], FALLING, collide)
    guards = (wall(0, 1, 0), wall(1, -1, 0), wall(2, 1, 1), both)
    angle = min(w[0], w[2]) * rng.uniform(-0.1, 0.9)
    system = one_mode(swing, *guards, components=("a", "b", "u", "v"))
    return guards, system, [angle, angle, *rng.normal(size=2)]


@pytest.mark.parametrize("seed", range(12))
def test_nothing_gets_behind_a_wall(seed):
    rng = np.random.default_rng(seed)
    guards, system, start = between_walls(rng)
    options = Options(relative=10.0 ** rng.uniform(-13.0, -5.0))
    run = simulate(system, "only", start, (0.0, 8.0), options)
    # what is pressed against a wall bounces less and less
    assert run.ending in {Ending.END_OF_TIME, Ending.ZENO}
    times = np.linspace(0.0, run.time, 4000)
    for guard in guards:
        if guard.value(0.0, start) >= 0.0:
            # the interpolant of steps of the coarsest tolerance
            assert guard.value(times, run.at(times)).min() >= -1e-5
    for event in run.events:
        (value,) = [guard.value for guard in guards if guard.name == event.guard]
        # at an impact zero to the rounding of angles near 1
        allowed = 1e-10 if event.accumulation else 4e-15
        assert abs(value(event.time, event.x_before)) <= allowed
