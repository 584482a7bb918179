"""Make pictures of the documents out of figures on pages, as a reader sees them.

    python scripts/page_pictures.py                       all of them: runs what they show
    python scripts/page_pictures.py ugv_map motor_ratios  those that are named
    python scripts/page_pictures.py ugv_map --run RUN     out of a run that is there already

A figure is photographed in Chromium without a screen, on light paper; needs the extra ``test``.
"""

import argparse
import base64
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # of the driver of Chromium, which the tests have

IMAGES = ROOT / "docs" / "images"
PICTURES = {
    "goalkeeper_saved_shots": ("goalkeeper/saved_shots", "outcome"),
    "humanoid_push_map": ("humanoid/push_map", "Success over force ahead"),
    "motor_ratios": ("motor/ratio_sweep", "start acceleration"),
    "motor_turns": ("motor/turn_sweep", "time to 45 deg"),
    "ugv_curves": ("ugv/static_angles", "torque"),
    "ugv_map": ("ugv/steep_map", "torque on passage"),
}
"""The run whose page has a figure, and how its title begins, by the name of the picture."""
_SCALE = 1.25  # pixels of the picture for one of the page
_LIGHT = [{"name": "prefers-color-scheme", "value": "light"}]
_FIGURE = "[...document.querySelectorAll('figure')].find(f => f.innerText.startsWith('{}'))"
_DRAWN = (
    "[...{0}.querySelectorAll('img')].every(i => i.complete && i.naturalWidth)"
    " && (!{0}.querySelector('.chart') || !!{0}.querySelector('.panel > svg path'))"
)
# without the heading, which is beside the picture in words, and without buttons
_BOX = """(() => {{
  const part = {0}.querySelector('.chart, img');
  part.querySelectorAll('.tools, .readout').forEach((e) => e.remove());
  const b = part.getBoundingClientRect();
  return {{ x: b.x + scrollX, y: b.y + scrollY, width: b.width, height: b.height }};
}})()"""


def main() -> None:
    """Run what is asked for, and write the pictures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="PICTURE", default=list(PICTURES))
    parser.add_argument("--run", type=Path, help="a folder with the run of the one picture")
    asked = parser.parse_args()
    for name in asked.names:
        scenario, title = PICTURES[name]
        with tempfile.TemporaryDirectory() as folder:
            run = asked.run or _run(scenario, Path(folder) / "run")
            _photograph(run / "report.html", title, IMAGES / f"{name}.png", Path(folder))
        print(IMAGES / f"{name}.png")


def _run(scenario: str, folder: Path) -> Path:
    command = [sys.executable, "-m", "footfall", "run", scenario, "--out", str(folder)]
    subprocess.run(command, check=True)
    return folder


def _photograph(page: Path, title: str, picture: Path, folder: Path) -> None:
    """Write the figure of a page whose title begins so."""
    from tests.browser.chromium import Page

    figure = _FIGURE.format(title)
    with Page(folder / "profile") as tab:
        tab.call("Emulation.setEmulatedMedia", features=_LIGHT)
        tab.open(page)
        # again and again: it goes out of sight while what is above it grows
        tab.wait_for(f"({figure}.scrollIntoView({{block: 'center'}}), {_DRAWN.format(figure)})")
        clip = {**tab.evaluate(_BOX.format(figure)), "scale": _SCALE}
        data = tab.call("Page.captureScreenshot", format="png", clip=clip)["data"]
    picture.write_bytes(base64.b64decode(data))


if __name__ == "__main__":
    main()
