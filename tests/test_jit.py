"""The cache of compiled kernels: its folder knows the sources."""

import os
import subprocess
import sys
from pathlib import Path

import numba

from footfall import jit


def test_the_folder_changes_with_any_file_that_has_kernels(tmp_path, monkeypatch):
    (tmp_path / "jit.py").write_text("njit = ...")
    kernel = tmp_path / "deep" / "kernel.py"
    kernel.parent.mkdir()
    (tmp_path / "prose.py").write_text("x = 1")
    monkeypatch.setattr(jit, "__file__", str(tmp_path / "jit.py"))

    def digest():
        jit._digest.cache_clear()
        return jit._digest()

    try:
        kernel.write_text("@njit\ndef f(): return 1")
        first = digest()
        (tmp_path / "prose.py").write_text("x = 2")
        assert digest() == first
        kernel.write_text("@njit\ndef f(): return 2")
        assert digest() != first
    finally:
        jit._digest.cache_clear()


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
        "from footfall.contact import newton\n"
        "print(nothing_compiled_yet())\n"
        "newton(np.zeros(2), np.zeros(1), np.zeros(1), 2)\n"
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
