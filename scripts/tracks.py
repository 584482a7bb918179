"""Write a track for the vehicle as SDF, for other programs or to be edited by hand.

    python scripts/tracks.py my_points.csv --out my_track.sdf      a track through points x, z in m
    python scripts/tracks.py my_points.csv --noise 0.01            ... that were measured to 1 cm
    python scripts/tracks.py sdf/tracks/bump.track --out bump.sdf  what is made of a file at load

A CSV file has two columns, x and z, in the order of x; the ground is at z = 0, and a track is not
below it. A scenario's directives take the file that is written:

    - add_model: {name: track, file: my_track.sdf}

They also take a .track file with parameters, of which boxes are made at load: see
sdf/tracks/README.md.
"""

import argparse
from pathlib import Path

from footfall.errors import FootfallError
from footfall.machines.ugv.closed_form.tracks import read_track
from footfall.machines.ugv.track_models import ENDING, Surface, make_track, write_track


def main() -> None:
    """Write a track and say where it is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, help="CSV file of x, z in m, or a .track file")
    parser.add_argument("--out", type=Path, help="SDF file to write; by default beside the file")
    parser.add_argument("--noise", type=float, default=0.0, help="of the heights, in m; default 0")
    parser.add_argument("--gap", type=float, default=0.2, help="widest gap between points in m")
    parser.add_argument(
        "--turn", type=float, default=1.0, help="most that the slope turns over a facet, in mrad"
    )
    parser.add_argument("--friction", type=float, default=0.8, help="coefficient; default 0.8")
    arguments = parser.parse_args()
    try:
        if arguments.file.suffix == ENDING:
            out = arguments.out or arguments.file.with_suffix(".sdf")
            make_track(arguments.file, out)
            print(out)
        else:
            _write_own(arguments)
    except (FootfallError, ValueError, OSError) as error:
        parser.exit(2, f"tracks: {error}\n")


def _write_own(arguments: argparse.Namespace) -> None:
    track = read_track(arguments.file, noise=arguments.noise, gap=arguments.gap)
    out = arguments.out or arguments.file.with_suffix(".sdf")
    own = {"turn": 1e-3 * arguments.turn, "friction": arguments.friction}
    count = write_track(out, track, Surface(begin=track.begin, end=track.end, **own))
    print(f"{out}: {track.label}, {count} boxes")


if __name__ == "__main__":
    main()
