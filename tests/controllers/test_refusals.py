"""Parameters of controllers that make no law are refused in one line, with the field."""

import math

import numpy as np
import pytest
from tests.controllers.test_inverse_dynamics import PLANT, Balanced

from footfall.errors import ScenarioError
from footfall.machines.compass.control import HipEnergyShaping
from footfall.machines.goalkeeper.closed_form.bisector import KeeperLaw
from footfall.machines.pasibot.control import CrankMotor
from footfall.machines.ugv.model import WheelLegDrive
from footfall_controllers.crank_motor import CrankSpeed
from footfall_controllers.energy_shaping import EnergyShapingParameters
from footfall_controllers.inverse_dynamics import InverseDynamics, InverseDynamicsSystem
from footfall_controllers.parallel_springs import ParallelSpring
from footfall_controllers.phase_selector import PhaseSelectorParameters
from footfall_controllers.piecewise import Piecewise, Segment
from footfall_controllers.reference_gait import SampledGait
from footfall_controllers.torque_profile import TorqueProfileSystem
from footfall_controllers.walking.walk import Walk
from footfall_controllers.wheel_leg_drive import Station
from footfall_controllers.whole_body.fall import Fall
from footfall_controllers.whole_body.tasks import (
    CentreOfMass,
    CentreOfPressure,
    Frame,
    JointTorque,
    Place,
)

NAN, INF = math.nan, math.inf
WAY = Piecewise((Segment(0.0, 1.0, (0.0,)),))
ROWS = np.zeros((3, 2))
SPEEDS = [CrankSpeed(0.0, 1.0), CrankSpeed(0.0, 2.0)]
TWO = Segment(0.0, 1.0, (1.0,)), Segment(1.5, 2.0, (1.0,))
OVER = Segment(0.0, 1.0, (1.0,)), Segment(0.5, 2.0, (1.0,))


def phases(**wrong):
    """Parameters of phases; their points do not matter."""
    return PhaseSelectorParameters(trunk=None, heels=(None, None), **wrong)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: InverseDynamics(kp=-1.0), "kp is -1.0"),
        (lambda: InverseDynamics(kd=NAN), "kd is nan"),
        (lambda: InverseDynamicsSystem(PLANT, Balanced(pair=("tau1", "tau9"))), "tau9"),
        (lambda: EnergyShapingParameters(NAN, 1.0), "energy is nan"),
        (lambda: EnergyShapingParameters(1.0, -1.0), "gain is -1.0"),
        (lambda: EnergyShapingParameters(1.0, 1.0, 0.0), "most_torque is 0.0"),
        (lambda: HipEnergyShaping(energy=INF), "energy is inf"),
        (lambda: HipEnergyShaping(gain=-1.0), "gain is -1.0"),
        (lambda: HipEnergyShaping(most_torque=0.0), "most_torque is 0.0"),
        (lambda: KeeperLaw(max_speed=-1.0), "max_speed is -1.0"),
        (lambda: KeeperLaw(max_acceleration=INF), "max_acceleration is inf"),
        (lambda: KeeperLaw(saturation=1.1), "saturation is 1.1"),
        (lambda: CrankMotor(speeds=[]), "at least one"),
        (lambda: CrankMotor(speeds=SPEEDS), "times that rise"),
        (lambda: CrankMotor(angle=INF), "angle is inf"),
        (lambda: CrankMotor(kp=-1.0), "kp is -1.0"),
        (lambda: CrankMotor(kd=INF), "kd is inf"),
        (lambda: CrankSpeed(0.0, INF), "speed is inf"),
        (lambda: WheelLegDrive(ramp=0.0), "ramp is 0.0"),
        (lambda: WheelLegDrive(speed=NAN), "speed is nan"),
        (lambda: WheelLegDrive(limit=-1.0), "limit is -1.0"),
        (lambda: WheelLegDrive(kd=-3.0), "kd is -3.0"),
        (lambda: WheelLegDrive(leg_kp=INF), "leg_kp is inf"),
        (lambda: WheelLegDrive(stations=[]), "no stations"),
        (lambda: WheelLegDrive(stations=[Station(1.0)] * 2), "do not rise"),
        (lambda: WheelLegDrive(stations=[Station(1.0, NAN)]), "no finite number"),
        (lambda: phases(patience=0.0), "patience is 0.0"),
        (lambda: phases(grounded=-1.0), "grounded is -1.0"),
        (lambda: phases(overdue=NAN), "overdue is nan"),
        (lambda: phases(near=INF), "near is inf"),
        (lambda: phases(first=4), "first is 4: choose one of 0, 1, 2, 3"),
        (lambda: ParallelSpring(-1.0, 0.0), "stiffness is -1.0"),
        (lambda: ParallelSpring(1.0, INF), "rest is inf"),
        (lambda: ParallelSpring(1.0, 0.0, -2.0), "damping is -2.0"),
        (lambda: SampledGait(ROWS, ROWS[:-1], ROWS, 0.1), "same shape"),
        (lambda: SampledGait(ROWS, ROWS, ROWS, 0.0), "sample_period is 0.0"),
        (lambda: Fall(lean=180.0), "above 0 and below 180"),
        (lambda: Fall(height=0.0), "height is 0.0"),
        (lambda: Fall(speed=-1.0), "speed is -1.0"),
        (lambda: Fall(rate=0.0), "rate is 0.0"),
        (lambda: Walk(com_height="low"), "com_height is 'low': give start or auto"),
        (lambda: CentreOfMass(feedforward=[1.0]), "give 3 finite numbers"),
        (lambda: CentreOfMass(hard=True, weight=0.0), "give a weight above 0"),
        (lambda: Place(link="a", relative_to="b", axes_of="c"), "leave axes_of out"),
        (lambda: Frame(link="a", turns="w"), "turns is 'w'"),
        (lambda: Frame(link="a", at=[0.0]), "give .x, y, z."),
        (lambda: Frame(link="a", arm=0.0), "give metres"),
        (lambda: CentreOfPressure(weight=-1.0), "not negative"),
        (lambda: JointTorque(torques={"a": NAN}), "torques.a is nan"),
        (lambda: Segment(NAN, 1.0, (1.0,)), "start is nan: give a finite"),
        (lambda: Segment(0.0, INF, (1.0,)), "end is inf: give a finite"),
        (lambda: Segment(0.0, 1.0, (1.0, INF)), "coefficients is .1.0, inf.: give a finite"),
        (lambda: Segment(0.0, -0.0, (1.0,)), "starts at 0 s and ends at -0 s: let it"),
        # an integrator that stops at its start would not see its end
        (lambda: Segment(0.05, 0.05 + 1e-12, (1.0,)), "it lasts .* let it last 1e-09 s"),
        (lambda: Segment(0.0, 1.0, ()), "no coefficients"),
        (lambda: Segment(0.0, 1e200, (1.0,) * 3), "overflow before its end"),
        (lambda: Piecewise((TWO[1],)), "segment 0 starts at 1.5 s: let the first one start at 0"),
        (lambda: Piecewise(TWO), "ends at 1.0 s, .* gap: let it start at 1.0"),
        (lambda: Piecewise(OVER), "segment 1 .* overlaps it: let it start at 1.0"),
        (lambda: TorqueProfileSystem(PLANT, {}, -1e-3), "time_step is"),
    ],
)
def test_what_makes_no_law_is_refused_in_one_line(make, says):
    with pytest.raises((ValueError, ScenarioError), match=says) as refused:
        make()
    assert "\n" not in str(refused.value)
