"""The machines whose steps are timed: the biped of footfall, and three spatial ones made here.

The humanoid has a floating base and four joints a leg (14 dof), with four points under each foot;
the quadruped a floating base and three joints a leg (18 dof), with a point at the end of each. Both
stand on straight legs, without torques, a tenth of a millimetre in the ground: all points carry.
The wheels are two balls that roll over a hill of 700 boxes, one surface (1400 pairs of shapes).
Masses and lengths are round numbers of nobody's robot.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from pydrake.multibody.parsing import AddModel, ModelDirective

from footfall.scenario.io import load_scenario
from footfall.scenario.schema import InitialState, Scenario

DT = 1e-3
_PRESSED = 1e-4  # m: deep enough for every point to touch in every step
_RADIUS = 0.005  # m, of the balls that stand for contact points


def scenario_of(name: str, folder: Path) -> Scenario:
    """A machine of this module by name, its model written into a folder, or a scenario."""
    if name in MACHINES:
        return MACHINES[name](folder)
    return load_scenario(name, [f"time_step={DT}"])


def _biped(_folder: Path) -> Scenario:
    scenario = load_scenario("biped/stand", [f"time_step={DT}"])
    scenario.controller = None
    scenario.initial.from_reference = False
    return scenario


def _humanoid(folder: Path) -> Scenario:
    corners = [(x, y) for x in (-0.08, 0.14) for y in (-0.04, 0.04)]
    parts = [_link("torso", 30.0, 0.6, centre=0.3)]
    for side, y in (("left", 0.1), ("right", -0.1)):
        hip, thigh, shank, foot = (f"{side}_{n}" for n in ("hip", "thigh", "shank", "foot"))
        parts += [
            _link(hip, 1.0, 0.1),
            _joint("torso", hip, "1 0 0", f"0 {y} 0"),
            _link(thigh, 5.0, 0.4, centre=-0.2),
            _joint(hip, thigh, "0 1 0", "0 0 0"),
            _link(shank, 3.0, 0.4, centre=-0.2),
            _joint(thigh, shank, "0 1 0", "0 0 -0.4"),
            _link(foot, 1.0, 0.1, points=[(x, y, -0.05) for x, y in corners]),
            _joint(shank, foot, "0 1 0", "0 0 -0.4"),
        ]
    return _standing(folder, "humanoid", parts, "torso", 0.85)


def _quadruped(folder: Path) -> Scenario:
    parts = [_link("trunk", 12.0, 0.4)]
    for end, x in (("front", 0.2), ("rear", -0.2)):
        for side, y in (("left", 0.1), ("right", -0.1)):
            hip, thigh, shank = (f"{end}_{side}_{n}" for n in ("hip", "thigh", "shank"))
            parts += [
                _link(hip, 0.5, 0.1),
                _joint("trunk", hip, "1 0 0", f"{x} {y} 0"),
                _link(thigh, 1.0, 0.2, centre=-0.1),
                _joint(hip, thigh, "0 1 0", "0 0 0"),
                _link(shank, 0.3, 0.2, centre=-0.1, points=[(0.0, 0.0, -0.2)]),
                _joint(thigh, shank, "0 1 0", "0 0 -0.2"),
            ]
    return _standing(folder, "quadruped", parts, "trunk", 0.4)


def _wheels(folder: Path) -> Scenario:
    radius, speed, level = 0.3, 3.0, 0.5
    x = np.linspace(0.0, 8.0, 701)
    z = level + 0.1 * np.exp(-((x - 4.0) ** 2))
    slope = np.arctan2(np.diff(z), np.diff(x))
    length = np.hypot(np.diff(x), np.diff(z))
    below = 0.05  # m, from the middle of a box's upper face to its centre
    places = zip(
        0.5 * (x[1:] + x[:-1]) + below * np.sin(slope),
        0.5 * (z[1:] + z[:-1]) - below * np.cos(slope),
        slope,
        length,
        strict=True,
    )
    boxes = "".join(
        f'<collision name="hill#{k}"><pose>{a} 0 {b} 0 {-turn} 0</pose><geometry><box>'
        f"<size>{along} 1 {2.0 * below}</size></box></geometry></collision>"
        for k, (a, b, turn, along) in enumerate(places)
    )
    track, wheel = folder / "track.sdf", folder / "wheel.urdf"
    track.write_text(
        '<sdf version="1.9"><model name="track"><static>true</static><link name="track">'
        f"{boxes}</link></model></sdf>"
    )
    moment = 0.4 * 50.0 * radius**2
    wheel.write_text(
        '<robot name="wheel"><link name="wheel"><inertial><mass value="50"/>'
        f'<inertia ixx="{moment}" ixy="0" ixz="0" iyy="{moment}" iyz="0" izz="{moment}"/>'
        f'</inertial><collision name="tyre"><geometry><sphere radius="{radius}"/></geometry>'
        "</collision></link></robot>"
    )
    files = {"track": track, "rear": wheel, "front": wheel}
    initial = InitialState()
    for name, start in (("rear", 3.0), ("front", 4.0)):
        height = float(np.interp(start, x, z)) + radius - _PRESSED
        places_of = {"qw": 1.0, "x": start, "z": height}
        initial.positions |= {f"{name}_wheel_{key}": value for key, value in places_of.items()}
        initial.velocities |= {f"{name}_wheel_vx": speed, f"{name}_wheel_wy": speed / radius}
    return Scenario(
        time_step=DT,
        directives=[
            ModelDirective(add_model=AddModel(name=name, file=str(path)))
            for name, path in files.items()
        ],
        friction=0.8,
        initial=initial,
    )


MACHINES: dict[str, Callable[[Path], Scenario]] = {
    "biped": _biped,
    "humanoid": _humanoid,
    "quadruped": _quadruped,
    "wheels": _wheels,
}


def _standing(folder: Path, name: str, parts: Sequence[str], base: str, height: float) -> Scenario:
    """A scenario with the base so high [m] above the ends of the legs; links never collide."""
    links = [part.split('"')[1] for part in parts if part.startswith("<link")]
    members = "".join(f'<drake:member link="{link}"/>' for link in links)
    unfiltered = '<drake:ignored_collision_filter_group name="links"/>'
    path = folder / f"{name}.urdf"
    path.write_text(
        f'<robot name="{name}" xmlns:drake="http://drake.mit.edu">{"".join(parts)}'
        f'<drake:collision_filter_group name="links">{members}{unfiltered}'
        "</drake:collision_filter_group></robot>"
    )
    positions = {f"{base}_qw": 1.0, f"{base}_z": height + _RADIUS - _PRESSED}
    return Scenario(
        time_step=DT,
        directives=[ModelDirective(add_model=AddModel(name=name, file=str(path)))],
        friction=0.8,
        initial=InitialState(positions=positions),
    )


def _link(
    name: str,
    mass: float,
    size: float,
    *,
    centre: float = 0.0,
    points: Sequence[tuple[float, float, float]] = (),
) -> str:
    """A body with the inertia of a ball of a diameter [m], centre of mass on z; contact points."""
    moment = 0.1 * mass * size**2
    touching = "".join(
        f'<collision name="{name}_{k}"><origin xyz="{x} {y} {z}"/>'
        f'<geometry><sphere radius="{_RADIUS}"/></geometry></collision>'
        for k, (x, y, z) in enumerate(points)
    )
    return (
        f'<link name="{name}"><inertial><origin xyz="0 0 {centre}"/><mass value="{mass}"/>'
        f'<inertia ixx="{moment}" ixy="0" ixz="0" iyy="{moment}" iyz="0" izz="{moment}"/>'
        f"</inertial>{touching}</link>"
    )


def _joint(parent: str, child: str, axis: str, origin: str) -> str:
    return (
        f'<joint name="{child}" type="continuous"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{origin}"/><axis xyz="{axis}"/></joint>'
        f"<transmission><type>transmission_interface/SimpleTransmission</type>"
        f'<joint name="{child}"/><actuator name="{child}_motor"/></transmission>'
    )
