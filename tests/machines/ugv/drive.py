"""The vehicle driven over a track by an engine, and what quasi-static balance says where it is."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.forces import Forces, forces
from footfall.machines.ugv.closed_form.position import UgvParameters, pose
from footfall.machines.ugv.closed_form.tracks import Track
from footfall.machines.ugv.model import COORDINATES, WHEELS, wheel_centres
from footfall.run import run_scenario
from footfall.scenario.io import parse_scenario

VEHICLE = UgvParameters()
PACKAGE = "package://footfall/sdf/tracks"


@dataclass(frozen=True)
class Driven:
    """time [s]; s [m] of the front wheel's centre; torque [N m] of a wheel, legs (2, n) [N m].

    normal, along (2, n) [N]: forces of the ground on the rear and on the front wheel, from the
    impulses of the step that ended. rolling (2, n) [m]: how far the rims rolled. balance: of the
    closed form at the measured s and angles.
    """

    time: Array
    s: Array
    torque: Array
    legs: Array
    normal: Array
    along: Array
    rolling: Array
    balance: Forces

    def after(self, time: float) -> npt.NDArray[np.bool_]:
        """Rows later than a time [s]; the last one has no torque any more."""
        late = self.time > time
        late[-1] = False
        return late

    def torque_error(self, time: float) -> Array:
        """Torque less that of the balance, after a time [s]."""
        late = self.after(time)
        return (self.torque - self.balance.torque)[late]


def drive(
    track: Track,
    file: str,
    *,
    engine: str = "moreau",
    speed: float = 0.2,
    start: float = 3.2,
    angles: tuple[float, float] = (115.0, 115.0),
    duration: float = 2.0,
    time_step: float = 2e-3,
    friction: float = 0.8,
    ramp: float = 0.5,
) -> Driven:
    """Drive from rest at a station [m] with angles [degrees] that stay."""
    rear, front = angles
    scenario = parse_scenario(
        f"""machine: ugv
duration: {duration!r}
time_step: {time_step!r}
friction: {friction!r}
directives:
- add_model: {{name: ugv, file: package://footfall/sdf/ugv/ugv.sdf}}
- add_weld: {{parent: terrain, child: "ugv::ground"}}
- add_model: {{name: track, file: {file}}}
initial: {{on_gait: true}}
moreau: {{recover_gaps: true}}
controller: !WheelLegDrive
  speed: {speed!r}
  ramp: {ramp!r}
  stations: [{{position: {start!r}, rear: {rear!r}, front: {front!r}}}]
"""
    )
    return _read(run_scenario(scenario, "drive", engine).trajectory.data, track)


def _read(data, track: Track) -> Driven:
    time = data["time"].to_numpy()
    q = np.array([data["q"].sel(position=name).to_numpy() for name in COORDINATES])
    torques = {
        name: data["actuation"].sel(actuator=name).to_numpy()
        for name in ("rear_hip", "rear_axle", "front_hip", "front_axle")
    }
    assert np.array_equal(torques["rear_axle"], torques["front_axle"])
    _, front = wheel_centres(VEHICLE, q)
    curve = CentreCurve(track, VEHICLE.r, front.real.min() - 2.0, front.real.max() + 0.1)
    names = data["contact"].to_numpy().tolist()
    step = time[1] - time[0]
    of_wheels = [
        sum(
            data["impulse"].to_numpy()[:, k] / step
            for k, name in enumerate(names)
            if wheel in name.split("|")
        )
        for wheel in WHEELS
    ]
    rolled = [q[4] - (q[2] - q[3]), q[6] - (q[2] + q[5])]
    return Driven(
        time=time,
        s=front.real,
        torque=torques["rear_axle"],
        legs=np.array([torques["rear_hip"], torques["front_hip"]]),
        normal=np.array([force[:, 0] for force in of_wheels]),
        along=np.array([force[:, 1] for force in of_wheels]),
        rolling=VEHICLE.r * np.array(rolled),
        balance=forces(VEHICLE, pose(VEHICLE, curve, front.real, q[3], q[5])),
    )


def mean_over(values: Array, rows: int) -> Array:
    """Means over so many neighbouring rows."""
    return np.convolve(values, np.ones(rows) / rows, "valid")
