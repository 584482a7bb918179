"""The gait pipeline of the biped report (section vi and the script Trajectory_1period).

Stage 1 lets the robot walk on flat ground under a sinusoidal feed-forward. One settled period of
its joint angles and velocities is clipped, thinned to 20 knots, interpolated by cubic splines,
differentiated and reversed in time.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from pydrake.multibody.plant import MultibodyPlant
from scipy.interpolate import CubicSpline

from footfall.arrays import Array
from footfall.checked import not_negative, positive
from footfall.errors import ModelError, RunError, ScenarioError
from footfall.machines.biped.closed_form import stepper as biped_stepper
from footfall.machines.biped.closed_form.model import Biped, BipedParameters
from footfall.machines.biped.closed_form.stepper import StepperOptions
from footfall.machines.biped.engine import JOINTS, joint_reference
from footfall_controllers.controller import actuated_joints
from footfall_controllers.inverse_dynamics import TracksReference
from footfall_controllers.posture import Posture, PostureSystem
from footfall_controllers.reference_gait import ReferenceGait, SampledGait

STAGE1_STEP = 1e-3  # s: the listing divides its sample numbers by 1000


@dataclass
class BipedGait(TracksReference):
    """Track the time-reversed gait by inverse dynamics, as the report's main script does.

    The report's loose ends are switches; the defaults are what its listings do, but for
    ``repetitions``.
    """

    # Stage 1, on flat ground with mu = 1: the posture and feed-forward that the gait comes from.
    stage1: Posture = field(default_factory=Posture)
    # First and last sample of the settled period, counted from 1 as in the listing; a sample is
    # taken every millisecond.
    first_sample: int = 6131
    last_sample: int = 8075
    # Samples of the period that the splines go through.
    knots: int = 20
    # Close the splines periodically; the listing uses not-a-knot ends.
    periodic_spline: bool = False
    # Turn the sign of the velocities with the direction of time; the listing forgets it.
    reverse_velocity_sign: bool = False
    # Play both ends of the period, which are the same posture; the listing does.
    both_ends: bool = True
    # Periods before the last sample is held for good; 0 goes on for ever. The listing plays 3, of
    # which the third is not over after its 5 s.
    repetitions: int = not_negative(0, "give a count, or 0 to go on for ever")
    # Time between samples [s] when the gait is played.
    sample_period: float = positive(1e-3)
    # Evaluate the law half a time step ahead, as the listing does.
    at_midpoint: bool = True
    # Drop the external pitch moment tau1 + tau3 that absolute thigh angles hide, keeping the torque
    # between the thighs.
    internal_torques_only: bool = False

    def __post_init__(self) -> None:
        """Refuse windows and numbers that make no gait."""
        super().__post_init__()
        if not 1 <= self.first_sample < self.last_sample:
            raise ScenarioError(
                f"controller: samples {self.first_sample} to {self.last_sample} are no period: "
                "give 1 <= first < last."
            )
        if not 4 <= self.knots <= self.last_sample - self.first_sample:
            raise ScenarioError(
                f"controller.knots is {self.knots}: "
                "give at least 4 and fewer than the samples of the period."
            )

    def reference(self, plant: MultibodyPlant) -> ReferenceGait:
        """Run stage 1 and make the reference source.

        Raises ModelError for a plant without the biped's actuators, and as ``run_stage1``.
        """
        joints = actuated_joints(plant)
        if tuple(joints) != JOINTS:
            raise ModelError(
                f"controller BipedGait drives the joints {', '.join(JOINTS)}; "
                f"this model has {', '.join(joints) or 'none'}."
            )
        return ReferenceGait(self.gait())

    @property
    def balanced(self) -> tuple[tuple[str, str], ...]:
        """The actuators of the thighs, where only the torque between them is real."""
        return (("tau1", "tau3"),) if self.internal_torques_only else ()

    def gait(self) -> SampledGait:
        """Run the whole pipeline; raises as ``run_stage1``."""
        return reversed_gait(self.period(), self)

    def period(self) -> "FittedPeriod":
        """Period of stage 1 that the gait is made of; raises as ``run_stage1``."""
        return fitted_period(self._walk(), self)

    def _walk(self) -> biped_stepper.StepperResult:
        """Run stage 1, or take it from the last time that the same was asked; must not be changed.

        A scenario asks several times: it starts with the gait, and tracks it.
        """
        asked = f"{self.stage1!r} {self.last_sample}"
        if asked not in _WALKS:
            _WALKS.clear()
            _WALKS[asked] = run_stage1(self.stage1, self.last_sample)
        return _WALKS[asked]


_WALKS: dict[str, biped_stepper.StepperResult] = {}
"""The walk of stage 1 that was run last, by what was asked for."""


def run_stage1(stage1: Posture, num_samples: int) -> biped_stepper.StepperResult:
    """Walk on flat ground with mu = 1, e_n = 0 by the report's own stepper.

    The result has ``num_samples`` states, STAGE1_STEP apart. Raises ModelError for a joint that the
    biped does not have, RunError for a walk that does not go through.
    """
    machine = Biped(BipedParameters(alpha=0.0))
    source = PostureSystem(stage1, list(JOINTS))
    reference = joint_reference(source, STAGE1_STEP, num_samples - 1)
    posture = source.sample(0.0)[0]
    start = np.concatenate(([0.0, machine.standing_height(posture)], posture))
    options = StepperOptions(
        kp=stage1.kp,
        kd=stage1.kd,
        control_at_midpoint=stage1.at_midpoint,
        gains_only=stage1.gains_only,
    )
    result = biped_stepper.run(
        start, np.zeros(6), STAGE1_STEP, reference, num_samples - 1, options, machine.parameters
    )
    if not result.converged or result.diverged:
        raise RunError(
            f"stage 1 of the biped gait stops after {result.t[-1]:.3f} s: "
            "change its posture, feed-forward or gains."
        )
    return result


class FittedPeriod(NamedTuple):
    """One period of stage 1, N samples STAGE1_STEP apart, and the splines through some of them.

    knots (k,): the samples that the splines go through. walked, fitted: joint angles [rad] and
    rates [rad/s], (2, N, 4).
    """

    knots: npt.NDArray[np.int_]
    walked: Array
    fitted: Array

    @property
    def mismatch(self) -> float:
        """Largest difference of a joint's angle between both ends of the clip [rad]."""
        return float(np.abs(self.walked[0, -1] - self.walked[0, 0]).max())

    @property
    def errors(self) -> Array:
        """Largest distance of the splines from the walk: of angles [rad], of rates [rad/s]."""
        return np.abs(self.fitted - self.walked).max(axis=(1, 2))


def fitted_period(walk: biped_stepper.StepperResult, options: BipedGait) -> FittedPeriod:
    """Clip and thin one period of a walk, and interpolate angles and velocities."""
    window = slice(options.first_sample - 1, options.last_sample)
    walked = np.stack((walk.q[window, 2:], walk.u[window, 2:]))
    last = walked.shape[1] - 1
    knots = np.floor(np.arange(options.knots) * last / (options.knots - 1)).astype(int)
    time = np.arange(last + 1, dtype=np.float64) * STAGE1_STEP
    fitted = [_spline(time, each, knots, periodic=options.periodic_spline) for each in walked]
    return FittedPeriod(knots, walked, np.stack(fitted))


def reversed_gait(period: FittedPeriod, options: BipedGait) -> SampledGait:
    """Differentiate and reverse the splines of a period."""
    angle, rate = period.fitted
    acceleration = np.vstack((np.zeros(len(JOINTS)), np.diff(rate, axis=0) / STAGE1_STEP))
    if options.periodic_spline:
        acceleration[0] = acceleration[-1]
    backwards = slice(None, None, -1)
    sign = -1.0 if options.reverse_velocity_sign else 1.0
    samples = slice(None) if options.both_ends else slice(None, -1)
    return SampledGait(
        position=angle[backwards][samples],
        velocity=sign * rate[backwards][samples],
        acceleration=acceleration[backwards][samples],
        sample_period=options.sample_period,
        repetitions=options.repetitions,
    )


def _spline(time: Array, values: Array, knots: npt.NDArray[np.int_], *, periodic: bool) -> Array:
    """Cubic spline through the knots, at all times; a periodic one takes its end from its start."""
    at_knots = values[knots].copy()
    if periodic:
        at_knots[-1] = at_knots[0]
    spline = CubicSpline(time[knots], at_knots, bc_type="periodic" if periodic else "not-a-knot")
    fitted: Array = spline(time)
    return fitted
