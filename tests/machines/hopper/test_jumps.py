"""Jumps that count otherwise than the published one: sliding before and after, Q or R, either side.

From random torques. Where points are is written out from the links; the motion is sampled.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from tests.machines.hopper.machine import closed_form, context, polynomials, profile
from tests.machines.hopper.motions import at

from footfall.machines.hopper.closed_form.model import TEXT, Hopper
from footfall.machines.hopper.hybrid_engine import hybrid
from footfall.machines.hopper.motion import motion_from
from footfall.machines.hopper.observables import jump_of

FINE = 4001  # samples of a phase


@dataclass(frozen=True)
class Thrown:
    """Angles at the start [degrees], torques [N m] and their ends [s], and what is special."""

    angles: tuple[float, float]
    ends: tuple[float, float, float]
    torques: tuple[float, float, float, float]
    lands: str
    special: set[str]

    @property
    def segments(self):
        starts = (0.0, *self.ends)
        return tuple(
            (start, end, (torque,))
            for start, end, torque in zip(starts, (*self.ends, 3.0), self.torques, strict=True)
        )


JUMPS = {
    "slides on before, R behind P": Thrown(
        (66.0, 42.0), (0.113, 0.162, 0.388), (-1.6, 3.4, 0.4, -1.1), "R", {"ran up", "behind"}
    ),
    "slides back after, Q ahead": Thrown(
        (88.0, -5.0), (0.035, 0.127, 0.286), (3.0, -3.1, 0.1, -0.4), "Q", {"slid back"}
    ),
    "slides on after, R ahead": Thrown(
        (63.0, -8.0), (0.036, 0.109, 0.246), (-4.0, -1.1, -0.1, 0.2), "R", {"ran up"}
    ),
    "Q behind P": Thrown(
        (117.0, -78.0), (0.063, 0.133, 0.294), (1.4, 0.5, -0.2, 1.1), "Q", {"behind"}
    ),
}


@pytest.fixture(scope="module", params=JUMPS.values(), ids=list(JUMPS))
def thrown(request):
    of = request.param
    return of, motion_from(Hopper(TEXT), polynomials(of.segments), at(*of.angles))


def along(x, point):
    """Place of P, Q or R along the ground, from the links of length 2 l."""
    links = [0.0, np.cos(x[2]), np.cos(x[2]) + np.cos(x[2] + x[3])]
    return x[0] + 2.0 * TEXT.l * links["PQR".index(point)]


def test_the_distance_counts_from_the_farthest_start_to_the_nearest_end(thrown):
    of, found = thrown
    assert not found.jump.why, found.jump.why
    assert found.run.events[-1].guard == f"{of.lands} lands"
    before, after = [], []
    for piece in found.run.segments:
        x = piece.path(np.linspace(piece.start, piece.end, FINE))
        if piece.end <= found.jump.separation:
            before.append(x[0].max())
        if piece.start >= found.jump.impact:
            after.append(x[0].min())
    end = along(found.run.state, of.lands)
    # samples of a slide that turns miss its extremum by 1e2 m/s^2 times (1e-4 s)^2
    near = 1e-6
    assert found.jump.x_start == pytest.approx(max(before), abs=near)
    assert found.jump.x_end == pytest.approx(min(*after, end), abs=near)
    landed = found.run.at(found.jump.impact)[0]
    # each of them matters here
    assert (found.jump.x_start > 1e-3) == ("ran up" in of.special)
    assert (end < min(after) - 1e-3) == ("behind" in of.special)
    assert (min(after) < min(landed, end) - 1e-3) == ("slid back" in of.special)


def test_the_engine_comes_to_the_same_jump(thrown):
    of, found = thrown
    given = context(at(*of.angles), controller=profile(of.segments), duration=1.5)
    read = jump_of(hybrid(given), closed_form(given))
    assert read.lands == of.lands
    # of event times, which rows have
    for name in ("x_start", "x_end", "distance"):
        assert getattr(read, name) == pytest.approx(getattr(found.jump, name), abs=1e-10)
    times = (read.separation, read.impact, read.end)
    told = (found.jump.separation, found.jump.impact, found.jump.end)
    assert times == pytest.approx(told, abs=1e-12)
