"""Marks of a chart: lines, areas and points that matplotlib has drawn in a panel."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.lines import Line2D
from matplotlib.path import Path
from matplotlib.text import Annotation, Text
from matplotlib.transforms import Transform

from footfall.arrays import Array
from footfall.report.charts.looks import NotAChart, collection_look, fill, line_look, stroke
from footfall.report.charts.model import Mark
from footfall.report.charts.thinning import HEIGHT, WIDTH, fewer_dots, thinned
from footfall.report.kept import Shares

_BETWEEN = np.array([[np.nan, np.nan]])
_ALIGNED = {"left": "start", "center": "middle", "right": "end"}
_RAISED = {
    "top": "hanging",
    "center": "central",
    "center_baseline": "central",
    "bottom": "auto",
    "baseline": "auto",
}


@dataclass(frozen=True, eq=False)
class Sight:
    """View of a panel: ends of x and y (2, 2), the lower ones first, and which are logarithmic.

    width: share of the width of its figure that its cells take.
    """

    ends: Array
    logs: tuple[bool, bool]
    width: float

    def scaled(self, x: Array, y: Array) -> tuple[Array, Array, Array, Array]:
        """Return x, y, lower and upper ends, with logarithms where axes are logarithmic."""
        ends = self.ends.copy()
        found = [x, y]
        for row, values in enumerate((x, y)):
            if self.logs[row]:
                with np.errstate(divide="ignore", invalid="ignore"):
                    found[row] = np.log10(np.where(values > 0.0, values, np.nan))
                ends[row] = np.log10(ends[row])
        return found[0], found[1], ends[:, 0], ends[:, 1]

    def unscaled(self, x: Array, y: Array) -> tuple[Array, Array]:
        """Return x and y out of such logarithms."""
        return (10.0**x if self.logs[0] else x), (10.0**y if self.logs[1] else y)


def marks_of(panel: Axes) -> list[Mark]:
    """Return what is in a panel, from behind to the front; raises NotAChart for what is unknown."""
    unknown = [*panel.images, *panel.tables, *panel.child_axes, *panel.artists]
    if unknown:
        raise NotAChart(type(unknown[0]).__name__)
    own: list[Any] = [*panel.collections, *panel.patches, *panel.lines, *panel.texts]
    seen = sorted((one for one in own if one.get_visible()), key=lambda one: one.get_zorder())
    return [mark for one in seen for mark in _marks(panel, one)]


def _marks(panel: Axes, artist: Any) -> Iterator[Mark]:  # noqa: ANN401 (artists of all kinds)
    if isinstance(artist, Line2D):
        yield from marks_of_line(artist, _shares(panel, artist.get_transform()), _sight(panel))
    elif isinstance(artist, Text):
        yield from _words(panel, artist)
    elif isinstance(artist, PathCollection):
        yield from _dots(panel, artist)
    elif isinstance(artist, LineCollection | PolyCollection) and artist.get_array() is None:
        yield from marks_of_paths(artist, _shares(panel, artist.get_transform()), _sight(panel))
    elif type(artist).__name__ in {"Rectangle", "Polygon", "PathPatch", "Circle", "Ellipse"}:
        shares = _shares(panel, artist.get_data_transform())
        yield from marks_of_patch(artist, shares, _sight(panel))
    else:
        raise NotAChart(type(artist).__name__)


def _shares(panel: Axes, transform: Any) -> Shares:  # noqa: ANN401 (a transform)
    """Return which coordinates of a transform are shares of the panel."""
    known: tuple[tuple[Any, Shares], ...] = (
        (panel.transData, (False, False)),
        (panel.transAxes, (True, True)),
        (panel.get_xaxis_transform(), (False, True)),
        (panel.get_yaxis_transform(), (True, False)),
        (panel.get_xaxis_transform("grid"), (False, True)),
        (panel.get_yaxis_transform("grid"), (True, False)),
    )
    for one, shares in known:
        if transform is one or transform == one:
            return shares
    raise NotAChart("a transform of its own")


def _label(artist: Any) -> str:  # noqa: ANN401
    label = str(artist.get_label() or "")
    return "" if label.startswith("_") else label


def _sight(panel: Axes) -> Sight:
    spec: Any = panel.get_subplotspec()
    ends = np.array([sorted(panel.get_xlim()), sorted(panel.get_ylim())])
    logs = panel.xaxis.get_scale() == "log", panel.yaxis.get_scale() == "log"
    return Sight(ends, logs, float(len(spec.colspan) / spec.get_gridspec().ncols))


def marks_of_line(line: Line2D, shares: Shares, sight: Sight) -> Iterator[Mark]:
    """Yield a line, and points on it that are marked; shares: of the panel, as marks have them."""
    xy: Any = line.get_xydata()
    x, y = np.asarray(xy, dtype=np.float64).T
    look = line_look(line)
    if not look or len(x) == 0:
        return
    own: Any = line
    x, y = _stepped(x, y, own.get_drawstyle())
    label = _label(line)
    every = own.get_markevery()
    if every is not None and "marker" in look:
        chosen = np.arange(len(x))[
            every if isinstance(every, slice | list) else slice(None, None, every)
        ]
        of_markers = ("marker", "size", "face", "edge")
        markers: dict[str, Any] = {name: look.pop(name) for name in of_markers if name in look}
        yield Mark("line", x[chosen], y[chosen], markers, "", shares)
    if shares == (False, False) and "marker" not in look:
        x, y = sight.unscaled(*thinned(*sight.scaled(x, y), sight.width))
    elif shares == (False, False) and "stroke" not in look and len(x) > 200:
        x, y = sight.unscaled(*fewer_dots(*sight.scaled(x, y)))
    yield Mark("line", x, y, look, label, shares)


def _stepped(x: Array, y: Array, style: str) -> tuple[Array, Array]:
    """Return the corners of a line that goes in steps."""
    if style == "default":
        return x, y
    if style != "steps-post":
        raise NotAChart(style)
    return np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]


def _dots(panel: Axes, dots: PathCollection) -> Iterator[Mark]:
    own: Any = dots
    sizes, faces = own.get_sizes(), own.get_facecolor()
    if own.get_array() is not None or len(sizes) != 1 or len(faces) > 1:
        raise NotAChart("dots of many kinds")
    shares = _shares(panel, own.get_offset_transform())
    x, y = np.asarray(own.get_offsets(), dtype=np.float64).T
    look: dict[str, Any] = {"marker": "o", "size": round(float(np.sqrt(sizes[0])), 2)}
    filled = fill(faces[0]) if len(faces) else {}
    edges = own.get_edgecolor()
    edge = stroke(edges[0], 1.0) if len(edges) else {}
    if filled:
        look |= {"face": filled["fill"]} | {k: v for k, v in filled.items() if k == "alpha"}
    if edge:
        look["edge"] = edge["stroke"]
    yield Mark("line", x, y, look, _label(dots), shares)


def marks_of_paths(collection: Any, shares: Shares, sight: Sight) -> Iterator[Mark]:  # noqa: ANN401
    """Yield the paths of a collection, those of one look together."""
    offsets = np.asarray(collection.get_offsets(), dtype=np.float64)
    if np.ma.filled(offsets, 0.0).any():
        raise NotAChart("a collection with offsets")
    area = isinstance(collection, PolyCollection)
    by_look: dict[str, tuple[dict[str, Any], list[Array]]] = {}
    for index, path in enumerate(collection.get_paths()):
        look = collection_look(collection, index)
        if not area:
            look.pop("fill", None)
        by_look.setdefault(repr(look), (look, []))[1].extend(_pieces(path, shares, sight))
    for look, pieces in by_look.values():
        if look and pieces:
            x, y = _joined(pieces)
            yield Mark("area" if area else "line", x, y, look, _label(collection), shares)


def marks_of_patch(patch: Any, shares: Shares, sight: Sight) -> Iterator[Mark]:  # noqa: ANN401
    """Yield a patch as an area; shares: of the panel, as marks have them."""
    if patch.get_hatch():
        raise NotAChart("hatching")
    path = patch.get_patch_transform().transform_path(patch.get_path())
    alpha = patch.get_alpha()
    look = (fill(patch.get_facecolor(), alpha) if patch.get_fill() else {}) | stroke(
        patch.get_edgecolor(), patch.get_linewidth(), alpha
    )
    pieces = _pieces(path, shares, sight)
    if look and pieces:
        x, y = _joined(pieces)
        yield Mark("area", x, y, look, _label(patch), shares)


def _pieces(path: Path, shares: Shares, sight: Sight) -> list[Array]:
    """Return the pieces (k, 2) of a path, its curves as corners."""
    vertices = np.asarray(path.vertices, dtype=np.float64)
    if len(vertices) == 0:
        return []
    codes = np.full(len(vertices), Path.LINETO) if path.codes is None else np.asarray(path.codes)
    if not np.isin(codes, (Path.CURVE3, Path.CURVE4)).any():
        open_ones = np.where((codes == Path.CLOSEPOLY)[:, None], np.nan, vertices)
        pieces = np.split(open_ones, np.flatnonzero(codes == Path.MOVETO)[1:])
        return [piece[np.isfinite(piece).all(axis=1)] for piece in pieces]
    extent = np.where(shares, 1.0, sight.ends[:, 1] - sight.ends[:, 0])
    size = np.array([WIDTH, HEIGHT]) / extent
    pixels = Path(vertices * size, codes)
    return [np.asarray(piece) / size for piece in pixels.to_polygons(closed_only=False)]


def _joined(pieces: Sequence[Array]) -> tuple[Array, Array]:
    """Return pieces (k, 2) one after the other, parted by NaN."""
    parted = [part for piece in pieces for part in (_BETWEEN, piece)][1:]
    whole = np.vstack(parted)
    return whole[:, 0].copy(), whole[:, 1].copy()


def _shares_of_words(panel: Axes, coordinates: object) -> Shares:
    """Return which coordinates of an annotation are shares of the panel."""
    if isinstance(coordinates, Transform):
        return _shares(panel, coordinates)
    if coordinates != "data":
        raise NotAChart(f"words about {coordinates}")
    return False, False


def _words(panel: Axes, text: Text) -> Iterator[Mark]:
    own: Any = text
    words = own.get_text()
    if isinstance(own, Annotation) and own.arrow_patch is not None:
        raise NotAChart("an arrow")
    if not words:
        return
    if own.get_bbox_patch() is not None or own.get_rotation() % 360.0:
        raise NotAChart("words of a kind of their own")
    offset = (0.0, 0.0)
    if isinstance(own, Annotation):
        place, shares = own.xy, _shares_of_words(panel, own.xycoords)
        if own.anncoords == "offset points":
            offset = own.xyann
        elif own.anncoords != "data":
            raise NotAChart(f"words at {own.anncoords}")
        else:
            place = own.xyann
    else:
        place, shares = own.get_position(), _shares(panel, own.get_transform())
    look = {
        "text": words,
        "fill": fill(own.get_color(), own.get_alpha())["fill"],
        "size": round(float(own.get_fontsize()), 1),
        "bold": own.get_fontweight() in {"bold", 700},
        "align": _ALIGNED[own.get_horizontalalignment()],
        "raise": _RAISED[own.get_verticalalignment()],
        "offset": [float(each) for each in offset],
    }
    across, up = (float(each) for each in place)
    if shares[1] and up >= 1.0:  # above the panel, which a page would cut off: below its upper edge
        up, look["raise"] = 0.985, _RAISED["top"]
    yield Mark("text", np.array([across]), np.array([up]), look, "", shares)
