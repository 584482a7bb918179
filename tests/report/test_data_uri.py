"""Pictures in few bytes: still whole documents, and the same picture to the eye."""

import base64
import io
import re
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from PIL import Image

from footfall.report.data_uri import png_uri, svg_uri

_NUMBER = re.compile(r"-?\d+\.?\d*")
_GREEN, _PALE = (0, 158, 115), (169, 204, 227)  # of a run, and of its single steps


def _figure() -> Figure:
    figure = Figure(figsize=(6.0, 2.0))
    panel = figure.subplots()
    x = np.linspace(0.0, 5.0, 500)
    panel.plot(x, np.sin(x), color=np.divide(_GREEN, 255.0).tolist(), linewidth=3.0)
    panel.plot(x, np.cos(7.0 * x), color=np.divide(_PALE, 255.0).tolist(), linewidth=3.0)
    panel.set_title("'a' & \"b\" < #1, 100 %")
    panel.set_ylabel("θ")
    return figure


def _paths(drawing: str) -> list[list[float]]:
    """Numbers of all paths in a document, in their order."""
    tree = ET.fromstring(drawing)  # noqa: S314 (our own)
    return [
        [float(number) for number in _NUMBER.findall(element.get("d", ""))]
        for element in tree.iter("{http://www.w3.org/2000/svg}path")
    ]


def test_a_drawing_keeps_its_paths_to_a_hundredth_of_a_point() -> None:
    buffer = io.StringIO()
    FigureCanvasSVG(_figure()).print_svg(buffer)
    head, _, content = svg_uri(buffer.getvalue()).partition(",")
    assert head == "data:image/svg+xml"
    assert not set(content) & set('"<>&#\n')  # it stands in an attribute of HTML
    found = _paths(unquote(content))
    expected = _paths(buffer.getvalue())
    assert [len(path) for path in found] == [len(path) for path in expected]
    for short, long in zip(found, expected, strict=True):
        assert np.abs(np.subtract(short, long)).max(initial=0.0) < 0.01
    assert len(content) < 0.85 * len(buffer.getvalue())


def test_an_image_with_a_palette_keeps_the_colours_of_paper_and_lines() -> None:
    canvas = FigureCanvasAgg(_figure())
    canvas.draw()
    pixels = np.ascontiguousarray(np.asarray(canvas.buffer_rgba())[:, :, :3])
    sizes = {}
    for palette in (False, True):
        _, _, content = png_uri(pixels, palette=palette).partition(",")
        sizes[palette] = len(content)
        found = np.asarray(Image.open(io.BytesIO(base64.b64decode(content))).convert("RGB"))
        off = np.abs(found.astype(int) - pixels)
        # an edge of a line is smoothed in steps of 16 of 256 levels, of which no colour is farther
        assert off.max() <= (16 if palette else 0)
        for colour in ((255, 255, 255), _GREEN, _PALE):
            alike = (pixels == colour).all(axis=2)
            assert alike.sum() > 100
            assert off[alike].max() <= (1 if palette else 0)
    assert sizes[True] < 0.7 * sizes[False]
