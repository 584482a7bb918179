"""Kernels as parts of others: their code is optimised once, in the kernel that Python calls.

numba optimises a function and makes machine code of it as soon as another one calls it; it then
links what came out into the caller and optimises it again, once for every level of a chain of
calls. Here a kernel is a whole where Python calls it, and a part where a kernel does. A part is
only translated to LLVM code. A whole gathers its parts, each once, and all is optimised together,
as a compiler of C does it with a file.

What numba takes from its own library on the way (``np.zeros``) is a part, too. Functions of other
packages may call such parts, and kernels: they get all that belongs to them.
"""

# ruff: noqa: ANN401, SLF001 (numba has no types, and no public name for what is replaced here)
# mypy: disable-error-code="no-untyped-call,method-assign"

from __future__ import annotations

import gc
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
from numba.core import types
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.cgutils import normalize_ir_text
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher
from numba.core.targetconfig import TargetConfig

_config: Any = numba.config
# objects between two searches for garbage, and searches between two of older objects: with Drake
# and pandas in memory each takes long, and numba's own 700, 10, 10 make them a fifth of all
_OBJECTS, _SEARCHES = 20_000, (50, 1000)
# of LLVM's optimisation: 3 takes a third longer than 2, and its code is no quicker here
_LEVEL = 2


class Kernel(CPUDispatcher):
    """A compiled function: a whole for Python, a part for other kernels."""

    def __init__(
        self,
        py_func: Callable[..., Any],
        locals: dict[str, Any] | None = None,  # noqa: A002 (as numba calls it, which may pass it)
        targetoptions: dict[str, Any] | None = None,
    ) -> None:
        """Take a function, and numba's options."""
        options = {"nopython": True} if targetoptions is None else targetoptions
        known = locals or {}  # older ones of numba take no None
        super().__init__(py_func, known, options, pipeline_class=_WholeCompiler)
        bare = {**options, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        self.part = _Part(py_func, known, bare, pipeline_class=_PartCompiler)

    def enable_caching(self) -> None:
        """Keep the machine code in files; where no folder can be written, in this process alone."""
        with suppress(RuntimeError):
            self._cache = _Cache(self.py_func)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return numba's template for calls by compiled functions."""
        # numba compiles a function anew for every constant that it is called with, which LLVM sees
        # as well where it is worth anything
        general = {name: types.unliteral(of) for name, of in kws.items()}
        return self.part.get_call_template(tuple(map(types.unliteral, args)), general)

    def get_overload(self, sig: Any) -> Any:
        """Return numba's key of the function that compiled ones call."""
        return self.part.get_overload(sig)


class _Cache(FunctionCache):
    """Machine code in files; where these are damaged or cannot be written, it is made anew."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _CheckedFiles(self._cache_path, self._impl.filename_base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for types of arguments, None where there is none that is whole."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # noqa: BLE001 (whatever pickle makes of a damaged file)
            try:
                self.flush()
            except OSError:
                self.disable()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code for types of arguments, if there is room."""
        with suppress(OSError):
            super().save_overload(sig, data)


class _CheckedFiles(IndexDataCacheFile):
    """Files that end in their checksum: damaged machine code would end the process."""

    def _dump(self, obj: Any) -> bytes:
        content: bytes = super()._dump(obj)
        return content + zlib.crc32(content).to_bytes(4)

    def _load_data(self, name: str) -> Any:
        content = Path(self._data_path(name)).read_bytes()
        if zlib.crc32(content[:-4]) != int.from_bytes(content[-4:]):
            raise ValueError(name)
        return super()._load_data(name)


class _Part(CPUDispatcher):
    def add_overload(self, cres: Any) -> None:
        # numba's own lets Python call it, too
        self.overloads[tuple(cres.signature.args)] = cres


class _PartCompiler(Compiler):
    """numba's compiler of parts, also where a function of another package calls them."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """Translate a function."""
        with _translating(self.state.targetctx.codegen()):
            return super().compile_extra(func)


class _WholeCompiler(Compiler):
    """numba's compiler, to which everything on its way is a part."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """Compile a function."""
        codegen = self.state.targetctx.codegen()
        self.state.library = _WholeLibrary(codegen, func.__qualname__)
        self.state.library.enable_object_caching()
        with _translating(codegen):
            return super().compile_extra(func)


@contextmanager
def _translating(codegen: Any) -> Iterator[None]:
    with _parts_only(codegen), _rare_garbage_collection(), _quick_options():
        yield


@contextmanager
def _parts_only(codegen: Any) -> Iterator[None]:
    """Make parts of what numba compiles meanwhile, which it does in one thread at a time."""
    before = codegen._library_class
    codegen._library_class = _PartLibrary
    try:
        yield
    finally:
        codegen._library_class = before


@contextmanager
def _rare_garbage_collection() -> Iterator[None]:
    before = gc.get_threshold()
    if before[0] > 0:
        gc.set_threshold(max(_OBJECTS, before[0]), *_SEARCHES)
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def _quick_options() -> Iterator[None]:
    """Compare sets of options by those that were chosen.

    At every call of one of its own functions numba looks for it by its options, which all have one
    hash, and compares dozens: a tenth of the time of a translation.
    """
    before = TargetConfig.__eq__, TargetConfig.__hash__
    TargetConfig.__eq__, TargetConfig.__hash__ = _are_equal, _hash_of
    try:
        yield
    finally:
        TargetConfig.__eq__, TargetConfig.__hash__ = before


def _are_equal(one: Any, other: Any) -> Any:
    if not isinstance(other, TargetConfig):
        return NotImplemented
    chosen = one._values.keys() | other._values.keys()
    return all(getattr(one, name) == getattr(other, name) for name in chosen)


def _hash_of(options: Any) -> int:
    return _hash_of_names(tuple(options.options))


@cache
def _hash_of_names(names: tuple[str, ...]) -> int:
    return hash(tuple(sorted(names)))  # as numba's own


@contextmanager
def _level_of_optimisation() -> Iterator[None]:
    before = _config.OPT
    _config.OPT = _LEVEL
    try:
        yield
    finally:
        _config.OPT = before


class _WholeLibrary(JITCodeLibrary):
    """The code of a kernel that Python calls, and of its parts."""

    def finalize(self) -> None:
        own = _defined(self._final_module)
        self._linking_libraries = _link(self, self._final_module)
        _keep_for(own, self._final_module)
        with _level_of_optimisation():
            super().finalize()


class _PartLibrary(JITCodeLibrary):
    """The code of a part alone: neither optimised nor made machine code of."""

    @property
    def codegen(self) -> Any:
        """Return what numba tells of an object for the machine code, of which there is none."""
        return _NoMachineCode

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def add_ir_module(self, ir_module: Any) -> None:
        """Take code in, which is verified with the whole."""
        self._raise_if_finalized()
        self.add_llvm_module(llvm.parse_assembly(normalize_ir_text(str(ir_module))))

    def finalize(self) -> None:
        self._raise_if_finalized()
        names = {
            each.name for each in self._final_module.functions if each.linkage.name == "external"
        }
        _set_linkage(names, self._final_module, "linkonce_odr")
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """Return the code with that of all its parts, optimised, for libraries of numba's own."""
        self._ensure_finalized()
        if self._shared_module is None:
            translated, own = self._final_module, _defined(self._final_module)
            self._final_module = translated.clone()
            for library in _link(self, self._final_module):
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
            _keep_for(own, self._final_module)
            _set_linkage(own, self._final_module, "external")  # LLVM drops what nothing calls
            with _level_of_optimisation():
                self._optimize_final_module()
            _set_linkage(own, self._final_module, "linkonce_odr")
            self._shared_module, self._final_module = self._final_module, translated
        return self._shared_module


class _NoMachineCode:
    @staticmethod
    def set_env(_env_name: str, _env: Any) -> None:
        pass


def _defined(module: Any) -> set[str]:
    """Return the names of the functions of a module."""
    return {function.name for function in module.functions if not function.is_declaration}


def _set_linkage(names: set[str], module: Any, linkage: str) -> None:
    """Set the linkage of functions that a module defines."""
    for function in module.functions:
        if function.name in names and not function.is_declaration:
            function.linkage = linkage


def _keep_for(own: set[str], module: Any) -> None:
    """Let only the functions of its own be called from outside of a module with all its parts.

    LLVM may then inline what is called once, drop arguments that are not read and see that a part
    never raises, which ends the counting of references.
    """
    parts = {each.name for each in module.functions if each.linkage.name == "linkonce_odr"}
    _set_linkage(parts - own, module, "internal")


def _link(library: Any, module: Any) -> list[Any]:
    """Link all parts of a library into a module, each once; returns what else is to be linked."""
    others: dict[Any, None] = {}
    seen = {library}
    ahead = list(reversed(library._linking_libraries))
    while ahead:
        found = ahead.pop()
        if found in seen:
            continue
        seen.add(found)
        if isinstance(found, _PartLibrary):
            found._ensure_finalized()
            library._reload_init.update(found._reload_init)
            module.link_in(found._final_module, preserve=True)
            ahead += reversed(found._linking_libraries)
        else:
            others[found] = None
    return list(others)
