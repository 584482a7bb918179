"""Answers of the plant against closed forms: the biped's matrices, springs, dampers, rolling
balls.
"""

import numpy as np
import pytest
from tests.engines.tiny import BALL, BRICK, GRAVITY, RADIUS, STOPPED, tiny

from footfall.machines.biped.closed_form.model import Biped
from footfall.plants.dynamics import Dynamics
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario

ALL = np.ones(5, dtype=bool)
_BUSHING = """<link name="stand"/><frame name="at" link="stand"/><frame name="of" link="ball"/>
<drake:linear_bushing_rpy><drake:bushing_frameA name="at"/><drake:bushing_frameC name="of"/>
  <drake:bushing_torque_stiffness value="0 0 0"/><drake:bushing_torque_damping value="0 0 0"/>
  <drake:bushing_force_stiffness value="0 0 40"/><drake:bushing_force_damping value="0 0 3"/>
</drake:linear_bushing_rpy>"""


def _dynamics(scenario):
    machine = build_robot(scenario)
    return Dynamics(machine.model, machine.contacts)


@pytest.fixture(scope="module")
def biped():
    return _dynamics(
        load_scenario("biped/climb", ["controller=null", "initial.from_reference=false"])
    )


def _gravity(dynamics):
    return dynamics.plant.CalcGravityGeneralizedForces(dynamics.context)


def _relative(found, expected):
    return np.abs(found - expected).max() / np.abs(expected).max()


def test_biped_is_its_closed_form_at_200_states(biped):
    # both sides are a few tens of roundings of sums of a dozen terms: 1e-12 leaves a factor of 100
    oracle = Biped()
    rng = np.random.default_rng(0)
    for _ in range(200):
        q, v = rng.uniform(-np.pi, np.pi, 6), rng.uniform(-10.0, 10.0, 6)
        biped.set_state(np.concatenate((q, v)))
        assert _relative(biped.mass_matrix(), oracle.mass_matrix(q)) <= 1e-12
        assert _relative(biped.h(), oracle.h(q, v)) <= 1e-12
        assert _relative(_gravity(biped), oracle.h(q, np.zeros(6))) <= 1e-12
        gap, p_WC = biped.gaps()
        assert _relative(gap, oracle.g_n(q)) <= 1e-12
        p_TC = biped.model.spec.terrain.X_WTerrain().inverse().multiply(p_WC.T).T
        assert _relative(p_TC[:, [0, 2]], oracle.points(q)) <= 1e-12
        jacobian = biped.contact_jacobian(ALL)
        assert _relative(jacobian[:, 0], oracle.w_n(q).T) <= 1e-12
        assert _relative(jacobian[:, 1], oracle.w_t(q).T) <= 1e-12
        assert np.abs(jacobian[:, 2]).max() <= 1e-15  # planar: nothing moves sideways
        assert biped.kinetic_energy() == pytest.approx(oracle.kinetic_energy(q, v), rel=1e-12)
        # V is a sum of terms of either sign: relative to m g times a metre
        assert biped.potential_energy() == pytest.approx(oracle.potential_energy(q), abs=1e-11)


def test_jacobian_of_some_contacts_is_part_of_the_whole(biped):
    biped.set_state(np.linspace(-1.0, 1.0, 12))
    biped.gaps()
    some = np.array([False, False, True, True, False])
    assert np.array_equal(biped.contact_jacobian(some), biped.contact_jacobian(ALL)[some])


def test_joint_damping_is_in_h(tmp_path):
    # a pendulum of 1 m and 1 kg at angle a, counter-clockwise: h = -g sin a - d a'
    dynamics = _dynamics(tiny(tmp_path, STOPPED.format(effort=0, damping=0.3), welded="base"))
    dynamics.set_state(np.array([0.4, 2.0]))
    expected = -GRAVITY * np.sin(0.4) - 0.3 * 2.0
    assert dynamics.h()[0] == pytest.approx(expected, rel=1e-14)
    assert _gravity(dynamics)[0] == pytest.approx(-GRAVITY * np.sin(0.4), rel=1e-14)


def test_gravity_that_changes_is_that_of_the_next_step(tmp_path):
    # whoever changes it, and at whatever state the dynamics are
    dynamics = _dynamics(tiny(tmp_path, STOPPED.format(effort=0, damping=0), welded="base"))
    dynamics.set_state(np.array([0.4, 0.0]))
    for gravity in (GRAVITY, 1.62, 0.0):
        dynamics.plant.mutable_gravity_field().set_gravity_vector([0.0, 0.0, -gravity])
        assert dynamics.h()[0] == pytest.approx(-gravity * np.sin(0.4), rel=1e-14)


def test_a_force_that_only_drake_knows_is_in_h(tmp_path):
    # a bushing of 40 N/m and 3 N s/m along z holds a ball of 1.5 kg
    text = BALL.replace("</robot>", _BUSHING + "</robot>")
    dynamics = _dynamics(tiny(tmp_path, text, welded="stand"))
    assert "the forces, which takes longer: the model has a Linear" in dynamics.why_not
    dynamics.set_state(np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.2, *np.zeros(5), 0.7]))
    expected = [0.0] * 5 + [-1.5 * GRAVITY - 40.0 * 0.2 - 3.0 * 0.7]
    assert dynamics.h() == pytest.approx(expected, abs=1e-13)
    assert dynamics.mass_matrix()[5, 5] == pytest.approx(1.5, rel=1e-14)


def test_drake_is_not_told_of_states_that_it_is_not_asked_for(biped):
    at = biped.context.get_continuous_state_vector().CopyToVector()
    for state in np.random.default_rng(1).normal(size=(3, 12)):
        biped.set_state(state)
        biped.gaps(), biped.contact_jacobian(ALL), biped.mass_matrix(), biped.h()
    assert np.array_equal(biped._context.get_continuous_state_vector().CopyToVector(), at)
    assert np.array_equal(biped.context.get_continuous_state_vector().CopyToVector(), state)


def test_a_rolling_ball_stands_still_where_it_touches(tmp_path):
    # v = omega x r on a slope: the contact point, not the centre, has the velocity of the Jacobian
    dynamics = _dynamics(tiny(tmp_path, BALL, slope_deg=-12.0))
    plant = dynamics.plant
    turned = plant.GetFrameByName("terrain").CalcPoseInWorld(dynamics.context).rotation().matrix()
    rng = np.random.default_rng(5)
    for _ in range(5):
        quaternion = rng.standard_normal(4)
        position_T = np.array([0.3, -0.2, RADIUS + 0.05])
        omega_T, velocity_T = rng.standard_normal(3), rng.standard_normal(3)
        state = np.concatenate(
            (
                quaternion / np.linalg.norm(quaternion),
                turned @ position_T,
                turned @ omega_T,
                turned @ velocity_T,
            )
        )
        dynamics.set_state(state)
        at_contact = velocity_T + np.cross(omega_T, [0.0, 0.0, -RADIUS])
        found = dynamics.contact_jacobian(np.array([True]))[0] @ state[7:]
        assert np.allclose(found, at_contact[[2, 0, 1]], atol=1e-14)
        # a rounding of positions of 0.3 m
        assert dynamics.gaps()[0][0] == pytest.approx(0.05, abs=1e-15)


def test_gap_velocity_is_the_derivative_of_the_gap(tmp_path):
    # for a tumbling brick: exact for points, and by finite differences along N(q) v
    dynamics = _dynamics(tiny(tmp_path, BRICK, slope_deg=8.0))
    rng = np.random.default_rng(6)
    q = np.concatenate((rng.standard_normal(4), rng.standard_normal(3)))
    q[:4] /= np.linalg.norm(q[:4])
    v = rng.standard_normal(6)
    dynamics.set_state(np.concatenate((q, v)))
    rate = dynamics.contact_jacobian(np.ones(8, dtype=bool))[:, 0] @ v
    q_dot = dynamics.plant.MapVelocityToQDot(dynamics.context, v)
    eps = 1e-6
    gaps = []
    for sign in (1.0, -1.0):
        dynamics.set_state(np.concatenate((q + sign * eps * q_dot, v)))
        gaps.append(dynamics.gaps()[0])
    # central differences: 1e-12 from curvature, 1e-10 from rounding
    assert np.allclose(rate, (gaps[0] - gaps[1]) / (2.0 * eps), atol=1e-8)


def test_positions_advance_along_the_velocity(tmp_path):
    dynamics = _dynamics(tiny(tmp_path, BALL))
    q = np.array([1.0, 0.0, 0.0, 0.0, 0.1, 0.2, 0.3])
    v = np.array([0.0, 0.0, 2.0, 1.0, -1.0, 0.5])
    dynamics.set_state(np.concatenate((q, v)))
    moved = dynamics.advance_positions(q, v, 0.01)
    assert np.linalg.norm(moved[:4]) == pytest.approx(1.0, abs=1e-15)
    assert np.allclose(moved[4:], q[4:] + 0.01 * v[3:], atol=1e-16)
    # turning by 0.02 rad about z; the step is explicit: an error of (angle / 2)^3 / 3
    assert 2.0 * np.arctan2(moved[3], moved[0]) == pytest.approx(0.02, abs=1e-6)


def test_kinetic_energy_counts_reflected_rotor_inertia(tmp_path):
    text = STOPPED.format(effort=5, damping=0).replace(
        "</robot>",
        "<transmission><type>transmission_interface/SimpleTransmission</type><joint name='swing'/>"
        "<actuator name='motor'><drake:rotor_inertia value='0.002'/>"
        "<drake:gear_ratio value='10'/></actuator>"
        "</transmission></robot>",
    )
    dynamics = _dynamics(tiny(tmp_path, text, welded="base"))
    dynamics.set_state(np.array([0.0, 3.0]))
    # m l^2 + J n^2 = 1 + 0.2
    assert dynamics.kinetic_energy() == pytest.approx(0.5 * 1.2 * 9.0, rel=1e-14)
