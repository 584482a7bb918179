"""Kernels as parts of others: who compiles what, and that all others may call it."""

import gc
import itertools

import numba
import numpy as np
import pytest
from numba.core.compiler import Flags

from footfall import jit
from footfall.kernel_parts import Kernel, _PartLibrary, _quick_options


def _filled(size, value):
    return np.full(size, value)  # numba takes three functions of its own library for this


def _pair(kind):
    """A kernel, and one that calls it."""
    inner = kind(_filled)
    return inner, kind(lambda size, value: inner(size, value) + 1.0)


def test_a_kernel_called_by_a_kernel_is_not_compiled_by_itself():
    inner, outer = _pair(Kernel)
    assert np.array_equal(outer(2, 3.0), [4.0, 4.0])
    assert len(inner.part.overloads) == 1
    assert not inner.overloads
    assert np.array_equal(inner(2, 3.0), [3.0, 3.0])
    assert len(inner.overloads) == 1


@pytest.mark.parametrize("translated", [True, False])
def test_functions_of_others_may_call_kernels_and_what_these_took_from_numba(translated):
    inner, outer = _pair(Kernel)
    if translated:
        outer(2, 3.0)

    @numba.njit
    def own(size, value):
        return inner(size, value) + np.full(size, value)

    assert np.array_equal(own(2, 3.0), [6.0, 6.0])
    assert not inner.overloads  # which would be compiled for itself, as each of its parts
    (part,) = inner.part.overloads.values()
    assert isinstance(part.library, _PartLibrary)


def test_numba_and_python_are_left_as_they_were():
    codegen, threshold = Kernel(lambda: 0).targetctx.codegen(), gc.get_threshold()
    library = codegen._library_class
    failing = Kernel(lambda x: x.no_such_thing)
    with pytest.raises(numba.TypingError):
        failing(1.0)
    assert Kernel(lambda x: x + 1.0)(1.0) == 2.0
    assert codegen._library_class is library
    assert gc.get_threshold() == threshold


def test_options_are_compared_as_numba_does():
    chosen = [Flags() for _ in range(4)]
    chosen[1].nrt = chosen[2].nrt = True
    chosen[3].nrt = Flags.options["nrt"].default  # the same as not chosen
    pairs = list(itertools.product(chosen, repeat=2))
    own = [one == other for one, other in pairs], [hash(one) for one in chosen]
    with _quick_options():
        assert ([one == other for one, other in pairs], [hash(one) for one in chosen]) == own
        assert chosen[0] != "no options"


def test_another_numba_compiles_in_its_own_way(monkeypatch):
    monkeypatch.setattr(jit, "_KNOWN", (0, 1))
    kernel = jit.njit(_filled)
    assert not isinstance(kernel, Kernel)
    assert np.array_equal(kernel(2, 3.0), [3.0, 3.0])
