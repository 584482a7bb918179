"""The drive of the vehicle's wheels and legs in a scenario."""

from dataclasses import dataclass

from footfall.errors import ModelError
from footfall.machines.ugv.model import parameters_of
from footfall_controllers.controller import Controller, Wiring
from footfall_controllers.wheel_leg_drive import WheelLegDriveParameters, WheelLegDriveSystem


@dataclass
class WheelLegDrive(WheelLegDriveParameters, Controller):
    """Drive the vehicle at a speed, the same torque on both wheels, and hold its legs' angles.

    A start on_gait puts the vehicle on its track with the front wheel at the first station.
    """

    def system(self, wiring: Wiring) -> WheelLegDriveSystem:
        """Return the drive of a vehicle; raises ModelError for another machine."""
        try:
            machine = parameters_of(wiring.model, wiring.contacts)
        except ModelError as error:
            raise ModelError(f"controller WheelLegDrive: {error}") from error
        return WheelLegDriveSystem(wiring.model.plant, machine, self)
