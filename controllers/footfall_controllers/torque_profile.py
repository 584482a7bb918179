"""Play prescribed torques: polynomials of time for any actuators of any machine."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.plants.coordinates import actuator_names, actuators_of
from footfall.plants.flat.laws import Law, prescribed
from footfall.plants.motors import gear_ratios
from footfall.wording import did_you_mean
from footfall_controllers.controller import Controller, LawRequest, Reference, Wiring
from footfall_controllers.piecewise import Number, Piecewise, Segment

# of the limit: what a torque may lie beyond it by rounding
_ROUNDING = 1e-9


@dataclass(frozen=True)
class TorqueProfileParameters(Piecewise):
    """Torque of one actuator over time [N m or N]: segments from time 0 on, then 0.

    Evaluated without Drake, and analytic in time within a piece, so that a derivative by a step
    into the complex numbers may be taken. Raises ValueError as ``Piecewise`` does.
    """

    def torque(self, piece: int, time: Number) -> Number:
        """Torque of a piece at times of any shape, real or complex; piece as from ``piece``."""
        if piece >= len(self.segments):
            return 0.0 * time
        return self.segments[piece].value(time)

    def mean(self, begin: float, end: float) -> float:
        """Mean torque from begin to end [s], the times after the last segment with 0."""
        total = 0.0
        for segment in self.segments:
            first, last = max(begin, segment.start), min(end, segment.end)
            if first < last:
                total += segment.mean(first, last) * ((last - first) / (end - begin))
        return total

    def require_within(self, limit: float) -> None:
        """Raise ValueError, one line, where a torque exceeds a limit in absolute value."""
        for k, segment in enumerate(self.segments):
            for time, value in segment.extremes():
                if abs(value) > limit * (1.0 + _ROUNDING):
                    raise ValueError(
                        f"segment {k} reaches {value:.9g} at t = {time:.9g} s, beyond the "
                        f"actuator's limit of {limit:g}: lower it"
                    )


@dataclass
class TorqueSegment:
    """A polynomial a0 + a1 s + a2 s^2 + ... of the local time s = t - start."""

    # From when to when it holds [s]; a segment starts where the one before it ends.
    start: float = 0.0
    end: float = 0.0
    # a0, a1, a2, ... [N m or N, over s to the power of the place].
    coefficients: list[float] = field(default_factory=list)


@dataclass
class TorqueProfile(Controller):
    """Play prescribed torques, whatever the machine does."""

    # Segments by actuator, the first from time 0 on, without gaps; after the last one the torque is
    # 0, as it is on actuators that are not named.
    torques: dict[str, list[TorqueSegment]] = field(default_factory=dict)
    # Torques are those of the rotors; a joint gets them times its gear ratio.
    at_rotor: bool = False

    def __post_init__(self) -> None:
        """Refuse what is no function of time."""
        self.profiles()

    def profiles(self) -> dict[str, TorqueProfileParameters]:
        """The torques by actuator as the scenario has them; raises ScenarioError, one line."""
        return {name: _profile(name, parts) for name, parts in self.torques.items()}

    def profiles_of(self, plant: MultibodyPlant) -> dict[str, TorqueProfileParameters]:
        """Torques of the joints of a plant, which must have the actuators and bear the torques."""
        profiles = self.profiles()
        if self.at_rotor:
            ratios = dict(zip(actuator_names(plant), gear_ratios(plant), strict=True))
            profiles = {
                name: _times(profile, float(ratios.get(name, 1.0)))  # a wrong name is refused below
                for name, profile in profiles.items()
            }
        try:
            check_torques(plant, profiles)
        except ValueError as error:
            raise ScenarioError(f"controller.torques.{error}.") from error
        return profiles

    def _system(self, plant: MultibodyPlant, time_step: float) -> "TorqueProfileSystem":
        return TorqueProfileSystem(plant, self.profiles_of(plant), time_step)

    def compiled_law(self, asked: LawRequest) -> Law:
        """Return the torques of the steps."""
        system = self._system(asked.model.plant, asked.time_step)
        torques = [system.sample(float(time)) for time in asked.times]
        return prescribed(np.array(torques).reshape(-1, asked.model.plant.num_actuators()))

    def connect(self, wiring: Wiring, _reference: Reference | None) -> None:
        """Connect the torques to the machine; its state is not asked for."""
        system = self._system(wiring.model.plant, wiring.time_step)
        wiring.builder.AddNamedSystem("torque_profile", system)
        wiring.builder.Connect(system.GetOutputPort("actuation"), wiring.actuation)


class TorqueProfileSystem(LeafSystem):
    """Output ``actuation`` [N m or N], in Drake's order of actuators; a source without inputs.

    torques: profiles by the name of the actuator; actuators without one get 0. time_step [s]: of
    the engine that is driven. An engine holds what it samples at the start of a step for the whole
    step. It is given the mean over that step, not the value at its start: the impulse of the torque
    is then exact, wherever in a step the torque jumps, and what holding it does to the motion is an
    error of second order in the step instead of first. A break on the grid of steps needs no care:
    a start of 60 * 0.001 s that rounding puts before 0.06 s gives the segment before the break a
    share of the mean that is rounding itself. time_step 0 gives the value at the time asked for,
    right-continuous, for an engine that integrates in continuous time.

    Raises ValueError, one line, for actuators that the plant does not have, for torques beyond
    their effort limits, and for a time step that is no number of that kind.
    """

    def __init__(
        self,
        plant: MultibodyPlant,
        torques: Mapping[str, TorqueProfileParameters],
        time_step: float = 0.0,
    ) -> None:
        """Take the plant to know its actuators; it is not kept."""
        super().__init__()
        if not (np.isfinite(time_step) and time_step >= 0.0):
            raise ValueError(f"time_step is {time_step}: give the engine's step, or 0")
        check_torques(plant, torques)
        self._time_step = time_step
        names = actuator_names(plant)
        self._profiles = [(names.index(name), torque) for name, torque in torques.items()]
        self._size = len(names)
        self.DeclareVectorOutputPort(
            "actuation", self._size, self._calc_actuation, {self.time_ticket()}
        )

    def sample(self, time: float) -> Array:
        """Torques (num_actuators,) for the step that starts at a time [s]."""
        tau = np.zeros(self._size)
        for index, torque in self._profiles:
            if self._time_step > 0.0:
                tau[index] = torque.mean(time, time + self._time_step)
            else:
                tau[index] = torque.torque(torque.piece(time), time)
        return tau

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(self.sample(context.get_time()))


def check_torques(plant: MultibodyPlant, torques: Mapping[str, TorqueProfileParameters]) -> None:
    """Raise ValueError, one line, for actuators that there are not, and torques beyond limits."""
    names = actuator_names(plant)
    actuators = actuators_of(plant)
    for name, torque in torques.items():
        if name not in names:
            raise ValueError(f"{name}: there is no such actuator; {did_you_mean(name, names)}")
        try:
            torque.require_within(actuators[names.index(name)].effort_limit())
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from error


def _profile(name: str, parts: list[TorqueSegment]) -> TorqueProfileParameters:
    """Profile of one actuator, with its place in the scenario in what is raised."""
    where = f"controller.torques.{name}"
    if not parts:
        raise ScenarioError(f"{where}: give at least one segment, or leave the actuator out.")
    segments = []
    for k, part in enumerate(parts):
        try:
            segments.append(Segment(part.start, part.end, tuple(part.coefficients)))
        except ValueError as error:
            raise ScenarioError(f"{where}.{k}: {error}.") from error
    try:
        return TorqueProfileParameters(tuple(segments))
    except ValueError as error:
        raise ScenarioError(f"{where}: {error}.") from error


def _times(profile: TorqueProfileParameters, factor: float) -> TorqueProfileParameters:
    """A profile with every torque times a factor."""
    parts = profile.segments
    return TorqueProfileParameters(
        tuple(Segment(s.start, s.end, tuple(factor * a for a in s.coefficients)) for s in parts)
    )
