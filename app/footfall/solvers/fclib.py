"""Contact problems in files of the FCLIB collection: plain HDF5, as its `fclib.h` reads it.

Source: V. Acary, M. Bremond, T. Koziara, F. Perignon, FCLIB: a collection of discrete 3D frictional
contact problems (2014). A local problem is u = W r + q; a global one M v = f + H r + G l,
u = H^T v + w, G^T v + b = 0. Matrices are in compressed columns (nz = -1), compressed rows (-2) or
triplets. A netCDF-4 file is an HDF5 file: the library that writes trajectories writes these, too.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array

_Arrays = Mapping[str, npt.NDArray[Any]]


def write_fclib(path: Path, arrays: _Arrays) -> None:
    """Write a problem: W, q, mu, d; where there are, guess; r and u; M, H, f, w and v."""
    import netCDF4

    spacedim = int(arrays["d"])
    with netCDF4.Dataset(path, "w") as file:
        problem = file.createGroup("fclib_local")
        _put(problem, "spacedim", spacedim)
        _put_matrix(problem, "W", arrays["W"])
        _put_all(problem.createGroup("vectors"), arrays, ("q", "mu"))
        if _is_condensed(arrays):
            problem = file.createGroup("fclib_global")
            _put(problem, "spacedim", spacedim)
            for name in ("M", "H"):
                _put_matrix(problem, name, arrays[name])
            _put_all(problem.createGroup("vectors"), arrays, ("f", "w", "mu"))
        if "r" in arrays:
            _put_all(file.createGroup("solution"), arrays, ("v", "u", "r"))
        if "guess" in arrays:
            guesses = file.createGroup("guesses")
            _put(guesses, "number_of_guesses", 1)
            guess = arrays["guess"]
            first = {"r": guess, "u": arrays["W"] @ guess + arrays["q"]}
            _put_all(guesses.createGroup("1"), first | {"v": arrays["v"]}, ("v", "u", "r"))


def read_fclib(path: Path) -> dict[str, npt.NDArray[Any]]:
    """Read W, q, mu, d and, if there is one, the first guess, of a local or a global problem.

    Raises KeyError, OSError or ValueError for a file that has none.
    """
    import netCDF4

    with netCDF4.Dataset(path) as file:
        file.set_auto_mask(False)
        local = "fclib_local" in file.groups
        problem = file["fclib_local" if local else "fclib_global"]
        vectors = {name: each[:] for name, each in problem["vectors"].variables.items()}
        matrices = {name: _matrix(problem[name]) for name in problem.groups if name in "WVRMHG"}
        found = {"mu": vectors["mu"], "d": problem["spacedim"][:].ravel()[0]}
        if "guesses" in file.groups and "1" in file["guesses"].groups:
            found["guess"] = file["guesses/1/r"][:]
    if "V" in matrices:
        raise ValueError("it has rows V and R of equality, which are not read")
    found |= {"W": matrices["W"], "q": vectors["q"]} if local else _condensed(matrices, vectors)
    return found


def _is_condensed(arrays: _Arrays) -> bool:
    """Say whether W and q follow from M, H, f and w: not with loops, nor with rows of their own."""
    if "M" not in arrays or arrays["G"].size:
        return False
    W, q, size = arrays["W"], arrays["q"], np.abs(arrays["W"]).max(initial=0.0)
    found = _condensed(arrays, arrays)
    same_q = np.allclose(found["q"], q, rtol=1e-9, atol=1e-9 * np.abs(q).max(initial=0.0))
    return same_q and np.allclose(found["W"], W, rtol=0.0, atol=1e-9 * size)


def _condensed(matrices: _Arrays, vectors: _Arrays) -> dict[str, Array]:
    """Return W and q of a global problem."""
    M, H, f = matrices["M"], matrices["H"], vectors["f"]
    G = matrices.get("G", np.zeros((len(M), 0)))
    rows = G.shape[1]
    both = np.block([[M, -G], [G.T, np.zeros((rows, rows))]])
    right = np.zeros((len(both), H.shape[1] + 1))
    right[: len(M)] = np.column_stack((H, f))
    right[len(M) :, -1] = -vectors.get("b", np.zeros(rows))
    v = np.linalg.lstsq(both, right, rcond=None)[0][: len(M)]
    return {"W": H.T @ v[:, :-1], "q": H.T @ v[:, -1] + vectors["w"]}


def _put(group: Any, name: str, value: npt.ArrayLike) -> None:  # noqa: ANN401 (of netCDF4)
    values = np.atleast_1d(value)
    size = f"size_{values.size}"
    if size not in group.dimensions:
        group.createDimension(size, values.size)
    kind = "i4" if values.dtype.kind == "i" else "f8"
    group.createVariable(name, kind, (size,))[:] = values


def _put_all(group: Any, arrays: _Arrays, names: tuple[str, ...]) -> None:  # noqa: ANN401 (as above)
    for name in names:
        if name in arrays:
            _put(group, name, arrays[name])


def _put_matrix(parent: Any, name: str, matrix: Array) -> None:  # noqa: ANN401 (as above)
    from scipy.sparse import csc_array

    group, columns = parent.createGroup(name), csc_array(matrix)
    for key, value in zip(("m", "n"), matrix.shape, strict=True):
        _put(group, key, value)
    _put(group, "nzmax", columns.nnz)
    _put(group, "nz", -1)
    for key, value in (("p", columns.indptr), ("i", columns.indices), ("x", columns.data)):
        _put(group, key, value)


def _matrix(group: Any) -> Array:  # noqa: ANN401 (as above)
    from scipy.sparse import coo_array, csc_array, csr_array

    m, n, nz = (int(group[name][:].ravel()[0]) for name in ("m", "n", "nz"))
    p, i, x = (group[name][:] for name in ("p", "i", "x"))
    if nz >= 0:
        dense = coo_array((x[:nz], (i[:nz], p[:nz])), (m, n))
    else:
        dense = (csc_array if nz == -1 else csr_array)((x, i, p), (m, n))
    return np.asarray(dense.toarray(), dtype=np.float64)
