"""Play a log: the torques of a robot or of another run, or PD control about its positions."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.arrays import Array
from footfall.checked import not_negative, one_of
from footfall.errors import ScenarioError
from footfall.files import read_data_file
from footfall.plants.flat.laws import actuated_places
from footfall.plants.layout import units_by_name
from footfall.trajectory import logs
from footfall.trajectory.logs import Column, LogColumns
from footfall_controllers.inverse_dynamics import TracksReference

LINEAR, HELD = "linear", "held"


@dataclass
class Log(LogColumns, TracksReference, at="controller."):
    """Play the torques of a log, or let the joints follow its positions by PD control.

    Without gains it plays torques alone, of every actuator. With gains it tracks positions of every
    actuated joint, and adds torques where `efforts` name their columns.
    """

    # A .csv, .mcap or .nc file of numbers over time, such as the trajectory.nc of a run.
    file: str = ""
    # Between two rows of the log: linear, or held, the values of the row before.
    between: str = one_of(LINEAR, (LINEAR, HELD))
    # Gains of the positions and velocities of the log [N m/rad or N/m] and [N m s/rad or N s/m];
    # velocities that it does not have are differences of its positions.
    kp: float = not_negative(0.0)
    kd: float = not_negative(0.0)

    @property
    def gains_only(self) -> bool:
        """True: torques are not shaped by inertia."""
        return True

    def reference(self, plant: MultibodyPlant) -> "LogReference":
        """Read the log; raises ScenarioError for what it lacks."""
        read_data_file(self.file, "controller.file", logs.ENDINGS)
        gains = self.kp > 0.0 or self.kd > 0.0
        known = units_by_name(plant)
        for group, of in zip(("positions", "velocities"), actuated_places(plant), strict=True):
            names = list(known[group])
            known[group] = {names[place]: known[group][names[place]] for place in of}
        group = "positions" if gains else "efforts"
        wanted = known if self.efforts or not gains else known | {"efforts": {}}
        found, end, _ = logs.Log(Path(self.file), self).find(wanted, group)
        if missing := [name for name in known[group] if name not in found[group]]:
            raise ScenarioError(
                f"controller.file: {self.file} has no {group} of {', '.join(missing[:5])}: name "
                f"their columns in controller.{group}."
            )
        columns = [[found[group].get(name) for name in those] for group, those in known.items()]
        return LogReference(self.file, columns, end, held=self.between == HELD)


class LogReference(LeafSystem):
    """Output ``reference`` = [q_d, v_d, torques] of the actuated joints out of a log, size 3 n.

    columns: of positions, velocities and torques, n each, None for what the log has not: it is 0,
    or the slope of the positions for velocities. end: of the log [s].
    """

    def __init__(
        self, file: str, columns: list[list[Column | None]], end: float, *, held: bool
    ) -> None:
        """Take the columns of a log."""
        super().__init__()
        self._given, self._held = (file, columns, end), held
        q, v, tau = columns
        slopes = (one and one._replace(values=logs.slope(one.time, one.values)) for one in q)
        self._columns = q, [a or b for a, b in zip(v, slopes, strict=True)], tau
        self.DeclareVectorOutputPort("reference", 3 * len(q), self._calc_reference)

    def copy(self) -> "LogReference":
        """Another source of the same reference: a system belongs to one diagram only."""
        return LogReference(*self._given, held=self._held)

    def require_until(self, time: float) -> None:
        """Raise ScenarioError where the log ends before a time [s]."""
        file, _, end = self._given
        if time > end * (1.0 + 1e-9):
            raise ScenarioError(
                f"controller.file: {file} ends after {end:.9g} s, and the run's last step begins "
                f"at {time:.9g} s: shorten duration, or let start be earlier."
            )

    def sample(self, time: float) -> Array:
        """Reference at a time [s], rows q_d, v_d and torques, shape (3, n)."""
        times = np.array([time])
        return np.array(
            [
                [0.0 if one is None else logs.at(one, times, held=self._held)[0] for one in row]
                for row in self._columns
            ]
        ).reshape(3, -1)

    def _calc_reference(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(self.sample(context.get_time()).ravel())
