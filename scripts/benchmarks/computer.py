"""Processor and versions that a benchmark was measured with."""

import importlib.metadata
import platform
from pathlib import Path


def computer() -> str:
    """Name of the processor."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{names[0]}, {len(names)} cores" if names else platform.processor()


def versions(*names: str) -> str:
    """Versions of Python and of those of some distributions that are installed."""
    found = [f"Python {platform.python_version()}"]
    for name in names:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return ", ".join(found)
