"""Watching a simulation while it runs, the same way for every engine."""

from pydrake.common.value import Value
from pydrake.geometry import Meshcat, MeshcatVisualizer, MeshcatVisualizerParams
from pydrake.systems.framework import Context, DiagramBuilder, EventStatus, LeafSystem
from pydrake.systems.rendering import MultibodyPositionToGeometryPose

from footfall.engines import ContactReport, DrakeEngine, MoreauEngine
from footfall.engines.ports import CONTACT_REPORT, STATE
from footfall.scenario.assemble import Machine
from footfall.show.arrows import ContactArrows
from footfall.show.stage import add_ground_marks

FRAME_PERIOD = 1.0 / 32.0  # s


def attach_viewer(
    builder: DiagramBuilder, machine: Machine, system: MoreauEngine | DrakeEngine, meshcat: Meshcat
) -> None:
    """Show an engine's machine and its contact forces in Meshcat; for ``decorate`` of ``run_scenario``.

    Only the ``state`` and ``contact_report`` ports are read, so any engine will do.
    """
    scene_graph = builder.AddNamedSystem("viewer_scene_graph", machine.model.scene_graph.Clone())
    to_pose = builder.AddNamedSystem(
        "viewer_poses", MultibodyPositionToGeometryPose(machine.plant, input_multibody_state=True)
    )
    builder.Connect(system.GetOutputPort(STATE), to_pose.get_input_port())
    builder.Connect(
        to_pose.get_output_port(), scene_graph.get_source_pose_port(machine.plant.get_source_id())
    )
    parameters = MeshcatVisualizerParams(prefix="/machine", publish_period=FRAME_PERIOD)
    MeshcatVisualizer.AddToBuilder(builder, scene_graph, meshcat, parameters)
    add_ground_marks(meshcat, machine.model.spec.terrain)
    if len(machine.contacts) > 0:
        drawer = builder.AddNamedSystem("viewer_contact_forces", _ContactDrawer(machine, _time_step(system), meshcat))
        builder.Connect(system.GetOutputPort(CONTACT_REPORT), drawer.GetInputPort(CONTACT_REPORT))


class _ContactDrawer(LeafSystem):
    """Draws the mean contact forces of the last step."""

    def __init__(self, machine: Machine, time_step: float, meshcat: Meshcat) -> None:
        super().__init__()
        self._time_step = time_step
        self._arrows = ContactArrows(meshcat, "/contact_forces", machine.contacts.names, machine.model)
        self._report = self.DeclareAbstractInputPort(CONTACT_REPORT, Value(ContactReport()))
        self.DeclarePeriodicPublishEvent(FRAME_PERIOD, 0.0, self._draw)

    def _draw(self, context: Context) -> EventStatus:
        report: ContactReport = self._report.Eval(context)
        self._arrows.draw(report.point_W, report.impulse / self._time_step)
        return EventStatus.Succeeded()


def _time_step(system: MoreauEngine | DrakeEngine) -> float:
    return float(system.time_step if isinstance(system, MoreauEngine) else system.plant.time_step())
