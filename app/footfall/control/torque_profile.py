"""Prescribed torques in a scenario: polynomials of time for any actuators of any machine."""

from dataclasses import dataclass, field

from footfall.control.controller import Controller, Reference, Wiring
from footfall.errors import ScenarioError
from footfall.plants.coordinates import actuator_names
from footfall.plants.loading.load import Model
from footfall.plants.motors import gear_ratios
from footfall_controllers.torque_profile import (
    Segment,
    TorqueProfileParameters,
    TorqueProfileSystem,
    check_torques,
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

    def profiles_of(self, model: Model) -> dict[str, TorqueProfileParameters]:
        """Torques of the joints of a model, which must have the actuators and bear the torques."""
        profiles = self.profiles()
        if self.at_rotor:
            ratios = dict(zip(actuator_names(model.plant), gear_ratios(model.plant), strict=True))
            profiles = {
                name: _times(profile, float(ratios.get(name, 1.0)))  # a wrong name is refused below
                for name, profile in profiles.items()
            }
        try:
            check_torques(model.plant, profiles)
        except ValueError as error:
            raise ScenarioError(f"controller.torques.{error}.") from error
        return profiles

    def connect(self, wiring: Wiring, _reference: Reference | None) -> None:
        """Connect the torques to the machine; its state is not asked for."""
        plant, builder = wiring.model.plant, wiring.builder
        profiles = self.profiles_of(wiring.model)
        source = builder.AddNamedSystem(
            "torque_profile", TorqueProfileSystem(plant, profiles, wiring.time_step)
        )
        builder.Connect(source.GetOutputPort("actuation"), wiring.actuation)


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
