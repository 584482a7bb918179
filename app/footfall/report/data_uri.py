"""Pictures as data URIs of few bytes."""

import base64
import io

import numpy as np
import numpy.typing as npt
from PIL import Image

_ROW = 5  # every so many rows of pixels are looked at for what the colours of a palette are


def png_uri(pixels: npt.NDArray[np.uint8], *, palette: bool) -> str:
    """Return pixels (height, width, 3) as a data URI; with a palette of 256 colours, or all."""
    image = Image.fromarray(pixels)
    buffer = io.BytesIO()
    (_with_palette(image, pixels) if palette else image).save(buffer, "png")
    return f"data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode('ascii')}"


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
