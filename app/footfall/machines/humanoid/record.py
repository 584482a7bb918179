"""Rows of a walk on held feet: state, torques, reactions, references, and its changes of phase."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import xarray as xr
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import Context, System

from footfall.arrays import Array
from footfall.engines.ports import DIVERGED
from footfall.errors import RunError
from footfall.machines.humanoid.closed_form.parameters import Numbers
from footfall.machines.humanoid.closed_form.phases import PHASE_NAMES, GaitPhase
from footfall.machines.humanoid.closed_form.walker import Ground
from footfall.machines.humanoid.constrained_plant import ConstrainedPlant, Coordinates
from footfall.machines.humanoid.control import PATH, SELECTOR, SPRINGS, TORQUE
from footfall.machines.humanoid.ground_forces import contact_columns
from footfall.machines.humanoid.model import support, tracked_points
from footfall.plants.forces import Wrench
from footfall.plants.layout import layout_of
from footfall.plants.reactions import BodyMotion, JointReactions, reaction_variables
from footfall.plants.supports import Support, SupportRows
from footfall.registry.context import MachineContext
from footfall.trajectory import Event, Trajectory, trajectory_from_arrays
from footfall.trajectory.events import CONTROL
from footfall_controllers.tracked_points import TrackedPoints


class PhaseChange(NamedTuple):
    """Change of phase, at which the thesis sets angles and rates anew (3.5).

    time [s]; phase: after it; before: state [q; v] in which the last phase ended; angles: jumps of
    all joints, in the plant's order [rad]; rate: largest jump of a rate [rad/s]; energy: that it
    gives the walker [J].
    """

    time: float
    phase: int
    before: Array
    angles: Array
    rate: float
    energy: float

    @property
    def words(self) -> str:
        """Say it in a line."""
        angle = np.degrees(np.abs(self.angles).max())
        return (
            f"angles jump by up to {angle:.3g} degrees, rates by {self.rate:.3g} rad/s; "
            f"energy {self.energy:+.3g} J"
        )


TRACKED = ("O1", "G1", "heel")
MEND = "use smaller steps, or weights nearer to those of the scenario that ships"
TOUCH_DOWN, TOE_OFF = "touch-down", "toe-off"
_WRENCH = ("Fx", "Fy", "Fz", "Mx", "My", "Mz")
_PHASES = {
    "flag_values": np.arange(4, dtype=np.int8),
    "flag_meanings": " ".join(PHASE_NAMES),
}


class Record:
    """Collects the rows of a walk off its systems. time: of the last row [s]."""

    def __init__(
        self,
        context: MachineContext,
        numbers: Numbers,
        engine: str,
        system: ConstrainedPlant,
        simulator: Simulator,
    ) -> None:
        """Take the scenario, the walker's numbers, the name of the engine, and what walks."""
        self._context, self._engine = context, engine
        self._system, self._simulator = system, simulator
        diagram, root = simulator.get_system(), simulator.get_context()
        self._own = system.GetMyContextFromRoot(root)
        self._path = diagram.GetSubsystemByName(PATH)
        selector, torque = (diagram.GetSubsystemByName(name) for name in (SELECTOR, TORQUE))
        self._start, self._phase = (_value(selector, port, root) for port in ("start", "phase"))
        self._state, self._solution = (_value(system, port, root) for port in ("state", "solution"))
        self._actuation = _value(torque, "actuation", root)
        self._lacking = _value(torque, "lacking", root)
        # what acts is theirs as well, but they store what they take
        self._springs = diagram.GetSubsystemByName(SPRINGS)
        self._dampers = self._springs.GetMyContextFromRoot(root)
        self._stretched = self._springs.energy(context.initial_state)  # not by motors [J]
        self._jumped = 0.0  # energy of all changes of phase [J]
        self._plant = context.model.plant
        self._scratch = self._plant.CreateDefaultContext()
        self._points = TrackedPoints(self._plant, tracked_points(numbers))
        self._bodies = HeldBodies(self._plant, numbers)
        self._motions: list[BodyMotion] = []
        self._rows: list[dict[str, Array | float]] = []
        self._changes: list[PhaseChange] = []
        self.time = 0.0

    def observe(self) -> None:
        """Let a phase end that is over, and add the row with which the next step starts.

        Raises RunError for a state or a torque that is none.
        """
        while self._system.is_due(self._own):
            self._change_phase()
        ground, time, state = self._system.ground(self._own), self._own.get_time(), self._state()
        since, single, side = time - self._phase()[1], ground.phase % 2 == 1, ground.phase // 2
        actuation, lacking, solution = self._actuation(), self._lacking()[0], self._solution()
        wanted = self._path.reference(ground.phase, since, self._start())[0]
        if not (np.abs(state).max() < DIVERGED and np.isfinite(actuation).all()):
            raise RunError(f"it diverges: {MEND}.")
        stored, taken = self._springs.energy(state), self._springs.dissipated(self._dampers)
        plant, scratch = self._plant, self._scratch
        plant.SetPositionsAndVelocities(scratch, state)
        self._motions.append(self._bodies.motion(scratch, ground, solution))
        self._rows.append(
            {
                "time": time,
                "state": state,
                "phase": float(ground.phase),
                "actuation": actuation,
                "lacking": lacking,
                "solution": solution,
                "reference": wanted_points(single, wanted),
                "tracked": self._points.positions(scratch)[[0, 1, 3 - side]],
                "places": np.array([ground.ankle, ground.toe]),
                "kinetic": plant.CalcKineticEnergy(scratch),
                "potential": plant.CalcPotentialEnergy(scratch) + stored,
                "work": self._system.work(self._own) + stored - self._stretched + taken,
                "damping": -taken,
                "jumps": self._jumped,
            }
        )
        self.time = time
        self._context.on_row(time, state, actuation)

    def _change_phase(self) -> None:
        """Let a phase end, and note what the change does."""
        before = self._state()
        self._simulator.AdvancePendingEvents()
        after = self._state()
        stretched = self._springs.energy(after) - self._springs.energy(before)
        energy = self._energy(after) - self._energy(before) + stretched
        self._stretched += stretched
        self._jumped += energy
        nq, jump = self._plant.num_positions(), after - before
        rate = float(np.abs(jump[nq + 6 :]).max())
        phase = self._system.ground(self._own).phase
        change = PhaseChange(self._own.get_time(), phase, before, jump[7:nq], rate, energy)
        self._changes.append(change)

    def _energy(self, state: Array) -> float:
        """Kinetic and potential energy without springs beside motors [J]."""
        plant, scratch = self._plant, self._scratch
        plant.SetPositionsAndVelocities(scratch, state)
        return float(plant.CalcKineticEnergy(scratch) + plant.CalcPotentialEnergy(scratch))

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
        last = rows["time"][-1]  # a change of phase after it ended the walk
        self._changes = [change for change in self._changes if change.time <= last]
        nq = self._plant.num_positions()
        reactions = rows["solution"][:, 12:].reshape(-1, 2, 6)
        contacts = contact_columns(
            self._context,
            rows["time"],
            rows["state"],
            rows["phase"].astype(np.int64),
            reactions,
            rows["places"],
        )
        trajectory = trajectory_from_arrays(
            layout_of(self._plant, self._context.contacts),
            rows["time"],
            q=rows["state"][:, :nq],
            v=rows["state"][:, nq:],
            actuation=rows["actuation"],
            kinetic_energy=rows["kinetic"],
            potential_energy=rows["potential"],
            actuator_work=rows["work"],
            contact_work=rows["jumps"],
            damping_work=rows["damping"],
            constraint_work=0.0,
            energy_gain=0.0,
            **contacts,
            events=sorted([*self._limited(rows), *self._events()], key=lambda event: event.time),
            failure=failure,
            attributes={"engine": self._engine},
        )
        names = [str(name) for name in trajectory.data["position"].to_numpy()[7:]]
        more = _walk(rows, reactions).merge(_jumps(self._changes, names))
        more = more.merge(self._bodies.reactions(self._motions))
        return replace(trajectory, data=trajectory.data.merge(more, compat="no_conflicts"))

    def _limited(self, rows: Mapping[str, Array]) -> list[Event]:
        """Return an event of the first row in which torques within their limit do not suffice."""
        short = np.flatnonzero(rows["lacking"] > 0.0)
        if not len(short):
            return []
        time, limit = rows["time"][short[0]], np.abs(rows["actuation"][short[0]]).max()
        what = (
            f"from t = {time:.4f} s on, in {len(short)} of {len(rows['time'])} rows, no torques "
            f"within the limit of {limit:.4g} N m give the accelerations that are asked for: up to "
            f"{rows['lacking'].max():.3g} N m of generalized force lack (controller.torque_limit)"
        )
        return [Event(float(time), CONTROL, what)]

    def _events(self) -> list[Event]:
        kinds = [TOUCH_DOWN if GaitPhase(l.phase).is_double else TOE_OFF for l in self._changes]
        return [
            Event(change.time, kind, f"{GaitPhase(change.phase).words}: {change.words}")
            for change, kind in zip(self._changes, kinds, strict=True)
        ]


def _value(system: System, port: str, root: Context) -> Callable[[], Array]:
    """Return a function that evaluates an output."""
    output, own = system.GetOutputPort(port), system.GetMyContextFromRoot(root)
    return lambda: output.Eval(own)


def wanted_points(single: bool, reference: Array) -> Array:
    """Places where O1, G1 and the swinging heel are to be, (3, 3), by p* of `SwingPath`."""
    wanted = reference[:9].reshape(3, 3)[[0, 2, 1] if single else [0, 1, 2]]
    if not single:  # no heel is led then
        wanted[2] = np.nan
    return wanted


def walk_variables(phase: Array, wanted: Array, tracked: Array) -> xr.Dataset:
    """Phases (N,), and where tracked points (N, 3, 3) are to be and are [m]."""
    point = ("time", "tracked", "xyz")
    phases = _attrs("1", "phase of the gait cycle") | _PHASES
    return xr.Dataset(
        {
            "gait_phase": ("time", phase.astype(np.int8), phases),
            "wanted_point": (point, wanted, _attrs("m", "reference of a tracked point")),
            "tracked_point": (point, tracked, _attrs("m", "place of a tracked point")),
        },
        {"tracked": ("tracked", list(TRACKED), _attrs("1", "point that the control tracks"))},
    )


class HeldBodies:
    """Bodies of a walker whose flat foot rests, from whose motion follows what its joints carry."""

    def __init__(self, plant: MultibodyPlant, numbers: Numbers) -> None:
        """Look bodies and joints up; the plant's mass properties stay as they are."""
        self._plant, self._coordinates = plant, Coordinates(plant, numbers)
        self._carried = JointReactions(plant)
        held = [support(GaitPhase(phase)).held for phase in range(4)]
        self._held = [[plant.GetBodyByName(name) for name in names] for names in held]
        self._rows = [SupportRows(plant, Support(names[:1])) for names in held]

    def motion(self, context: Context, ground: Ground, solution: Array) -> BodyMotion:
        """Motion at the state of a context; solution (24,): as `ConstrainedPlant` has it."""
        rows = self._rows[ground.phase]
        J, vdot = rows.jacobian(context), np.zeros(self._plant.num_velocities())
        vdot[self._coordinates.v] = solution[:12]
        # the trunk's, with which the flat foot rests
        trunk = self._coordinates.trunk
        vdot[trunk] = np.linalg.solve(J[:, trunk], -(rows.bias(context) + J @ vdot))
        # at ankle and hinge as they are: a loop that accelerations alone close opens by micrometres
        wrenches = [
            Wrench(body, body.EvalPoseInWorld(context).translation(), F[:3], F[3:])
            for body, F in zip(self._held[ground.phase], solution[12:].reshape(2, 6), strict=False)
        ]
        return self._carried.motion(context, vdot, wrenches)

    def reactions(self, motions: Sequence[BodyMotion]) -> xr.Dataset:
        """Return what the hinges carry, and what the free trunk's joint would have to."""
        carried = self._carried.carried(motions)
        hinges = np.array([joint.num_velocities() == 1 for joint in self._carried.joints])
        names = [joint.name() for joint in self._carried.joints if joint.num_velocities() == 1]
        return reaction_variables(
            names, carried[:, hinges], np.abs(carried[:, ~hinges]).max((1, 2))
        )


def _walk(rows: Mapping[str, Array], given: Array) -> xr.Dataset:
    """Phase, reactions and tracked points in every row; what does not apply is NaN.

    given (N, 2, 6): wrenches of the ground on the flat foot and the toe.
    """
    single, reactions, places = rows["phase"] % 2 == 1, given.copy(), rows["places"].copy()
    reactions[single, 1] = places[single, 1] = np.nan
    wrench = _attrs("N or N m", "wrench of the ground at ankle and toe hinge")
    place = _attrs("m", "ankle of the flat foot, hinge of the other's toe")
    parts = _attrs("1", "part on the ground")
    return xr.Dataset(
        {
            "reaction": (("time", "ground_contact", "wrench"), reactions, wrench),
            "reaction_place": (("time", "ground_contact", "xyz"), places, place),
        },
        {
            "ground_contact": ("ground_contact", ["flat foot", "toe"], parts),
            "wrench": ("wrench", list(_WRENCH), _attrs("1", "component in the world frame")),
        },
    ).merge(walk_variables(rows["phase"], rows["reference"], rows["tracked"]))


def _jumps(changes: list[PhaseChange], joints: list[str]) -> xr.Dataset:
    """Changes of phase."""
    nq = len(joints) + 7
    sizes = {"joint": len(joints), "position": nq, "velocity": nq - 1}

    def column(values: list[Any], unit: str, words: str, *along: str) -> tuple[Any, ...]:
        shape = (len(changes), *(sizes[dim] for dim in along))
        whole = np.array(values, dtype=np.float64).reshape(shape)
        return ("phase_change", *along), whole, _attrs(unit, words)

    q, v = [each.before[:nq] for each in changes], [each.before[nq:] for each in changes]
    at_end = "at the end of the phase before"
    return xr.Dataset(
        {
            "change_time": column([c.time for c in changes], "s", "time of a change of phase"),
            "change_phase": column([c.phase for c in changes], "1", "phase after it"),
            "change_rate": column([c.rate for c in changes], "rad/s", "largest jump of a rate"),
            "change_energy": column([c.energy for c in changes], "J", "energy that it gives"),
            "change_angles": column(
                [c.angles for c in changes], "rad", "jump of an angle", "joint"
            ),
            "change_q": column(q, "SI", f"positions {at_end}", "position"),
            "change_v": column(v, "SI", f"velocities {at_end}", "velocity"),
        },
        {"joint": ("joint", joints, _attrs("1", "joint"))},
    )


def _attrs(unit: str, words: str) -> dict[str, Any]:
    return {"units": unit, "long_name": words}
