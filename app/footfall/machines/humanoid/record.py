"""Rows of a walk on held feet: state, torques, reactions, references, and its changes of phase."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import xarray as xr

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.machines.humanoid.closed_form.parameters import Numbers
from footfall.machines.humanoid.closed_form.phases import PHASE_NAMES, GaitPhase
from footfall.machines.humanoid.closed_form.walker import Ground
from footfall.machines.humanoid.corners import contact_columns
from footfall.machines.humanoid.landing import Landed
from footfall.machines.humanoid.model import TRUNK
from footfall.machines.humanoid.supports import heels
from footfall.plants.layout import layout_of
from footfall.registry.context import MachineContext
from footfall.trajectory import Event, Trajectory, trajectory_from_arrays
from footfall_controllers.tracked_points import TrackedPoint, TrackedPoints

TRACKED = ("O1", "G1", "heel")
TOUCH_DOWN, TOE_OFF = "touch-down", "toe-off"
_WRENCH = ("Fx", "Fy", "Fz", "Mx", "My", "Mz")
_PHASES = {
    "flag_values": np.arange(4, dtype=np.int8),
    "flag_meanings": " ".join(PHASE_NAMES),
}


class Record:
    """Collects the rows of a walk. time: of the last row [s]."""

    def __init__(self, context: MachineContext, numbers: Numbers, engine: str) -> None:
        """Take the scenario, the walker's numbers and the name of the engine."""
        self._context, self._engine = context, engine
        self._plant = context.model.plant
        self._own = self._plant.CreateDefaultContext()
        G1 = TrackedPoint(TRUNK, (0.0, 0.0, numbers.c1))
        self._points = TrackedPoints(self._plant, (TrackedPoint(TRUNK), G1, *heels(numbers)))
        self._rows: list[dict[str, Array | float]] = []
        self._landings: list[Landed] = []
        self._given = 0.0  # energy of all changes of phase [J]
        self.time = 0.0

    def add(
        self, time: float, ground: Ground, state: Array, values: Mapping[str, Array | float]
    ) -> None:
        """Add a row: values of `actuation`, `reactions`, `reference`, `work` and `stored`.

        The work is that of the motors, and what is stored is in springs beside them. The reference
        is as `swing_path` gives it for the phase.
        """
        plant = self._plant
        plant.SetPositionsAndVelocities(self._own, state)
        single = ground.phase % 2 == 1
        order = [0, 2, 1] if single else [0, 1, 2]
        wanted = np.ravel(values["reference"])[:9].reshape(3, 3)[order]
        O1, G1, *both = self._points.positions(self._own)
        if not single:  # no heel is led then
            wanted[2] = np.nan
        row: dict[str, Array | float] = {
            "time": time,
            "state": state,
            "phase": float(ground.phase),
            "kinetic": plant.CalcKineticEnergy(self._own),
            "potential": plant.CalcPotentialEnergy(self._own) + values["stored"],
            "jumps": self._given,
            "places": np.concatenate([ground.ankle, ground.toe]),
        }
        tracked = np.array([O1, G1, both[1 - ground.phase // 2]])
        self._rows.append(row | dict(values) | {"reference": wanted, "tracked": tracked})
        self.time = time

    def add_landing(self, landed: Landed) -> None:
        """Add a change of phase."""
        self._landings.append(landed)
        self._given += landed.energy

    def trajectory(self, failure: str) -> Trajectory:
        """Return the trajectory, with what a report of a walk needs besides.

        Raises RunError for a walk that fails before its first row.
        """
        if not self._rows:
            raise RunError(failure)
        rows = {
            name: np.array([row[name] for row in self._rows], dtype=np.float64)
            for name in self._rows[0]
        }
        nq = self._plant.num_positions()
        contacts = contact_columns(
            self._context,
            rows["time"],
            rows["state"],
            rows["phase"].astype(np.int64),
            rows["reactions"].reshape(-1, 2, 6),
            rows["places"].reshape(-1, 2, 3),
        )
        found = trajectory_from_arrays(
            layout_of(self._plant, self._context.contacts),
            rows["time"],
            q=rows["state"][:, :nq],
            v=rows["state"][:, nq:],
            actuation=rows["actuation"],
            kinetic_energy=rows["kinetic"],
            potential_energy=rows["potential"],
            actuator_work=rows["work"],
            contact_work=rows["jumps"],
            damping_work=0.0,
            constraint_work=0.0,
            energy_gain=0.0,
            **contacts,
            events=self._events(),
            failure=failure,
            attributes={"engine": self._engine},
        )
        names = [str(name) for name in found.data["position"].to_numpy()[7:]]
        more = _walk(rows).merge(_jumps(self._landings, names))
        return replace(found, data=found.data.merge(more, compat="no_conflicts"))

    def _events(self) -> list[Event]:
        kinds = [TOUCH_DOWN if GaitPhase(l.phase).is_double else TOE_OFF for l in self._landings]
        return [
            Event(landed.time, kind, f"{GaitPhase(landed.phase).words}: {landed.words}")
            for landed, kind in zip(self._landings, kinds, strict=True)
        ]


def _walk(rows: Mapping[str, Array]) -> xr.Dataset:
    """Phase, reactions and tracked points in every row; what does not apply is NaN."""
    double = rows["phase"] % 2 == 0
    reactions = rows["reactions"].reshape(-1, 2, 6).copy()
    reactions[~double, 1] = np.nan
    places = rows["places"].reshape(-1, 2, 3).copy()
    places[~double, 1] = np.nan
    wanted = rows["reference"].reshape(-1, 3, 3)
    actual = rows["tracked"].reshape(-1, 3, 3)
    what = {"dims": ("time", "ground_contact", "wrench")}
    at = "at ankle and toe hinge"
    return xr.Dataset(
        {
            "gait_phase": (
                "time",
                rows["phase"].astype(np.int8),
                {"units": "1", "long_name": "phase of the gait cycle", **_PHASES},
            ),
            "reaction": (
                what["dims"],
                reactions,
                {"units": "N or N m", "long_name": f"wrench of the ground {at}"},
            ),
            "reaction_place": (
                ("time", "ground_contact", "xyz"),
                places,
                {"units": "m", "long_name": "ankle of the flat foot, hinge of the other's toe"},
            ),
            "wanted_point": (
                ("time", "tracked", "xyz"),
                wanted,
                {"units": "m", "long_name": "reference of a tracked point"},
            ),
            "tracked_point": (
                ("time", "tracked", "xyz"),
                actual,
                {"units": "m", "long_name": "place of a tracked point"},
            ),
        },
        {
            "ground_contact": (
                "ground_contact",
                ["flat foot", "toe"],
                _named("part on the ground"),
            ),
            "wrench": ("wrench", list(_WRENCH), _named("component in the world frame")),
            "tracked": ("tracked", list(TRACKED), _named("point that the control tracks")),
        },
    )


def _jumps(landings: list[Landed], joints: list[str]) -> xr.Dataset:
    """Changes of phase."""
    dim = "phase_change"
    columns = {
        "change_time": ("s", "time of a change of phase", [l.time for l in landings]),
        "change_phase": ("1", "phase after it", [float(l.phase) for l in landings]),
        "change_angle": ("rad", "largest jump of an angle", [l.angle for l in landings]),
        "change_rate": ("rad/s", "largest jump of a rate", [l.rate for l in landings]),
        "change_torque": ("N m s", "largest impulse in a joint", [l.torque for l in landings]),
        "change_energy": ("J", "energy that it gives", [l.energy for l in landings]),
        "change_plastic": ("J", "energy of a plastic impact", [l.plastic for l in landings]),
    }
    found = {
        name: (dim, np.array(values, dtype=np.float64), {"units": unit, "long_name": words})
        for name, (unit, words, values) in columns.items()
    }
    nq, nv = len(joints) + 7, len(joints) + 6
    before = np.array([l.before for l in landings], dtype=np.float64).reshape(-1, nq + nv)
    impulses = np.array([l.impulse for l in landings], dtype=np.float64).reshape(-1, 2, 3)
    angles = np.array([l.angles for l in landings], dtype=np.float64).reshape(-1, len(joints))
    attrs = {"units": "N s", "long_name": "impulse of the ground"}
    jumps = {"units": "rad", "long_name": "jump of an angle"}
    return xr.Dataset(
        found
        | {
            "change_impulse": ((dim, "ground_contact", "xyz"), impulses, attrs),
            "change_angles": ((dim, "joint"), angles, jumps),
            "change_q": ((dim, "position"), before[:, :nq], _kept("positions")),
            "change_v": ((dim, "velocity"), before[:, nq:], _kept("velocities")),
        },
        {"joint": ("joint", joints, _named("joint"))},
    )


def _kept(words: str) -> dict[str, str]:
    return {"units": "SI", "long_name": f"{words} at the end of the phase before"}


def _named(words: str) -> dict[str, str]:
    return {"units": "1", "long_name": words}
