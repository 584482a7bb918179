"""Axes that are made only when somebody asks for what a chart does not need.

Matplotlib takes two milliseconds to make a panel, which a page has a hundred of, and most are never
drawn by it: the page draws them. Here a panel keeps the lines, bands and words that it is given. As
soon as anything else of it is asked for or set, or its figure is asked for its panels, all panels
of the figure are made and given what they have kept, in the same order.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cbook import normalize_kwargs
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.transforms import Bbox

from footfall.report.light_axes import LightAxes

_OWN_WAYS = {"transform", "data", "scalex", "scaley"}  # of a line, which axes have to know of
_APART = 1e-9  # of the larger end: matplotlib moves ends that are nearer apart

Ends = tuple[float, float]
Bands = Callable[[Ends], PolyCollection | None]
"""Areas in a panel between its ends across; their heights are shares of the panel's."""


class LateFigure(Figure):
    """A figure of (rows, columns) panels that are made when somebody looks for them."""

    def __init__(
        self,
        shape: tuple[int, int],
        style: Any,  # noqa: ANN401 (a mapping; matplotlib has its keys in the type)
        *,
        heights: Sequence[float],
        share_x: bool,
        **own: Any,  # noqa: ANN401 (matplotlib's)
    ) -> None:
        """Take the style in which panels are made, and heights of the rows, up to a factor."""
        self.made = True  # while matplotlib sets up the figure
        super().__init__(**own)
        self.made, self.share_x = False, share_x
        self._shape, self._style, self.heights = shape, style, heights
        self._given: list[Callable[[], object]] = []  # what panels have been given
        self.panels = np.array([LateAxes(self) for _ in range(shape[0] * shape[1])], dtype=object)
        self.panels = self.panels.reshape(shape)

    def keep(self, again: Callable[[], object]) -> None:
        """Keep what is to be done when the panels are made."""
        self._given.append(again)

    def make(self) -> None:
        """Make the panels."""
        if self.made:
            return
        self.made = True
        late = iter(self.panels.ravel())

        def made(*args: Any, **own: Any) -> LightAxes:  # noqa: ANN401 (matplotlib's)
            panel: LateAxes = next(late)
            LightAxes.__init__(panel, *args, **own)
            return panel

        with mpl.rc_context(self._style):
            self.subplots(
                *self._shape,
                squeeze=False,
                sharex=self.share_x,
                subplot_kw={"axes_class": made},
                height_ratios=self.heights,
            )
            for again in self._given:
                again()

    def legend(self, *args: Any, **own: Any) -> Any:  # noqa: ANN401 (matplotlib's)
        """Add a legend, for which panels are asked only when it is not told of what."""
        before, self.made = self.made, self.made or len(args) > 1
        try:
            return super().legend(*args, **own)
        finally:
            self.made = before

    @property
    def _axstack(self) -> Any:  # noqa: ANN401 (matplotlib's)
        self.make()
        return self.__dict__["_axstack"]

    @_axstack.setter
    def _axstack(self, stack: Any) -> None:  # noqa: ANN401
        self.__dict__["_axstack"] = stack

    @property
    def _localaxes(self) -> Any:  # noqa: ANN401
        self.make()
        return self.__dict__["_localaxes"]

    @_localaxes.setter
    def _localaxes(self, panels: Any) -> None:  # noqa: ANN401
        self.__dict__["_localaxes"] = panels


class Kept:
    """Lines, bands and words that a panel has been given before it is made."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.lines: list[Line2D] = []
        self.bands: list[Bands] = []
        self.box: Bbox = Bbox.null()  # around the data of the lines
        self.labels = {"x": "", "y": ""}
        self.visible = True
        self.y_ends: Ends | None = None

    def add(self, line: Line2D) -> None:
        """Keep a line."""
        self.box.update_from_path(line.get_path(), ignore=not self.lines)
        self.lines.append(line)


class LateAxes(LightAxes):
    """A panel of a `LateFigure`."""

    late_figure: LateFigure
    kept: Kept

    def __init__(self, figure: LateFigure) -> None:
        """Put off what matplotlib does here."""
        self.__dict__.update(late_figure=figure, kept=Kept())

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever the name stands for)
        """Make the panels for what matplotlib has not set yet."""
        late: LateFigure = self.__dict__["late_figure"]
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
        late: LateFigure = self.late_figure
        if not late.made and if_so:
            late.keep(again)
            return True
        late.make()
        return False

    def plot(self, *args: Any, **own: Any) -> list[Line2D]:  # noqa: ANN401 (matplotlib's)
        """Plot lines; kept are those of numbers over numbers, in a colour that is told."""
        style = normalize_kwargs(own, Line2D) if not self.late_figure.made else own
        plain = "color" in style and not _OWN_WAYS & set(style) and _are_numbers(args)
        if self.late_figure.made or not plain:
            self.late_figure.make()
            return super().plot(*args, **own)
        line = Line2D(*args, **style)
        self.late_figure.keep(lambda: self._take(line))
        self.kept.add(line)
        return [line]

    def _take(self, line: Line2D) -> None:
        """Plot a line that was kept."""
        self.add_line(line)
        whole: Any = self
        for axis in "xy":
            whole._request_autoscale_view(axis)  # noqa: SLF001 (as plot does)

    def take_bands(self, bands: Bands) -> None:
        """Add bands, which change no ends."""
        if self._keeps(lambda: draw_bands(self, bands)):
            self.kept.bands.append(bands)
        else:
            draw_bands(self, bands)

    def set_xlabel(self, xlabel: str, *args: Any, **own: Any) -> Any:  # noqa: ANN401
        """Name what is across."""
        return self._named("x", super().set_xlabel, xlabel, *args, **own)

    def set_ylabel(self, ylabel: str, *args: Any, **own: Any) -> Any:  # noqa: ANN401
        """Name what is upwards."""
        return self._named("y", super().set_ylabel, ylabel, *args, **own)

    def _named(
        self,
        axis: str,
        name: Callable[..., Any],
        label: str,
        *args: Any,  # noqa: ANN401 (matplotlib's)
        **own: Any,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401
        plain = isinstance(label, str) and not args and not own
        if self._keeps(lambda: name(label), if_so=plain):
            self.kept.labels[axis] = label
            return None
        return name(label, *args, **own)

    def get_xlabel(self) -> str:
        """Return the name of what is across."""
        return self.kept.labels["x"] if not self.late_figure.made else super().get_xlabel()

    def get_ylabel(self) -> str:
        """Return the name of what is upwards."""
        return self.kept.labels["y"] if not self.late_figure.made else super().get_ylabel()

    def set_ylim(self, *args: Any, **own: Any) -> Any:  # noqa: ANN401 (matplotlib's)
        """Set the ends of the panel; kept are two numbers, the lower one first."""
        usual = super().set_ylim
        if self._keeps(lambda: usual(*args), if_so=not own and _are_ends(args)):
            self.kept.y_ends = float(args[0]), float(args[1])
            return self.kept.y_ends
        return usual(*args, **own)

    def tick_params(self, axis: Any = "both", **own: Any) -> None:  # noqa: ANN401 (matplotlib's)
        """Change ticks; kept is whether there are labels below them, which charts have anyway."""
        usual = super().tick_params
        plain = axis == "both" and set(own) == {"labelbottom"}
        if not self._keeps(lambda: usual(axis, **own), if_so=plain):
            usual(axis, **own)

    def set_visible(self, b: bool) -> None:
        """Show or hide the panel."""
        usual = super().set_visible
        if self._keeps(lambda: usual(b)):
            self.kept.visible = bool(b)
        else:
            usual(b)

    def get_visible(self) -> bool:
        """Return whether the panel is to be seen."""
        return self.kept.visible if not self.late_figure.made else bool(super().get_visible())

    def get_legend_handles_labels(
        self,
        legend_handler_map: Any = None,  # noqa: ANN401 (matplotlib's)
    ) -> Any:  # noqa: ANN401
        """Return what a legend tells: lines with labels, and these."""
        if self.late_figure.made or legend_handler_map is not None:
            self.late_figure.make()
            return super().get_legend_handles_labels(legend_handler_map)
        named = [(line, str(line.get_label())) for line in self.kept.lines]
        named = [(line, label) for line, label in named if label and not label.startswith("_")]
        return [line for line, _ in named], [label for _, label in named]

    def get_figure(self, root: Any = False) -> Any:  # noqa: ANN401 (matplotlib's)
        """Return the figure, which makes its panels if it is asked for them."""
        return super().get_figure(root) if self.late_figure.made else self.late_figure

    figure = property(get_figure, LightAxes.set_figure)

    def data_in_y(self) -> Ends:
        """Least and largest value of what is plotted."""
        box = self.dataLim if self.late_figure.made else self.kept.box
        low, high = box.intervaly.tolist()
        return low, high

    def together_in_x(self) -> list[Any]:
        """Panels that share the axis across."""
        if self.late_figure.made:
            return list(self.get_shared_x_axes().get_siblings(self))
        return list(self.late_figure.panels.ravel()) if self.late_figure.share_x else [self]


def draw_bands(panel: Axes, bands: Bands) -> None:
    """Draw bands in a panel that is made, between the ends that it has now."""
    areas = bands(panel.get_xlim())
    if areas is not None:
        areas.set_transform(panel.get_xaxis_transform())
        panel.add_collection(areas, autolim=False)


def ends_around(box: Bbox) -> tuple[Ends, Ends] | None:
    """Ends of linear axes that matplotlib chooses around data, (x, y); None where there is none."""
    if not np.isfinite(box.get_points()).all():
        return None
    panel = _measuring()
    panel.dataLim.set_points(box.get_points())
    panel.set_autoscale_on(True)
    panel.autoscale_view()
    return panel.get_xlim(), panel.get_ylim()


@cache
def _measuring() -> LightAxes:
    """A panel that no figure shows."""
    panel: Any = Figure().subplots(subplot_kw={"axes_class": LightAxes})
    return panel


def _are_numbers(args: Sequence[Any]) -> bool:
    """Return whether these are two rows of numbers."""
    return (
        len(args) == 2 and all(_is_row(values) for values in args) and len(args[0]) == len(args[1])
    )


def _is_row(values: Any) -> bool:  # noqa: ANN401 (whatever somebody plots)
    if type(values) is list:
        return all(type(value) in {int, float} for value in values)
    return type(values) is np.ndarray and values.ndim == 1 and values.dtype.kind in "fiu"


def _are_ends(args: Sequence[Any]) -> bool:
    """Return whether these are two numbers so far apart that matplotlib leaves them alone."""
    if len(args) != 2 or not all(isinstance(one, int | float) for one in args):
        return False
    low, high = args
    return bool(np.isfinite([low, high]).all() and high - low > _APART * max(abs(low), abs(high)))
