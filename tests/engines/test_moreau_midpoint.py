"""The implicit midpoint rule: second order, no trend in energy, loops and contacts that stay."""

import numpy as np
import pytest
from pydrake.multibody.parsing import AddModel, ModelDirective
from scipy.integrate import solve_ivp
from tests.engines.test_moreau_stiff import SPRING
from tests.engines.tiny import BRICK, GRAVITY, STOPPED, columns, simulate, tiny

from footfall.engines import MoreauConfig
from footfall.plants.contacts.material import PairRule
from footfall.reactions import joint_reactions
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario
from footfall.scenario.schema import InitialState, Scenario
from footfall.trajectory import Status

MIDPOINT = MoreauConfig(scheme="implicit-midpoint")

# a brick whose link has its origin off its centre of mass
OFF_CENTRE = BRICK.replace(
    '<mass value="1.2"/>', '<origin xyz="0.1 0.05 -0.03"/><mass value="1.2"/>', 1
)

# two rods, 1 m and 1 kg each with the mass at the end, on a pin
DOUBLE = """<robot name="double"><link name="base"/>{}</robot>""".format(
    "".join(
        f"""<joint name="{joint}" type="continuous"><parent link="{parent}"/><child link="{child}"/>
        <origin xyz="0 0 {place}"/><axis xyz="0 1 0"/></joint>
        <link name="{child}"><inertial><origin xyz="0 0 -1"/><mass value="1"/>
        <inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial></link>"""
        for joint, parent, child, place in (("a", "base", "upper", 0), ("b", "upper", "lower", -1))
    )
)

# four links in space, each on the last one by a hinge across
SNAKE = """<robot name="snake">{}{}</robot>""".format(
    "".join(
        f"""<link name="l{k}"><inertial><origin xyz="0.1 0 0"/><mass value="{1 + 0.3 * k}"/>
        <inertia ixx="0.003" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.012"/></inertial></link>"""
        for k in range(4)
    ),
    "".join(
        f"""<joint name="j{k}" type="continuous"><parent link="l{k - 1}"/><child link="l{k}"/>
        <origin xyz="0.2 0 0"/><axis xyz="{axis}"/></joint>"""
        for k, axis in ((1, "1 0 0"), (2, "0 0 1"), (3, "0.6 0.8 0"))
    ),
)
BENT = {"l0_qw": 1.0, "l0_z": 20.0, "j1": 0.3, "j2": 0.7, "j3": -0.5}
TURNING = {"l0_wx": 3.0, "l0_wy": -4.0, "l0_wz": 2.0, "j1": 3.0, "j2": -5.0, "j3": 4.0}


def energies(run):
    """Energy at every row [J]."""
    data = run.trajectory.data
    return (data["kinetic_energy"] + data["potential_energy"]).to_numpy()


def momenta(scenario, run):
    """Momentum about the centre of mass [N m s] and speed of it [m/s] at every row, (n, 6)."""
    robot = build_robot(scenario)
    plant, context = robot.plant, robot.plant.CreateDefaultContext()
    data = run.trajectory.data
    found = []
    for state in np.hstack((data["q"].to_numpy(), data["v"].to_numpy())):
        plant.SetPositionsAndVelocities(context, state)
        centre = plant.CalcCenterOfMassPositionInWorld(context)
        momentum = plant.CalcSpatialMomentumInWorldAboutPoint(context, centre)
        found.append((*momentum.rotational(), *momentum.translational()))
    return np.array(found)


def rates_of_double(_, state):
    """Rates of the angles from the vertical and of their rates: the textbook's equations."""
    (a, b), rate = state[:2], state[2:]
    mass = np.array([[2.0, np.cos(a - b)], [np.cos(a - b), 1.0]])
    turn = np.sin(a - b)
    pull = -GRAVITY * np.array([2.0 * np.sin(a), np.sin(b)])
    force = pull + turn * np.array([-(rate[1] ** 2), rate[0] ** 2])
    return np.concatenate((rate, np.linalg.solve(mass, force)))


def test_a_double_pendulum_is_followed_to_second_order(tmp_path):
    start = np.array([1.0, 2.0, 0.5, -1.0])  # absolute angles and rates
    exact = solve_ivp(rates_of_double, (0.0, 0.6), start, rtol=1e-12, atol=1e-12, method="DOP853")
    errors = []
    for dt in (4e-3, 2e-3):
        scenario = tiny(
            tmp_path, DOUBLE, welded="base", moreau=MIDPOINT, duration=0.6, time_step=dt,
            positions={"a": 1.0, "b": 1.0}, velocities={"a": 0.5, "b": -1.5},
        )  # fmt: skip
        _, a, b = columns(simulate(scenario), "a", "b")
        errors.append(np.abs([a[-1] - exact.y[0, -1], a[-1] + b[-1] - exact.y[1, -1]]).max())
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.05)
    assert errors[1] < 1e-4


@pytest.mark.parametrize("text", [BRICK, OFF_CENTRE], ids=["centred", "off its centre"])
def test_a_brick_keeps_energy_and_momentum_to_rounding_however_fast_it_tumbles(tmp_path, text):
    """About its middle axis, where the spin turns over; a third of a radian in a step."""
    scenario = tiny(
        tmp_path, text, duration=0.2, moreau=MIDPOINT,
        positions={"brick_qw": 1.0, "brick_z": 9.0},
        velocities={"brick_wy": 300.0, "brick_wx": 3.0, "brick_vx": 2.0},
    )  # fmt: skip
    run = simulate(scenario)
    energy, momentum = energies(run), momenta(scenario, run)
    # 200 steps, each solved to 1e-10 of its velocities or better
    assert np.abs(energy - energy[0]).max() < 1e-8 * energy[0]
    spin = momentum[:, :3]
    assert np.abs(spin - spin[0]).max() < 1e-8 * np.abs(spin[0]).max()
    # and its centre of mass falls as any other
    np.testing.assert_allclose(momentum[-1, 5], momentum[0, 5] - 1.2 * GRAVITY * 0.2, rtol=1e-9)


def test_a_snake_in_free_fall_gains_nothing_and_its_error_falls_as_the_square(tmp_path):
    swings = []
    for dt in (2e-3, 4e-3):
        scenario = tiny(
            tmp_path, SNAKE, positions=BENT, velocities=TURNING,
            duration=0.6, time_step=dt, moreau=MIDPOINT,
        )  # fmt: skip
        run = simulate(scenario)
        energy, kinetic = energies(run), float(run.trajectory.data["kinetic_energy"][0])
        swings.append(np.abs(energy - energy[0]).max() / kinetic)
    # links turn by a hundredth of a radian in a step: its square, and no trend
    assert swings[0] < 1e-4
    assert swings[1] / swings[0] == pytest.approx(4.0, rel=0.01)


def test_a_step_backwards_is_the_step(tmp_path):
    """Symmetry, which keeps energy from drifting: turned round, the machine comes back."""
    forward = tiny(
        tmp_path, SNAKE, positions=BENT, velocities=TURNING, duration=0.1, time_step=2e-3,
        gravity=0.0, moreau=MIDPOINT,
    )  # fmt: skip
    data = simulate(forward).trajectory.data
    names = data["position"].to_numpy().tolist(), data["velocity"].to_numpy().tolist()
    back = tiny(
        tmp_path, SNAKE, duration=0.1, time_step=2e-3, gravity=0.0, moreau=MIDPOINT,
        positions=dict(zip(names[0], data["q"].to_numpy()[-1], strict=True)),
        velocities=dict(zip(names[1], -data["v"].to_numpy()[-1], strict=True)),
    )  # fmt: skip
    returned = simulate(back).trajectory.data
    # what is left of 100 iterations, each solved to 1e-10 of its velocities
    np.testing.assert_allclose(returned["q"][-1], data["q"][0], atol=1e-8)
    np.testing.assert_allclose(returned["v"][-1], -data["v"][0], atol=1e-6)


def test_a_damped_spring_is_followed_to_second_order(tmp_path):
    path = tmp_path / "sprung.sdf"
    path.write_text(SPRING.format(stiffness=400.0, damping=20.0))
    errors = []
    for dt in (2e-3, 1e-3):
        scenario = Scenario(
            directives=[ModelDirective(add_model=AddModel(name="sprung", file=str(path)))],
            initial=InitialState(positions={"slide": 0.1}),
            duration=0.2, time_step=dt, moreau=MIDPOINT,
        )  # fmt: skip
        run = simulate(scenario)
        t, x = columns(run, "slide")
        w = np.sqrt(400.0 - 100.0)
        decayed = 0.1 * np.exp(-10.0 * t) * (np.cos(w * t) + 10.0 / w * np.sin(w * t))
        errors.append(np.abs(x - decayed).max())
        data = run.trajectory.data
        balance = energies(run) - data["damping_work"].to_numpy()
        assert np.abs(balance - balance[0]).max() < 1e-9  # the account has the damper's own work
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.05)


def test_a_stop_between_two_swings_is_left_with_the_speed_of_its_law(tmp_path):
    scenario = tiny(
        tmp_path, STOPPED.format(effort=0, damping=0), welded="base", duration=1.0,
        positions={"swing": 0.3}, velocities={"swing": 2.0}, moreau=MIDPOINT,
        pairs=[PairRule("swing:*", restitution=1.0)],
    )  # fmt: skip
    run = simulate(scenario)
    energy = energies(run)
    (_, swing) = columns(run, "v:swing")
    assert (np.diff(np.sign(swing)) != 0).sum() >= 2  # it has struck both
    # an elastic stop gives back what it takes; what is left is the error of the swings, dt^2
    assert np.abs(energy - energy[0]).max() < 1e-6


def test_what_a_joint_carries_follows_from_the_steps_equations(tmp_path):
    scenario = tiny(
        tmp_path, OFF_CENTRE, duration=0.3, friction=0.6, restitution=0.3, moreau=MIDPOINT,
        positions={"brick_qw": 0.9, "brick_qx": 0.2, "brick_qy": 0.4, "brick_z": 0.4},
        velocities={"brick_vx": 1.0, "brick_wx": 5.0, "brick_wy": -4.0},
    )  # fmt: skip
    run = simulate(scenario)
    pushed = run.trajectory.data["impulse"].any(dim=("contact", "axis")).to_numpy()
    assert pushed.any()
    carried = joint_reactions(run.trajectory, build_robot(scenario)).to_numpy()
    # the free joint carries nothing: rounding of what is left of the iterations, over a step
    assert np.abs(carried[~pushed][1:]).max() < 1e-6


@pytest.mark.slow
def test_a_robot_on_its_feet_stands_still():
    scenario = load_scenario(
        "scenes/quadruped", ["duration=0.1", "moreau.scheme=implicit-midpoint"]
    )
    run = run_scenario(scenario, "quadruped", "moreau")
    reference = run_scenario(load_scenario("scenes/quadruped", ["duration=0.1"]), "q", "moreau")
    assert run.trajectory.status is Status.DONE
    # both stand: the same posture, but for how they settle in a tenth of a second
    np.testing.assert_allclose(
        run.trajectory.data["q"][-1], reference.trajectory.data["q"][-1], atol=1e-4
    )


def test_a_spin_beyond_what_the_iteration_finds_is_told_in_one_line(tmp_path):
    scenario = tiny(
        tmp_path, BRICK, positions={"brick_qw": 1.0, "brick_z": 9.0}, duration=0.1,
        velocities={"brick_wy": 2000.0, "brick_wx": 20.0}, moreau=MIDPOINT,
    )  # fmt: skip
    trajectory = simulate(scenario).trajectory
    assert trajectory.status is Status.FAILED
    assert "finds no end of the step" in trajectory.message
    assert "\n" not in trajectory.message
