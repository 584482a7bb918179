"""Write the humanoid walker of a mass and a height as URDF.

    python scripts/humanoid_model.py --mass 70 --height 1.75 --out walker.urdf
    python scripts/humanoid_model.py --mass 70 --height 1.75 --hip-yaw --waist --out walker.urdf
    python scripts/humanoid_model.py                               the one that ships, again

Lengths, masses and inertias follow from the thesis's anthropometric tables, see
urdf/humanoid/README.md; all that the xacro file beside it takes is an option here.
"""

import argparse
import math
import xml.etree.ElementTree as ET
from pathlib import Path

import xacro

from footfall.resources import share_root

_FOLDER = share_root() / "urdf" / "humanoid"
_NUMBERS = ("mass", "height", "hat_centre", "toe_share", "toe_length", "foot_width", "mu")
_NUMBERS += ("pelvis_share",)
_SWITCHES = ("hip_yaw", "waist")


def main() -> None:
    """Write the file and say where it is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in _NUMBERS:
        parser.add_argument(f"--{name.replace('_', '-')}", type=float, help="see the README")
    for name in _SWITCHES:
        parser.add_argument(f"--{name.replace('_', '-')}", action="store_true")
    parser.add_argument("--out", type=Path, default=_FOLDER / "humanoid.urdf")
    given = vars(parser.parse_args())
    out = given.pop("out")
    for name in _NUMBERS:
        value = given[name]
        if value is not None and not (math.isfinite(value) and value > 0.0):
            parser.exit(2, f"humanoid_model: {name} is {value}: give a positive number\n")
    values = {
        name: str(value).lower() for name, value in given.items() if value not in (None, False)
    }
    document = xacro.process_file(str(_FOLDER / "humanoid.urdf.xacro"), mappings=values)
    text = document.toprettyxml(indent="  ")
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        parser.exit(2, f"humanoid_model: {error}\n")
    mass = sum(float(one.get("value", "0")) for one in ET.fromstring(text).iter("mass"))  # noqa: S314 (ours)
    print(f"{out}: {mass:.4g} kg")


if __name__ == "__main__":
    main()
