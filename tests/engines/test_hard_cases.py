"""Failures of time steppers: infinitely many impacts, Painleve's paradox, long rest."""

import numpy as np
import pytest
from tests.engines.scenery import (
    MASS,
    RADIUS,
    RESTING,
    at,
    ball,
    box,
    motion,
    play,
    scene,
    scenery,
    sdf_box,
)
from tests.engines.tiny import GRAVITY, simulate, tiny
from tests.slow import some_slow

LAWS = ("newton", "poisson", "chatterjee-ruina")


def _bouncing(folder, body, height, e_n, dt, law="newton", *, reach=RADIUS, past=0.1):
    """Impacts (their times), and the motion, of a body that falls flat and bounces to rest."""
    fall = np.sqrt(2.0 * height / GRAVITY)
    zeno = fall * (1.0 + 2.0 * e_n / (1.0 - e_n))
    scenario = scene(
        folder,
        {"b": body},
        {"b": at((0.0, 0.0, reach + height))},
        restitution=e_n,
        time_step=dt,
        duration=zeno + past,
    )
    scenario.moreau.impact_law = law
    run = play(scenario)
    p, v = motion(run, "b")
    data = run.trajectory.data
    impulse = data["impulse"].sel(axis="n").to_numpy().sum(axis=1)
    # an impact turns the speed round; a step of rest does not
    impacts = np.flatnonzero((impulse > 0.0) & (v[:, 5] > GRAVITY * dt))
    return data["time"].to_numpy(), impacts, p[:, 2], v, zeno


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("dt", [1e-2, 1e-3, 1e-4])
@pytest.mark.parametrize("e_n", [0.5, 0.8])
def test_a_bouncing_ball_rests_after_its_accumulation_point(tmp_path, e_n, dt, law):
    height = 0.2
    time, impacts, z, v, zeno = _bouncing(
        tmp_path, ball(RADIUS, MASS), height, e_n, dt, law, past=0.1 + 220.0 * dt
    )
    # Each of its impacts is found up to a step late, and the flight after it is so much higher or
    # lower: e + e^2 + ... of it are left, for every impact.
    late = 2.5 * dt * len(impacts) / (1.0 - e_n)
    rest = time > zeno + late
    assert rest.sum() > 5
    assert np.abs(v[rest]).max() < 1e-12
    assert np.ptp(z[rest]) < 1e-12
    # it landed once at 2 m/s, and no impact drove it deeper
    assert z.min() > RADIUS - dt * np.sqrt(2.0 * GRAVITY * height)


def test_a_box_that_bounces_on_its_face_rests_as_well(tmp_path):
    body = box((0.2, 0.3, 0.1), MASS)
    time, impacts, z, v, zeno = _bouncing(tmp_path, body, 0.1, 0.5, 1e-3, reach=0.05)
    rest = time > zeno + 0.03
    assert len(impacts) >= 5
    assert np.abs(v[rest]).max() < 1e-12
    assert np.ptp(z[rest]) < 1e-12


# a rod of 1 m and 1 kg, in the plane; theta from the horizontal, its lower end first
ROD = """<robot name="rod" xmlns:drake="http://drake.mit.edu">
  <link name="slope"/><link name="rail"/><link name="slide"/>
  <joint name="x" type="prismatic"><parent link="slope"/><child link="rail"/><axis xyz="1 0 0"/>
    <limit effort="0"/></joint>
  <joint name="z" type="prismatic"><parent link="rail"/><child link="slide"/><axis xyz="0 0 1"/>
    <limit effort="0"/></joint>
  <joint name="theta" type="revolute"><parent link="slide"/><child link="rod"/><axis xyz="0 -1 0"/>
    <limit effort="0"/></joint>
  <link name="rod"><inertial><mass value="1"/>
    <inertia ixx="0" ixy="0" ixz="0" iyy="0.08333333333333333" iyz="0" izz="0.08333333333333333"/>
    </inertial>
    <collision name="low"><origin xyz="-0.5 0 0"/><geometry><sphere radius="0"/></geometry>
    </collision>
    <collision name="high"><origin xyz="0.5 0 0"/><geometry><sphere radius="0"/></geometry>
    </collision></link></robot>"""
HALF, INERTIA = 0.5, 1.0 / 12.0


def _sliding_rod(folder, dt, *, mu, theta, speed=-1.0, omega=0.0, duration=None):
    """A rod whose low end slides on the ground along x at a speed, while it turns."""
    scenario = tiny(
        folder,
        ROD,
        welded="slope",
        friction=mu,
        time_step=dt,
        duration=duration or 3.0 * dt,
        positions={"z": HALF * np.sin(theta) - 1e-12, "theta": theta},
        # the end does not leave the ground: z' = l cos(theta) theta'
        velocities={
            "x": speed - HALF * np.sin(theta) * omega,
            "z": HALF * np.cos(theta) * omega,
            "theta": omega,
        },
    )
    run = simulate(scenario)
    assert run.trajectory.status.value == "done", run.trajectory.message
    return run


@pytest.mark.slow
@pytest.mark.parametrize("dt", some_slow([1e-2, 1e-3, 1e-4, 1e-5, 1e-6], 1e-3, 1e-4, 1e-5))
def test_every_step_of_a_rod_that_slides_has_an_answer(tmp_path, dt):
    # the plane of Genot and Brogliato: the four regions of sliding, lifting, inconsistence and
    # indeterminacy are all among these
    regions = set()
    for theta in np.deg2rad([20.0, 45.0, 63.0, 75.0, 85.0]):
        for mu in (0.5, 1.6, 3.0):
            for omega in (-8.0, 0.0, 8.0):
                factor = 1.0 + 3.0 * np.cos(theta) * (np.cos(theta) - mu * np.sin(theta))
                bias = HALF * np.sin(theta) * omega**2 - GRAVITY
                regions.add((factor > 0.0, bias > 0.0))
                run = _sliding_rod(tmp_path, dt, mu=mu, theta=theta, omega=omega)
                data = run.trajectory.data
                assert np.isfinite(data["v"].to_numpy()).all()
                normal, friction = data["impulse"].to_numpy()[1:, :, :2].reshape(-1, 2).T
                assert (normal >= 0.0).all()
                # accepted at 1e-10 of impulses of 1 N s
                assert (np.abs(friction) <= mu * normal + 1e-9).all()
    assert len(regions) == 4


@pytest.mark.parametrize("mu", some_slow([0.3, 1.6, 3.0], 0.3, 3.0))
def test_a_falling_rod_gains_no_energy(tmp_path, mu):
    growth = []
    for dt in (1e-3, 5e-4):
        run = _sliding_rod(tmp_path, dt, mu=mu, theta=np.arctan(2.0), duration=1.5)
        data = run.trajectory.data
        energy = (data["kinetic_energy"] + data["potential_energy"]).to_numpy()
        growth.append((energy - np.minimum.accumulate(energy)).max())
        assert np.abs(data["v"].to_numpy()[-1]).max() < 1e-9  # it lies on the ground
    # of 5 J, by turning at up to 8 rad/s in first order
    assert growth[0] < 0.05
    assert growth[1] < 0.6 * growth[0] + 1e-9


SETTLED = {
    "flat": (0.0, "box", False),
    "slope": (-15.0, "box", False),
    "fixed slope": (-15.0, "box", True),
    "cylinder on a slope": (-15.0, "standing cylinder", False),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("law", "steps"),
    # the law of impacts acts before the rest, and leaves what is found at its begin
    [(law, 10_000 if law == "newton" else 3_000) for law in LAWS],
)
@pytest.mark.parametrize("name", SETTLED)
def test_a_body_at_rest_keeps_its_modes_for_thousands_of_steps(tmp_path, name, law, steps):
    slope, shape, on_box = SETTLED[name]
    body, _, height = RESTING[shape]
    lift = at((0.0, 0.0, 2.0 * on_box))
    plane = lift @ at(pitch=-slope)
    bodies = {"b": body}
    if on_box:
        bodies["floor"] = scenery(
            "floor", top=(sdf_box((2.0, 1.0, 0.5)), plane @ at((0.0, 0.0, -0.25)))
        )
    scenario = scene(
        tmp_path,
        bodies,
        {"b": plane @ at((0.0, 0.0, height + 1e-3))},
        slope_deg=0.0 if on_box else slope,
        friction=0.5,
        restitution=0.3,
        duration=0.3 + 1e-3 * steps,
    )
    scenario.moreau.impact_law = law
    data = play(scenario).trajectory.data.isel(time=slice(300, None))
    assert data.sizes["time"] > steps
    mode, gap = data["mode"].to_numpy(), data["gap"].to_numpy()
    carrying = mode[0] > 0
    assert carrying.sum() >= (1 if on_box else 3)  # a pair is reported as one contact
    assert (mode == mode[0]).all()  # no step in which a contact opens or slips
    assert (mode[0][carrying] == 1).all()
    assert np.ptp(gap[:, carrying], axis=0).max() < 1e-12
    assert np.abs(data["v"].to_numpy()).max() < 1e-12
