"""What is seen beside the machine, and where from."""

from dataclasses import dataclass

from footfall.scenario.assemble import build_machine
from footfall.scenario.cameras import Camera
from footfall.scenario.schema import Scenario
from footfall.show.cones import FrictionCone, cones_of
from footfall.studies import get_study
from footfall.studies.dashed import DashedLine
from footfall.studies.traced import Traced


@dataclass(frozen=True)
class View:
    """Paths of points, dashed lines on the ground, friction cones, and a camera.

    traced: contacts by name, as in ``hopper::P``, and points in frames. cones: of contacts while
    they are pressed. camera: it stands still; None frames the machine and follows one that goes
    far.
    """

    traced: tuple[Traced, ...] = ()
    dashed: tuple[DashedLine, ...] = ()
    camera: Camera | None = None
    cones: tuple[FrictionCone, ...] = ()


PLAIN = View()
"""Nothing beside the machine, which is framed."""


def view_of(scenario: Scenario) -> View:
    """What the study of a scenario wants to be seen, through its camera."""
    study = get_study(scenario.study)
    camera = scenario.cameras[scenario.camera] if scenario.camera is not None else None
    if study is None:
        return View(camera=camera)
    cones = cones_of(build_machine(scenario).contacts) if study.friction_cones else ()
    return View(study.traced, study.dashed, camera, cones)
