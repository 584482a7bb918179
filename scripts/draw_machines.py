"""Loop of three machines beside each other, as README.md shows it.

    python scripts/draw_machines.py [FILE.webp]

Each is simulated anew for some seconds and rendered without a display.
"""

import argparse
from pathlib import Path

from PIL import Image

from footfall.plants.loading.load import load_model
from footfall.report.gallery import pictures_of, save_loop
from footfall.run import run_scenario
from footfall.scenario.assemble import model_spec
from footfall.scenario.io import load_scenario

SCENARIOS = ("biped/climb", "humanoid/walk", "scenes/trot")
SECONDS, FRAMES = 4.0, 48
SIZE = (300, 240)
ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Simulate, render, and write the loop."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", nargs="?", default=str(ROOT / "docs/images/machines.webp"))
    path = Path(parser.parse_args().file)
    rows = zip(*(_pictures(name) for name in SCENARIOS), strict=True)
    path.write_bytes(save_loop([_beside(row) for row in rows], 1000.0 * SECONDS / FRAMES))
    print(f"loop: {path}, {path.stat().st_size / 1e3:.0f} kB")


def _pictures(name: str) -> list[Image.Image]:
    """Return the pictures of the first seconds of a scenario."""
    scenario = load_scenario(name, [f"duration={SECONDS}"])
    run = run_scenario(scenario, name, "moreau")
    model = load_model(model_spec(scenario))
    return pictures_of(model, run.trajectory, FRAMES, SIZE)[:FRAMES]


def _beside(pictures: tuple[Image.Image, ...]) -> Image.Image:
    """Return pictures of one size beside each other."""
    whole = Image.new("RGB", (len(pictures) * SIZE[0], SIZE[1]))
    for column, picture in enumerate(pictures):
        whole.paste(picture, (column * SIZE[0], 0))
    return whole


if __name__ == "__main__":
    main()
