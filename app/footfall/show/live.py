"""Watching a simulation while it runs, the same way for every engine."""

import numpy as np
from pydrake.common.value import Value
from pydrake.geometry import Meshcat, MeshcatVisualizer, MeshcatVisualizerParams
from pydrake.systems.framework import Context, DiagramBuilder, EventStatus, LeafSystem
from pydrake.systems.rendering import MultibodyPositionToGeometryPose

from footfall.arrays import Array
from footfall.engines import ContactReport, DrakeEngine, MoreauEngine
from footfall.engines.ports import CONTACT_REPORT, STATE
from footfall.scenario.assemble import Robot
from footfall.show.arrows import ContactArrows, axes_of
from footfall.show.camera import frame_start, go_along, place_camera
from footfall.show.cones import ContactCones
from footfall.show.dashed import DashedLines
from footfall.show.extent import sizes_of
from footfall.show.pushes import PushArrows
from footfall.show.stage import (
    CONTACT_CONES,
    CONTACT_FORCES,
    DASHED,
    PUSHES,
    SCENE,
    TRACES,
    add_ground_marks,
    visible_copy,
)
from footfall.show.trace import LiveTraces
from footfall.show.view import PLAIN, View

FRAME_PERIOD = 1.0 / 32.0  # s
MACHINE = f"{SCENE}/machine"


def attach_viewer(
    builder: DiagramBuilder,
    robot: Robot,
    system: MoreauEngine | DrakeEngine,
    meshcat: Meshcat,
    view: View = PLAIN,
) -> None:
    """Show an engine's machine and its contact forces in Meshcat.

    Meant for ``decorate`` of ``run_scenario``. Only the ``state`` and ``contact_report`` ports are
    read, so any engine will do. Without a camera in the view, the machine is followed.
    """
    scene_graph = builder.AddNamedSystem("viewer_scene_graph", visible_copy(robot.model))
    to_pose = builder.AddNamedSystem(
        "viewer_poses", MultibodyPositionToGeometryPose(robot.plant, input_multibody_state=True)
    )
    builder.Connect(system.GetOutputPort(STATE), to_pose.get_input_port())
    builder.Connect(
        to_pose.get_output_port(), scene_graph.get_source_pose_port(robot.plant.get_source_id())
    )
    parameters = MeshcatVisualizerParams(prefix=MACHINE, publish_period=FRAME_PERIOD)
    MeshcatVisualizer.AddToBuilder(builder, scene_graph, meshcat, parameters)
    marks = sizes_of(robot.model).marks
    add_ground_marks(meshcat, robot.model.spec.terrain, marks)
    drawing = _Extras(robot, system.time_step, meshcat, view)
    extras = builder.AddNamedSystem("viewer_extras", drawing)
    for port in (STATE, CONTACT_REPORT):
        builder.Connect(system.GetOutputPort(port), extras.GetInputPort(port))


class _Extras(LeafSystem):
    """Draws the mean contact forces of the last step, paths and lines; moves the camera along."""

    def __init__(self, robot: Robot, time_step: float, meshcat: Meshcat, view: View) -> None:
        super().__init__()
        model = robot.model
        self._traces = LiveTraces(meshcat, model, f"{MACHINE}/{TRACES}", view.traced)
        self._dashed = DashedLines(meshcat, model, f"{MACHINE}/{DASHED}", view.dashed)
        self._machine, self._meshcat, self._time_step = robot, meshcat, time_step
        names = robot.contacts.names
        self._R_WT = model.spec.terrain.X_WTerrain().rotation().matrix()
        self._arrows = ContactArrows(meshcat, CONTACT_FORCES, names, model)
        self._cones = ContactCones(meshcat, CONTACT_CONES, names, view.cones, model)
        self._pushes = PushArrows(meshcat, PUSHES, robot.pushes, model)
        self._plant_context = robot.plant.CreateDefaultContext()
        self._start = self._mass_centre(robot.initial_state)
        self._follows = view.camera is None
        if view.camera is None:
            frame_start(meshcat, model, robot.initial_state[: robot.plant.num_positions()])
        else:
            place_camera(meshcat, view.camera)
        self._report = self.DeclareAbstractInputPort(CONTACT_REPORT, Value(ContactReport()))
        self._state = self.DeclareVectorInputPort(STATE, robot.plant.num_multibody_states())
        self.DeclarePeriodicPublishEvent(FRAME_PERIOD, 0.0, self._draw)

    def _draw(self, context: Context) -> EventStatus:
        report: ContactReport = self._report.Eval(context)
        if len(report.names) > 0:
            force = report.impulse / self._time_step
            normals = np.broadcast_to(report.normal, force.shape)
            axes_W = axes_of(report.names, normals, self._R_WT)
            self._arrows.draw(report.p_WC, axes_W, force)
            self._cones.draw(report.p_WC, axes_W, force)
        state = self._state.Eval(context)
        q = state[: self._machine.plant.num_positions()]
        self._traces.extend(q)
        self._dashed.draw(q)
        time = context.get_time()
        self._pushes.draw(q, time - FRAME_PERIOD, time)
        if self._follows:
            go_along(self._meshcat, self._mass_centre(state) - self._start)
        return EventStatus.Succeeded()

    def _mass_centre(self, state: Array) -> Array:
        plant = self._machine.plant
        plant.SetPositionsAndVelocities(self._plant_context, state)
        centre: Array = plant.CalcCenterOfMassPositionInWorld(self._plant_context)
        return centre
