"""Laws of impact and friction on bodies whose answer is known in one line."""

import numpy as np
import pytest
from tests.engines.tiny import BALL, BRICK, GRAVITY, POINT, RADIUS, columns, simulate, tiny

from footfall.contact.coefficients import COLUMNS, E_N
from footfall.engines import MoreauConfig
from footfall.engines.impacts import SolverOptions, poisson, solved
from footfall.errors import ScenarioError
from footfall.plants.contacts import PairRule
from footfall.scenario.schema import Scenario
from footfall.solvers import METHODS, solve_kernel

DT = 1e-3
TOUCH = -1e-12  # in contact from the first step on, whatever the rounding
LAWS = ("newton", "poisson", "chatterjee-ruina")


@pytest.mark.slow
def test_an_impact_of_two_problems_has_the_work_and_the_residual_of_both():
    """Poisson's compression is solved before its expansion, and neither is lost."""
    W, gamma = np.kron([[1.0, 0.3], [0.3, 1.0]], np.eye(2)), np.array([-1.0, 0.4, -0.7, 0.2])
    mu, laws = np.full(2, 0.4), np.zeros((2, COLUMNS))
    laws[:, E_N] = 0.5
    options = SolverOptions(METHODS["gauss-seidel"], 1e-6, 0.5, 0)

    def solve(W, q, mu, guess):
        return solve_kernel(W, q, mu, 2, guess, *options)[:5]

    compression = solved(W, gamma, mu, np.zeros(4), solve, 1e-6)
    both = poisson(W, gamma, mu, laws, 2, solve, 1e-6)[1]
    assert both.residual >= compression.residual > 0.0
    assert both.iterations > compression.iterations > 0


def law(name):
    return MoreauConfig(impact_law=name)


@pytest.mark.parametrize("name", LAWS)
def test_a_ball_without_spin_bounces_alike_under_every_law(tmp_path, name):
    scenario = tiny(
        tmp_path, BALL, restitution=0.6, moreau=law(name), duration=DT, time_step=DT,
        positions={"ball_z": RADIUS + TOUCH}, velocities={"ball_vz": -2.0},
    )  # fmt: skip
    _, speed = columns(simulate(scenario), "v:ball_vz")
    # poisson and chatterjee-ruina let gravity act after the impact, newton's step before
    weight = 0.0 if name == "newton" else GRAVITY * DT
    assert speed[-1] == pytest.approx(1.2 - weight, abs=1e-12)


@pytest.mark.parametrize("name", LAWS)
def test_a_resting_ball_does_not_bounce_from_its_weight(tmp_path, name):
    scenario = tiny(
        tmp_path, BALL, restitution=1.0, moreau=law(name), duration=0.2, time_step=DT,
        positions={"ball_z": RADIUS + TOUCH},
    )  # fmt: skip
    run = simulate(scenario)
    assert np.abs(run.trajectory.data["v"]).max() < 1e-14
    assert (run.trajectory.data["mode"].to_numpy()[1:] == 1).all()


@pytest.mark.parametrize("name", ["newton", "chatterjee-ruina"])
@pytest.mark.parametrize("e_t", [0.0, 0.5, 1.0])
def test_a_rough_ball_turns_its_contact_velocity_round(tmp_path, name, e_t):
    scenario = tiny(
        tmp_path, BALL, restitution=1.0, tangential_restitution=e_t, friction=5.0, moreau=law(name),
        duration=DT, time_step=DT, positions={"ball_z": RADIUS + TOUCH},
        velocities={"ball_vz": -2.0, "ball_vx": 1.0},
    )  # fmt: skip
    run = simulate(scenario)
    _, vx, spin = columns(run, "v:ball_vx", "v:ball_wy")
    if e_t == 1.0 and name == "chatterjee-ruina":  # whose impact has no part of the weight's
        assert abs(float(run.trajectory.data["contact_work"][-1])) < 1e-12
    assert vx[-1] - RADIUS * spin[-1] == pytest.approx(-e_t, abs=1e-9)
    # angular momentum about the contact point, m v_x r + I w_y, has no part in the impact
    assert 1.5 * vx[-1] * RADIUS + 0.006 * spin[-1] == pytest.approx(1.5 * RADIUS, abs=1e-12)


def on_slope(folder, slope_deg, mu, mu_static, speed=0.0, **fields):
    return tiny(
        folder, POINT, welded="slope", slope_deg=-slope_deg, friction=mu, static_friction=mu_static,
        positions={"z": TOUCH}, velocities={"x": speed}, time_step=DT, **fields,
    )  # fmt: skip


@pytest.mark.parametrize(("ratio", "slides"), [(0.999, True), (1.001, False)])
def test_a_resting_mass_breaks_away_at_its_static_coefficient(tmp_path, ratio, slides):
    slope = np.deg2rad(20.0)
    scenario = on_slope(tmp_path, 20.0, 0.2, ratio * np.tan(slope), duration=0.5)
    time, v = columns(simulate(scenario), "v:x")
    pull = GRAVITY * (np.sin(slope) - 0.2 * np.cos(slope))
    # once it slides, it does so with mu_k from the first step on: constant acceleration, exactly
    assert v == pytest.approx(pull * time if slides else 0.0 * time, abs=1e-11)


def test_a_pushed_mass_slides_on_where_a_resting_one_stays(tmp_path):
    slope = np.deg2rad(20.0)
    time, v = columns(simulate(on_slope(tmp_path, 20.0, 0.2, 0.5, 0.1, duration=0.5)), "v:x")
    pull = GRAVITY * (np.sin(slope) - 0.2 * np.cos(slope))
    assert v == pytest.approx(0.1 + pull * time, abs=1e-11)


@pytest.mark.parametrize("share", np.linspace(0.0, 0.9, 10))
def test_a_mass_that_stops_is_held_wherever_in_a_step_it_stops(tmp_path, share):
    slope = np.deg2rad(20.0)
    # uphill at first; mu_k alone would let it slide down again
    brake = GRAVITY * (np.sin(slope) + 0.2 * np.cos(slope))
    speed = brake * (100.0 + share) * DT
    time, v = columns(simulate(on_slope(tmp_path, 20.0, 0.2, 0.5, -speed, duration=0.15)), "v:x")
    stops = speed / brake
    assert np.abs(v[time > stops + DT]).max() < 1e-12
    assert v[time < stops - DT].max() < 0.0


def test_files_say_what_static_friction_is(tmp_path):
    text = POINT.replace(
        "<drake:mu_dynamic value='1'/>",
        "<drake:mu_dynamic value='0.2'/><drake:mu_static value='0.6'/>",
    )
    fields = {"welded": "slope", "time_step": DT, "duration": 0.2, "positions": {"z": TOUCH}}
    # with the ground's 1: mu = 2 * 0.2 / 1.2 = 1/3, mu_s = 2 * 0.6 / 1.6 = 3/4
    for degrees, rests in ((15.0, True), (36.0, True), (38.0, False)):  # 36.87 degrees
        _, v = columns(simulate(tiny(tmp_path, text, slope_deg=-degrees, **fields)), "v:x")
        assert (np.abs(v).max() < 1e-12) == rests


@pytest.mark.parametrize("angle", [0.0, 0.4, 1.0, np.pi / 2])
def test_friction_that_differs_sideways_pulls_along_its_ellipse(tmp_path, angle):
    mu_t, mu_s = 0.4, 0.1
    direction = np.array([np.cos(angle), np.sin(angle)])
    vx, vy = 3.0 * direction
    scenario = tiny(
        tmp_path, BRICK, friction=mu_t, pairs=[PairRule("brick::*", side_friction=mu_s)],
        time_step=1e-4, duration=1e-3, positions={"brick_z": 0.02 + TOUCH},
        velocities={"brick_vx": vx, "brick_vy": vy},
    )  # fmt: skip
    time, v_x, v_y = columns(simulate(scenario), "v:brick_vx", "v:brick_vy")
    # greatest dissipation over the ellipse: -N (mu_t^2 u_t, mu_s^2 u_s) / |(mu_t u_t, mu_s u_s)|
    weights = np.array([mu_t, mu_s])
    force = -GRAVITY * weights**2 * direction / np.linalg.norm(weights * direction)
    found = np.array([v_x[-1] - vx, v_y[-1] - vy]) / time[-1]
    # the direction turns by a g t / v = 1e-3 in that time, and the load moves to the front
    assert found == pytest.approx(force, abs=5e-3 * GRAVITY)


def _side_without_friction(folder):
    rule = PairRule("brick::*", friction=0.0, side_friction=0.1)
    simulate(tiny(folder, BRICK, pairs=[rule]))


REFUSED = {
    "tangential_restitution is for the impact laws": lambda _: Scenario(
        tangential_restitution=0.5, moreau=law("poisson")
    ),
    r"static_friction of 'point::tip' is 0.1, below": lambda folder: simulate(
        on_slope(folder, 10.0, 0.5, 0.1)
    ),
    "has side_friction, but no friction": _side_without_friction,
    "choose one of newton, poisson, chatterjee-ruina": lambda _: law("hertz"),
    "choose one of moreau, implicit-midpoint": lambda _: MoreauConfig(scheme="euler"),
    r"moreau\.solver is 'magic'": lambda _: MoreauConfig(solver="magic"),
    r"moreau\.tolerance is 0": lambda _: MoreauConfig(tolerance=0.0),
    r"moreau\.tolerance is nan": lambda _: MoreauConfig(tolerance=np.nan),
    r"moreau\.prox_parameter is -1": lambda _: MoreauConfig(prox_parameter=-1.0),
    r"moreau\.max_iterations is -1": lambda _: MoreauConfig(max_iterations=-1),
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_no_law_or_scheme_takes_is_refused_in_one_line(tmp_path, message):
    with pytest.raises(ScenarioError, match=message) as refused:
        REFUSED[message](tmp_path)
    assert "\n" not in str(refused.value)
