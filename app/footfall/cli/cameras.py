"""The option --camera: which of a scenario's cameras a scene is seen through."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from footfall.scenario.schema import Scenario

CameraName = Annotated[
    str | None,
    typer.Option(
        "--camera", metavar="NAME", help="which of the scenario's cameras to look through"
    ),
]


def look_through(scenario: "Scenario", camera: str | None) -> None:
    """Let a scene be seen through the camera of a name, if one is given.

    Raises ScenarioError for a name that the scenario has no camera of.
    """
    from footfall.scenario.cameras import check_camera

    if camera is not None:
        check_camera(camera, scenario.cameras)
        scenario.camera = camera
