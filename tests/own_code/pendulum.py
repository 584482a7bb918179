"""A pendulum with a motor at its hinge, scenarios of it, and controllers in files for it.

2 kg at 0.5 m and 0.01 kg m^2 about the centre of mass; at 0 it hangs.
"""

MASS, ARM, GRAVITY = 2.0, 0.5, 9.81

URDF = """<robot name="pendulum">
  <link name="pin"/>
  <link name="rod">
    <inertial>
      <origin xyz="0 0 -0.5"/><mass value="2"/>
      <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/>
    </inertial>
    <collision name="tip">
      <origin xyz="0 0 -1"/><geometry><sphere radius="0.02"/></geometry>
    </collision>
  </link>
  <joint name="hinge" type="continuous">
    <parent link="pin"/><child link="rod"/><axis xyz="0 1 0"/>
  </joint>
  <transmission name="drive">
    <type>transmission_interface/SimpleTransmission</type>
    <joint name="hinge"/><actuator name="motor"/>
  </transmission>
</robot>
"""

SCENARIO = """
duration: 0.02
time_step: 1.0e-3
directives:
- add_model: {name: pendulum, file: pendulum.urdf}
- add_weld: {parent: world, child: "pendulum::pin", X_PC: {translation: [0, 0, 2.0]}}
"""

PD = '''"""PD control of a pendulum, and what may be seen of it."""

from dataclasses import dataclass

import numpy as np
from gains import KD
from pydrake.systems.framework import LeafSystem


class PD(LeafSystem):
    @dataclass(frozen=True)
    class Parameters:
        kp: float = 40.0
        kd: float = KD
        target: float = 0.5

        def __post_init__(self):
            if self.kp < 0.0:
                raise ValueError("kp pushes away")

    def __init__(self, plant, parameters):
        super().__init__()
        self._parameters = parameters
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self.DeclareVectorOutputPort("actuation", plant.num_actuators(), self._calc)

    def _calc(self, context, output):
        q, v = self._state.Eval(context)
        p = self._parameters
        output.SetFromVector([p.kp * (p.target - q) - p.kd * v])


class Swing(LeafSystem):
    def __init__(self, plant):
        super().__init__()
        self.DeclareVectorOutputPort("reference", 3, self._calc)

    def _calc(self, context, output):
        t = context.get_time()
        output.SetFromVector([0.3 * np.cos(2 * t), -0.6 * np.sin(2 * t), -1.2 * np.cos(2 * t)])


class Track(LeafSystem):
    """Computed torque, by hand: I a_d + m g l sin q and PD."""

    def __init__(self, plant):
        super().__init__()
        self._state = self.DeclareVectorInputPort("state", 2)
        self._reference = self.DeclareVectorInputPort("reference", 3)
        self.DeclareVectorOutputPort("actuation", 1, self._calc)

    def _calc(self, context, output):
        q, v = self._state.Eval(context)
        q_d, v_d, a_d = self._reference.Eval(context)
        a = a_d + 100.0 * (q_d - q) + 20.0 * (v_d - v)
        output.SetFromVector([0.51 * a + 2.0 * 9.81 * 0.5 * np.sin(q)])


def tip_height(plant, context):
    """Height of the tip."""
    return (plant.GetBodyByName("rod").EvalPoseInWorld(context) @ np.array([0.0, 0.0, -1.0]))[2]


def power(plant, context):
    torque = plant.get_actuation_input_port().Eval(context)[0]
    return torque, torque * plant.GetVelocities(context)[0]


def late(plant, context):
    if context.get_time() > 0.0105:
        raise LookupError("lost")
    return 1.0
'''

HELPER = "KD = 4.0\n"

BAD = """from dataclasses import dataclass

from pydrake.systems.framework import LeafSystem


@dataclass
class Gains:
    p: float = 1.0
    d: list[float] = None


class Good(LeafSystem):
    torque, when = [0.0], 1e9

    @dataclass
    class Parameters:
        kp: float
        gains: Gains = None
        n: int = 3

    def __init__(self, plant, parameters=None):
        super().__init__()
        self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self.DeclareVectorOutputPort("actuation", plant.num_actuators(), self._calc)

    def _calc(self, context, output):
        output.SetFromVector([0.0])
        if context.get_time() > self.when:
            output.SetFromVector(self.torque)  # the line that is to be named


class Late(Good):
    Parameters, torque, when = None, [1.0, 2.0], 0.0105


class AtOnce(Late):
    when = -1.0


class Nan(Late):
    torque = [float("nan")]


class Raises(LeafSystem):
    def __init__(self, plant):
        super().__init__()
        plant.GetJointByName("knee")


class NoState(LeafSystem):
    def __init__(self, plant):
        super().__init__()
        self.DeclareVectorOutputPort("actuation", 1, lambda *_: None)


class NoActuation(LeafSystem):
    def __init__(self, plant):
        super().__init__()
        self.DeclareVectorInputPort("state", 2)


class WrongSize(LeafSystem):
    def __init__(self, plant):
        super().__init__()
        self.DeclareVectorInputPort("state", 7)
        self.DeclareVectorOutputPort("actuation", 1, lambda *_: None)


class Camera(LeafSystem):
    def __init__(self, plant):
        super().__init__()
        self.DeclareVectorInputPort("state", 2)
        self.DeclareVectorInputPort("image", 2)
        self.DeclareVectorOutputPort("actuation", 1, lambda *_: None)


class Tracker(LeafSystem):
    def __init__(self, plant):
        super().__init__()
        self.DeclareVectorInputPort("state", 2)
        self.DeclareVectorInputPort("reference", 2)
        self.DeclareVectorOutputPort("actuation", 1, lambda *_: None)


class Short(LeafSystem):
    def __init__(self, plant):
        super().__init__()
        self.DeclareVectorOutputPort("reference", 1, lambda *_: None)


def not_a_system(plant):
    return 1.0


def text(plant, context):
    return "high"


def foot(plant, context):
    return plant.GetBodyByName("foot")
"""


def write(folder):
    """Write the pendulum and the files of code into a folder."""
    files = {"pendulum.urdf": URDF, "pd.py": PD, "gains.py": HELPER, "bad.py": BAD}
    files |= {"imports.py": "\nimport nothing_there\n", "syntax.py": "x = 1\ndef f(:\n"}
    for name, text in files.items():
        (folder / name).write_text(text)


def scenario(folder, more="", name="own.yaml", **values):
    """Write a scenario of the pendulum with more lines; returns its path."""
    text = SCENARIO
    for key, value in values.items():
        text = text.replace(f"{key}: ", f"{key}: {value} # ")
    path = folder / name
    path.write_text(f"{text}{more}\n")
    return path
