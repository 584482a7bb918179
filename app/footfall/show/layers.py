"""Layers of a scene: what contacts and pushes do, and paths, live and in recordings."""

from collections.abc import Sequence

import numpy as np
from pydrake.geometry import Meshcat

from footfall.arrays import Array
from footfall.plants.loading.load import Model
from footfall.show.forces import (
    ContactArrows,
    ContactCones,
    Forces,
    FrictionCone,
    PushArrows,
    what_is_pushed,
)
from footfall.show.pressure import PressureCentre, SupportPolygon
from footfall.show.stage import (
    CONTACT_CONES,
    CONTACT_FORCES,
    DASHED,
    PRESSURE,
    PUSHES,
    SUPPORT,
    TRACES,
)
from footfall.show.trace import DashedLines
from footfall.show.view import View
from footfall.trajectory.pushes import LinkPush

TITLES = {
    "arrows": "contact forces",
    "cones": "friction cones",
    "pressure": "centre of pressure",
    "support": "support polygon",
    "pushes": "pushes",
    "traces": "traces",
}
"""Layers in the order of the page, with what they are called there."""
ARROWS, CONES, CENTRE, POLYGON, PUSHED, PATHS = TITLES
_PLACES = {
    ARROWS: CONTACT_FORCES,
    CONES: CONTACT_CONES,
    CENTRE: PRESSURE,
    POLYGON: SUPPORT,
    PUSHED: PUSHES,
}


class Layers:
    """Draws the layers that are shown, of one run."""

    def __init__(
        self, meshcat: Meshcat, model: Model, names: Sequence[str], view: View, path: str
    ) -> None:
        """Take the contacts by name, and the path of the machine, below which traces are.

        Shown at first is what the view has, arrows and pushes.
        """
        self._meshcat, self._model = meshcat, model
        self._names = list(names)
        self._on_ground = np.array(what_is_pushed(names, model), dtype=np.bool_)
        self._places = {**_PLACES, PATHS: f"{path}/{TRACES}"}
        for layer in _PLACES.values():
            meshcat.Delete(layer)
        self._arrows = ContactArrows(meshcat, CONTACT_FORCES, names, model)
        self._cones = ContactCones(meshcat, CONTACT_CONES, names, view.cones, model)
        self._centre: PressureCentre | None = None
        self._polygon = SupportPolygon(meshcat, SUPPORT, model)
        self._dashed = DashedLines(meshcat, model, f"{path}/{DASHED}", view.dashed)
        self._pushes = PushArrows(meshcat, PUSHES, (), model)
        self.shown: dict[str, bool] = dict.fromkeys(TITLES, False)

    def show(self, layer: str, *, shown: bool) -> None:
        """Show a layer or hide it."""
        self.shown[layer] = shown
        self._meshcat.SetProperty(self._places[layer], "visible", shown)

    def put_pushes(self, pushes: Sequence[LinkPush]) -> None:
        """Take other pushes."""
        self._meshcat.Delete(PUSHES)
        self._pushes = PushArrows(self._meshcat, PUSHES, pushes, self._model)
        self.show(PUSHED, shown=self.shown[PUSHED])

    def put_cones(self, cones: Sequence[FrictionCone]) -> None:
        """Take other cones, as of another friction."""
        self._meshcat.Delete(CONTACT_CONES)
        self._cones = ContactCones(self._meshcat, CONTACT_CONES, self._names, cones, self._model)
        self.show(CONES, shown=self.shown[CONES])

    def draw(
        self, q: Array, forces: Forces | None, begin: float, end: float, time: float | None = None
    ) -> None:
        """Draw at positions q, with pushes as they are on the mean from begin to end [s].

        time: of a recording [s], which takes no support polygon; None draws at once.
        """
        if forces is not None:
            self._draw_forces(forces, time)
        self._dashed.draw(q, time)
        if self.shown[PUSHED]:
            self._pushes.draw(q, begin, end, time)

    def _draw_forces(self, forces: Forces, time: float | None) -> None:
        p_WC, axes_W, force = forces.p_WC, forces.axes_W, forces.force
        if self.shown[ARROWS]:
            self._arrows.draw(p_WC, axes_W, force, time)
        if self.shown[CONES]:
            self._cones.draw(p_WC, axes_W, force, time)
        if not (self.shown[CENTRE] or self.shown[POLYGON]):
            return
        standing = self._on_ground & forces.pressing()
        if self.shown[CENTRE]:
            self._centre = self._centre or PressureCentre(self._meshcat, PRESSURE, self._model)
            self._centre.draw(p_WC[standing], forces.force_W[standing], time)
        if self.shown[POLYGON]:
            self._polygon.draw(p_WC[standing], force[standing, 0])


def shown_at_first(view: View) -> dict[str, bool]:
    """Return which layers are shown before anybody chose."""
    return {
        ARROWS: True,
        CONES: bool(view.cones),
        CENTRE: view.pressure,
        POLYGON: False,
        PUSHED: True,
        PATHS: bool(view.traced),
    }
