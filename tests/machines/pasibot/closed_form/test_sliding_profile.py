"""The machine of two degrees of freedom as a Fourier series: exact, and with exact slopes."""

from dataclasses import replace

import numpy as np
import pytest
from tests.machines.pasibot.assemblies import every_loaded_assembly

from footfall.machines.pasibot.closed_form.linkage import TEXT, total_mass
from footfall.machines.pasibot.closed_form.two_freedoms import (
    FUNCTIONS,
    SlidingProfile,
    two_freedoms,
)


@every_loaded_assembly
def test_a_profile_is_the_machine(parameters):
    profile = SlidingProfile(parameters)
    th8 = np.random.default_rng(14).uniform(-10.0, 10.0, 100)
    exact, many = two_freedoms(parameters, th8), profile(th8)
    one_by_one = [profile(float(each)) for each in th8]
    for name in FUNCTIONS:
        row, reach = getattr(exact, name), np.abs(getattr(exact, name)).max()
        single = np.array([getattr(each, name) for each in one_by_one])
        assert np.abs(getattr(many, name) - row).max() < 1e-13 * max(reach, 1.0)
        assert np.abs(single - row).max() < 1e-13 * max(reach, 1.0)
    assert many.mass == total_mass(parameters)
    assert profile(th8.reshape(4, 25)).sway.shape == (4, 25)


def test_a_profile_takes_complex_angles_by_which_slopes_are_found():
    profile = SlidingProfile(TEXT)
    # nodes of the interpolation among them
    th8 = np.append(np.random.default_rng(15).uniform(0.0, 7.0, 20), [0.0, 0.5 * np.pi])
    found = profile(th8 + 1e-30j)
    for name, slope in (("potential", "gravity"), ("gravity", "gravity_slope"),
                        ("inertia", "inertia_slope"), ("sway", "sway_slope")):  # fmt: skip
        derived = np.imag(getattr(found, name)) / 1e-30
        # rounding of coefficients times their order
        assert np.abs(derived - getattr(found, slope).real).max() < 1e-11


def test_a_linkage_near_a_dead_point_takes_more_nodes():
    near = replace(TEXT, l6=5.3)  # C D of 8.246 where CF and l6 reach 8.3
    profile = SlidingProfile(near)
    assert profile.nodes > SlidingProfile(TEXT).nodes
    assert profile(0.1).spin == pytest.approx(float(two_freedoms(near, 0.1).spin), rel=1e-10)
