"""Build hook: the wheel carries the model files that a checkout keeps at its root."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MODEL_FOLDERS = ("urdf", "sdf")


class ModelFilesHook(BuildHookInterface):  # type: ignore[type-arg]
    """Puts each model folder under ``footfall/share/`` of a standard wheel.

    An editable install gets none: there ``footfall.resources`` reads the folders of the checkout,
    so that an edited model is the one that runs.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the folders to what hatchling writes into the wheel."""
        if version != "standard":
            return
        for name in MODEL_FOLDERS:
            folder = Path(self.root) / name
            if folder.is_dir():
                build_data["force_include"][str(folder)] = f"footfall/share/{name}"
