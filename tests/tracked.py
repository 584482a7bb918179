"""Files of the project, which tests of the house judge: not what somebody left beside them."""

import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@cache
def tracked(folder: Path = ROOT) -> tuple[Path, ...]:
    """Files that git tracks in a folder; all that are there outside of a checkout."""
    listing = ["git", "ls-files", "--cached", "-z"]
    try:
        done = subprocess.run(listing, cwd=folder, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return tuple(sorted(path for path in folder.rglob("*") if path.is_file()))
    names = (name for name in done.stdout.split("\0") if name)
    return tuple(sorted(path for name in names if (path := folder / name).is_file()))
