"""The page of jumps that were found: their flights, and the bounds by angular momentum."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.metrics import Metric
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_on_top, run_style
from footfall.report.tables import Contents, Table, listed, number
from footfall.show.colours import run_colour

_STEEPEST = 60.0  # degrees that the line PR may lean
_ROOM = 1.15

_NOTE = (
    "In flight nothing changes the angular momentum H about the mass centre, and while it is not "
    "zero the line PR turns: by at least H/(2 (J + K)) in a unit of time, which a straight machine "
    "has. It may lean by 60° to both sides, so |H| T ≤ 4 (J + K) π/3 for a flight of T: so much "
    "time in the air a spin allows. The bound of d is met by no jump; it assumes the best pose at "
    "take-off and at landing."
)


def jump_contents(data: xr.Dataset, _metrics: Mapping[str, Metric]) -> Contents:
    """Return bounds of d over spin and over the line's bound, and the flights in numbers."""
    if "spin_curve" not in data:
        return Contents([], [], [])
    return Contents([_bounds(data)], [_flights(data)], [_NOTE])


def _bounds(data: xr.Dataset) -> Figure:
    designs = [str(name) for name in data["jump"].values]
    spin = data["spin"].to_numpy()
    line = np.degrees(data["line"].to_numpy())
    own = [abs(float(data["spin_flight_spin"].sel(jump=name))) for name in designs]
    distance = [float(data["spin_distance"].sel(jump=name)) for name in designs]
    at_own = [
        float(np.interp(h, spin, _of(data, "spin_curve", name)))
        for h, name in zip(own, designs, strict=True)
    ]
    top = _ROOM * float(np.nanmax([*(2.0 * at for at in at_own), *distance], initial=0.1))

    def plot(axes: npt.NDArray[Any]) -> None:
        left, right = axes[0]
        for index, name in enumerate(designs):
            style, colour = run_style(index), run_colour(index)
            left.plot(spin, _of(data, "spin_curve", name), label=name, **style)
            left.plot(own[index], distance[index], "o", color=colour)
            right.plot(line, _of(data, "spin_bound", name), **style)
            right.plot(_STEEPEST, distance[index], "o", color=colour)
        right.axvline(_STEEPEST, color="black", linewidth=0.9, linestyle=(0, (5, 3)))
        left.set(xlabel="spin |H| [kg m²/s]", ylabel="d, and its bound [m]", ylim=(0.0, top))
        right.set(xlabel="allowed lean of the line PR [deg]", ylim=(0.0, None))
        right.set_ylabel("d, and its bound [m]")
        legend_on_top(left)

    alt = (
        "Bound of the jump distance over the spin of the flight (left) and over the lean that the "
        f"line PR is allowed (right), with the jumps as dots, for {listed(designs)}."
    )
    note = (
        "Lines: the bound at the speed of each jump; dots: the jumps. Right, dashed: the 60° of "
        "the task."
    )
    title = "What spin allows"
    return draw(title, alt, (1, 2), plot, note=note, row_height=3.0, share_x=False)


def _of(data: xr.Dataset, name: str, design: str) -> Array:
    return np.asarray(data[name].sel(jump=design).to_numpy(), dtype=np.float64)


def _flights(data: xr.Dataset) -> Table:
    columns = {
        "spin H [kg m²/s]": "flight_spin",
        "speed along the ground [m/s]": "flight_speed",
        "flight [s]": "flight_duration",
        "share of the spin budget [1]": "share",
        "mass centre ahead of P at take-off [m]": "lead_take_off",
        "at landing [m]": "lead_landing",
        "d [m]": "distance",
    }
    rows = [
        (
            str(name),
            *(
                number(float(data[f"spin_{column}"].sel(jump=name)), 5)
                for column in columns.values()
            ),
        )
        for name in data["jump"].values
    ]
    note = "The budget is the largest |H| T with which the line PR turns from 60° to 60°."
    return Table("Flights", ("jump", *columns), rows, note)
