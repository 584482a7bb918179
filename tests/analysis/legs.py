"""A robot that nobody has seen, with a controller of its own: that of the guide to sweeps."""

import re
from pathlib import Path

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "sweeps.md"


def write_leg(folder):
    """Write the files of the guide; returns its scenario."""
    text = GUIDE.read_text()
    for kind, name in (("xml", "leg.urdf"), ("python", "leg.py"), ("yaml", "leg.yaml")):
        (folder / name).write_text(re.search(rf"```{kind}\n(.*?)```", text, re.DOTALL)[1])
    return folder / "leg.yaml"
