"""Solvers, laws and schemes of one's own in the rigid engine: functions in a user's Python files.

A solver, an impact law or a friction law is called by the compiled step (``engines.answers``), a
scheme before and after it. Whatever finds impulses, the judge of the law accepts them or not.
"""

import inspect
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Flags
from footfall.checked import numbers
from footfall.engines.impacts import SolverOptions
from footfall.errors import RunError, ScenarioError
from footfall.plants.dynamics import Dynamics
from footfall.python_files import explained, load_python
from footfall.solvers.kernels import solve_kernel
from footfall.solvers.natural_map import spectral_norm, velocity
from footfall.solvers.own_law import Project, law_residual, solve_by_fixed_point, solve_by_newton
from footfall.solvers.problem import FIXED_POINT, OWN

_TAKES: Mapping[str, tuple[str, ...]] = {
    "solver": ("W", "q", "mu", "dim", "guess"),
    "impact_law": ("W", "gamma", "mu", "e_n", "e_t", "dim"),
    "friction_law": ("x", "r_n", "mu"),
    "scheme": ("q", "v", "dt", "dynamics"),
}
OWN_PARTS = tuple(_TAKES)
"""Fields of ``MoreauConfig`` that may hold a function of one's own."""
_FRICTION, _SCHEME = "moreau.friction_law", "moreau.scheme"
_ASKED = 4  # coefficients with which a law of friction is tried
_ROUGH = 1e-6  # of the scale of what it is asked: so far a law may iterate to its nearest points


@dataclass
class Python:
    """A function in a Python file of your own, whose code is run."""

    # The file; a relative path is looked for beside the scenario's file, then where you are.
    file: str = ""
    # Name of the function, or of the LeafSystem class, in it.
    name: str = ""
    # Arguments of the function by name, or fields of the dataclass `Parameters` of the class or of
    # its file; the others have its defaults.
    parameters: dict[str, Any] = field(default_factory=dict)

    def load(self, where: str) -> Callable[..., Any]:
        """Return the function with its parameters; executes the file.

        where: path of this in the scenario, which says what the function is called with. Raises
        ScenarioError, one line, for a file or a function that is not as it must be.
        """
        file, takes = load_python(self.file, where), _TAKES[where.rpartition(".")[2]]
        function: Any = file.get(self.name, where) if self.name else None
        if not callable(function):
            raise ScenarioError(f"{where}.name: name a function in {file.path}.")
        try:
            inspect.signature(function).bind(*takes, **self.parameters)
        except TypeError as error:
            call = f"{self.name}({', '.join((*takes, *self.parameters))})"
            raise ScenarioError(f"{where}: it is called as {call}: {error}.") from error
        if takes == _TAKES["scheme"] and not inspect.isgeneratorfunction(function):
            raise ScenarioError(
                f"{where}: {self.name} in {file.path} yields nothing: it must yield positions and "
                "a force, which gives it v at the end of the step, and return the positions there."
            )

        return partial(_call, where, partial(function, **self.parameters))

    def completed(self, where: str) -> "Python":
        """Return the same with the defaults of the function's parameters; raises as `load`."""
        self.load(where)
        function: Any = load_python(self.file, where).get(self.name, where)
        others = list(inspect.signature(function).parameters.values())
        others = others[len(_TAKES[where.rpartition(".")[2]]) :]
        defaults = {each.name: each.default for each in others if each.default is not each.empty}
        return replace(self, parameters=defaults | self.parameters)


class Own(NamedTuple):
    """Functions of one's own that a step calls, None where it has its own."""

    solver: Callable[..., Any] | None = None
    impact: Callable[..., Any] | None = None
    friction: Callable[..., Any] | None = None

    @property
    def solves(self) -> bool:
        """Say whether contact problems are not those of the shipped solvers alone."""
        return self.solver is not None or self.friction is not None


def _call(where: str, function: Callable[..., Any], *given: Any) -> Any:  # noqa: ANN401 (of the user)
    """Call a user's function; raises RunError, one line with that of the user's file."""
    try:
        return function(*given)
    except StopIteration:
        raise
    except Exception as error:
        raise RunError(f"{where}: {explained(error)}.") from error


def returned(given: npt.ArrayLike, size: int, where: str) -> Array:
    """Return what a function gave as an array (size,); raises RunError, one line, if it is none."""
    array = numbers(f"{where}: it returns", given, RunError)
    if array.shape != (size,):
        raise RunError(f"{where}: it returns an array {array.shape}, but must return ({size},).")
    if not np.isfinite(array).all():
        raise RunError(f"{where}: it returns a NaN or an infinite number.")
    return array


def solve_own(
    own: Own,
    options: SolverOptions,
    surface: Flags,
    dim: int,
    W: Array,
    q: Array,
    mu: Array,
    guess: Array,
) -> tuple[Array, Array, float, int, int]:
    """Solve a contact problem by a solver of one's own, or for such a law of friction.

    surface (n,): contacts that have this law; the others are stops and dry joints, with Coulomb's.
    Returns r, u, residual, stage and iterations.
    """
    project = None if own.friction is None else _projection(own.friction, mu, surface)
    tolerance, used = options.tolerance, 0
    if own.solver is not None:
        given = own.solver(W.copy(), q.copy(), mu.copy(), dim, guess.copy())
        r = returned(given, q.size, "moreau.solver")
    elif project is not None:
        most, rho = options.max_iterations, options.prox_parameter
        r, residual = guess, np.inf
        if options.method != FIXED_POINT:
            r, residual, used = solve_by_newton(W, q, dim, guess, project, tolerance, most)
            rho = 1.0 / (spectral_norm(W) or 1.0)
        if residual > tolerance:
            r, more = solve_by_fixed_point(W, q, dim, r, project, tolerance, most, rho)
            used += more
    if project is None:  # judged as an answer of the engine's own
        return solve_kernel(W, q, mu, dim, r, OWN, tolerance, 1.0, 0)[:5]
    u = np.empty(q.size)
    velocity(W, q, r, u)
    return r, u, law_residual(W, q, dim, r, project), OWN, used


def _projection(law: Callable[..., Any], mu: Array, surface: Flags) -> Project:
    def project(i: int, x: Array, normal: float) -> Array:
        if surface[i]:
            return returned(law(x.copy(), normal, mu[i]), x.size, _FRICTION)
        length = np.linalg.norm(x)
        return x if length <= mu[i] * normal else x * (mu[i] * normal / length)

    return project


def require_projection(law: Callable[..., Any], coefficients: Array, size: int) -> None:
    """Raise ScenarioError, one line, for a law of friction that gives no nearest points.

    Asked at points (size,) about the discs of some coefficients of friction.
    """
    rng = np.random.default_rng(0)
    for mu, r_n in product(np.unique(coefficients)[:_ASKED], (1e-3, 1.0)):
        scale = max(mu, 0.1) * r_n
        x = rng.uniform(-3.0, 3.0, (8, size)) * scale
        f = np.array([returned(law(each.copy(), r_n, mu), size, _FRICTION) for each in x])
        again = [returned(law(each.copy(), r_n, mu), size, _FRICTION) for each in f]
        nearer = (x - f) @ f.T - ((x - f) * f).sum(axis=1, keepdims=True)  # <= 0 in convex sets
        for what, off, most in (
            ("f(f(x)) is not f(x)", np.abs(again - f), _ROUGH * scale),
            ("the way from f(x) to another of its points leads nearer", nearer, _ROUGH * scale**2),
        ):
            if off.max() > most:
                worst = x[off.max(axis=1).argmax()].tolist()
                raise ScenarioError(
                    f"{_FRICTION}: it gives no nearest points of a convex set: {what}, where x is "
                    f"[{', '.join(f'{each:.3g}' for each in worst)}], r_n {r_n:g} and mu {mu:g}."
                )


class FreeMotion:
    """The machine as a scheme of one's own asks for it; without contacts, motors and pushes."""

    def __init__(self, dynamics: Dynamics) -> None:
        """Ask dynamics whose state this changes."""
        self._dynamics = dynamics

    def advance(self, q: Array, v: Array, dt: float) -> Array:
        """Return q + dt N(q) v, quaternions brought back to length one."""
        q, v = self._fitting(q, v)
        return self._dynamics.advance_positions(q, v, dt)

    def force(self, q: Array, v: Array) -> Array:
        """Generalized force h(q, v) of gravity, inertia, springs and dampers, (nv,)."""
        self._dynamics.set_state(np.concatenate(self._fitting(q, v)))
        return self._dynamics.h()

    def mass_matrix(self, q: Array) -> Array:
        """M(q), (nv, nv)."""
        still = np.zeros(self._dynamics.plant.num_velocities())
        self._dynamics.set_state(np.concatenate(self._fitting(q, still)))
        return self._dynamics.mass_matrix()

    def _fitting(self, q: Array, v: Array) -> tuple[Array, Array]:
        """Return q and v as compiled code takes them, which does not look at their sizes."""
        plant = self._dynamics.plant
        q, v = np.array(q, dtype=np.float64), np.array(v, dtype=np.float64)
        sizes = (plant.num_positions(), plant.num_velocities())
        for name, array, size in zip("qv", (q, v), sizes, strict=True):
            if array.shape != (size,):
                raise ValueError(f"dynamics takes {name} ({size},), not {array.shape}")
        return q, v


class OwnScheme:
    """Steps of a scheme of one's own: its generator runs to where the engine has its part."""

    def __init__(self, function: Callable[..., Any], dynamics: Dynamics, dt: float) -> None:
        """Take the loaded function, the dynamics that it asks, and the step [s]."""
        self._function, self._motion, self._dt = function, FreeMotion(dynamics), dt
        self._step: Generator[Any, Array, Any]

    def begin(self, q: Array, v: Array) -> tuple[Array, Array]:
        """Return the positions of a step where contacts act, and its force h."""
        self._step = self._function(q.copy(), v.copy(), self._dt, self._motion)
        try:
            q_m, force = _call(_SCHEME, next, self._step)
        except (StopIteration, TypeError, ValueError) as error:
            raise RunError(f"{_SCHEME}: it must yield two arrays: positions, a force.") from error
        return returned(q_m, q.size, _SCHEME), returned(force, v.size, _SCHEME)

    def end(self, v_e: Array, size: int) -> Array:
        """Return the positions (size,) at the end of the step."""
        try:
            _call(_SCHEME, self._step.send, v_e.copy())
        except StopIteration as done:
            return returned(done.value, size, _SCHEME)
        raise RunError(f"{_SCHEME}: it yields twice in a step: return the positions at its end.")
