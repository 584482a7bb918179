"""Machines small enough for a closed form in one line, and scenarios that move them."""

from pathlib import Path

import numpy as np
from pydrake.multibody.parsing import AddModel, AddWeld, ModelDirective

from footfall.plants.terrain import Terrain
from footfall.run import Run, run_scenario
from footfall.scenario.schema import InitialState, Scenario

GRAVITY = 9.81
RADIUS = 0.1

_MATERIAL = "<drake:proximity_properties><drake:mu_dynamic value='1'/></drake:proximity_properties>"

# 2 kg that slide without turning along x and z of the slope; contact at the point itself
POINT = f"""<robot name="point" xmlns:drake="http://drake.mit.edu">
  <link name="slope"/><link name="rail"/>
  <joint name="x" type="prismatic"><parent link="slope"/><child link="rail"/><axis xyz="1 0 0"/>
    <limit effort="0"/></joint>
  <joint name="z" type="prismatic"><parent link="rail"/><child link="mass"/><axis xyz="0 0 1"/>
    <limit effort="0"/></joint>
  <link name="mass">
    <inertial><mass value="2"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial>
    <collision name="tip"><geometry><sphere radius="0"/></geometry>{_MATERIAL}</collision>
  </link>
</robot>"""

# two such masses side by side, which do not touch each other
TWO_POINTS = """<robot name="two" xmlns:drake="http://drake.mit.edu">
  <link name="slope"/>
  {}
  <drake:collision_filter_group name="masses">
    <drake:member link="mass_a"/><drake:member link="mass_b"/>
    <drake:ignored_collision_filter_group name="masses"/>
  </drake:collision_filter_group>
</robot>""".format(
    "".join(
        f"""<link name="rail_{k}"/>
  <joint name="x_{k}" type="prismatic"><parent link="slope"/><child link="rail_{k}"/>
    <axis xyz="1 0 0"/><limit effort="0"/></joint>
  <joint name="z_{k}" type="prismatic"><parent link="rail_{k}"/><child link="mass_{k}"/>
    <axis xyz="0 0 1"/><limit effort="0"/></joint>
  <link name="mass_{k}">
    <inertial><mass value="2"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial>
    <collision name="{k}"><geometry><sphere radius="0"/></geometry>{_MATERIAL}</collision>
  </link>"""
        for k in "ab"
    )
)

# a free homogeneous ball of 1.5 kg
BALL = f"""<robot name="ball" xmlns:drake="http://drake.mit.edu">
  <link name="ball">
    <inertial><mass value="1.5"/>
      <inertia ixx="0.006" ixy="0" ixz="0" iyy="0.006" iyz="0" izz="0.006"/></inertial>
    <collision name="skin"><geometry><sphere radius="{RADIUS}"/></geometry>{_MATERIAL}</collision>
  </link>
</robot>"""

# a free brick, 0.2 x 0.1 x 0.04 m, 1.2 kg: moments m (b^2 + c^2) / 12
BRICK = f"""<robot name="brick" xmlns:drake="http://drake.mit.edu">
  <link name="brick">
    <inertial><mass value="1.2"/>
      <inertia ixx="0.00116" ixy="0" ixz="0" iyy="0.00416" iyz="0" izz="0.005"/></inertial>
    <collision name="box"><geometry><box size="0.2 0.1 0.04"/></geometry>{_MATERIAL}</collision>
  </link>
</robot>"""

# a pendulum of 1 m and 1 kg between two stops, 0.5 rad either side, damped by choice
STOPPED = """<robot name="stopped" xmlns:drake="http://drake.mit.edu">
  <link name="base"/>
  <joint name="swing" type="revolute"><parent link="base"/><child link="rod"/><axis xyz="0 -1 0"/>
    <limit lower="-0.5" upper="0.5" effort="{effort}"/><dynamics damping="{damping}"/></joint>
  <link name="rod">
    <inertial><origin xyz="0 0 -1"/><mass value="1"/>
      <inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial>
  </link>
</robot>"""

# gears of 0.05, 0.02 and 0.01 kg m^2: b = -2 a + 0.3, c = b / 2
GEARS = """<robot name="gears"><link name="stand"/>{}</robot>""".format(
    "".join(
        f"""<link name="{name}_wheel"><inertial><mass value="1"/>
      <inertia ixx="{J}" iyy="{J}" izz="{J}"/></inertial></link>
      <joint name="{name}" type="continuous"><parent link="stand"/><child link="{name}_wheel"/>
      <axis xyz="0 1 0"/>{mimic}</joint>"""
        for name, J, mimic in (
            ("a", 0.05, ""),
            ("b", 0.02, '<mimic joint="a" multiplier="-2" offset="0.3"/>'),
            ("c", 0.01, '<mimic joint="b" multiplier="0.5"/>'),
        )
    )
)


def tiny(
    folder: Path,
    text: str,
    *,
    welded: str = "",
    slope_deg: float = 0.0,
    friction: float | None = None,
    positions: dict[str, float] | None = None,
    velocities: dict[str, float] | None = None,
    **fields: object,
) -> Scenario:
    """Write a URDF and make a scenario of it; ``welded`` names the link fixed to the terrain."""
    name = text.split('"')[1]
    path = folder / f"{name}.urdf"
    path.write_text(text)
    directives = [ModelDirective(add_model=AddModel(name=name, file=str(path)))]
    if welded:
        weld = AddWeld(parent="terrain", child=f"{name}::{welded}")
        directives.append(ModelDirective(add_weld=weld))
    return Scenario(
        directives=directives,
        terrain=Terrain(slope_deg=slope_deg),
        friction=friction,
        initial=InitialState(positions=positions or {}, velocities=velocities or {}),
        **fields,
    )


def simulate(scenario: Scenario, engine: str = "moreau", **hooks: object) -> Run:
    """Run a scenario that no machine knows."""
    return run_scenario(scenario, "tiny", engine, **hooks)


def columns(run: Run, *names: str) -> list[np.ndarray]:
    """Time, then positions or velocities by name: "x", "v:x"."""
    data = run.trajectory.data
    found = [data["time"].to_numpy()]
    for name in names:
        kind, _, which = name.rpartition(":")
        dim = "velocity" if kind == "v" else "position"
        found.append(data[kind or "q"].sel({dim: which}).to_numpy())
    return found
