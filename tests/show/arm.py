"""An arm of two joints on a base that stands still, with little to look at."""

ARM = """<robot name="arm">
  <link name="base"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
    <origin xyz="0 0 0.5"/><axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="1"/></joint>
  <link name="upper"><inertial><origin xyz="0 0 0.3"/><mass value="{mass}"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="hand"/>
    <origin xyz="0 0 0.5"/><axis xyz="0 1 0"/><limit lower="-4" upper="4" effort="1"/></joint>
  <link name="hand"><inertial><mass value="1"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 1"/><geometry><sphere radius="0.1"/></geometry></collision></link>
</robot>"""
