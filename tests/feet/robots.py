"""Robots small enough for a closed form, with feet."""

_INERTIA = '<inertia ixx="{i}" ixy="0" ixz="0" iyy="{i}" iyz="0" izz="{i}"/>'


def _link(name, mass, shape="", origin="0 0 0"):
    collision = f'<collision name="{name}"><geometry>{shape}</geometry></collision>'
    return f"""<link name="{name}">
    <inertial><origin xyz="{origin}"/><mass value="{mass}"/>
      {_INERTIA.format(i=0.01 * mass)}</inertial>
    {collision if shape else ""}</link>"""


def _weld(parent, child, origin):
    return f"""<joint name="{parent}_{child}" type="fixed">
    <parent link="{parent}"/><child link="{child}"/><origin xyz="{origin}"/></joint>"""


def _joint(kind, parent, child, origin, axis="0 0 1"):
    name = f"{parent}_{child}"
    limit = 'lower="-0.1" upper="1" effort="1000"'
    return f"""<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>
    <origin xyz="{origin}"/><axis xyz="{axis}"/><limit {limit} velocity="100"/></joint>
  <transmission><type>transmission_interface/SimpleTransmission</type>
    <joint name="{name}"><hardwareInterface/></joint>
    <actuator name="{name}"><mechanicalReduction>1</mechanicalReduction></actuator>
  </transmission>"""


# a trunk of 6 kg on four ball feet of 1 kg and 2 cm; the trunk's centre of mass is off its middle
TABLE = f"""<robot name="table">
  {_link("trunk", 6, '<box size="0.6 0.4 0.1"/>', origin="0.06 0.03 0")}
  {
    "".join(
        _link(foot, 1, '<sphere radius="0.02"/>') + _weld("trunk", foot, f"{x} {y} -0.4")
        for foot, x, y in (
            ("fl", 0.25, 0.15),
            ("fr", 0.25, -0.15),
            ("hl", -0.25, 0.15),
            ("hr", -0.25, -0.15),
        )
    )
}
</robot>"""

# a trunk of 8 kg on one leg that slides up and down, with a sole of 0.2 x 0.1 m
HOPPER = f"""<robot name="hopper">
  {_link("trunk", 8)}
  {_link("sole", 1, '<box size="0.2 0.1 0.04"/>')}
  {_joint("prismatic", "trunk", "sole", "0 0 -0.5")}
</robot>"""

# a leg whose foot has a toe, and a trunk that reaches as low as both
HEEL_AND_TOE = f"""<robot name="walker">
  {_link("trunk", 5, '<box size="0.1 0.1 0.8"/>')}
  {
    "".join(
        _link(f"{side}_foot", 1, '<box size="0.1 0.05 0.02"/>')
        + _link(f"{side}_toe", 0.1, '<box size="0.04 0.05 0.02"/>')
        + _joint("revolute", "trunk", f"{side}_foot", f"0 {y} {z}", axis="0 1 0")
        + _joint("revolute", f"{side}_foot", f"{side}_toe", "0.08 0 0", axis="0 1 0")
        for side, y, z in (("left", 0.1, -0.6), ("right", -0.1, -0.57))
    )
}
</robot>"""
