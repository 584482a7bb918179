"""Entry points that register machines, read without importing what they name."""

import importlib.metadata
import importlib.util
from functools import cache
from pathlib import Path

from footfall.errors import ScenarioError

GROUP = "footfall.machines"
SCENARIOS = "scenarios.yaml"

EntryPoint = importlib.metadata.EntryPoint


@cache
def registered() -> dict[str, EntryPoint]:
    """Entry points of the machines by name: those that ship first, the others behind, each sorted.

    The order decides which kinds of analysis a scenario may leave untagged, so that a machine that
    is installed besides does not change how saved scenarios are read. Raises ScenarioError where
    two distributions register the same name.
    """
    points_by_name: dict[str, EntryPoint] = {}
    points = importlib.metadata.entry_points(group=GROUP)
    for point in sorted(points, key=lambda point: (not _ships(point), point.name)):
        other = points_by_name.setdefault(point.name, point)
        if other.value != point.value:
            raise ScenarioError(
                f"two machines are registered as '{point.name}': {other.value} and {point.value}; "
                "uninstall one of them."
            )
    return points_by_name


def _ships(point: EntryPoint) -> bool:
    return point.module.partition(".")[0] == "footfall"


@cache
def scenario_files() -> dict[str, Path]:
    """The file of scenarios beside each machine's module, by the machine's name.

    Only packages around a module are imported to find it, which hold nothing.
    """
    files = {name: _folder(point) / SCENARIOS for name, point in registered().items()}
    return {name: path for name, path in files.items() if path.is_file()}


def _folder(point: EntryPoint) -> Path:
    try:
        spec = importlib.util.find_spec(point.module)
    except ImportError:
        spec = None
    if spec is None or spec.origin is None:
        raise ScenarioError(
            f"the machine '{point.name}' is registered as {point.value}, which is not there: "
            "install its distribution again, or uninstall it."
        )
    return Path(spec.origin).parent
