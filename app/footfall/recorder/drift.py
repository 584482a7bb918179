"""Watch over what a scheme does to positions: contacts that sink, and loops that open.

Laws of contact and loops hold at velocity level, so that gaps drift with the error of the steps.
"""

import numpy as np
import numpy.typing as npt
from pydrake.multibody.tree import BodyIndex, RigidBody

from footfall.arrays import Array, Indices
from footfall.contact import Mode
from footfall.engines.moreau_config import FIRST_ORDER, MIDPOINT
from footfall.jit import njit
from footfall.plants.coordinates import fixed_bodies
from footfall.plants.dynamics import Dynamics
from footfall.plants.projection import smallest_change
from footfall.scenario.schema import Scenario
from footfall.trajectory import Event
from footfall.trajectory.energy_watch import FAILED, REPORTED
from footfall.trajectory.events import GAP_DRIFT
from footfall.trajectory.rows import Rows

_OPEN = int(Mode.OPEN)


class DriftWatch:
    """Looks at sunk contacts and open loops; ``failure`` is a line on what fails a run, or empty.

    Both are measured by the radius of gyration of the tree of links that they belong to, about its
    centre of mass in the posture of the start; loops by how far masses have to move to close them,
    root mean square. More than ``REPORTED`` of it is an event, more than ``FAILED`` a failure.
    mass: of all that moves [kg]; size: the least of these radii [m].
    """

    def __init__(self, scenario: Scenario, engine: str, dynamics: Dynamics, state: Array) -> None:
        """Take what is run, the engine's name, the dynamics of the plant, and [q; v] at the start.

        Where contacts are springs, their depth is their law.
        """
        self.failure = ""
        self._dynamics = dynamics
        dynamics.set_state(state)
        self.mass, sizes = _masses_and_sizes(dynamics)
        self.size = float(sizes.min(initial=np.inf))
        self._sizes = _of_contacts(dynamics, sizes)
        if engine != "moreau":
            self._sizes[:] = np.inf
        # gap at which each contact closed, and the last row in which it was closed
        self._closing = np.full(len(self._sizes), np.nan)
        self._closed_at = np.full(len(self._sizes), -2)
        self._rows = 0
        finer = f"a smaller time_step, such as {0.1 * scenario.time_step:.2g}"
        first_order = engine == "moreau" and scenario.moreau.scheme == FIRST_ORDER
        better = [f"moreau.scheme={MIDPOINT}"] if first_order else []
        better += [] if scenario.moreau.recover_gaps else ["moreau.recover_gaps=true"]
        self._on_gaps, self._on_loops = f"use {', '.join(better)} or {finer}", f"use {finer}"
        self._events: dict[str, tuple[float, Event]] = {}

    def look(self, rows: Rows) -> None:
        """Take rows that follow those before; loops are looked at where they end."""
        self._look_at_contacts(rows)
        if self._dynamics.bilateral:
            self._look_at_loops(rows)

    def events(self) -> list[Event]:
        """Return what is told: of contacts and of loops the time when it begins, and the worst."""
        return [event for _, event in self._events.values()]

    def _look_at_contacts(self, rows: Rows) -> None:
        table = rows.contacts
        columns = table.columns["mode"], table.columns["gap"]
        begin, worst, depth, share = sinking(
            table.row,
            table.contact,
            *columns,
            self._sizes,
            self._closing,
            self._closed_at,
            self._rows,
        )
        if worst >= 0:
            begins, at = float(rows.time[begin]), float(rows.time[table.row[worst]])
            name = self._dynamics.contacts.names[table.contact[worst]]
            what = f"{name} has sunk by {depth:.2g} m while it touched, at t = {at:.4f} s"
            self._tell("contacts", begins, share, what, self._on_gaps)
        self._rows += len(rows.time)

    def _look_at_loops(self, rows: Rows) -> None:
        dynamics, time, q = self._dynamics, float(rows.time[-1]), rows.columns["q"][-1]
        dynamics.set_state(np.concatenate((q, rows.columns["v"][-1])))
        mass = dynamics.mass_matrix()
        gap, along = dynamics.bilateral_violation(q)
        change = smallest_change(along, mass, gap)
        moved = float(np.sqrt(change @ mass @ change / self.mass))
        if moved > REPORTED * self.size:
            what = f"loops are open by {np.abs(gap).max():.2g} m or rad at t = {time:.4f} s"
            self._tell("loops", time, moved / self.size, what, self._on_loops)

    def _tell(self, kind: str, begins: float, share: float, what: str, advice: str) -> None:
        line = (
            f"{what}, {100.0 * share:.2g} % of the robot's radius of gyration, "
            f"by numerical error: {advice}"
        )
        known, event = self._events.get(kind, (0.0, Event(begins, GAP_DRIFT, line)))
        if share > known:
            self._events[kind] = share, Event(event.time, GAP_DRIFT, line)
        if share > FAILED and not self.failure:
            self.failure = f"{line}."


@njit
def sinking(
    row: Indices,
    contact: Indices,
    mode: npt.NDArray[np.int8],
    gap: Array,
    sizes: Array,
    closing: Array,
    closed_at: Indices,
    before: int,
) -> tuple[int, int, float, float]:
    """Look at entries of contacts, whose rows are counted from the first behind so many before.

    A landing leaves a gap of at most one step's approach: what a contact loses from where it closed
    is drift. closing, closed_at: by contact, kept between calls, the gap where it closed and the
    last row in which it was. Returns the first row with more than ``REPORTED`` of the contact's
    size, and the entry with most of it, -1 without any; its depth and its share.
    """
    begin, worst, most, deepest = -1, -1, REPORTED, 0.0
    for k in range(row.size):
        c = contact[k]
        if mode[k] <= _OPEN or not np.isfinite(sizes[c]):
            continue
        now = before + row[k]
        if closed_at[c] != now - 1:
            closing[c] = gap[k]
        closed_at[c] = now
        depth = closing[c] - gap[k]
        share = depth / sizes[c]
        if share > REPORTED and begin < 0:
            begin = row[k]
        if share > most:
            worst, most, deepest = k, share, depth
    return begin, worst, deepest, most


def _masses_and_sizes(dynamics: Dynamics) -> tuple[float, Array]:
    """Mass of all that moves [kg], and the radius of gyration of each tree of links [m].

    Of massless trees and of points it is infinite: they have no size to measure by.
    """
    plant, fixed = dynamics.plant, fixed_bodies(dynamics.plant)
    members: list[list[BodyIndex]] = [[] for _ in dynamics.trees.sizes]
    for index in map(BodyIndex, range(plant.num_bodies())):
        if index not in fixed:
            members[_tree_of(dynamics, plant.get_body(index))].append(index)
    mass, sizes = 0.0, np.full(len(members), np.inf)
    for tree, bodies in enumerate(members):
        M = plant.CalcSpatialInertia(dynamics.context, plant.world_frame(), bodies)
        mass += M.get_mass()
        if M.get_mass() > 0.0:
            about = M.Shift(M.get_com()).get_unit_inertia()
            sizes[tree] = np.sqrt(max(0.5 * about.get_moments().sum(), 0.0)) or np.inf
    return mass, sizes


def _of_contacts(dynamics: Dynamics, sizes: Array) -> Array:
    """The size that each contact is measured by, (names,): the smaller one of two."""
    contacts, known = dynamics.contacts, np.append(sizes, np.inf)  # -1: the world
    smallest = np.full(len(contacts.names), np.inf)
    touching = [(shape.first, [shape.body]) for shape in contacts.ground]
    touching += [(pair.first, [pair.body_a, pair.body_b]) for pair in contacts.pairs]
    for first, bodies in touching:
        name = contacts.reported_as[first]
        trees = [_tree_of(dynamics, body) for body in bodies]
        smallest[name] = min(smallest[name], known[trees].min())
    return smallest


def _tree_of(dynamics: Dynamics, body: RigidBody) -> int:
    """The tree of links that a body belongs to; -1 for the world."""
    return int(dynamics.trees.of_link[dynamics.measure.link_of(body)])
