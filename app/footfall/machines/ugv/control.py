"""The drive of the vehicle's wheels and legs in a scenario."""

import math
from dataclasses import dataclass, field

from footfall.control.controller import Controller, Reference, Wiring
from footfall.errors import ModelError, ScenarioError
from footfall.machines.ugv.model import parameters_of
from footfall_controllers.wheel_leg_drive import (
    LegPlan,
    LegStation,
    WheelLegDriveParameters,
    WheelLegDriveSystem,
)


@dataclass
class Station:
    """Angles of the legs where the front wheel's centre is at a place of the track."""

    # Abscissa of the centre of the front wheel [m].
    position: float = 0.0
    # Angle between the body and the rear leg [degrees]: 90 stands down from it, 180 is in line.
    rear: float = 90.0
    # Angle between the body and the front leg [degrees].
    front: float = 90.0


@dataclass
class WheelLegDrive(Controller):
    """Drive the vehicle at a speed, the same torque on both wheels, and hold its legs' angles.

    A start on_gait puts the vehicle on its track with the front wheel at the first station.
    """

    # Speed of the wheels' rims [m/s]; negative goes back.
    speed: float = 0.2
    # Time in which it is reached from rest [s].
    ramp: float = 1.0
    # Gains of the torque of a wheel, by the rate [N m s] and the angle [N m] of rolling. For the
    # vehicle of the document, whose mass a wheel feels as 22 kg m^2, they answer at 10 rad/s with a
    # damping of 1; a wheel that has lost the ground turns by its own 2.25 kg m^2, and kd times the
    # step over this has to stay below 1.
    kd: float = 440.0
    ki: float = 2200.0
    # Most torque of a wheel, both ways [N m].
    limit: float = 1000.0
    # Gains of the torque of a leg by its angle [N m] and rate [N m s]. A leg that bears 700 N m
    # gives way by 3.5 mrad. Its fastest answer, at 330 rad/s where legs are stretched, is stable
    # at steps of 4 ms on the ground and of 2 ms in the air; twice leg_kd would not be.
    leg_kp: float = 2.0e5
    leg_kd: float = 1.0e3
    # Angles of the legs along the way, at rising positions: monotone cubics between, constant
    # before the first and behind the last.
    stations: list[Station] = field(default_factory=lambda: [Station()])

    def __post_init__(self) -> None:
        """Refuse what is no law."""
        self.law()

    def law(self) -> WheelLegDriveParameters:
        """The law, to be evaluated; raises ScenarioError, one line."""
        try:
            plan = LegPlan(
                [
                    LegStation(at.position, math.radians(at.rear), math.radians(at.front))
                    for at in self.stations
                ]
            )
            return WheelLegDriveParameters(
                plan=plan,
                speed=self.speed,
                ramp=self.ramp,
                kd=self.kd,
                ki=self.ki,
                limit=self.limit,
                leg_kp=self.leg_kp,
                leg_kd=self.leg_kd,
            )
        except ValueError as error:
            raise ScenarioError(f"controller: {error}.") from error

    def connect(self, wiring: Wiring, _reference: Reference | None) -> None:
        """Connect the machine's state -> drive -> its wheels and legs."""
        try:
            machine = parameters_of(wiring.model, wiring.contacts)
        except ModelError as error:
            raise ModelError(f"controller WheelLegDrive: {error}") from error
        system = WheelLegDriveSystem(wiring.model.plant, machine, self.law())
        wiring.add_feedback("wheel_leg_drive", system)
