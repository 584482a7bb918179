"""From points to contacts: sums are those of vectors, and what bears most stands for all."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from tests.engines.scenery import MASS, RADIUS, ball, box, scene, tiles

from footfall.engines.ports import ContactReport
from footfall.engines.summary import impulses_of_contacts, summary
from footfall.scenario.assemble import build_robot

PROFILE = np.array([[x, 1.0 + x**2] for x in np.linspace(-0.5, 0.5, 5)])


@pytest.fixture(scope="module")
def contacts(tmp_path_factory):
    """Of two bodies and a surface of four boxes: several points of several pairs in one contact."""
    bodies = {"track": tiles("track", PROFILE), "ball": ball(RADIUS, MASS)}
    bodies["cube"] = box((0.1, 0.1, 0.1), MASS)
    return build_robot(scene(tmp_path_factory.mktemp("bowl"), bodies)).contacts


def _some(contacts, rng):
    """Half of the points, with impulses, gaps and axes at random; a quarter of them is open."""
    which = np.flatnonzero(rng.random(len(contacts)) < 0.5)
    impulse = rng.normal(size=(len(which), 3)) * (rng.random((len(which), 1)) < 0.75)
    axes_W = Rotation.random(len(which), rng=rng).as_matrix()
    return which, impulse, rng.normal(size=len(which)), axes_W


def _report(contacts, impulse, gap):
    numbers = np.arange(len(gap), dtype=np.float64)
    thrice = np.repeat(numbers[:, None], 3, axis=1)
    return ContactReport(
        names=contacts.names, p_WC=thrice, gap=gap, impulse=impulse, velocity=thrice,
        mode=numbers.astype(np.int8), work=numbers,
    )  # fmt: skip


def test_impulses_are_summed_in_the_world(contacts):
    rng = np.random.default_rng(3)
    for _ in range(50):
        which, impulse, gap, axes_W = _some(contacts, rng)
        told = summary(_report(contacts, impulse, gap), axes_W, contacts, which)
        total = impulses_of_contacts(impulse, gap, axes_W, contacts, which)
        assert np.array_equal(told.impulse, total)
        for place in range(len(contacts.names)):
            mine = np.flatnonzero(contacts.reported_as[which] == place)
            if len(mine) == 0:
                assert not total[place].any()
                assert told.work[place] == told.mode[place] == 0.0
                assert np.isnan([told.gap[place], *told.p_WC[place], *told.normal[place]]).all()
                continue
            first = mine[np.lexsort((-gap[mine], impulse[mine, 0]))[-1]]
            pushed_W = sum(axes_W[k] @ impulse[k] for k in mine)
            assert axes_W[first] @ total[place] == pytest.approx(pushed_W, abs=1e-14)  # rounding
            assert np.array_equal(told.normal[place], axes_W[first, :, 0])
            assert told.gap[place] == gap[first]
            assert told.p_WC[place, 0] == told.velocity[place, 0] == told.mode[place] == first
            assert told.work[place] == mine.sum()


def test_an_impulse_in_unknown_axes_is_not_lost(contacts):
    """A body may have touched something so far away, in long rows, that nobody knows its normal."""
    surface = contacts.names.index("ball::skin|track::floor")
    which = np.flatnonzero(contacts.reported_as == surface)[:2]
    impulse, axes_W = np.array([[3.0, 1.0, 0.0], [2.0, -0.5, 0.0]]), np.zeros((2, 3, 3))
    gap = np.full(2, np.inf)
    for known in (None, 0, 1):
        axes_W[:] = 0.0
        if known is not None:
            axes_W[known] = np.eye(3)
        told = impulses_of_contacts(impulse, gap, axes_W, contacts, which)
        assert told[surface].tolist() == [5.0, 0.5, 0.0]
