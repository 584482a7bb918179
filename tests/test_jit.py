"""The cache of compiled kernels: its folder knows the sources."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from footfall import jit

FOOTFALL = Path(jit.__file__).parent


@pytest.fixture
def digest_after(tmp_path, monkeypatch):
    """Write a file of a small package; returns the digest of the package then."""
    (tmp_path / "jit.py").write_text("njit = ...")
    monkeypatch.setattr(jit, "__file__", str(tmp_path / "jit.py"))

    def write(name, text):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
        jit._digest.cache_clear()
        return jit._digest()

    yield write
    jit._digest.cache_clear()


def test_the_folder_changes_with_a_kernel(digest_after):
    first = digest_after("deep/kernel.py", "@njit\ndef f(): return 1")
    assert digest_after("deep/kernel.py", "@njit\ndef f(): return 2") != first


def test_the_folder_changes_with_what_a_kernel_takes_from_its_package(digest_after):
    # numba freezes the constant into the machine code of f
    digest_after("deep/columns.py", "WIDTH = 3")
    first = digest_after(
        "deep/kernel.py", "from columns import WIDTH\n@njit\ndef f(): return WIDTH"
    )
    assert digest_after("deep/columns.py", "WIDTH = 4") != first


def test_the_folder_changes_with_the_decorator(digest_after):
    first = digest_after("deep/kernel.py", "@njit\ndef f(): return 1")
    assert digest_after("jit.py", "njit = something_else") != first


def test_the_folder_stays_when_prose_changes(digest_after):
    digest_after("deep/kernel.py", "@njit\ndef f(): return 1")
    digest_after("prose.py", "x = 1")
    first = digest_after("other/prose.py", "x = 1")
    assert digest_after("prose.py", "x = 2") == first
    assert digest_after("other/prose.py", "x = 2") == first


KERNELS = sorted(path for path in FOOTFALL.rglob("*.py") if b"@njit" in path.read_bytes())


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_a_kernel_imports_only_from_packages_with_kernels(path):
    # what it imports from elsewhere could be frozen into it without being in the digest
    rooms = {".".join(kernel.parent.relative_to(FOOTFALL).parts) for kernel in KERNELS}
    imports = [
        node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom)
    ]
    own = [node.module.split(".")[1:] for node in imports if node.module.startswith("footfall.")]
    harmless = {"jit", "errors"}  # no kernel can take anything from errors
    for parts in own:  # a package, or a module in one
        assert {".".join(parts), ".".join(parts[:-1])} & (rooms | harmless), parts


def test_numba_is_left_as_it_was():
    before = numba.config.CACHE_DIR

    @jit.njit
    def twice(x):
        return 2.0 * x

    assert before == numba.config.CACHE_DIR
    assert twice(2.0) == 4.0
    assert f"kernels-{jit._digest()}" in Path(twice.stats.cache_path).parts


def test_a_first_run_knows_that_it_compiles(tmp_path):
    code = (
        "from footfall.jit import nothing_compiled_yet\n"
        "import numpy as np\n"
        "from footfall.contact import add_restitution\n"
        "print(nothing_compiled_yet())\n"
        "add_restitution(np.zeros(2), np.zeros(2), np.zeros(1), np.zeros(1), 2)\n"
        "print(nothing_compiled_yet())\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.split() == ["True", "False"]
