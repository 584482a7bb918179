"""View of a scene: paths, lines and cones beside the machine, and the camera."""

from dataclasses import dataclass

from footfall.plants.contacts import ContactSet
from footfall.registry.dashed import DashedLine
from footfall.registry.machines import get_machine
from footfall.registry.traced import Traced
from footfall.scenario.assemble import load_contacts
from footfall.scenario.cameras import Camera
from footfall.scenario.schema import Scenario
from footfall.show.forces import FrictionCone, cones_of


@dataclass(frozen=True)
class View:
    """Paths of points, dashed lines on the ground, friction cones, and a camera.

    traced: contacts by name, as in ``hopper::P``, and points in frames. cones: of contacts while
    they are pressed. pressure: the centre of pressure of the ground. camera: it stands still; None
    frames the machine and follows one that goes far.
    """

    traced: tuple[Traced, ...] = ()
    dashed: tuple[DashedLine, ...] = ()
    camera: Camera | None = None
    cones: tuple[FrictionCone, ...] = ()
    pressure: bool = False


PLAIN = View()
"""Nothing beside the machine, which is framed."""


def view_of(scenario: Scenario, contacts: ContactSet | None = None) -> View:
    """Return what the machine of a scenario shows, through the scenario's camera.

    contacts: the scenario's, where they have been found already.
    """
    machine = get_machine(scenario.machine)
    camera = scenario.cameras[scenario.camera] if scenario.camera is not None else None
    if machine is None:
        return View(camera=camera)
    cones: tuple[FrictionCone, ...] = ()
    if machine.friction_cones:
        cones = cones_of(load_contacts(scenario)[1] if contacts is None else contacts)
    return View(machine.traced, machine.dashed, camera, cones, machine.pressure_centre)
