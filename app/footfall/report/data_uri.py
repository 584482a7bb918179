"""Pictures as data URIs of few bytes: what matplotlib writes, without what nobody sees."""

import base64
import io
import re

import numpy as np
import numpy.typing as npt
from PIL import Image

_PATH = re.compile(r' d="([^"]*)"')
_FRACTION = re.compile(r"(\.\d\d)\d+")  # of a point, of which a page has 96 a hundred pixels
_BETWEEN = re.compile(r"\s*([MLQCHVZz])\s*")
_PLACE = re.compile(r' ([xy])="(-?\d+\.\d\d)\d+"')
# what comes before the picture, comments, names that nothing refers to, and indentation
_UNSEEN = re.compile(
    r"\A.*?(?=<svg )|<!--.*?-->|<metadata>.*?</metadata>|(?<=<g) id=\"[^\"]*\"|(?<=>)\s+(?=<)",
    re.DOTALL,
)
_QUOTED = str.maketrans({c: f"%{ord(c):02X}" for c in "%#<>&'\n"} | {'"': "'"})

_ROW = 5  # every so many rows of pixels are looked at for what the colours of a palette are


def svg_uri(drawing: str) -> str:
    """Return a drawing of matplotlib, its coordinates to a hundredth of a point, as a data URI.

    It is text, which takes less than base64, and has no double quotes, so that it may stand in an
    attribute of HTML as it is.
    """
    fewer = _PATH.sub(_shortened, _PLACE.sub(r' \1="\2"', drawing))
    return f"data:image/svg+xml,{_UNSEEN.sub('', fewer).strip().translate(_QUOTED)}"


def png_uri(pixels: npt.NDArray[np.uint8], *, palette: bool) -> str:
    """Return pixels (height, width, 3) as a data URI; with a palette of 256 colours, or all."""
    image = Image.fromarray(pixels)
    buffer = io.BytesIO()
    (_with_palette(image, pixels) if palette else image).save(buffer, "png")
    return f"data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode('ascii')}"


def _shortened(path: re.Match[str]) -> str:
    """Return the attribute of a path with shorter numbers and without spaces."""
    short = _BETWEEN.sub(r"\1", _FRACTION.sub(r"\1", path[1]))
    return f' d="{short}"'


def _with_palette(image: Image.Image, pixels: npt.NDArray[np.uint8]) -> Image.Image:
    """Return an image of 256 colours, each the mean of what it stands for.

    So lines and paper keep theirs.
    """
    coarse = image.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    index = np.asarray(coarse)[::_ROW].ravel()
    seen = pixels[::_ROW].reshape(-1, 3)
    count = np.bincount(index, minlength=256)
    colours = np.array((coarse.getpalette() or []) + [0] * 768)[:768].reshape(256, 3)
    for channel in range(3):
        total = np.bincount(index, weights=seen[:, channel], minlength=256)
        mean = np.round(total / np.maximum(count, 1))
        colours[:, channel] = np.where(count > 0, mean, colours[:, channel])
    coarse.putpalette(colours.astype(np.uint8).ravel().tolist())
    return coarse
