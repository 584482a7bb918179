"""The cache of compiled kernels: its folder knows the sources."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from footfall import jit

FOOTFALL = Path(jit.__file__).parent


@pytest.fixture
def digest_after(tmp_path, monkeypatch):
    """Write a file of a small package; returns the digest of its kernel then."""
    (tmp_path / "jit.py").write_text("njit = ...")
    monkeypatch.setattr(jit, "__file__", str(tmp_path / "jit.py"))

    def write(name, text):
        for folder in ("deep", "other"):
            (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
        (tmp_path / "deep" / "kernel.py").touch()
        for known in (jit._digest, jit._imported, jit._content):
            known.cache_clear()
        return jit._digest(tmp_path / "deep" / "kernel.py")

    yield write
    for known in (jit._digest, jit._imported, jit._content):
        known.cache_clear()


def test_the_folder_changes_with_a_kernel(digest_after):
    first = digest_after("deep/kernel.py", "@njit\ndef f(): return 1")
    assert digest_after("deep/kernel.py", "@njit\ndef f(): return 2") != first


@pytest.mark.parametrize(
    "imports",
    [
        "from footfall.deep.columns import WIDTH",
        "from footfall.deep.columns import (\n    HEIGHT,\n    WIDTH,\n)",
        "from footfall.deep import columns",
        "import footfall.deep.columns as c",
        "from footfall.deep.between import WIDTH",
    ],
)
def test_the_folder_changes_with_what_a_kernel_takes_from_elsewhere(digest_after, imports):
    # numba freezes the constant into the machine code of f
    digest_after("deep/between.py", "from footfall.deep.columns import WIDTH")
    digest_after("deep/kernel.py", f"{imports}\n@njit\ndef f(): return WIDTH")
    first = digest_after("deep/columns.py", "HEIGHT = 2\nWIDTH = 3")
    assert digest_after("deep/columns.py", "HEIGHT = 2\nWIDTH = 4") != first


def test_the_folder_changes_with_what_a_controller_takes_from_another_file(digest_after, tmp_path):
    package, monkeypatch = tmp_path / "footfall_beside", pytest.MonkeyPatch()
    package.mkdir()
    (package / "__init__.py").touch()
    found = []
    with monkeypatch.context() as patch:
        patch.syspath_prepend(tmp_path)
        for width in (3, 4):
            (package / "columns.py").write_text(f"WIDTH = {width}")
            kernel = "from footfall_beside.columns import WIDTH\n@njit\ndef f(): return WIDTH"
            found.append(digest_after("deep/kernel.py", kernel))
    assert found[0] != found[1]


def test_the_folder_changes_with_the_decorator(digest_after):
    first = digest_after("deep/kernel.py", "@njit\ndef f(): return 1")
    assert digest_after("jit.py", "njit = something_else") != first


def test_the_folder_stays_when_something_else_changes(digest_after):
    digest_after("deep/kernel.py", "from footfall.errors import E\n@njit\ndef f(): return 1")
    first = digest_after("deep/beside.py", "x = 1")
    assert digest_after("deep/beside.py", "x = 2") == first
    assert digest_after("other/prose.py", "x = 2") == first


KERNELS = sorted(path for path in FOOTFALL.rglob("*.py") if b"@njit" in path.read_bytes())


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_the_digest_reaches_every_module_that_a_kernel_imports(path):
    """Imports as Python sees them, against those that the digest finds in the text."""
    nodes = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.stmt)]
    found = set(jit._imported(path))
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            modules = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        else:
            continue
        for module in modules:
            parts = module.split(".")
            file = FOOTFALL.parent.joinpath(*parts).with_suffix(".py")
            if parts[0] == "footfall" and file.is_file():
                assert file in found, module


def test_numba_is_left_as_it_was():
    before = numba.config.CACHE_DIR

    @jit.njit
    def twice(x):
        return 2.0 * x

    assert before == numba.config.CACHE_DIR
    assert twice(2.0) == 4.0
    assert f"kernels-{jit._digest(Path(__file__))}" in Path(twice.stats.cache_path).parts


def test_a_first_run_knows_that_it_compiles(tmp_path):
    code = (
        "from pathlib import Path\n"
        "from footfall.jit import is_compiled\n"
        "import numpy as np\n"
        "from footfall.contact import add_restitution, restitution\n"
        "file = Path(restitution.__file__)\n"
        "print(is_compiled(file))\n"
        "add_restitution(np.zeros(2), np.zeros(2), np.zeros(1), np.zeros(1), 2)\n"
        "print(is_compiled(file))\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.split() == ["False", "True"]


def test_machine_code_is_never_taken_from_the_working_folder(tmp_path):
    (tmp_path / ".numba_config.yaml").write_text(f"cache_dir: {tmp_path}\n")
    code = "import numba; from footfall import jit; print(numba.config.CACHE_DIR, jit._parent())"
    told = subprocess.run(
        [sys.executable, "-c", code],
        env={name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.split() == [str(tmp_path), str(FOOTFALL / "__pycache__")]


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize(
    "damaged",
    [lambda data: data[:0], lambda data: data[: len(data) // 2], lambda data: data[:-9] + bytes(9)],
    ids=["empty", "cut", "garbage"],
)
def test_a_damaged_cache_is_made_anew(tmp_path, monkeypatch, ending, damaged):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))

    def twice(x):
        return 2.0 * x

    assert jit.njit(twice)(1.0) == 2.0
    (file,) = tmp_path.rglob(f"*.{ending}")
    whole = file.read_bytes()
    file.write_bytes(damaged(whole))
    again = jit.njit(twice)
    assert again(1.0) == 2.0
    assert not again.stats.cache_hits
    third = jit.njit(twice)
    assert third(1.0) == 2.0
    assert third.stats.cache_hits


def test_a_kernel_that_works_in_scratch_calls_one_that_allocates_and_must_not_itself():
    @jit.njit
    def allocates(n):
        return np.ones(n).sum()

    @jit.scratch_njit
    def works(x):
        return x[1:].sum() + allocates(x.size)

    @jit.scratch_njit
    def must_not(n):
        return np.ones(n).sum()

    assert works(np.arange(4.0)) == 6.0 + 4.0
    with pytest.raises(numba.TypingError):
        must_not(3)
    assert allocates(3) == 3.0
