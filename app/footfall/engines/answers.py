"""Answers to what steps ask Python for, by kernels that are compiled when the first one asks."""

import ctypes
from collections.abc import Callable

from footfall.engines.ask import CHAIN, DENSE, IMPACT, NETWORK
from footfall.engines.contact_part import BOUND, GAMMA_I, LAST, MU_NOW, STRUCK, Q, R, U
from footfall.engines.impacts import impact, solved
from footfall.engines.islands import network_of
from footfall.engines.network_step import network_step
from footfall.engines.tables import SCRATCH, V_I, Handle, Machine, Memory, handle_for_kernels
from footfall.jit import njit
from footfall.solvers.compact import solve_by_chain
from footfall.solvers.problem import SOLVED

_Function = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


def handle_of(machine: Machine, memory: Memory) -> Handle:
    """Put a machine and its memory into one object for kernels, whose steps are answered."""
    handle = handle_for_kernels(machine, memory)
    handle.answers = Answers(handle, machine, memory)
    return handle


class Answers:
    """Answers to what the steps of one world ask, which they leave in its memory.

    machine, memory: of the world. fault: the first that was raised by an answer, and not yet to
    whoever made the steps; there is no way for it through compiled code.
    """

    def __init__(self, handle: Handle, machine: Machine, memory: Memory) -> None:
        """Put the address of the answers into the memory."""
        self.fault: BaseException | None = None
        self.machine, self.memory = machine, memory
        self._handle, self._group = handle, memory.group
        self._laws, self._chosen, self._active = machine.surfaces.laws, memory.some, memory.begun
        self._answers: dict[int, Callable[[int, int], tuple[float, ...]]] = {
            CHAIN: self._by_chain,
            DENSE: self._dense,
            IMPACT: self._impact,
            NETWORK: self._network,
        }
        self._function = _Function(self._answer)  # which has to live as long as its address is used
        memory.group.address[0] = ctypes.cast(self._function, ctypes.c_void_p).value or 0

    def _answer(self, what: int, count: int, number: int) -> int:
        try:
            answer = self._answers[what](count, number)
        except BaseException as fault:  # noqa: BLE001 (raised where the step was made)
            self.fault = self.fault or fault
            return 1
        self._group.answer[: len(answer)] = answer
        return 0

    def raise_fault(self) -> None:
        """Raise what an answer did, if one did."""
        fault, self.fault = self.fault, None
        if fault is not None:
            raise fault

    def _by_chain(self, count: int, _rows: int) -> tuple[float, ...]:
        """Solve the problem in the memory by the solvers behind Newton's method on its rows."""
        g, rows, contacts = self._group, self._group.rows, self._group.contacts
        problem = count, g.kind, g.first, self.machine.surfaces.dim, contacts[MU_NOW]
        options = self.machine.rules.options
        return solve_by_chain(*problem, contacts[BOUND], g.W, rows[Q], rows[R], rows[U], *options)

    def _dense(self, count: int, rows: int) -> tuple[float, ...]:
        """Solve the problem in the memory, in which each contact has all its rows."""
        g, mu = self._group, self._group.contacts[MU_NOW, :count].copy()
        q, guess = g.rows[Q, :rows].copy(), g.rows[LAST, :rows].copy()
        dim, options = self.machine.surfaces.dim, self.machine.rules.options
        answer = solved(g.W[:rows, :rows].copy(), q, mu, guess, dim, options)
        g.rows[R, :rows], g.rows[U, :rows] = answer.r, answer.u
        return answer.residual, answer.stage, answer.iterations

    def _impact(self, count: int, rows: int) -> tuple[float, ...]:
        """Fill the impulses of an impact from the velocities before it; see ``impact``.

        Where it is not solved, the memory is left as that problem has it.
        """
        g, machine = self._group, self.machine
        laws = self._laws[self._active.active[self._chosen[:count]]]
        gamma, mu = g.rows[GAMMA_I, :rows].copy(), g.contacts[MU_NOW, :count].copy()
        W, dim, rules = g.W[:rows, :rows].copy(), machine.surfaces.dim, machine.rules
        r, problem = impact(rules.impact_law, W, gamma, mu, laws, dim, rules.options)
        g.rows[STRUCK, :rows] = r
        if problem.status != SOLVED:
            for row, values in ((Q, gamma), (LAST, 0.0), (R, r), (U, gamma)):
                g.rows[row, :rows] = values
        return problem.residual, problem.stage, problem.iterations, problem.status

    def _network(self, count: int, number: int) -> tuple[float, ...]:
        """Make the step of an island of so many contacts for the velocities of its trees."""
        return as_network(self._handle, count, number)


@njit
def as_network(
    handle: Handle, count: int, number: int
) -> tuple[float, int, int, int, float, float]:
    """Make the step of an island of so many contacts, from V_I and into SCRATCH of the memory.

    Returns residual, stage, iterations and status; the work of its contacts, and what their laws
    gave [J].
    """
    m, w = handle.machine, handle.memory
    step = network_of(m, w, count, number, w.vectors[V_I], w.after)
    found, works, gain = network_step(step, w.vectors[SCRATCH])
    return found.residual, found.stage, found.iterations, found.status, works, gain
