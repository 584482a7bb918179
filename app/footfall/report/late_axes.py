"""Axes that are made only when somebody asks for what a chart does not need.

Matplotlib takes two milliseconds to make a panel, which a page has a hundred of, and most are never
drawn by it: the page draws them. Here a panel keeps the lines, areas, bands and words that it is
given. As soon as anything else of it is asked for or set, or its figure is asked for its panels,
all panels of the figure are made and given what they have kept, in the same order.
"""

from collections.abc import Callable, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from footfall.report.kept import are_ends
from footfall.report.late_marks import LateMarks
from footfall.report.light_axes import LightAxes

_SET = {"xlim", "ylim", "xlabel", "ylabel", "title"}  # at once
_OF_TITLES = {"fontsize", "loc"}


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
        if len(args) < 2:
            self.make()
        before, self.made = self.made, True
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


class LateAxes(LateMarks):
    """A panel of a `LateFigure`."""

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

    def set(self, **own: Any) -> Any:  # noqa: ANN401 (matplotlib's)
        """Set several things at once."""
        if self.late_figure.made or not _SET.issuperset(own):
            return super().set(**own)
        return [getattr(self, f"set_{name}")(value) for name, value in own.items()]

    def set_title(self, label: str, *args: Any, **own: Any) -> Any:  # noqa: ANN401
        """Write what is in the panel above it."""
        usual = super().set_title
        plain = not args and _OF_TITLES.issuperset(own)
        if self._keeps(lambda: usual(label, *args, **own), if_so=plain):
            self.kept.title = label
            return None
        return usual(label, *args, **own)

    def set_xlim(self, *args: Any, **own: Any) -> Any:  # noqa: ANN401 (matplotlib's)
        """Set the ends across, of all panels that share them; kept are two numbers, in order."""
        usual, ends = super().set_xlim, _both(args)
        if self._keeps(lambda: usual(*args), if_so=not own and are_ends(ends)):
            for panel in self.together_in_x():
                panel.kept.x_ends = float(ends[0]), float(ends[1])
            return self.kept.x_ends
        return usual(*args, **own)

    def set_ylim(self, *args: Any, **own: Any) -> Any:  # noqa: ANN401 (matplotlib's)
        """Set the ends of the panel, or one of them; kept are two numbers, in order."""
        usual, ends = super().set_ylim, _both(args)
        if not args and {"bottom", "top"}.issuperset(own) and not self.late_figure.made:
            known = self.late_ends()
            bottom, top = known[1] if known is not None else (None, None)
            ends = own.get("bottom", bottom), own.get("top", top)
        plain = are_ends(ends) and not (args and own)
        if self._keeps(lambda: usual(*args, **own), if_so=plain):
            self.kept.y_ends = float(ends[0]), float(ends[1])
            return self.kept.y_ends
        return usual(*args, **own)

    def get_ylim(self) -> Any:  # noqa: ANN401 (matplotlib's)
        """Return the ends of the panel."""
        ends = None if self.late_figure.made else self.late_ends()
        return super().get_ylim() if ends is None else ends[1]

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
        """Return what a legend tells: lines and areas with labels, and these."""
        if self.late_figure.made or legend_handler_map is not None:
            self.late_figure.make()
            return super().get_legend_handles_labels(legend_handler_map)
        named = [(one, str(one.get_label())) for one, _ in self.kept.artists]
        named = [(one, label) for one, label in named if label and not label.startswith("_")]
        return [one for one, _ in named], [label for _, label in named]


def _both(args: Sequence[Any]) -> Sequence[Any]:
    """Return two ends, given as such or as one pair."""
    return args[0] if len(args) == 1 and isinstance(args[0], tuple | list) else args
