"""The one-step contact problem, its answer, and the error that carries what nobody could solve."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.errors import FootfallError, RunError, refusing
from footfall.files import replacing
from footfall.solvers.fclib import read_fclib, write_fclib
from footfall.solvers.problem import SolverStage, SolverStatus


@dataclass(frozen=True)
class ContactProblem:
    """Find r in the Coulomb cones with u = W r + q under Signorini's and Coulomb's laws.

    Shapes: ``W`` (n*dim, n*dim) in 1/kg (a generalized inverse mass, not necessarily symmetric or
    regular), ``q`` (n*dim,) in m/s, ``mu`` (n,), ``dim`` 2 or 3. Each contact is one block [n, t]
    or [n, t, s]; n points out of the obstacle, so that an approaching contact has q_n < 0. The
    units are those of contact points; rows of a joint limit that is an angle have 1/(kg m^2) and
    rad/s, impulses in N m s, and entries of W that couple both 1/(kg m). ``guess`` (n*dim,) in N s:
    the impulses that a solver started from, if they are known.

    Raises ValueError where the shapes do not fit or mu < 0, RunError where a number is not finite.
    """

    W: Array
    q: Array
    mu: Array
    dim: int
    guess: Array | None = None

    def __post_init__(self) -> None:
        given = ("W", "q", "mu") if self.guess is None else ("W", "q", "mu", "guess")
        for name in given:
            value = np.ascontiguousarray(getattr(self, name), dtype=np.float64)
            object.__setattr__(self, name, value)
        if self.dim not in (2, 3):
            raise ValueError(f"contact problem: dim must be 2 or 3, not {self.dim}")
        size = self.q.size
        if self.q.ndim != 1 or self.W.shape != (size, size) or self.mu.shape != (size // self.dim,):
            raise ValueError(
                f"contact problem: W {self.W.shape}, q {self.q.shape}, mu {self.mu.shape} "
                f"do not fit together for dim = {self.dim}"
            )
        if size % self.dim:
            raise ValueError(f"contact problem: {size} rows are no multiple of dim = {self.dim}")
        if self.guess is not None and self.guess.shape != (size,):
            raise ValueError(f"contact problem: guess {self.guess.shape} does not fit q {(size,)}")
        for name in given:
            if not np.all(np.isfinite(getattr(self, name))):
                raise RunError(
                    f"contact problem: {name} holds a NaN or an infinite number; "
                    "check the state and the inputs of the step before"
                )
        if np.any(self.mu < 0.0):
            raise ValueError("contact problem: a friction coefficient is negative")

    def save(self, path: Path | str) -> None:
        """Write the problem to an ``.npz`` file, or to one of FCLIB if its name ends in .hdf5.

        Keys W, q, mu and d as in the FCLIB collection, and guess where there is one.
        """
        arrays: dict[str, Any] = self._arrays()
        with replacing(Path(path)) as temporary:
            if Path(path).suffix in HDF5:
                write_fclib(temporary, arrays)
            else:
                with temporary.open("wb") as file:
                    np.savez(file, **arrays)

    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        """All that a file keeps, by its names."""
        arrays = {"W": self.W, "q": self.q, "mu": self.mu, "d": np.asarray(self.dim)}
        return arrays if self.guess is None else arrays | {"guess": self.guess}

    @classmethod
    def load(cls, path: Path | str) -> ContactProblem:
        """Read a problem that :meth:`save` has written, or one of the FCLIB collection like it.

        Raises RunError, one line, for a file that is not there or holds no contact problem.
        """
        arrays = _read_arrays(Path(path))
        try:
            return ContactProblem(
                W=_numbers(arrays["W"]),
                q=_numbers(arrays["q"]),
                mu=_numbers(arrays["mu"]),
                dim=int(arrays["d"].item()),
                guess=_numbers(arrays["guess"]) if "guess" in arrays else None,
            )
        except Exception as error:
            reason = str(error).removeprefix("contact problem: ")
            raise RunError(f"{path} holds no contact problem: {reason}") from error


@dataclass(frozen=True, kw_only=True)
class StepProblem(ContactProblem):
    """The contact problem of one step as it was solved, and the equations that it comes from.

    r (n*dim,) [N s]: what the step took; residual: of its natural map; stage: which solver found
    it; names (n,): of the contacts. M (nv, nv), H = J^T (nv, n*dim), f (nv,), w (n*dim,): the step
    was M v = f + H r, u = H^T v + w, with v (nv,) at its end and u as the laws have it, restitution
    included. G (nv, m): of what holds, M v = f + H r + G l, G^T v = 0. A dry joint has a row n that
    makes r_n its preload; it and rows along which nothing moves have a diagonal of W of their own.
    """

    r: Array
    residual: float
    stage: SolverStage
    names: tuple[str, ...]
    M: Array
    H: Array
    G: Array
    f: Array
    w: Array
    v: Array

    @property
    def u(self) -> Array:
        """Velocities of the contacts in their laws (n*dim,) [m/s]."""
        u: Array = self.W @ self.r + self.q
        return u

    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        own = {name: getattr(self, name) for name in ("r", "u", "M", "H", "G", "f", "w", "v")}
        told = {"residual": np.asarray(self.residual), "stage": np.asarray(int(self.stage))}
        return super()._arrays() | own | told | {"names": np.array(self.names, dtype=np.str_)}


HDF5 = (".hdf5", ".h5")


def _read_arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a file, which must have those of a contact problem."""
    advice = "give the contact_problem.npz of a run, or an FCLIB file"
    if not path.is_file():
        raise RunError(f"there is no file {path}; {advice}")
    if path.suffix in HDF5:
        with refusing(RunError, lambda error: f"{path} is no FCLIB file ({error}); {advice}"):
            return read_fclib(path)
    with (
        refusing(RunError, lambda _: f"{path} is damaged or no .npz file; {advice}"),
        zipfile.ZipFile(path),
        np.load(path) as data,
    ):
        arrays = {name: data[name] for name in data.files}
    missing = [name for name in ("W", "q", "mu", "d") if name not in arrays]
    if missing:
        raise RunError(f"{path} lacks {', '.join(missing)}; {advice}")
    return arrays


def _numbers(array: npt.NDArray[Any]) -> Array:
    if array.dtype.kind not in "fiu":
        raise TypeError(f"an array is of type {array.dtype}, not of numbers")
    return np.asarray(array, dtype=np.float64)


@dataclass(frozen=True)
class Impulses:
    """Answer of a solver: impulses, velocities after the step, and how they were found.

    ``r`` (n*dim,) in N s, ``u = W r + q`` (n*dim,) in m/s, ``residual`` the scaled natural map
    (at or below the tolerance where accepted), ``iterations`` those of the whole solve.
    """

    r: Array
    u: Array
    residual: float
    stage: SolverStage
    iterations: int
    status: SolverStatus


class ContactNotSolved(FootfallError):
    """Nobody found impulses that the natural map accepts; problem and best try are inside."""

    def __init__(self, problem: ContactProblem, best: Impulses, tolerance: float) -> None:
        self.problem = problem
        self.best = best
        super().__init__(
            f"contact problem with {problem.mu.size} contacts ({problem.dim}-D) not solved: "
            f"residual {best.residual:.1e} > {tolerance:.1e} after {best.iterations} iterations; "
            "it may have no solution: try a smaller time_step, less friction or another "
            "moreau.solver"
        )
