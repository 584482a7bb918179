"""PASIBOT as its crank feels it, for the motor that drives it."""

import math

import numpy as np

from footfall.machines.pasibot.closed_form.energy import reduced
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, fold
from footfall.machines.pasibot.closed_form.parameters import PasibotParameters
from footfall.machines.pasibot.closed_form.profile import CrankProfile


class ReducedCrank:
    """Inertia and torque of a machine that stands on one foot, by the angle of its crank.

    mean_inertia: of the crank over a step [kg m^2].
    """

    def __init__(self, parameters: PasibotParameters) -> None:
        self._profile = CrankProfile(parameters)
        step = np.linspace(0.0, math.pi, 65)[:-1] + STEP_BEGINS
        self.mean_inertia = float(reduced(parameters, step).inertia.mean())

    def torque(self, angle: float, rate: float, acceleration: float) -> float:
        """Return the torque of a motion [N m] at an angle [rad] from where the step begins.

        Beyond a step the feet have changed their parts.
        """
        folded, _ = fold(np.array(angle + STEP_BEGINS))
        return float(self._profile(float(folded)).torque(rate, acceleration))
