"""Many states at once from a section to a guard, by steps of one size.

For return maps of thousands of states: basins, bifurcation diagrams, derivatives by complex step.
A crossing of a guard is seen in the signs of its values at both ends of a step, no finer: two
crossings within one step are missed, so that the step must be small beside the shortest time
between two zeros of a guard. The error of a step is nobody's but the caller's, either.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.hybrid.batch_simulation import BatchEnding, BatchSimulation
from footfall.hybrid.model import HybridSystem, State

_BLOCK = 4096  # members that are simulated together: more leave the cache, fewer wait for Python
IMAGINARY = 1e-60  # far below that of the slopes of guards; its fifth power is not zero yet

Mask = npt.NDArray[np.bool_]
BatchMap = Callable[[Array], tuple[Array, Mask]]  # (m, k) to (m, k), and which came back (k,)


@dataclass(frozen=True)
class BatchPassage:
    """Ends of k members of a batch: at the guard asked for (arrived) or elsewhere (ended says why).

    x (n, k): after the guard's reset; before (n, k): before it, both where the member stopped if it
    did not arrive. time (k,) [s]. mode (k,): the mode in x. guard (k,): the last guard passed, ''
    for none. ended (k,): of BatchEnding. x, before and time are complex if the members were.
    """

    x: State
    before: State
    time: State
    mode: npt.NDArray[np.str_]
    guard: npt.NDArray[np.str_]
    ended: npt.NDArray[np.int8]

    @property
    def arrived(self) -> Mask:
        """Members that came to the guard that was asked for, (k,)."""
        return np.asarray(self.ended == BatchEnding.ARRIVED)


@dataclass(frozen=True)
class BatchDerivative:
    """A passage of k members with its derivatives in m directions.

    D (n, m, k): of x; time_gradient (m, k): of the time. NaN for members that did not arrive.
    """

    passage: BatchPassage
    D: Array
    time_gradient: Array


def batch_step(
    system: HybridSystem,
    mode: str,
    x0: State,
    guard: str,
    most_time: float,
    step: float,
    t0: float = 0.0,
) -> BatchPassage:
    """Members x0 (n, k) from ``mode`` through all events on the way to the first ``guard``.

    most_time [s]: members still under way then have ended. step [s]: of Dormand and Prince's method
    of order 8. A guard that is zero where a segment begins fires when it crosses zero again in its
    direction. Guards without a reset end a member unless they are the one asked for. The mode after
    an event must not depend on the state: members at one guard pass it together. Events that
    accumulate are not resolved (BatchEnding.ACCUMULATING). Raises ValueError for a step or time
    that is not positive, an unknown mode or guard, and states of the wrong shape.
    """
    x0 = np.asarray(x0)
    _check(system, mode, x0, guard, most_time, step)
    x0 = x0.astype(np.complex128 if np.iscomplexobj(x0) else np.float64, copy=False)
    simulations = []
    for first in range(0, max(x0.shape[1], 1), _BLOCK):
        simulation = BatchSimulation(
            system, mode, x0[:, first : first + _BLOCK], guard, (t0, most_time), step
        )
        simulation.run()
        simulations.append(simulation)
    names = np.array([*system.modes])
    return BatchPassage(
        x=np.concatenate([each.x for each in simulations], axis=1),
        before=np.concatenate([each.before for each in simulations], axis=1),
        time=np.concatenate([each.t for each in simulations]),
        mode=names[np.concatenate([each.mode for each in simulations])],
        guard=np.concatenate([each.guard for each in simulations]).astype(np.str_),
        ended=np.concatenate([each.ended for each in simulations]),
    )


def batch_derivative(
    system: HybridSystem,
    mode: str,
    x0: Array,
    guard: str,
    most_time: float,
    step: float,
    directions: Array | None = None,
) -> BatchDerivative:
    """The passage of real members x0 (n, k) and its derivatives along directions (n, m) or x0.

    By complex step, all members and directions in one batch: exact derivatives of the steps taken,
    events included, so that they carry the error of the steps and no other.
    """
    x0 = np.asarray(x0, dtype=np.float64)
    n, k = x0.shape
    along = np.eye(n) if directions is None else np.asarray(directions, dtype=np.float64)
    m = along.shape[1]
    members = x0[:, None, :] + 1j * IMAGINARY * along[:, :, None]
    all_ = batch_step(system, mode, members.reshape(n, m * k), guard, most_time, step)
    x = all_.x.reshape(n, m, k)
    time = all_.time.reshape(m, k)
    passage = BatchPassage(
        x=x[:, 0].real,
        before=all_.before.reshape(n, m, k)[:, 0].real,
        time=time[0].real,
        mode=all_.mode[:k],
        guard=all_.guard[:k],
        ended=all_.ended[:k],
    )
    D = np.where(passage.arrived, x.imag / IMAGINARY, np.nan)
    return BatchDerivative(passage, D, np.where(passage.arrived, time.imag / IMAGINARY, np.nan))


def batch_map(
    system: HybridSystem,
    mode: str,
    guard: str,
    embed: Callable[[Array], State],
    project: Callable[[State], Array],
    most_time: float,
    step: float,
) -> BatchMap:
    """The return map of many points: (m, k) to (m, k) and whether each came back, (k,).

    embed: (m, k) to states (n, k) just after the guard; project: back. Points that do not come back
    are NaN.
    """

    def image(y: Array) -> tuple[Array, Mask]:
        passage = batch_step(system, mode, embed(y), guard, most_time, step)
        with np.errstate(over="ignore", invalid="ignore"):  # members that ended may be anywhere
            back = project(passage.x)
        return np.where(passage.arrived, back, np.nan), passage.arrived

    return image


def _check(
    system: HybridSystem, mode: str, x0: State, guard: str, most_time: float, step: float
) -> None:
    """Refuse what cannot be simulated."""
    if not (step > 0.0 and most_time > 0.0):
        raise ValueError(f"step and most_time must be positive, got {step} and {most_time}")
    if mode not in system.modes:
        raise ValueError(f"no mode '{mode}': there are {', '.join(system.modes)}")
    known = {each.name for one in system.modes.values() for each in one.guards}
    if guard not in known:
        raise ValueError(f"no guard '{guard}': there are {', '.join(sorted(known))}")
    if x0.ndim != 2 or x0.shape[0] != len(system.components):
        raise ValueError(f"states must be of shape ({len(system.components)}, k), got {x0.shape}")
