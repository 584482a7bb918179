"""Colours, dashes and markers of matplotlib's artists, as ``charts.js`` reads them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.colors import to_hex, to_rgba
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

MARKERS = (".", "o", "x", "+", "s", "D", "d", "^", "v", "<", ">", "*", "P", "X", "|", "_")
_NO_MARKER = ("None", "none", "", " ")
_INVISIBLE = {"None", "none", "", " "}


class NotAChart(Exception):
    """A figure has something that charts have not."""


def colour_of(colour: Any) -> tuple[str, float] | None:  # noqa: ANN401 (as matplotlib has it)
    """Return a colour as #rrggbb with its opacity; None for one that is not seen."""
    if colour is None or (isinstance(colour, str) and colour in _INVISIBLE):
        return None
    rgba = to_rgba(colour)
    return (to_hex(rgba), round(rgba[3], 3)) if rgba[3] > 0.0 else None


def stroke(colour: object, width: float, alpha: float | None = None) -> dict[str, Any]:
    """Return the look of a line or an edge; nothing where it is not seen."""
    found = colour_of(colour)
    if found is None or width <= 0.0:
        return {}
    look: dict[str, Any] = {"stroke": found[0], "width": round(float(width), 2)}
    return look | _opacity(found[1] if alpha is None else alpha)


def fill(colour: object, alpha: float | None = None) -> dict[str, Any]:
    """Return the look of an area; nothing where it is not seen."""
    found = colour_of(colour)
    if found is None:
        return {}
    return {"fill": found[0]} | _opacity(found[1] if alpha is None else alpha)


def _opacity(alpha: float) -> dict[str, Any]:
    return {"alpha": round(float(alpha), 3)} if alpha < 1.0 else {}


def line_look(line: Line2D) -> dict[str, Any]:
    """Return the look of a line with its markers; raises NotAChart for markers of other kinds."""
    own: Any = line
    look: dict[str, Any] = {}
    if own.get_linestyle() not in _INVISIBLE:
        look |= stroke(own.get_color(), own.get_linewidth(), own.get_alpha())
        dashes = own._dash_pattern[1]  # noqa: SLF001 (dashes in points, told nowhere else)
        if look and dashes:
            look["dashes"] = [round(float(dash), 2) for dash in dashes]
    marker = own.get_marker()
    if marker is None or marker in _NO_MARKER:
        return look
    if marker not in MARKERS:
        raise NotAChart(f"marker {marker!r}")
    size = own.get_markersize() * (0.5 if marker == "." else 1.0)
    look |= {"marker": "o" if marker == "." else marker, "size": round(float(size), 2)}
    face, edge = colour_of(own.get_markerfacecolor()), colour_of(own.get_markeredgecolor())
    if face is not None:
        look["face"] = face[0]
    if edge is not None:
        look["edge"] = edge[0]
    opacity = own.get_alpha()
    return look | (_opacity(opacity) if opacity is not None else {})


def legend_look(handle: Any) -> Mapping[str, Any]:  # noqa: ANN401 (artists of a legend)
    """Return the look of a handle of a legend; raises NotAChart for one that is unknown."""
    if isinstance(handle, Line2D):
        return line_look(handle)
    if isinstance(handle, Patch):
        alpha = handle.get_alpha()
        return fill(handle.get_facecolor(), alpha) | stroke(
            handle.get_edgecolor(), float(handle.get_linewidth())
        )
    if hasattr(handle, "get_facecolor") and hasattr(handle, "get_edgecolor"):
        return collection_look(handle, 0)
    raise NotAChart(f"legend of {type(handle).__name__}")


def collection_look(collection: Any, index: int) -> dict[str, Any]:  # noqa: ANN401
    """Return the look of one of the paths of a collection."""
    alpha = collection.get_alpha()
    if alpha is not None and np.ndim(alpha):
        raise NotAChart("opacities of a collection")
    faces, edges = collection.get_facecolor(), collection.get_edgecolor()
    widths = collection.get_linewidth()
    look: dict[str, Any] = {}
    if len(faces):
        look |= fill(faces[index % len(faces)])
    if len(edges) and len(widths):
        look |= stroke(edges[index % len(edges)], float(widths[index % len(widths)]))
    patterns = [pattern for _, pattern in collection.get_linestyle()]
    dashes = patterns[index % len(patterns)] if patterns else None
    if dashes and "stroke" in look:
        look["dashes"] = [round(float(dash), 2) for dash in dashes]
    return look
