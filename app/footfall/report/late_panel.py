"""A panel that is not made yet, and how it comes to be made."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy.typing as npt
from matplotlib.transforms import Bbox

from footfall.report.kept import Axis, Ends, Kept
from footfall.report.late_ends import ends_around
from footfall.report.light_axes import LightAxes


class Maker(Protocol):
    """A figure that makes its panels, all at once, when somebody looks for them."""

    made: bool
    share_x: bool
    panels: npt.NDArray[Any]

    def keep(self, again: Callable[[], object]) -> None:
        """Keep what is to be done when the panels are made."""

    def make(self) -> None:
        """Make the panels."""


class LatePanel(LightAxes):
    """A panel of a `Maker`, made when anything of it is asked for that it does not keep."""

    late_figure: Maker
    kept: Kept

    def __init__(self, figure: Maker) -> None:
        """Put off what matplotlib does here."""
        self.__dict__.update(late_figure=figure, kept=Kept())

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever the name stands for)
        """Make the panels for what matplotlib has not set yet."""
        late: Maker = self.__dict__["late_figure"]
        if late.made or name.startswith("__"):  # numpy asks what it is given for protocols
            message = f"{type(self).__name__!r} object has no attribute {name!r}"
            raise AttributeError(message)
        late.make()
        return getattr(self, name)

    def __setattr__(self, name: str, value: object) -> None:
        """Make the panels before anything of them is set."""
        self.late_figure.make()
        super().__setattr__(name, value)

    def _keeps(self, again: Callable[[], object], *, if_so: bool = True) -> bool:
        """Return whether something can be kept until the panel is made; if not, it is now."""
        late: Maker = self.late_figure
        if not late.made and if_so:
            late.keep(again)
            return True
        late.make()
        return False

    def get_figure(self, root: Any = False) -> Any:  # noqa: ANN401 (matplotlib's)
        """Return the figure, which makes its panels if it is asked for them."""
        return super().get_figure(root) if self.late_figure.made else self.late_figure

    figure = property(get_figure, LightAxes.set_figure)

    def data_in_y(self) -> Ends:
        """Least and largest value of what is plotted."""
        box = self.dataLim if self.late_figure.made else self.kept.box
        low, high = box.intervaly.tolist()
        return low, high

    def kept_in(self, axis: Axis) -> Ends:
        """Least and largest value along an axis of what panels that share it keep."""
        some = self.together_in_x() if axis == "x" else [self]
        found = [getattr(one.kept.box, f"interval{axis}") for one in some]
        return float(min(ends[0] for ends in found)), float(max(ends[1] for ends in found))

    def together_in_x(self) -> list[Any]:
        """Panels that share the axis across."""
        if self.late_figure.made:
            return list(self.get_shared_x_axes().get_siblings(self))
        return list(self.late_figure.panels.ravel()) if self.late_figure.share_x else [self]

    def late_ends(self) -> tuple[Ends, Ends] | None:
        """Ends (x, y) of a panel that is not made; None where nothing in it has ends."""
        x_ends, y_ends = self.kept.x_ends, self.kept.y_ends
        x, y = x_ends or self.kept_in("x"), y_ends or self.kept_in("y")
        found = ends_around(Bbox([[x[0], y[0]], [x[1], y[1]]]))
        return found if found is None else (x_ends or found[0], y_ends or found[1])
