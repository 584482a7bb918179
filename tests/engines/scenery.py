"""Free bodies of every shape, scenery that is fixed to the world, and scenes made of both."""

import itertools
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pydrake.math import RigidTransform, RollPitchYaw, RotationMatrix
from pydrake.multibody.parsing import AddModel, ModelDirective

from footfall.plants.terrain import Terrain
from footfall.run import Run, run_scenario
from footfall.scenario.schema import InitialState, Scenario

TOUCH = 1e-9  # m: what is to touch starts this deep

MASS, RADIUS = 2.0, 0.1
THICK = 0.05  # m, of the boxes that tile a profile

PYRAMID = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0], [0, 0, 1.5]]) * 0.1


@dataclass(frozen=True)
class Body:
    """A free body of one shape, whose only link is called as the model; moments about G's axes."""

    shape: str
    mass: float
    moments: tuple[float, float, float]
    centre: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def urdf(self, name: str) -> str:
        i = self.moments
        return f"""<robot name="{name}" xmlns:drake="http://drake.mit.edu"><link name="{name}">
  <inertial><origin xyz="{self.centre[0]} {self.centre[1]} {self.centre[2]}"/>
    <mass value="{self.mass}"/>
    <inertia ixx="{i[0]}" ixy="0" ixz="0" iyy="{i[1]}" iyz="0" izz="{i[2]}"/></inertial>
  <collision name="skin"><geometry>{self.shape}</geometry></collision></link></robot>"""


def ball(radius: float, mass: float) -> Body:
    moment = 0.4 * mass * radius**2
    return Body(f'<sphere radius="{radius}"/>', mass, (moment, moment, moment))


def box(size: tuple[float, float, float], mass: float) -> Body:
    a, b, c = (side**2 / 12.0 for side in size)
    moments = (mass * (b + c), mass * (a + c), mass * (a + b))
    return Body('<box size="{} {} {}"/>'.format(*size), mass, moments)


def cylinder(radius: float, length: float, mass: float) -> Body:
    across = mass * (3.0 * radius**2 + length**2) / 12.0
    shape = f'<cylinder radius="{radius}" length="{length}"/>'
    return Body(shape, mass, (across, across, 0.5 * mass * radius**2))


def capsule(radius: float, length: float, mass: float) -> Body:
    """Take the moments of the cylinder: rolling only asks for that about the axis."""
    across = mass * (3.0 * radius**2 + length**2) / 12.0
    shape = f'<capsule radius="{radius}" length="{length}"/>'
    return Body(shape, mass, (across, across, 0.5 * mass * radius**2))


def ellipsoid(a: float, b: float, c: float, mass: float) -> Body:
    shape = f'<drake:ellipsoid a="{a}" b="{b}" c="{c}"/>'
    return Body(
        shape, mass, tuple(0.2 * mass * s for s in (b * b + c * c, a * a + c * c, a * a + b * b))
    )


def mesh(path: Path, mass: float, moments: tuple[float, float, float], **where: object) -> Body:
    shape = f'<mesh filename="{path}"><drake:declare_convex/></mesh>'
    return Body(shape, mass, moments, **where)


# bodies of every shape, how they lie (degrees), and the height of their origins then
RESTING = {
    "sphere": (ball(RADIUS, MASS), {}, RADIUS),
    "box": (box((0.2, 0.3, 0.1), MASS), {"yaw": 25.0}, 0.05),
    "lying capsule": (capsule(RADIUS, 0.3, MASS), {"roll": 90.0}, RADIUS),
    "lying cylinder": (cylinder(RADIUS, 0.3, MASS), {"roll": 90.0}, RADIUS),
    "standing cylinder": (cylinder(RADIUS, 0.3, MASS), {"yaw": 10.0}, 0.15),
    "ellipsoid": (ellipsoid(0.2, 0.15, 0.1, MASS), {}, 0.1),
}


def write_obj(path: Path, corners: np.ndarray) -> Path:
    """Write the corners of a convex body; Drake takes their hull, whatever the faces."""
    lines = ["v {} {} {}".format(*corner) for corner in corners]
    lines += [f"f 1 {k} {k + 1}" for k in range(2, len(corners))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def prism(path: Path, profile: np.ndarray, width: float) -> Path:
    """Write the convex body over a profile in x-z, (k, 2), from y = -width/2 to width/2."""
    sides = [np.insert(profile, 1, y, axis=1) for y in (-0.5 * width, 0.5 * width)]
    return write_obj(path, np.vstack(sides))


def sdf_box(size: tuple[float, float, float]) -> str:
    return "<box><size>{} {} {}</size></box>".format(*size)


def sdf_mesh(path: Path) -> str:
    return f"<mesh><uri>file://{path}</uri><drake:declare_convex/></mesh>"


def at(p: tuple[float, float, float] = (0.0, 0.0, 0.0), **turn_deg: float) -> RigidTransform:
    """A pose by translation and roll, pitch, yaw in degrees."""
    angles = [np.deg2rad(turn_deg.get(name, 0.0)) for name in ("roll", "pitch", "yaw")]
    return RigidTransform(RollPitchYaw(angles), p)


def scenery(name: str, **pieces: tuple[str, RigidTransform]) -> str:
    """Write an SDF model that is static: one collision shape a piece, by its name."""
    shapes = ""
    for piece, (shape, X) in pieces.items():
        angles = RollPitchYaw(X.rotation()).vector()
        pose = " ".join(repr(float(v)) for v in (*X.translation(), *angles))
        shapes += f"""<collision name="{piece}"><pose>{pose}</pose><geometry>{shape}</geometry>
          </collision>"""
    return f"""<sdf version="1.9" xmlns:drake="drake.mit.edu"><model name="{name}">
      <static>true</static><link name="{name}">{shapes}</link></model></sdf>"""


def tiles(name: str, profile: np.ndarray, piece: str = "floor", width: float = 1.0) -> str:
    """Write scenery of thin boxes whose upper faces tile a profile in x-z, (k, 2): one surface."""
    pieces = {}
    for k, (start, end) in enumerate(itertools.pairwise(profile)):
        along = end - start
        angle, length = np.arctan2(along[1], along[0]), float(np.hypot(*along))
        middle = 0.5 * (start + end) - 0.5 * THICK * np.array([-np.sin(angle), np.cos(angle)])
        place = RigidTransform(leaning(-angle), (middle[0], 0.0, middle[1]))
        pieces[f"{piece}#{k}"] = (sdf_box((length, width, THICK)), place)
    return scenery(name, **pieces)


def scene(
    folder: Path,
    bodies: dict[str, Body | str],
    poses: dict[str, RigidTransform] | None = None,
    speeds: dict[str, dict[str, float]] | None = None,
    *,
    slope_deg: float = 0.0,
    **fields: object,
) -> Scenario:
    """Make a scenario of free bodies and scenery by name; speeds as {"ball": {"vx": 1.0}}."""
    directives = []
    moving = [name for name, body in bodies.items() if isinstance(body, Body)]
    for name, body in bodies.items():
        text = body.urdf(name) if isinstance(body, Body) else body
        path = folder / f"{name}.{'urdf' if isinstance(body, Body) else 'sdf'}"
        path.write_text(text, encoding="utf-8")
        directives.append(ModelDirective(add_model=AddModel(name=name, file=str(path))))
    start = InitialState()
    for name in moving:
        X = (poses or {}).get(name, RigidTransform())
        prefix = f"{name}_{name}_" if len(moving) > 1 else f"{name}_"
        values = (*X.rotation().ToQuaternion().wxyz(), *X.translation())
        for key, value in zip(("qw", "qx", "qy", "qz", "x", "y", "z"), values, strict=True):
            start.positions[prefix + key] = float(value)
        for key, value in (speeds or {}).get(name, {}).items():
            start.velocities[prefix + key] = value
    return Scenario(
        directives=directives, terrain=Terrain(slope_deg=slope_deg), initial=start, **fields
    )


def play(scenario: Scenario, engine: str = "moreau") -> Run:
    run = run_scenario(scenario, "scene", engine)
    assert run.trajectory.status.value == "done", run.trajectory.message
    return run


def motion(run: Run, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Positions (time, 3) and velocities (time, 6) [w; v] of a free body."""
    data = run.trajectory.data
    q = [k for k in data["position"].to_numpy() if k.startswith(f"{name}_")]
    v = [k for k in data["velocity"].to_numpy() if k.startswith(f"{name}_")]
    return data["q"].sel(position=q).to_numpy()[:, 4:], data["v"].sel(velocity=v).to_numpy()


def loads(run: Run, step: int = -1) -> dict[str, float]:
    """Normal force of every contact that carries in a step, by its name [N]."""
    data = run.trajectory.data
    dt = float(data["time"][1] - data["time"][0])
    impulse = data["impulse"].sel(axis="n").to_numpy()[step]
    names = data["contact"].to_numpy()
    return {str(n): float(r) / dt for n, r in zip(names, impulse, strict=True) if r > 0.0}


def leaning(angle: float) -> RotationMatrix:
    """Turn about y, so that x falls by the angle."""
    return RotationMatrix.MakeYRotation(angle)
