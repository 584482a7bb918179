"""Mutation testing: change laws, their judge and claims bit by bit, and see what no test sees.

    python scripts/mutants.py                 all groups, on two cores
    python scripts/mutants.py contact         laws of contact; judge: the natural map; claims
    python scripts/mutants.py contact --file friction.py

A mutant has one number, sign, operator or comparison changed; the tests of its group should fail
with it. One that survives points to a missing test, unless it is the same program written
otherwise: `EQUIVALENT` lists those, with the reason. Ends with status 1 where others survive.

Work is done by cosmic-ray (extra `mutation`) on copies of the tree, with kernels as plain Python.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
TIMEOUT = 120.0  # s for the tests with one mutant
# what is another program by accident only, or fails at once in any test
EXCLUDED = (
    "core/ReplaceBinaryOperator_.*_(FloorDiv|Mod|Pow|RShift|LShift|BitOr|BitAnd|BitXor)",
    "core/ReplaceBinaryOperator_Pow_.*",
    "core/ReplaceComparisonOperator_.*_(Is|IsNot)",
    "core/ReplaceUnaryOperator_.*_(Invert|UAdd|Not)",
    "core/RemoveDecorator",
)


@dataclass(frozen=True)
class Group:
    """Files that are changed, and the tests that should see it."""

    files: tuple[str, ...]
    tests: tuple[str, ...]


LAWS = ("chatterjee", "friction", "modes", "poisson", "restitution", "static_friction")
GROUPS = {
    "contact": Group(tuple(f"app/footfall/contact/{law}.py" for law in LAWS), ("tests/contact",)),
    "judge": Group(
        ("app/footfall/solvers/natural_map.py",), ("tests/solvers/test_natural_map.py",)
    ),
    "claims": Group(("app/footfall/registry/claims.py",), ("tests/registry/test_claims.py",)),
}

_NEVER_LESS = "static friction is never below kinetic friction"
_PUSHES = "no impulse along a normal is negative"
_LENGTH = "no length is negative"
_PARTS = "an impulse has two parts or three"
_SQUARE = "a matrix that is square"
_DONE = "rows and columns that are reduced are not read again"
_ONE = "a matrix with a one as its largest entry has a gram with an eigenvalue of one or more"
_BOUND = "a bound that is too high is halved as well"
_NOT_TWO = "a matrix of two rows never comes so far"

# lines that mean the same as what they stand for, and why
EQUIVALENT = {
    "return 2.0 * mu_a * mu_b / total if total != 0.0 else 0.0": "no coefficient is negative",
    "n = mu.shape[ -1]": "of one dimension the first is the last",
    "largest = -1.0": "no load counts where the largest one is negative",
    "if _friction(impulse) < mu * impulse[0]:": "on the cone kappa is 1 + e_t",
    "if mu_static[i] != mu[i] and slip_speed(gamma, i, dim) <= rest_speed:": _NEVER_LESS,
    "if mu_static[i] >= mu[i] and slip_speed(gamma, i, dim) <= rest_speed:": (
        "where both are the same it does not matter which is taken"
    ),
    "if chosen[i] != mu[i] and r[i * dim] > 0.0 and slip_speed(u, i, dim) > rest_speed:": (
        _NEVER_LESS
    ),
    "if chosen[i] > mu[i] and r[i * dim] != 0.0 and slip_speed(u, i, dim) > rest_speed:": _PUSHES,
    "if along < 0.0 and mu_static[i] != chosen[i] and not caught[i]:": _NEVER_LESS,
    "stored = np.flatnonzero(e_n * r_c[::dim] != 0.0)": _PUSHES,
    "source = np.full(size, - 2)": "any negative number says that there is none",
    "if mu * tangent < -normal:": "on the border of the polar cone both ways lead to its tip",
    "tangent = abs(x[start + 1]) if dim <= 2 else math.hypot(x[start + 1], x[start + 2])": _PARTS,
    "slip = abs(u[a + 1]) if dim <= 2 else math.hypot(u[a + 1], u[a + 2])": _PARTS,
    "if size_q <= 0.0:": _LENGTH,
    "if scale <= 0.0:  # all zero, or lost": _LENGTH,
    "if not error < worst:": "the worst of two that are alike is either",
    "worst = -1.0": "no square is negative",
    "n = q.shape[ -1]": "of one dimension the first is the last",
    "for i in range(mu.shape[ -1]):": "of one dimension the first is the last",
    "n = W.shape[ 1]": _SQUARE,
    "n = W.shape[ -1]": _SQUARE,
    "n = A.shape[ 1]": _SQUARE,
    "n = A.shape[ -1]": _SQUARE,
    "if largest * largest <= 0.0:  # of zeros, or so small that the squares are": (
        "no square is negative"
    ),
    "if length <= 0.0:": _LENGTH,
    "norm = -1.0": "what is zero takes one step more",
    "for i in range(k - 1, n):": _DONE,
    "for i in range(k * 1, n):": _DONE,
    "for j in range(k * 1, n):": _DONE,
    "for j in range(k + 0, n):": _DONE,
    "for i in range(k + 0, n):": _DONE,
    "for k in range(n - 1):": "the last column has nothing aside of its second diagonal",
    "continue": "without a new vector the next step is the same, and the norm with it",
    "while i != n and pivot < 0.0:": "i grows by one, up to n",
    "length, aside = A[k + 1, k] * A[k + 1, k], -1.0": _LENGTH,
    "if aside < _NOTHING:": "what is next to nothing may be reflected as well",
    "if n != 1:": _NOT_TWO,
    "if n > 2:": _NOT_TWO,
    "if n >= 1:": _BOUND,
    "if n > 0:": _BOUND,
    "low = 1.0": _ONE,
    "low = -1.0": "no diagonal entry of a gram matrix is negative",
    "high = 1.0": _ONE,
    "high = -1.0": "no bound of an eigenvalue of a gram matrix is negative",
    "beyond = math.sqrt(square[i + 1]) if i + 1 != n else 0.0": "no i + 1 is more than n",
    "beyond = math.sqrt(square[i + 1]) if i + 1 < n else 1.0": _BOUND,
    "while high - low > 1e-13 / high:": "finer by the square of what is at most twelve",
    "while high - low >= 1e-13 * high:": "one halving more at most",
    "if norm - last < SETTLED * norm:": "what is zero takes one step more",
    "i = 0": "the first square is zero, so that the first pivot stays",
    "u = np.empty(q.shape[ -1])": "of one dimension the first is the last",
    "natural = size_q / (norm if norm != 0.0 else 1.0)": _LENGTH,
    "rho = 1.0 / norm if norm != 0.0 else 1.0": _LENGTH,
    # "about" is before "at least" before "at most", "formula" before "number" before "words"
    'if self.relation <= "about":': "nothing is before it",
    'if self.relation <= "at least":': "what is about was returned before",
    'if self.relation > "about":': "nothing is before it",
    'relation = "" if self.relation <= "about" else f"{self.relation} "': "nothing is before it",
    'return within.strip() if self.relation <= "about" else self.relation': "nothing is before it",
    'return f"{bound} by formula" if self.basis <= "formula" else bound': "nothing is before it",
    'if (self.verdict == "check") > (self.basis <= "formula"):': "nothing is before it",
    'if (self.verdict <= "check") > (self.basis == "formula"):': "nothing is before it",
    'if self.verdict >= "reproduced" and self.basis != "number":': "nothing is behind it",
    "if not (self.tolerance != 0.0 and math.isfinite(target) and target != 0.0):": (
        "no tolerance is negative"
    ),
}


@dataclass(frozen=True)
class Survivor:
    """A mutant that no test saw: its file, and the lines that changed."""

    file: str
    before: str
    after: str

    @property
    def is_equivalent(self) -> bool:
        """Return whether it is known to be the same program."""
        return self.after in EQUIVALENT


def main() -> None:
    """Change, test and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=", ".join(GROUPS))
    parser.add_argument("--file", help="this one alone, by its name")
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    unknown = set(arguments.groups) - set(GROUPS)
    if unknown:
        parser.error(f"there is no group {', '.join(unknown)}: {', '.join(GROUPS)}")
    chosen = [GROUPS[name] for name in arguments.groups or GROUPS]
    tasks = [
        (file, group.tests)
        for group in chosen
        for file in group.files
        if arguments.file in (None, Path(file).name)
    ]
    if not tasks:
        parser.error(f"there is no file {arguments.file} in these groups")
    with ThreadPoolExecutor(arguments.workers) as pool:
        found = [one for each in pool.map(lambda task: _survivors(*task), tasks) for one in each]
    sys.exit(1 if any(not one.is_equivalent for one in found) else 0)


def _survivors(file: str, tests: tuple[str, ...]) -> list[Survivor]:
    """Test all mutants of a file in a copy of the tree, and print what came of it."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        _copy(tree)
        settings, session = Path(folder) / "settings.toml", Path(folder) / "session.sqlite"
        settings.write_text(_settings(file, tests))
        if _run(tree, "cosmic-ray", "baseline", settings, check=False):
            sys.exit(f"{file}: its tests fail without any change, as plain Python: mend them first")
        _run(tree, "cosmic-ray", "init", settings, session)
        _run(tree, "cr-filter-operators", session, settings)
        _run(tree, "cosmic-ray", "exec", settings, session)
        killed, found = _read(session, file)
    known = sum(one.is_equivalent for one in found)
    print(
        f"{file}: {killed} mutants seen, {len(found)} not, {known} of these equivalent", flush=True
    )
    for one in found:
        if not one.is_equivalent:
            print(f"    {one.before}  ->  {one.after}", flush=True)
    return found


def _copy(tree: Path) -> None:
    """Copy what is tracked, as it is now."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "app", "controllers", "tests", "urdf", "sdf", "pyproject.toml"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tree / name)


def _settings(file: str, tests: tuple[str, ...]) -> str:
    command = (
        f"{sys.executable} -m pytest -q -x -p no:cacheprovider -m 'not slow' {' '.join(tests)}"
    )
    excluded = ", ".join(f'"{name}"' for name in EXCLUDED)
    return (
        f'[cosmic-ray]\nmodule-path = "{file}"\ntimeout = {TIMEOUT}\nexcluded-modules = []\n'
        f'test-command = "{command}"\n[cosmic-ray.distributor]\nname = "local"\n'
        f"[cosmic-ray.filters.operators-filter]\nexclude-operators = [{excluded}]\n"
    )


def _run(tree: Path, tool: str, *arguments: Path | str, check: bool = True) -> int:
    """Run a tool in a copy of the tree, and return its status."""
    paths = [str(tree / "app"), str(tree / "controllers")]
    settings = {"PYTHONPATH": os.pathsep.join(paths), "NUMBA_DISABLE_JIT": "1"}
    return subprocess.run(
        [Path(sys.executable).with_name(tool), *arguments],
        cwd=tree,
        check=check,
        capture_output=True,
        env=os.environ | settings,
    ).returncode


def _read(session: Path, file: str) -> tuple[int, list[Survivor]]:
    """Count the mutants of a session that were seen, and list the others."""
    from cosmic_ray.work_db import use_db
    from cosmic_ray.work_item import TestOutcome

    killed, found = 0, []
    with use_db(str(session)) as database:
        for _, result in database.completed_work_items:
            if result.test_outcome == TestOutcome.KILLED:
                killed += 1
            elif result.test_outcome == TestOutcome.SURVIVED:
                diff = result.diff or ""
                found.append(Survivor(file, _changed(diff, "-"), _changed(diff, "+")))
    return killed, found


def _changed(diff: str, sign: str) -> str:
    """Lines of a diff that have a sign, without its headings."""
    lines = [line for line in diff.splitlines() if line[:3] not in ("---", "+++")]
    return " ".join(line[1:].strip() for line in lines if line[:1] == sign)


if __name__ == "__main__":
    main()
