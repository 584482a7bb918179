"""Axes whose ticks are drawn without an artist each.

Matplotlib makes two texts and three lines of every tick: half of the time that a page takes. Here
the lines of an axis are one path, and its labels go straight to the renderer. What these do not
know (labels on the other side, ticks that somebody has asked for and changed) is drawn as ever.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis, XAxis, YAxis
from matplotlib.backend_bases import RendererBase
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.ticker import LogFormatterSciNotation
from matplotlib.transforms import Bbox, IdentityTransform, Transform

from footfall.arrays import Array

_KINDS = ("major", "minor")
_OTHER_SIDE = ("tick2On", "label2On")
_KNOWN = {"gridOn", "tick1On", "label1On", "labelsize", *_OTHER_SIDE}
_OUTSIDE = 1e-10  # of the view: a tick that is no farther beyond its end is drawn
_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_STRAIGHT = (Path.MOVETO, Path.LINETO)

Texts = Sequence[str]

_METRICS: WeakKeyDictionary[RendererBase, dict[tuple[str, float], tuple[float, ...]]]
_METRICS = WeakKeyDictionary()


@dataclass(frozen=True)
class _Label:
    """Text of a tick, where it starts on its baseline, and its size [pixels]."""

    text: str
    x: float
    y: float
    width: float
    height: float
    descent: float

    @property
    def box(self) -> Bbox:
        low = self.y - self.descent
        return Bbox([[self.x, low], [self.x + self.width, low + self.height]])


class _Nothing:
    """The labels on the other side, which there are not."""

    def get_visible(self) -> bool:
        return False

    get_in_layout = get_visible


class _Ticks:
    """Major or minor ticks of an axis at one moment, as an axis asks its ticks for."""

    label2 = _Nothing()

    def __init__(
        self, axis: "_LightAxis", which: str, style: dict[str, Any], places: Array, texts: Texts
    ) -> None:
        """Take an axis, what its ticks are to be, places in its data, and their labels."""
        self._panel: Any = axis.axes
        self._which, self._style, self._texts = which, style, texts
        self._across = isinstance(axis, XAxis)
        self._name = "xtick" if self._across else "ytick"
        self._pixels = self._panel.figure.dpi / 72.0  # of a point
        ends: list[Array] = []
        for end, spine in enumerate(axis.spines()):
            along = [places, np.full(len(places), float(end))]
            ends.append(spine.transform(np.column_stack(along if self._across else along[::-1])))
        self._near, self._far = ends  # of grid lines [pixels]
        self.label1 = self
        self._known: tuple[RendererBase, list[_Label]] | None = None

    def get_visible(self) -> bool:
        """Return whether there are labels."""
        return bool(self._style["label1On"]) and any(self._texts)

    get_in_layout = get_visible

    def get_window_extent(self, renderer: RendererBase) -> Bbox:
        """Box about all labels [pixels]."""
        box: Bbox = Bbox.union([label.box for label in self._labels(renderer)])
        return box

    def draw(self, renderer: RendererBase) -> None:
        """Draw grid lines, ticks and labels."""
        rc: Any = mpl.rcParams
        if self._style["gridOn"]:
            colour, width = rc["grid.color"], rc["grid.linewidth"]
            self._lines(renderer, self._near, self._far, colour, width, clipped=True)
        if self._style["tick1On"]:
            size = rc[f"{self._name}.{self._which}.size"] * self._pixels
            outside = self._near - (size * np.array([0.0, 1.0] if self._across else [1.0, 0.0]))
            width = rc[f"{self._name}.{self._which}.width"]
            self._lines(renderer, self._near, outside, rc[f"{self._name}.color"], width)
        if self.get_visible():
            gc = renderer.new_gc()
            gc.set_foreground(rc["text.color"])
            for label in self._labels(renderer):
                x, y = label.x, label.y
                if renderer.flipy():
                    y = renderer.get_canvas_width_height()[1] - y
                renderer.draw_text(gc, x, y, label.text, self._font, 0.0)
            gc.restore()

    def _lines(
        self,
        renderer: RendererBase,
        begin: Array,
        end: Array,
        colour: str,
        width: float,
        *,
        clipped: bool = False,
    ) -> None:
        """Draw lines from here to there [pixels], as one path."""
        gc: Any = renderer.new_gc()
        gc.set_foreground(colour)
        gc.set_linewidth(width)
        gc.set_snap(True)
        if clipped:
            gc.set_clip_rectangle(self._panel.bbox)
        corners = np.stack((begin, end), axis=1).reshape(-1, 2)
        path = Path(corners, np.tile(_STRAIGHT, len(begin)))
        renderer.draw_path(gc, path, IdentityTransform())
        gc.restore()

    @cached_property
    def _font(self) -> FontProperties:
        usual: Any = mpl.rcParams
        return FontProperties(size=self._style.get("labelsize", usual[f"{self._name}.labelsize"]))

    def _labels(self, renderer: RendererBase) -> list[_Label]:
        """Labels as a renderer draws them, found once."""
        if self._known is None or self._known[0] is not renderer:
            self._known = renderer, self._placed(renderer)
        return self._known[1]

    def _placed(self, renderer: RendererBase) -> list[_Label]:
        """Labels where a text of matplotlib's would be: centred below, or beside on the left."""
        rc: Any = mpl.rcParams
        size, pad = (rc[f"{self._name}.{self._which}.{what}"] for what in ("size", "pad"))
        away = (pad + size * self._style["tick1On"]) * self._pixels
        _, least, least_descent = _measured(renderer, "lp", self._font)
        found = []
        for text, (x, y) in zip(self._texts, self._near, strict=True):
            if not text:
                continue
            width, height, descent = _measured(renderer, text, self._font)
            # a line is as high as letters with both strokes are, which these may lack
            rises = max(height - descent, least - least_descent)
            descent = max(descent, least_descent)
            if self._across:
                start = x - 0.5 * width, y - away - rises
            else:
                start = x - away - width, y - 0.5 * rises
            found.append(_Label(text, *start, width, rises + descent, descent))
        return found


def _measured(renderer: RendererBase, text: str, font: FontProperties) -> tuple[float, ...]:
    """Width, height and descent of a text [pixels]; most labels of a figure come again."""
    known = _METRICS.setdefault(renderer, {})
    key = (text, font.get_size_in_points())
    if key not in known:
        known[key] = renderer.get_text_width_height_descent(text, font, ismath=False)
    return known[key]


class PlainPowers(LogFormatterSciNotation):
    """Ticks of a logarithmic axis as plain text, 10⁻³, where matplotlib writes a formula."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        """Return the text of a tick."""
        text = super().__call__(x, pos).removeprefix(r"$\mathdefault{").removesuffix("}$")
        text = text.replace(r"\times", "·")
        return re.sub(r"\^\{(.*)\}", lambda found: found[1].translate(_RAISED), text)


class _LightAxis(Axis):
    """Ticks of both axes of a panel, in place of matplotlib's."""

    axes: Any
    _shown: tuple[object, list[_Ticks]] | None = None  # state of the axis, and its ticks then

    def set_major_formatter(self, formatter: Any) -> None:  # noqa: ANN401 (matplotlib's)
        """Take what writes ticks."""
        super().set_major_formatter(_plain(formatter))

    def set_minor_formatter(self, formatter: Any) -> None:  # noqa: ANN401 (matplotlib's)
        """Take what writes smaller ticks."""
        super().set_minor_formatter(_plain(formatter))

    # matplotlib makes a first tick when these are looked at; here they stay empty until its ticks
    # are asked for one by one
    @property
    def majorTicks(self) -> list[Any]:
        made: list[Any] = self.__dict__.setdefault("made_major", [])
        return made

    @majorTicks.deleter
    def majorTicks(self) -> None:
        self.__dict__.pop("made_major", None)

    @property
    def minorTicks(self) -> list[Any]:
        made: list[Any] = self.__dict__.setdefault("made_minor", [])
        return made

    @minorTicks.deleter
    def minorTicks(self) -> None:
        self.__dict__.pop("made_minor", None)

    def spines(self) -> list[Transform]:
        """Coordinates along this axis, and 0 or 1 across, on the spines below and above it.

        Asking places these spines, which matplotlib does when it makes ticks.
        """
        panel, across = self.axes, isinstance(self, XAxis)
        transform = panel.get_xaxis_transform if across else panel.get_yaxis_transform
        return [transform(which) for which in ("tick1", "tick2")]

    def _get_ticks_position(self) -> Any:  # noqa: ANN401 (matplotlib's)
        """Say on which side ticks are: 1 is below or on the left."""
        above: Any = super()
        made = self.majorTicks and self.minorTicks
        return above._get_ticks_position() if made else 1  # noqa: SLF001 (what is overridden)

    def _update_ticks(self) -> list[Any]:
        """Return what draws the ticks in view."""
        above: Any = super()
        self.spines()
        styles = [self.__dict__[f"_{which}_tick_kw"] for which in _KINDS]
        unknown = any(
            set(style) - _KNOWN or any(style.get(side) for side in _OTHER_SIDE) for style in styles
        )
        if unknown or self.majorTicks or self.minorTicks:
            return list(above._update_ticks())  # noqa: SLF001 (what is overridden)
        seen = (*self.get_view_interval(), *self.axes.bbox.extents, self.axes.figure.dpi)
        tickers = [(ticker.locator, ticker.formatter) for ticker in (self.major, self.minor)]
        state = seen, tickers, [dict(style) for style in styles], self.get_transform()
        if self._shown is None or self._shown[0] != state:  # asked for often, changed seldom
            self._shown = state, self._found(styles)
        return self._shown[1]

    def _found(self, styles: Sequence[dict[str, Any]]) -> list[_Ticks]:
        """Find what draws the ticks in view."""
        found = (
            _in_view(self, self.get_majorticklocs(), self.major.formatter),
            _in_view(self, self.get_minorticklocs(), self.minor.formatter),
        )
        return [
            _Ticks(self, which, style, *ticks)
            for which, style, ticks in zip(_KINDS, styles, found, strict=True)
            if len(ticks[0]) > 0
        ]


def _plain(formatter: Any) -> Any:  # noqa: ANN401 (matplotlib takes texts as well)
    if type(formatter) is LogFormatterSciNotation:
        return PlainPowers(labelOnlyBase=formatter.labelOnlyBase)
    return formatter


def _in_view(axis: Axis, places: Array, formatter: Any) -> tuple[Array, Texts]:  # noqa: ANN401
    """Places that an axis shows, and their labels."""
    places = np.asarray(places, dtype=np.float64)
    if len(places) == 0:
        return places, ()
    texts = formatter.format_ticks(places.tolist())
    transform = axis.get_transform()
    low, high = sorted(transform.transform(np.asarray(axis.get_view_interval())))
    reach = _OUTSIDE * (high - low)
    at = transform.transform(places)
    seen = (low - reach <= at) & (at <= high + reach)
    return places[seen], [text for text, shown in zip(texts, seen, strict=True) if shown]


class _LightXAxis(_LightAxis, XAxis):
    """The axis across."""


class _LightYAxis(_LightAxis, YAxis):
    """The axis upwards."""


class LightAxes(Axes):
    """Axes with light ticks, for ``Figure.subplots(subplot_kw={"axes_class": LightAxes})``."""

    def _init_axis(self) -> None:
        """Make both axes, as Axes does."""
        self.xaxis, self.yaxis = _LightXAxis(self, clear=False), _LightYAxis(self, clear=False)
        for side, axis in zip(
            ("bottom", "top", "left", "right"), 2 * (self.xaxis,) + 2 * (self.yaxis,), strict=True
        ):
            self.spines[side].register_axis(axis)
