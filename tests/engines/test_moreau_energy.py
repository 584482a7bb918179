"""Energy over many impacts of the limp robot that falls on its slope."""

import numpy as np
import pytest
from tests.scenario.runs import run

STEPS = (2e-3, 1e-3, 5e-4)


def _energy(e_n, mu, dt):
    data = run(
        "biped/drop", "moreau", f"restitution={e_n}", f"friction={mu}", f"time_step={dt}"
    ).trajectory.data
    return (data["kinetic_energy"] + data["potential_energy"]).to_numpy(), data


@pytest.mark.parametrize("mu", [0.0, 1.0])
def test_plastic_impacts_never_give_energy(mu):
    # 22 J fall; what grows between impacts is the first-order error of the flight of fast, light
    # legs
    growth, work = [], []
    for dt in STEPS:
        energy, data = _energy(0.0, mu, dt)
        growth.append((energy - np.minimum.accumulate(energy)).max())
        work.append(np.diff(data["contact_work"]).max())
        assert energy[0] - energy[-1] > 10.0
    assert growth[0] <= 0.02
    assert growth[-1] <= 0.5 * growth[0]
    # in a single step: second order, of forces of 20 N and accelerations of 1 m/s^2
    assert (np.array(work) <= 20.0 * np.square(STEPS)).all()


def test_elastic_frictionless_impacts_keep_energy_to_first_order():
    drift = []
    for dt in STEPS:
        energy, data = _energy(1.0, 0.0, dt)
        drift.append(np.abs(energy - energy[0]).max())
        impacts = (data["impulse"].sel(axis="n") > 0.0).any("contact").to_numpy()
        assert impacts.sum() >= 5
        # impacts themselves: nothing, to the solver's 1e-10
        assert np.abs(data["contact_work"]).max() <= 1e-8
    ratios = np.array(drift[:-1]) / drift[1:]
    assert drift[1] <= 0.05  # of 40 J
    assert ((ratios > 1.8) & (ratios < 2.3)).all()
