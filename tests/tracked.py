"""Files of the project, which tests of the house judge: not what somebody left beside them."""

import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@cache
def tracked(folder: Path = ROOT) -> tuple[Path, ...]:
    """Files that git tracks in a folder; all that are there outside of a checkout."""
    return _listed(folder, "--cached")


@cache
def modules(folder: Path) -> tuple[Path, ...]:
    """Python files of a folder, those that are new and not yet added to git as well.

    Their faults show before a commit and not behind it. Only for folders in which nobody but the
    project writes code.
    """
    found = {*tracked(folder), *_listed(folder, "--others", "--exclude-standard")}
    return tuple(sorted(path for path in found if path.suffix == ".py"))


def _listed(folder: Path, *which: str) -> tuple[Path, ...]:
    """Files of a folder that are there, of those that git lists."""
    listing = ["git", "ls-files", *which, "-z"]
    try:
        done = subprocess.run(listing, cwd=folder, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return tuple(sorted(path for path in folder.rglob("*") if path.is_file()))
    names = (name for name in done.stdout.split("\0") if name)
    return tuple(sorted(path for name in names if (path := folder / name).is_file()))
