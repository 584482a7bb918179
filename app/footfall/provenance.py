"""Provenance of a run: versions, commit, platform, seed and how long it took."""

import os
import platform
import subprocess
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

_DISTRIBUTIONS = ("footfall", "drake", "numpy", "scipy", "numba")


@dataclass(frozen=True)
class Provenance:
    """Data to run the same again, and the speed of the run.

    ``versions`` has None for what is not installed as a distribution; ``commit`` is None outside a
    checkout, and ``modified`` tells whether tracked files differed from it. ``written`` is when
    this was collected (ISO 8601, UTC), which is after the run. Times are in seconds;
    ``realtime_factor`` is simulated time over wall time, > 1 when faster than real time. ``code``
    is what the scenario brought along, by its place in it: file, hash, name and parameters, and of
    a ground with a file that file and its hash.
    """

    versions: dict[str, str | None]
    python: str
    platform: str
    commit: str | None
    modified: bool | None
    seed: int | None
    written: str
    wall_time: float | None = None
    simulated_time: float | None = None
    realtime_factor: float | None = None
    code: dict[str, Any] | None = None

    def timed(self, wall_time: float, simulated_time: float) -> "Provenance":
        """Return the same provenance with the times of the run (s) filled in."""
        factor = simulated_time / wall_time if wall_time > 0 else None
        return replace(
            self, wall_time=wall_time, simulated_time=simulated_time, realtime_factor=factor
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as provenance.json has them."""
        return asdict(self)


def collect_provenance(seed: int | None = None, code: dict[str, Any] | None = None) -> Provenance:
    """Return the provenance of what this process computes; imports none of what it names."""
    commit, modified = _commit(Path(__file__).resolve().parents[2])
    return Provenance(
        versions={name: _version(name) for name in _DISTRIBUTIONS},
        python=f"{platform.python_version()} ({platform.python_implementation()})",
        platform=platform.platform(),
        commit=commit,
        modified=modified,
        seed=seed,
        written=datetime.now(UTC).isoformat(timespec="seconds"),
        code=code or None,
    )


def _version(distribution: str) -> str | None:
    """Version of an installed distribution."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _commit(root: Path) -> tuple[str | None, bool | None]:
    """Commit checked out at ``root`` and whether tracked files differ from it.

    Only ``root`` itself counts: an environment inside somebody else's checkout has another commit.
    """
    if not (root / ".git").exists():
        return None, None
    commit = _git(root, "rev-parse", "--verify", "HEAD")
    if commit is None:
        return None, None
    changes = _git(root, "status", "--porcelain", "--untracked-files=no")
    return commit, None if changes is None else bool(changes)


def _git(root: Path, *arguments: str) -> str | None:
    """Answer of git, or None where git is missing or refuses."""
    # a hook that runs us sets GIT_DIR and its kin, which would point git elsewhere
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *arguments],
            capture_output=True,
            check=True,
            text=True,
            timeout=10,
            env=environment,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
