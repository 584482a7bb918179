"""Bytes of a page by what they are for."""

import base64
import json
import re
import struct
import zlib

PARTS = ("viewer", "shapes", "motion", "charts", "pictures", "scripts", "words")
"""Meshcat's viewer; the shapes of scenes and their motion; data of charts; pictures; the rest."""

_VIEWER = re.compile(r'<script type="text/plain" id="viewer-\d+">(.*?)</script>', re.DOTALL)
_SCENE = re.compile(r'<script type="text/plain" data-scene>(.*?)</script>', re.DOTALL)
_CHARTS = re.compile(r'<script type="text/plain" id="charts">(.*?)</script>', re.DOTALL)
_PICTURE = re.compile(r'<img src="(data:[^"]*)"')
_SCRIPT = re.compile(r"<(?:script|style)>(.*?)</(?:script|style)>", re.DOTALL)


def parts_of(page: str) -> dict[str, int]:
    """Return the bytes of each part; together they are the page."""
    found = {
        name: sum(len(text.encode()) for text in pattern.findall(page))
        for name, pattern in (
            ("viewer", _VIEWER),
            ("charts", _CHARTS),
            ("pictures", _PICTURE),
            ("scripts", _SCRIPT),
        )
    }
    scenes = _SCENE.findall(page)
    shapes = sum(round(_share_of_shapes(text) * len(text)) for text in scenes)
    found |= {"shapes": shapes, "motion": sum(map(len, scenes)) - shapes}
    return {part: found.get(part, 0) for part in PARTS[:-1]} | {
        "words": len(page.encode()) - sum(found.values())
    }


def _share_of_shapes(packed: str) -> float:
    """Return the share of a scene that are shapes and their properties, both deflated alone."""
    scene = zlib.decompress(base64.b64decode(packed))
    (length,) = struct.unpack("<I", scene[:4])
    pieces = sum(json.loads(scene[4 : 4 + length])["pieces"])
    border = 4 + length + pieces
    shapes, motion = (len(zlib.compress(part, 9)) for part in (scene[:border], scene[border:]))
    return shapes / (shapes + motion)
