"""Animation of runs, as a notebook shows it inline and as a page to keep."""

import io
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from footfall.api.html import Animation, inline_frame
from footfall.errors import RunError
from footfall.plants.loading.load import load_model
from footfall.scenario.assemble import model_spec
from footfall.scenario.cameras import check_camera
from footfall.scenario.schema import Scenario
from footfall.show.replay import recording_html
from footfall.show.view import View, view_of
from footfall.trajectory import Trajectory
from footfall.wording import did_you_mean

VIEWERS = ("page", "meshcat")
_STILL = (640, 400)  # pixels


def animate(
    scenario: Scenario,
    trajectories: Mapping[str, Trajectory],
    camera: str | None = None,
    viewer: str = "page",
) -> Animation:
    """Return the animation of runs of a scenario, the first in the machine's own colours.

    Raises ScenarioError for a camera that there is not, RunError for an unknown viewer or one that
    is not installed.
    """
    if viewer not in VIEWERS:
        raise RunError(f"there is no viewer '{viewer}'; {did_you_mean(viewer, VIEWERS)}")
    view = view_through(scenario, camera)
    page = PageAnimation(scenario, trajectories, view)
    if viewer == "page":
        return page
    from footfall.api.inline_meshcat import MeshcatAnimation

    name, trajectory = next(iter(trajectories.items()))
    return MeshcatAnimation(load_model(model_spec(scenario)), trajectory, f"{scenario.name} {name}")


def view_through(scenario: Scenario, camera: str | None) -> View:
    """Return what a scene shows, through the camera of a name if one is given.

    Raises ScenarioError for a camera that there is not.
    """
    if camera is None:
        return view_of(scenario)
    check_camera(camera, scenario.cameras)
    return replace(view_of(scenario), camera=scenario.cameras[camera])


@dataclass(frozen=True, eq=False, repr=False)
class PageAnimation(Animation):
    """Drake's Meshcat with everything inside one page, made when it is asked for."""

    scenario: Scenario
    trajectories: Mapping[str, Trajectory]
    view: View = field(default_factory=View)

    @cached_property
    def page(self) -> str:
        """Drake's Meshcat with everything inside."""
        return recording_html(self.trajectories, model_spec(self.scenario), view=self.view)

    def still(self, time: float | None = None) -> bytes:
        """Return a picture at a time [s], the end unless given, as PNG; rendered by VTK."""
        from matplotlib.image import imsave

        from footfall.report.rendered import render

        model = load_model(model_spec(self.scenario))
        data = next(iter(self.trajectories.values())).data
        times = data["time"].to_numpy()
        q = data["q"].to_numpy()
        rows = np.flatnonzero(np.isfinite(q).all(axis=1))
        if len(rows) == 0:
            raise RunError("the run has no finite row to show: run the scenario again.")
        wanted = times[rows[-1]] if time is None else time
        row = rows[int(np.abs(times[rows] - wanted).argmin())]
        buffer = io.BytesIO()
        imsave(buffer, render(model, q[row], self.view, _STILL), format="png")
        return buffer.getvalue()

    def __repr__(self) -> str:
        return f"<animation of {self.scenario.name}: {', '.join(self.trajectories)}>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:  # noqa: ANN401 (of IPython)
        """Give a notebook the page, and a still for where no script may run."""
        frame = inline_frame(srcdoc=self.page)
        return {"text/html": frame, "image/png": self.still(), "text/plain": repr(self)}
