"""Pictures in few bytes: still whole documents, and the same picture to the eye."""

import base64
import io

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from footfall.report.figure import png_uri

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
