"""Machine and memory of the compiled step, and the handle by which Python hands them over.

Unpacking a hundred arrays costs more than a step, so Python holds them in one object of numba.
"""

# mypy: disable-error-code="no-untyped-call"

from typing import Any, NamedTuple, Self

from numba import types
from numba.experimental import structref

from footfall.arrays import Array, Flags, Indices
from footfall.engines.contact_part import Group, Surfaces
from footfall.engines.impacts import SolverOptions
from footfall.engines.record import Begun
from footfall.jit import njit
from footfall.plants.constraints import LoopTable
from footfall.plants.contacts.gaps import JointTable
from footfall.plants.contacts.ground import GroundTable
from footfall.plants.contacts.pairs import GapScratch, PairTable
from footfall.plants.flat.dynamics import Scratch
from footfall.plants.flat.held import Held
from footfall.plants.flat.tree import Tree


class Feet(NamedTuple):
    """Two feet that take turns; see ``SwingFootFilter``. Of no points where there are none."""

    first: Indices
    second: Indices
    ahead_W: Array
    landed: float


class Motors(NamedTuple):
    """Actuators (nu,) and drives.

    velocity: that each moves; limit: of its effort. follows: whether drives follow their joints
    within a step, with slope and of_start as ``footfall.plants.motors.Drives`` has them.
    """

    velocity: Indices
    limit: Array
    follows: bool
    slope: Array
    of_start: Array


class Rules(NamedTuple):
    """Choices of a run.

    dt [s]; touching, still_touching: as ``begin_record`` takes them; one: whether all contacts are
    one problem; most_rows: of a problem that is solved densely. midpoint: whether steps are of
    second order; recover_gaps: whether contacts end at gap zero.
    """

    dt: float
    touching: float
    still_touching: float
    impact_law: int
    options: SolverOptions
    one: bool
    most_rows: float
    midpoint: bool
    recover_gaps: bool


class Machine(NamedTuple):
    """A machine as the step reads it.

    depth, path: of the factor of M, as of the tree unless springs join bodies. added (nv, depths):
    beside M, by depth. spins: velocities that turn a free body. face (n,): as ``face_of_points``.
    equations: of the loops.
    """

    tree: Tree
    depth: Indices
    path: Indices
    added: Array
    spins: Indices
    ground: GroundTable
    joints: JointTable
    pairs: PairTable
    surfaces: Surfaces
    face: Indices
    loops: LoopTable
    equations: int
    motors: Motors
    feet: Feet
    rules: Rules


VECTORS = 19
FORCE, FREE, V_FREE, V_I, SCRATCH, GAIN, MIDDLE, EXTRA, GAINS = range(9)
"""Rows of ``Memory.vectors``; those behind belong to the step of second order."""

DONE, UNSOLVED, TOO_MANY, APART, FAR, COINCIDENT, NO_ROOM, NO_END = range(8)
"""Ends of a step: as it should; with a contact problem that is not solved; with more contacts
than its record has rows; with M that is not definite; with a velocity that is no number or huge;
with a Distance whose points coincide; with a contact problem for which the memory is too small;
by the midpoint rule, with none."""


class Later(NamedTuple):
    """Links and contacts where else a scheme looks at them: in the middle and at the end of a step.

    rows, residual: of loops and steady contacts at the end; gap, place: of the contacts there.
    """

    links: Scratch
    rows: Array
    residual: Array
    gap: Array
    place: Array


class Memory(NamedTuple):
    """Memory of one world.

    work: of the links where contacts are measured. mass, L (nv, depths). vectors (VECTORS, nv): see
    FORCE and those beside it. q_m, q_other (nq,): positions. counts: contacts that take part, rank
    of the rows that hold; rows and contacts for which there is no room; contacts of a problem that
    is not solved, and its island where it is a network. after: rows of a record.
    """

    work: Scratch
    gaps: GapScratch
    normals: Array
    gap: Array
    place: Array
    begun: Begun
    held: Held
    later: Later
    group: Group
    mass: Array
    L: Array
    vectors: Array
    chosen: Flags
    some: Indices
    of_contact: Indices
    of_tree: Indices
    xi: Array
    q_m: Array
    q_other: Array
    tau: Array
    held_tau: Array
    follows: Flags
    counts: Indices
    after: Array


@structref.register
class _HandleType(types.StructRef):
    def preprocess_fields(self, fields: Any) -> Any:  # noqa: ANN401
        return tuple((name, types.unliteral(of)) for name, of in fields)


class Handle(structref.StructRefProxy):
    """A machine and its memory, for kernels."""

    machine: Machine
    memory: Memory
    answers: Any  # to what its steps ask, which live as long as it does

    def __new__(cls, machine: Machine, memory: Memory) -> Self:
        """Hold them."""
        return structref.StructRefProxy.__new__(cls, machine, memory)


structref.define_proxy(Handle, _HandleType, ["machine", "memory"])


@njit
def handle_for_kernels(machine: Machine, memory: Memory) -> Handle:
    """Put a machine and its memory into one object, which asks nothing; see ``handle_of``."""
    return Handle(machine, memory)
