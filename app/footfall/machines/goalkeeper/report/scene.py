"""The field in three dimensions: as the report's Figure 1 shows it, and as the ball sees the goal.

Frame: `closed_form.bisector`; z up.
"""

import math
from dataclasses import replace

import numpy as np

from footfall.arrays import Array
from footfall.machines.goalkeeper.report.runs import KeeperRun
from footfall.machines.goalkeeper.report.top import corners, row_of_angles
from footfall.report.figure import Figure
from footfall.report.rendered import SIZE, rendered_figure, renderer_of
from footfall.report.section import Section
from footfall.report.tables import number
from footfall.scenario.cameras import Camera
from footfall.show.view import view_of

_HEIGHT = 0.6  # m: half of the keeper's, of a camera over the ball
_AROUND = math.radians(8.0)  # of what is seen beside the posts
_WIDEST = math.radians(70.0)  # that a picture reaches to either side


def scene_figures(section: Section, run: KeeperRun) -> list[Figure]:
    """The field through the scenario's camera, and the goal from above the ball, at one moment."""
    row = row_of_angles(run)
    q = run.data["q"].to_numpy()[row]
    view = view_of(section.scenario, section.robot.contacts)
    when = f"{run.time[row]:.2f} s"
    model = section.robot.model
    renderer = renderer_of(model, q, view)
    field = rendered_figure(
        f"The field: {run.name}",
        "The field in three dimensions: green grass with its lines, the blue goal with the keeper "
        "before it, the yellow goal, the two poles beside the field, and dashed lines from the "
        f"ball to both posts and to the keeper, in {run.name} at {when}.",
        model,
        q,
        view=view,
        note=f"At {when}. The scene itself, from where Figure 1 of the source is seen.",
        renderer=renderer,
    )
    if not run.sees_goal(row):
        return [field]
    camera, seen = from_ball(run, row), off_middle(run, row)
    stands = "in the middle" if seen < 0.05 else f"{seen:.1f}° aside of the middle"
    goal = rendered_figure(
        f"What the ball sees: {run.name}",
        "The blue goal and the keeper from above the ball, along the bisector: the posts are at "
        f"equal angles to the left and to the right, and the keeper is {stands}.",
        model,
        q,
        view=replace(view, camera=camera),
        note=(
            f"At {when}, from {number(_HEIGHT)} m above the ball along the bisector of the angle "
            f"BAC: the posts stand equally far from the middle of the picture. The keeper is "
            f"{stands}."
        ),
        renderer=renderer,
    )
    return [field, goal]


def from_ball(run: KeeperRun, row: int) -> Camera:
    """A level camera above the ball that looks along the bisector and sees both posts."""
    a, b, _, d = corners(run, row)
    half = min(_angle(b - a, d - a) + _AROUND, _WIDEST)
    upright = 2.0 * math.atan(math.tan(half) * SIZE[1] / SIZE[0])
    return Camera([*a.tolist(), _HEIGHT], [*d.tolist(), _HEIGHT], math.degrees(upright))


def off_middle(run: KeeperRun, row: int) -> float:
    """Angle at the ball between the keeper and the bisector [deg]."""
    a, _, _, d = corners(run, row)
    keeper = np.array([run.observed.keeper[row], 0.0])
    return math.degrees(_angle(keeper - a, d - a))


def _angle(one: Array, other: Array) -> float:
    """Angle between two directions [rad]."""
    cross = one[0] * other[1] - one[1] * other[0]
    return abs(math.atan2(cross, float(one @ other)))
