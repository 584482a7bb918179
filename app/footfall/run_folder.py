"""The folder of one run: what is in it, how it is made, and how it is found again.

``scenario.yaml`` (resolved), ``provenance.json``, ``trajectory.nc``, ``metrics.json`` and
``report.html``; ``contact_problem.npz`` where one was not solved; ``drake.log`` where Drake warned;
``code/``, the Python files that the scenario runs, and ``ground/``, the heights of its ground,
where there are some. A run under way, or one that was killed, has ``running`` for a status and
its rows so far in ``trajectory.rows``; ``traceback.txt`` tells of faults that nobody foresaw. An
analysis has ``result.nc`` for the trajectory, ``pieces.jsonl``, what is done of it, and
``found_<name>.yaml`` for every scenario that it found. Each file but the rows is whole or not
there.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from footfall.errors import FootfallError, RunError
from footfall.files import make_folder, replacing, write_text
from footfall.folder_lock import lock, remove_left_parts

SCENARIO = "scenario.yaml"
PROVENANCE = "provenance.json"
TRAJECTORY = "trajectory.nc"
METRICS = "metrics.json"
REPORT = "report.html"
CONTACT_PROBLEM = "contact_problem.npz"
FINDINGS = "findings.nc"
PIECES = "pieces.jsonl"
DRAKE_LOG = "drake.log"
TRACEBACK = "traceback.txt"
ROWS = "trajectory.rows"
RUNNING = "running"
"""Status in the metrics of a run under way, or of one whose process was killed."""

_METRICS_KEYS = ("scenario", "engine", "status", "metrics", "claims")


class Savable(Protocol):
    """Object that can write itself to a file, as a Trajectory can."""

    def save(self, path: Path) -> None:
        """Write to ``path``."""


@dataclass(frozen=True)
class RunFolder:
    """One run on disk; every method raises RunError, one line, when the disk does not comply."""

    path: Path

    @property
    def trajectory(self) -> Path:
        """Path of the trajectory."""
        return self.path / TRAJECTORY

    @property
    def result(self) -> Path:
        """Path of the result of an analysis."""
        return self.path / FINDINGS

    @property
    def pieces(self) -> Path:
        """Path of the finished parts of an analysis."""
        return self.path / PIECES

    @property
    def is_whole(self) -> bool:
        """Return whether the run has ended; neither under way nor killed."""
        try:
            return bool(self.read_metrics()["status"] != RUNNING)
        except RunError:  # which whoever reads them tells
            return True

    @property
    def report(self) -> Path:
        """Path of the report."""
        return self.path / REPORT

    def write_scenario(self, text: str) -> None:
        """Keep the resolved scenario, a YAML text."""
        write_text(self.path / SCENARIO, text)

    def read_scenario(self) -> str:
        """Return the YAML text of the resolved scenario."""
        return _read_text(self.path / SCENARIO)

    def write_found(self, name: str, text: str) -> Path:
        """Keep a scenario that an analysis found, a YAML text; returns where it is."""
        path = self.path / f"found_{name}.yaml"
        write_text(path, text)
        return path

    def write_code(self, place: str, text: bytes) -> None:
        """Keep a file that the scenario names at a place in the folder, such as code/pd.py."""
        path = self.path / place
        make_folder(path.parent)
        with replacing(path) as temporary:
            temporary.write_bytes(text)

    def write_drake_log(self, lines: Iterable[str]) -> None:
        """Keep Drake's warnings, a line each."""
        write_text(self.path / DRAKE_LOG, "".join(f"{line}\n" for line in lines))

    def write_traceback(self, text: str) -> None:
        """Keep the tracebacks of faults that nobody foresaw."""
        write_text(self.path / TRACEBACK, text)

    def write_provenance(self, provenance: Mapping[str, Any]) -> None:
        """Keep versions, seed and times; see footfall.provenance."""
        _write_json(self.path / PROVENANCE, provenance)

    def read_provenance(self) -> dict[str, Any]:
        """Return what write_provenance kept."""
        return _read_json(self.path / PROVENANCE)

    def write_report(self, page: str) -> None:
        """Keep the report, an HTML page; a report may be written again."""
        write_text(self.report, page)

    def write_trajectory(self, trajectory: Savable) -> None:
        """Keep the whole trajectory, in the place of its start and its rows."""
        trajectory.save(self.trajectory)
        (self.path / ROWS).unlink(missing_ok=True)

    def write_metrics(self, metrics: Mapping[str, Any]) -> None:
        """Keep the metrics: scenario, engine, status, metrics {name: value}, claims [{...}].

        Numpy values become plain ones; JSON has no NaN or infinity, these become null.
        """
        _refuse_incomplete(self.path / METRICS, metrics)
        _write_json(self.path / METRICS, metrics)

    def read_metrics(self) -> dict[str, Any]:
        """Return what write_metrics kept, with None for what was not a finite number."""
        metrics = _read_json(self.path / METRICS)
        _refuse_incomplete(self.path / METRICS, metrics)
        return metrics


def next_folder(out: str | Path | None) -> Path | None:
    """Return a folder for the same run again: ``out_2``, ``out_3``, the first that is not there.

    None, for the time of day, where no folder was named.
    """
    if out is None:
        return None
    number, base = 2, Path(out)
    while (found := base.with_name(f"{base.name}_{number}")).exists():
        number += 1
    return found


def make_run_folder(
    scenario: str, engine: str, out: str | Path | None = None, *, root: str | Path = "runs"
) -> RunFolder:
    """Make the folder of a new run: ``out``, else ``root/<scenario>/<engine>/<local time>``.

    A scenario given by a path to a file lends its stem. Raises RunError when ``out`` holds
    something already or the folder cannot be made.
    """
    if out is not None:
        return _claim(Path(out))
    parent = Path(root, *_parts(scenario), *_parts(engine))
    stamp = datetime.now().astimezone().strftime("%Y-%m-%dT%H-%M-%S")
    return locked(RunFolder(_make_unused(parent, stamp)))


def locked(folder: RunFolder) -> RunFolder:
    """Return a folder that no other process writes into while this object lives.

    Half-written files of processes that were killed are removed. Raises RunError when another
    process writes into it.
    """
    if not lock(folder.path, folder):
        raise RunError(
            f"another run that has not ended writes into {folder.path}; wait for it, or choose "
            "another folder"
        )
    remove_left_parts(folder.path)
    return folder


@contextmanager
def discard_if_refused(folder: RunFolder) -> Iterator[None]:
    """Take an empty run folder away again when the request is wrong or a signal ends it."""
    try:
        yield
    except (FootfallError, KeyboardInterrupt):
        ours = folder.path.parents[:-1] if folder.path.parts[0] == "runs" else ()
        with suppress(OSError):  # what holds other runs stays
            for path in (folder.path, *ours):
                path.rmdir()
        raise


def find_run(path: str | Path, needs: Iterable[str] = (SCENARIO, TRAJECTORY)) -> RunFolder:
    """Find the run in the folder ``path`` (or around the file ``path``) with the files it needs.

    Raises RunError that says what is missing, and names the newest run beneath if there is one.
    """
    folder = Path(path)
    if folder.is_file():
        folder = folder.parent
    if not folder.is_dir():
        raise RunError(f"there is no run folder {path}; give one that `footfall run` wrote")
    known = (SCENARIO, PROVENANCE, TRAJECTORY, METRICS)
    if not any((folder / name).is_file() for name in known):
        raise RunError(f"{path} is not a run folder; {_newest_beneath(folder)}")
    missing = [name for name in needs if not (folder / name).is_file()]
    if missing:
        raise RunError(f"the run in {folder} has no {', '.join(missing)}; run the scenario again")
    return RunFolder(folder)


def require_unused(out: str | Path | None) -> None:
    """Raise RunError when ``out`` holds something already: better before a long run than after."""
    if out is None:
        return
    try:
        if Path(out).is_dir():
            remove_left_parts(Path(out))
        occupied = Path(out).is_dir() and any(Path(out).iterdir())
    except OSError as error:
        raise RunError(f"cannot make the folder {out}: {error.strerror}") from error
    if occupied and _is_torso(Path(out)):
        raise RunError(
            f"{out} holds a run that is not whole: it is being written, or was killed; remove it, "
            "or choose another folder"
        )
    if occupied:
        raise RunError(f"{out} holds files already; choose another folder or empty it")


def _is_torso(folder: Path) -> bool:
    """Return whether a folder holds the beginning of a run; metrics are written last."""
    ended = (METRICS, FINDINGS, PIECES)
    whole = any((folder / name).exists() for name in ended) and RunFolder(folder).is_whole
    return (folder / SCENARIO).exists() and not whole


def _claim(path: Path) -> RunFolder:
    """Make the folder the user asked for, unless it holds something or is being written into."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise RunError(f"{path} is or goes through a file; choose another folder") from error
    except OSError as error:
        raise RunError(f"cannot make the folder {path}: {error.strerror}") from error
    folder = locked(RunFolder(path))
    require_unused(path)  # now that nobody else can begin to fill it
    return folder


def _make_unused(parent: Path, stamp: str) -> Path:
    """Make a folder named after the time, with a number behind when that second is taken."""
    number = 1
    while True:
        path = parent / (stamp if number == 1 else f"{stamp}-{number}")
        try:
            path.mkdir(parents=True)
        except FileExistsError:
            number += 1
        except OSError as error:
            raise RunError(
                f"cannot make the folder {path}: {error.strerror}; choose one with --out"
            ) from error
        else:
            return path


def _parts(name: str) -> tuple[str, ...]:
    """Folder names for ``machine/name`` or a path to a scenario file; never upwards or absolute."""
    path = Path(name)
    if path.suffix in {".yaml", ".yml"}:
        return (path.stem,)
    return tuple(part for part in path.parts if part not in {"..", path.anchor})


def _newest_beneath(folder: Path) -> str:
    """Advice for somebody who named a folder above the runs."""
    runs = [file.parent for depth in range(1, 5) for file in folder.glob("*/" * depth + TRAJECTORY)]
    if not runs:
        return "give one that `footfall run` wrote"
    newest = max(runs, key=lambda run: (run / TRAJECTORY).stat().st_mtime)
    return f"the newest beneath it is {newest}"


def _read_text(path: Path) -> str:
    """Read a text file of the run."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise RunError(f"there is no {path}; run the scenario again") from error
    except (OSError, UnicodeDecodeError) as error:
        raise RunError(f"cannot read {path}: {error}") from error


def _write_json(path: Path, mapping: Mapping[str, Any]) -> None:
    """Write a JSON file of plain values."""
    write_text(path, json.dumps(plain(mapping), indent=2, allow_nan=False) + "\n")


def _read_json(path: Path) -> dict[str, Any]:
    """Read a JSON file that holds an object."""
    try:
        value = json.loads(_read_text(path))
    except json.JSONDecodeError as error:
        raise RunError(
            f"{path} is damaged (line {error.lineno}); run the scenario again"
        ) from error
    if not isinstance(value, dict):
        raise RunError(f"{path} holds no JSON object; run the scenario again")
    return value


def _refuse_incomplete(path: Path, metrics: Mapping[str, Any]) -> None:
    """Raise RunError unless every key that readers rely on is there."""
    missing = [key for key in _METRICS_KEYS if key not in metrics]
    if missing:
        raise RunError(f"{path} lacks {', '.join(missing)}; run the scenario again")
    claims = metrics["claims"]
    whole = isinstance(metrics["metrics"], Mapping) and isinstance(claims, list | tuple)
    if not whole or not all(isinstance(claim, Mapping) for claim in claims):
        raise RunError(f"{path} is damaged; run the scenario again")


def plain(value: object) -> object:
    """Values as JSON knows them, which has no NaN and no infinity: these become null."""
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
