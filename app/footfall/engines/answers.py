"""Answers to what steps ask Python for, by kernels that are compiled when the first one asks."""

import ctypes
from collections.abc import Callable
from functools import partial

from footfall.contact.coefficients import E_N, E_T
from footfall.engines.ask import CHAIN, DENSE, IMPACT, NETWORK
from footfall.engines.contact_part import BOUND, GAMMA_I, LAST, MU_NOW, STRUCK, Q, R, U
from footfall.engines.impacts import impact, solved, without_problem
from footfall.engines.moreau_step import as_network
from footfall.engines.own import Own, returned, solve_own
from footfall.engines.tables import Handle, Machine, Memory, handle_for_kernels
from footfall.solvers.compact import SURFACE, Solve, solve_by_chain
from footfall.solvers.kernels import solve_kernel
from footfall.solvers.problem import SOLVED

_Function = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


def handle_of(machine: Machine, memory: Memory, own: Own) -> Handle:
    """Put a machine and its memory into one object for kernels, whose steps are answered.

    own: functions of one's own that steps call.
    """
    handle = handle_for_kernels(machine, memory)
    handle.answers = Answers(handle, machine, memory, own)
    return handle


class Answers:
    """Answers to what the steps of one world ask, which they leave in its memory.

    machine, memory: of the world. fault: the first that was raised by an answer, and not yet to
    whoever made the steps; there is no way for it through compiled code.
    """

    def __init__(self, handle: Handle, machine: Machine, memory: Memory, own: Own) -> None:
        """Put the address of the answers into the memory."""
        self.fault: BaseException | None = None
        self.machine, self.memory = machine, memory
        self._handle, self._group, self._own = handle, memory.group, own
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
        solve = self._solve(count)
        return solve_by_chain(*problem, contacts[BOUND], g.W, rows[Q], rows[R], rows[U], solve)

    def _solve(self, count: int) -> Solve:
        """Return what solves problems of so many contacts with all their rows."""
        options, dim = self.machine.rules.options, self.machine.surfaces.dim
        if self._own.solves:
            return partial(solve_own, self._own, options, self._group.kind[:count] == SURFACE, dim)
        return lambda W, q, mu, guess: solve_kernel(W, q, mu, dim, guess, *options)[:5]

    def _dense(self, count: int, rows: int) -> tuple[float, ...]:
        """Solve the problem in the memory, in which each contact has all its rows."""
        g, mu = self._group, self._group.contacts[MU_NOW, :count].copy()
        q, guess = g.rows[Q, :rows].copy(), g.rows[LAST, :rows].copy()
        tolerance = self.machine.rules.options.tolerance
        answer = solved(g.W[:rows, :rows].copy(), q, mu, guess, self._solve(count), tolerance)
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
        if self._own.impact is not None:
            given = self._own.impact(W.copy(), gamma.copy(), mu, *laws[:, [E_N, E_T]].T.copy(), dim)
            r = returned(given, rows, "moreau.impact_law")
            problem = without_problem(W, gamma, mu, r)
        else:
            solve, tolerance = self._solve(count), rules.options.tolerance
            r, problem = impact(rules.impact_law, W, gamma, mu, laws, dim, solve, tolerance)
        g.rows[STRUCK, :rows] = r
        if problem.status != SOLVED:
            for row, values in ((Q, gamma), (LAST, 0.0), (R, r), (U, gamma)):
                g.rows[row, :rows] = values
        return problem.residual, problem.stage, problem.iterations, problem.status

    def _network(self, count: int, number: int) -> tuple[float, ...]:
        """Make the step of an island of so many contacts for the velocities of its trees."""
        return as_network(self._handle, count, number)
