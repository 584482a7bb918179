"""Results of tasks, kept a line each, so that a long computation can be taken up again."""

import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from footfall.errors import RunError
from footfall.files import write_text
from footfall.interrupt import shielded


class Checkpoint:
    """Finished tasks of a computation, by their names; a file that only grows.

    A result is what JSON can hold; NaN and infinity are kept. A last line that was cut off, as when
    the machine was switched off, is forgotten. Every line has a checksum of itself and of what it
    was made for, so that neither is mixed with another. Raises RunError for a file that cannot be
    read or written, or that holds something else.
    """

    def __init__(self, path: Path | None = None, made_for: str = "") -> None:
        """Read the file if there is one; without a path nothing is kept.

        made_for: what the results follow from, as the text of a scenario.
        """
        self._path, self._made_for = path, made_for
        self._results: dict[str, Any] = {}
        if path is not None and path.exists():
            self._read(path)

    def __contains__(self, name: str) -> bool:
        """Return whether a task is done."""
        return name in self._results

    def result(self, name: str, work: Callable[[], Any]) -> Any:  # noqa: ANN401 (what JSON can hold)
        """The result of a task: from the file if it is done, else of ``work()``, which is kept."""
        if name not in self._results:
            value = work()
            line = json.dumps({"check": self._check(name, value), "piece": name, "result": value})
            self._results[name] = json.loads(line)["result"]  # the same, whether kept or read
            if self._path is not None:
                self._append(self._path, line)
        return self._results[name]

    def _check(self, name: str, result: Any) -> int:  # noqa: ANN401
        """Checksum of a line."""
        return zlib.crc32(f"{self._made_for}\n{name}\n{json.dumps(result)}".encode())

    def _append(self, path: Path, line: str) -> None:
        try:
            with shielded(), path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        except OSError as error:
            message = f"cannot write {path}: {error.strerror}; choose another folder"
            raise RunError(message) from error

    def _read(self, path: Path) -> None:
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise RunError(f"cannot read {path}: {error}; begin anew in another folder") from error
        whole, _, cut = text.rpartition("\n")
        for number, line in enumerate(whole.splitlines(), start=1):
            try:
                entry = json.loads(line)
                name, result, check = entry["piece"], entry["result"], entry["check"]
            except (json.JSONDecodeError, TypeError, KeyError) as error:
                message = f"{path} is damaged (line {number}); begin anew in another folder"
                raise RunError(message) from error
            if check != self._check(name, result):
                raise RunError(
                    f"{path} is damaged (line {number}), or of another scenario than the one "
                    "beside it; begin anew in another folder"
                )
            self._results[name] = result
        if cut:
            write_text(path, f"{whole}\n" if whole else "")
