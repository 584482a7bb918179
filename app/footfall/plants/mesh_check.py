"""Check of a mesh file before Drake reads it, whose messages tell of its own insides."""

import json
from pathlib import Path

from footfall.errors import ModelError

_LARGEST_JSON = 100_000_000  # bytes that are parsed only to look for a fault


def check_mesh(path: Path | None, where: str) -> None:
    """Raise ModelError for a file that is empty, or a .gltf that is no JSON.

    where: begins the message. None: a file that only Drake finds.
    """
    if path is None:
        return
    try:
        size = path.stat().st_size
        if size == 0:
            raise ModelError(f"{where}: '{path}' is empty; restore the file.")
        if path.suffix.lower() == ".gltf" and size < _LARGEST_JSON:
            _check_gltf(path.read_bytes(), path, where)
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise ModelError(f"{where}: '{path}': {reason}; make it readable.") from error


def _check_gltf(data: bytes, path: Path, where: str) -> None:
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{where}: '{path}' is no glTF: {error}; restore the file.") from error
    if not isinstance(content, dict) or "asset" not in content:
        raise ModelError(f"{where}: '{path}' is no glTF: it has no asset; restore the file.")
