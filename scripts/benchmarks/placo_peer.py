"""PlaCo's dynamics solver on the standing task of a scenario with whole-body control.

PlaCo (https://github.com/Rhoban/placo) works on Pinocchio and solves with eiquadprog. It wants
versions of numpy and Pinocchio of its own, so it is no extra of this project: give it a folder,
`pip install --target FOLDER placo`, and put this folder, and in it
cmeel.prefix/lib/pythonX.Y/site-packages, before all others on PYTHONPATH.
"""

import importlib.util
import tempfile
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array
from footfall.control.whole_body import WholeBody
from footfall.plants.coordinates import actuators_of
from footfall.plants.loading.load import read_files
from footfall.plants.loading.uris import known_packages
from footfall.scenario.assemble import Robot
from footfall.scenario.schema import Scenario
from footfall_controllers.whole_body.contacts import Contact
from footfall_controllers.whole_body.tasks import CentreOfMass, JointPosture, Orientation

HAS_PLACO = importlib.util.find_spec("placo") is not None
_STANCE = 1000.0  # as the weight of ours


class PlacoStand:
    """The same robot, tasks, contacts and limits in PlaCo, for states of Drake's plant."""

    def __init__(
        self, scenario: Scenario, robot: Robot, controller: WholeBody, limits: Array
    ) -> None:
        """Make tasks and contacts of those of a controller; limits: torques by actuator [N m]."""
        import placo

        self._plant = robot.plant
        text = _urdf(scenario, controller.contacts)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "robot.urdf"
            path.write_text(text)
            self._robot = placo.RobotWrapper(str(path), placo.Flags.ignore_collisions)
        self._names = list(self._robot.joint_names())
        self._start = robot.initial_state[: robot.plant.num_positions()]
        self._places = _places(robot.plant, self._names)
        self.put(robot.initial_state)
        for actuator, limit in zip(actuators_of(robot.plant), limits, strict=True):
            if np.isfinite(limit):
                self._robot.set_torque_limit(actuator.joint().name(), float(limit))
        solver = self._solver = placo.DynamicsSolver(self._robot)
        solver.dt = controller.period
        solver.enable_torque_limits(True)
        solver.enable_joint_limits(True)
        self._add_tasks(controller)
        for contact in controller.contacts:
            self._add_contact(contact, controller.friction)

    def _add_tasks(self, controller: WholeBody) -> None:
        solver, robot = self._solver, self._robot
        for name, task in controller.tasks.items():
            if isinstance(task, CentreOfMass):
                added = solver.add_com_task(robot.com_world())
            elif isinstance(task, Orientation):
                R = robot.get_T_world_frame(task.link)[:3, :3]
                added = solver.add_orientation_task(task.link, R)
            elif isinstance(task, JointPosture):
                added = solver.add_joints_task()
                added.set_joints({n: robot.get_joint(n) for n in self._names})
            else:  # it has no task of angular momentum
                continue
            added.configure(name, "soft", task.weight)
            added.kp, added.kd = task.kp, task.kd

    def _add_contact(self, contact: Contact, friction: float) -> None:
        """Add a patch as one contact of six numbers, and points and lines as points."""
        solver, corners = self._solver, np.array(contact.corners)
        names = _frames_of(contact)
        for name in names:
            T = self._robot.get_T_world_frame(name)
            if len(names) < len(corners):
                task = solver.add_frame_task(name, T)
                task.configure(name, "soft", _STANCE, _STANCE)
                added = solver.add_planar_contact(task)
                added.length, added.width = (float(side) for side in np.ptp(corners, axis=0)[:2])
            else:
                task = solver.add_position_task(name, T[:3, 3])
                task.configure(name, "soft", _STANCE)
                added = solver.add_unilateral_point_contact(task)
            added.mu = contact.friction or friction
            added.weight_forces = 1e-5

    def put(self, state: Array) -> None:
        """Put a state [q; v] of Drake's plant in, and let kinematics follow."""
        q, v = self.state_of(state)
        self.put_own(q, v)

    def state_of(self, state: Array) -> tuple[Array, Array]:
        """Positions and velocities as Pinocchio has them."""
        positions, velocities, base, turn = self._places
        nq = self._plant.num_positions()
        w, x, y, z = state[turn : turn + 4]
        p = state[turn + 4 : turn + 7]
        v = state[nq + base : nq + base + 6]
        R = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )
        return (
            np.concatenate([p, [x, y, z, w], state[positions]]),
            np.concatenate([R.T @ v[3:], R.T @ v[:3], state[nq + velocities]]),
        )

    def put_own(self, q: Array, v: Array) -> None:
        """Put positions and velocities in, as Pinocchio has them."""
        self._robot.state.q = q
        self._robot.state.qd = v
        self._robot.update_kinematics()

    def tick(self, q: Array, v: Array) -> tuple[bool, Array]:
        """Return whether a tick succeeds, and the torques by joint in its own order."""
        self.put_own(q, v)
        result = self._solver.solve(True)
        return result.success, np.array(result.tau)[6:]

    def in_drake_order(self, torques: Array) -> Array:
        """Torques by actuator of Drake's plant."""
        by_joint = dict(zip(self._names, torques, strict=True))
        return np.array([by_joint[a.joint().name()] for a in actuators_of(self._plant)])


def _places(plant: MultibodyPlant, names: list[str]) -> tuple[Array, Array, int, int]:
    joints = [plant.GetJointByName(name) for name in names]
    base = plant.get_body(min(plant.GetFloatingBaseBodies()))
    return (
        np.array([joint.position_start() for joint in joints]),
        np.array([joint.velocity_start() for joint in joints]),
        base.floating_velocities_start_in_v(),
        base.floating_positions_start(),
    )


def _urdf(scenario: Scenario, contacts: list[Contact]) -> str:
    """The URDF of the robot of a scenario without shapes, with a link at each contact."""
    packages = known_packages(scenario.packages)
    with read_files(scenario.directives, packages, scenario.arguments) as files:
        root = ET.parse(files.mended.files[0].path).getroot()  # noqa: S314 (of a maker's package)
    for link in root.iter("link"):
        for shape in [*link.findall("visual"), *link.findall("collision")]:
            link.remove(shape)
    limits = {"lower": "-3.1", "upper": "3.1", "effort": "1e3", "velocity": "1e3"}
    for joint in root.iter("joint"):
        limit = joint.find("limit")
        if limit is None and joint.get("type") in {"revolute", "prismatic"}:
            limit = ET.SubElement(joint, "limit")
        if limit is not None:
            limit.attrib.update({n: limit.get(n, value) for n, value in limits.items()})
    for contact in contacts:
        _add_links(root, contact)
    return ET.tostring(root, encoding="unicode")


def _frames_of(contact: Contact) -> list[str]:
    """Names of the links that are added for a contact: one of a patch, else one a corner."""
    count = 1 if len(contact.corners) > 2 else len(contact.corners)
    return [f"{contact.link}__contact_{k}" for k in range(count)]


def _add_links(root: ET.Element, contact: Contact) -> None:
    names = _frames_of(contact)
    corners = np.array(contact.corners)
    places = corners if len(names) == len(corners) else corners.mean(axis=0)[None]
    for name, place in zip(names, places, strict=True):
        ET.SubElement(root, "link", name=name)
        joint = ET.SubElement(root, "joint", name=f"{name}_joint", type="fixed")
        ET.SubElement(joint, "origin", xyz=" ".join(map(str, place)), rpy="0 0 0")
        ET.SubElement(joint, "parent", link=contact.link)
        ET.SubElement(joint, "child", link=name)
