"""Commands for the contact problem of a step: problem writes it, solve solves one again."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from footfall.cli.options import Trust
from footfall.errors import RunError

if TYPE_CHECKING:
    from footfall.arrays import Array
    from footfall.solvers import ContactProblem, Impulses, SolverStage

_COLD, _WARM = "zero", "guess"
_SMALL = "for a few planar contacts"  # what enumeration can count through


@dataclass(frozen=True)
class _Try:
    """Result of a method from a start; impulses None: it does not apply here."""

    method: str
    start: str
    impulses: "Impulses | None"

    @property
    def solved(self) -> bool:
        from footfall.solvers import SolverStatus

        return self.impulses is not None and self.impulses.status == SolverStatus.SOLVED


def problem(
    run: Annotated[Path, typer.Argument(help="folder that footfall run wrote, of engine moreau")],
    at: Annotated[float, typer.Option(help="time at which the step ends [s]")],
    out: Annotated[
        Path | None,
        typer.Option(help="file.npz, or file.hdf5 for FCLIB; else both, in the folder of the run"),
    ] = None,
    _trust: Trust = False,
) -> None:
    """Write the contact problem of a step of a run (W, q, mu, r, M, H, f, names), and show it.

    The step is made again from the trajectory, and its impulses are compared with those recorded.
    """
    from footfall.api.problems import problem as problem_of

    posed, off = problem_of(run, at)
    files = [out] if out else [run / f"contact_problem_{at:g}{kind}" for kind in (".npz", ".hdf5")]
    for file in files:
        posed.save(file)
    more = (
        ("residual of the step's r", f"{posed.residual:.1e}"),
        ("solver", _words(posed.stage)),
        ("from the recorded impulses", f"{off:.1e} of the largest"),
    )
    _print_problem(posed, more)
    title = f"contacts of the step that ends at {at:g} s"
    _print_contacts(posed, posed.r, posed.u, title, posed.names)
    for file in files:
        typer.echo(f"problem: {file}")


def solve(
    problem: Annotated[
        Path,
        typer.Argument(
            help="contact_problem.npz of a run, the folder that holds it, or an FCLIB file (.hdf5)"
        ),
    ],
    method: Annotated[
        str,
        typer.Option(
            help="fallback-chain, enumeration, newton, gauss-seidel, proximal, fixed-point"
        ),
    ] = "fallback-chain",
    tolerance: Annotated[
        float, typer.Option(help="natural-map residual that is accepted, over the impulse scale")
    ] = 1e-10,
    every: Annotated[
        bool, typer.Option("--all", help="try every method, from zero and from the guess")
    ] = False,
    cold: Annotated[
        bool, typer.Option("--cold", help="start from zero, whatever guess the file keeps")
    ] = False,
) -> int:
    """Solve a contact problem that a run could not, and show impulses, velocities and modes.

    Exit status: 0 it is solved, 1 it is not, 2 there is no such problem or method.
    """
    from footfall.solvers import METHODS, ContactProblem, method_name
    from footfall.wording import did_you_mean

    if method_name(method) not in METHODS:
        raise RunError(f"--method is '{method}'; {did_you_mean(method, list(METHODS))}")
    if not 0.0 < tolerance < float("inf"):
        raise RunError(f"--tolerance is {tolerance}: give a positive number, such as 1e-10")
    posed = ContactProblem.load(_file(problem))
    starts = [_COLD] if cold or posed.guess is None else [_WARM]
    if every and starts == [_WARM]:
        starts = [_WARM, _COLD]
    methods = list(METHODS) if every else [method_name(method)]
    tries = [_tried(posed, name, start, tolerance) for name in methods for start in starts]
    best = _best(tries)
    if best is None:
        raise RunError(f"--method {method} is {_SMALL}; this problem has {_size(posed)}")
    _print_problem(posed)
    _print_tries(tries)
    if best.impulses is not None:
        title = f"contacts, by {best.method} from {best.start}"
        _print_contacts(posed, best.impulses.r, best.impulses.u, title)
    if best.solved:
        return 0
    residual = best.impulses.residual if best.impulses else float("nan")
    typer.echo(
        f"footfall: not solved: the residual of {best.method} is {residual:.1e}, more than "
        f"{tolerance:.1e}; it may have no solution.",
        err=True,
    )
    return 1


def _file(path: Path) -> Path:
    """The file itself, or the one that a run folder keeps under its usual name."""
    from footfall.run_folder import CONTACT_PROBLEM

    return path / CONTACT_PROBLEM if path.is_dir() else path


def _tried(problem: "ContactProblem", method: str, start: str, tolerance: float) -> _Try:
    """Ask one method; the fixed point gets the parameter with which it surely contracts."""
    import numpy as np

    from footfall.solvers import ContactNotSolved
    from footfall.solvers import solve as ask

    size = float(np.linalg.norm(problem.W, 2)) if problem.q.size else 0.0
    try:
        impulses = ask(
            problem.W,
            problem.q,
            problem.mu,
            problem.dim,
            problem.guess if start == _WARM else None,
            method=method,
            tolerance=tolerance,
            r_parameter=1.0 / size if size > 0.0 else 1.0,
        )
    except ContactNotSolved as unsolved:
        impulses = unsolved.best
    except ValueError:  # enumeration, of a problem that is too large for it
        return _Try(method, start, None)
    return _Try(method, start, impulses)


def _best(tries: list[_Try]) -> _Try | None:
    """The first that solves it, else the one with the smallest residual."""
    played = [attempt for attempt in tries if attempt.impulses is not None]
    solved = [attempt for attempt in played if attempt.solved]
    ranked = solved or sorted(played, key=lambda t: t.impulses.residual if t.impulses else 0.0)
    return ranked[0] if ranked else None


def _size(problem: "ContactProblem") -> str:
    return f"{problem.mu.size} in {problem.dim}-D"


def _print_problem(problem: "ContactProblem", more: Sequence[tuple[str, str]] = ()) -> None:
    """Print size, rank and numbers of the problem, and more rows."""
    import numpy as np

    from footfall.cli.tables import print_table

    size = problem.q.size
    values = np.linalg.svd(problem.W, compute_uv=False) if size else np.zeros(1)
    rank = int((values > 1e-12 * values[0]).sum())
    lean = np.abs(problem.W - problem.W.T).max(initial=0.0)
    friction = f"{problem.mu.min(initial=np.inf):g} to {problem.mu.max(initial=0.0):g}"
    rows = (
        ("contacts", _size(problem)),
        ("W", f"{size} x {size}, rank {rank}, |W| = {values[0]:.4g} 1/kg"),
        ("asymmetry of W", f"{lean:.1e} 1/kg"),
        ("|q|", f"{np.linalg.norm(problem.q):.4g} m/s"),
        ("mu", friction if problem.mu.size else "-"),
        ("guess", "none is kept" if problem.guess is None else "kept"),
    )
    print_table("contact problem", ("of it", "value"), [*rows, *more])


def _print_tries(tries: list[_Try]) -> None:
    """Print a row for every method and start."""
    from footfall.cli.tables import print_table

    rows = []
    for attempt in tries:
        impulses = attempt.impulses
        if impulses is None:
            rows.append((attempt.method, attempt.start, "-", "-", "-", _SMALL))
            continue
        stage = _words(impulses.stage)
        numbers = f"{impulses.residual:.1e}", str(impulses.iterations)
        verdict = "solved" if attempt.solved else "not solved"
        rows.append((attempt.method, attempt.start, stage, *numbers, verdict))
    headings = ("method", "start", "stage", "residual", "iterations", "verdict")
    print_table("methods", headings, rows, right=(3, 4))


def _words(stage: "SolverStage") -> str:
    return stage.name.lower().replace("_", "-")


def _print_contacts(
    problem: "ContactProblem", r: "Array", u: "Array", title: str, names: Sequence[str] = ()
) -> None:
    """Print impulses r, velocities u and mode of every contact; names: else their numbers."""
    import numpy as np

    from footfall.cli.tables import print_table
    from footfall.contact import Mode, classify
    from footfall.metrics import short

    count, dim = problem.mu.size, problem.dim
    both = np.zeros((2, count, 3))
    both[:, :, :dim] = np.reshape((r, u), (2, count, dim))
    modes = [Mode(int(mode)).name.lower() for mode in classify(both[0], both[1], problem.mu)]
    axes = "nts"[:dim]
    headings = [*(f"r_{a} [N s]" for a in axes), *(f"u_{a} [m/s]" for a in axes)]
    numbers = np.column_stack([problem.mu, *both[:, :, :dim]])
    rows = [
        (name, mode, *(short(float(value)) for value in values))
        for name, mode, values in zip(names or map(str, range(count)), modes, numbers, strict=True)
    ]
    columns = ("contact", "mode", "mu", *headings)
    print_table(title, columns, rows, right=range(2, len(columns)), repeated=(0, 1))
