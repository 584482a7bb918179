"""Run folders with seeded faults, and what commands make of them.

``python -m tests.fuzz.folders 1 500`` tries five hundred from seed 1 on, and tells those
that no line explains.
"""

import contextlib
import io
import json
import random
import re
import shutil
import sys
import tempfile
from pathlib import Path

import netCDF4
import numpy as np
import xarray as xr

COMMANDS = ("replay", "replay", "replay", "export", "export", "report", "still")
_TEXTS = ("", "nan", "0", "q", "x" * 3000, "\u00e4\U0001f600", "::", "running", "1e999", "{}", "m")
_INSIDES = re.compile(r"Traceback|please report|\.py:\d")


def base(folder: Path) -> Path:
    """Make a short run of a scenario in which every field is set; return its folder."""
    import footfall as ff

    ff.load("smoke/OneOfEverything", duration=0.02).run("moreau").save(folder)
    return folder


def mutate(folder: Path, seed: int) -> None:
    """Put one to three faults into a folder."""
    chance = random.Random(seed)  # noqa: S311 (faults are no secrets)
    for _ in range(chance.choice((1, 1, 2, 3))):
        chance.choice((_data, _data, _data, _data, _bytes, _text, _json, _lost))(folder, chance)


def outcome(folder: Path, command: str) -> str:
    """Return what a command makes of a folder: ``sound``, ``refused: line`` or ``FAULT: what``."""
    from footfall.cli import main

    told = io.StringIO()
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(told):
            if command == "replay":
                return _replayed(folder)
            main([command, str(folder), *(["--csv"] if command == "export" else [])])
    except SystemExit as leaving:
        line = told.getvalue().strip()
        if _INSIDES.search(line) or (leaving.code and line.count("\n") > 1):
            return f"FAULT: {line[-600:]}"
        return f"refused: {line}" if leaving.code else "sound"
    return "FAULT: no end"


def _replayed(folder: Path) -> str:
    import footfall as ff
    from footfall.errors import FootfallError

    try:
        run = ff.replay(folder)
        run.plot(*run.series()[:1])
        str(run._repr_html_())
    except FootfallError as error:
        return f"refused: {error}"
    except Exception as error:  # noqa: BLE001 (that is what is sought)
        import traceback

        place = [
            f"{Path(f.filename).name}:{f.lineno}" for f in traceback.extract_tb(error.__traceback__)
        ]
        return f"FAULT: {type(error).__name__}: {error} at {place[-3:]}"
    return "sound"


def _data(folder, chance):
    """A fault in the variables, coordinates or attributes of the trajectory."""
    path = folder / "trajectory.nc"
    try:
        with xr.open_dataset(path, decode_times=False, mask_and_scale=False) as opened:
            data = opened.load()
        changed = chance.choice(_CHANGES)(data, chance)
        changed.to_netcdf(path, "w", "NETCDF4", engine="netcdf4")
    except (OSError, ValueError, TypeError, KeyError, RuntimeError, IndexError):
        return  # what no file can hold


def _name(data, chance):
    return chance.choice([*map(str, data.variables)])


def _dropped(data, chance):
    return data.drop_vars(_name(data, chance))


def _renamed(data, chance):
    return data.rename({_name(data, chance): chance.choice([*_TEXTS[1:], "other"])})


def _turned(data, chance):
    name = _name(data, chance)
    return data.assign({name: data[name].transpose(*reversed(data[name].dims))})


def _other_dims(data, chance):
    name = _name(data, chance)
    values = data[name]
    dims = [chance.choice([*map(str, data.dims)]) for _ in range(chance.randrange(3))]
    shape = [data.sizes[dim] for dim in dims]
    return data.drop_vars(name).assign({name: (dims, np.zeros(shape), values.attrs)})


def _other_type(data, chance):
    name = _name(data, chance)
    values = data[name].to_numpy()
    kind = chance.choice(("f4", "i8", "u1", "U8", "i2"))
    with np.errstate(invalid="ignore"):
        new = (
            np.nan_to_num(values).astype(kind)
            if values.dtype.kind in "fiu"
            else np.zeros(values.shape, kind)
        )
    return data.drop_vars(name).assign({name: (data[name].dims, new, data[name].attrs)})


def _strange_values(data, chance):
    name = _name(data, chance)
    values = data[name].to_numpy().copy()
    if values.size == 0:
        return data
    strange = [np.nan, np.inf, -1, 10**6, 1e300, 0] if values.dtype.kind in "fiu" else [*_TEXTS]
    with contextlib.suppress(OverflowError), np.errstate(all="ignore"):
        if chance.random() < 0.5:
            values.flat[chance.randrange(values.size)] = chance.choice(strange)
        else:
            values[...] = chance.choice(strange)
    return data.drop_vars(name).assign({name: (data[name].dims, values, data[name].attrs)})


def _other_order(data, chance):
    dim = chance.choice([*map(str, data.dims)])
    order = [*range(data.sizes[dim])]
    chance.shuffle(order)
    return data.isel({dim: order})


def _shorter(data, chance):
    dim = chance.choice([*map(str, data.dims)])
    return data.isel({dim: slice(0, chance.choice((0, 1, max(data.sizes[dim] - 1, 0))))})


def _attribute(data, chance):
    name = chance.choice([*data.attrs, "rows", "drives", "record_every", "scheme"])
    value = chance.choice([None, *_TEXTS, 3, [1.0, 2.0]])
    if value is None:
        data.attrs.pop(name, None)
    else:
        data.attrs[name] = value
    return data


def _own_attribute(data, chance):
    name = _name(data, chance)
    data[name].attrs[chance.choice(("units", "long_name"))] = chance.choice([*_TEXTS[1:], 3])
    if chance.random() < 0.5:
        data[name].attrs = {}
    return data


_CHANGES = (
    *(_dropped, _renamed, _turned, _other_dims, _other_type, _strange_values, _other_order),
    *(_shorter, _attribute, _own_attribute),
)


def _bytes(folder, chance):
    """A file that was cut off or overwritten in part."""
    path = folder / chance.choice(
        ("trajectory.nc", "metrics.json", "provenance.json", "scenario.yaml")
    )
    if not path.is_file() or path.stat().st_size == 0:
        return
    text = bytearray(path.read_bytes())
    at = chance.randrange(len(text))
    text[at : at + chance.choice((1, 4, 10**7))] = chance.choice((b"", b"\x00\xff", b"\xc3", b"}"))
    path.write_bytes(text)


def _text(folder, chance):
    """A scenario with a value that is another one's."""
    path = folder / "scenario.yaml"
    with contextlib.suppress(OSError, UnicodeDecodeError):
        lines = path.read_text(encoding="utf-8").split("\n")
        at = chance.randrange(len(lines))
        lines[at] = re.sub(r": .*", f": {chance.choice(_TEXTS)}", lines[at])
        path.write_text("\n".join(lines), encoding="utf-8")


def _json(folder, chance):
    """A value of another type in what is kept as JSON."""
    path = folder / chance.choice(("metrics.json", "metrics.json", "provenance.json"))
    try:
        whole = json.loads(path.read_text(encoding="utf-8"))
        at = whole
        while isinstance(at, dict) and at and chance.random() < 0.7:
            key = chance.choice(list(at))
            if not isinstance(at[key], dict):
                break
            at = at[key]
        if isinstance(at, dict) and at:
            at[chance.choice(list(at))] = chance.choice(
                [None, 3, "x", [], {}, [1, "a"], {"a": [2]}, 1e300]
            )
        path.write_text(json.dumps(whole), encoding="utf-8")
    except (OSError, ValueError):
        return


def _lost(folder, chance):
    """A file that is not there, or one of a run under way that is no such."""
    name = chance.choice(("metrics.json", "provenance.json", "scenario.yaml", "trajectory.rows"))
    if name == "trajectory.rows":
        (folder / name).write_bytes(chance.randbytes(chance.choice((0, 31, 400))))
    else:
        (folder / name).unlink(missing_ok=True)


def tried(seeds, folder: Path) -> dict[int, str]:
    """Return the outcome of each seed."""
    whole = base(folder / "base")
    found = {}
    for seed in seeds:
        copy = folder / f"run{seed}"
        shutil.copytree(whole, copy)
        mutate(copy, seed)
        command = random.Random(seed + 7).choice(COMMANDS)  # noqa: S311 (as above)
        found[seed] = f"{command} {outcome(copy, command)}"
        shutil.rmtree(copy)
    return found


def declares(path: Path, rows: int) -> None:
    """Write a file that says it has so many numbers, and holds none."""
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("time", rows)
        file.createVariable("q", "f8", ("time",), chunksizes=(1000,), zlib=True)


if __name__ == "__main__":
    first, count = map(int, sys.argv[1:])
    with tempfile.TemporaryDirectory() as place:
        outcomes = tried(range(first, first + count), Path(place))
    bad = {seed: what for seed, what in outcomes.items() if "FAULT" in what}
    for seed, what in bad.items():
        sys.stdout.write(f"seed {seed}: {what}\n")
    refused = sum("refused" in what for what in outcomes.values())
    sys.stdout.write(f"{len(outcomes)} folders, {refused} refused, {len(bad)} faults\n")
