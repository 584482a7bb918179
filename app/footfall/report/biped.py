"""The pictures of the biped report's main script, with what became of its claims, and what to know about it.

Frames: S the slope (x along it, z its normal), G the ground frame of the report's movies, S turned by alpha.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from footfall.contact import Mode
from footfall.report.figures import TIME, finish_time_panels
from footfall.report.picture import Picture, draw, legend_above, run_style, thin
from footfall.report.section import RunLike, Section
from footfall.report.wording import listed, number
from footfall.studies.biped import FEET, points
from footfall.studies.biped_gait import JOINTS, BipedGait

Array = npt.NDArray[np.float64]

METRICS: dict[str, tuple[str, str]] = {
    "x_final": ("m", "position of the hip along the slope at the end"),
    "mass_centre_velocity_min": ("m/s", "smallest velocity of the mass centre along the slope"),
    "foot_slip": ("m", "distance that the loaded feet slide, both feet and all steps added"),
    "swing_clearance": ("m", "smallest height of a swinging foot when it passes the other"),
    "joint_clearance": ("m", "smallest height of hip and knees above the slope"),
}
_LEGS = (((0, 1, 2), "#0072B2", "leg A"), ((0, 3, 4), "#009E73", "leg B"))
_POINTS = ("r1 (hip)", "r2 (knee A)", "r3 (foot A)", "r4 (knee B)", "r5 (foot B)")
_POINT_COLOURS = ("black", "#0072B2", "#D55E00", "#009E73", "#CC79A7")
_FRAMES = 14
_SYMBOLS = {name: rf"$\theta_{k}$" for k, name in enumerate(JOINTS, start=1)}


def figures(section: Section) -> list[Picture]:
    """Every picture of the report's script, and slip and clearance of the feet."""
    reference = _reference(section)
    pictures = [
        _pair(section, "q", "position", "States over time", ("x [m]", "z [m]")),
        _joints(
            section, "q", r"{} [deg]", "Joint angles", reference=reference[0] if reference else None
        ),
    ]
    if reference:
        pictures.append(_tracking_error(section, reference[0]))
    pictures += [
        _pair(section, "v", "velocity", "Velocities of the hip", ("dx/dt [m/s]", "dz/dt [m/s]")),
        _joints(section, "v", r"d{}/dt [deg/s]", "Joint velocities"),
        _initial_posture(section),
        _paths(section),
        _walk(section),
        _feet(section),
    ]
    return pictures


def notes(section: Section) -> list[str]:
    """What to know before believing the numbers."""
    found = [_pitch_moment(section)]
    if isinstance(section.scenario.controller, BipedGait):
        found.append(
            "The report prints neither the posture nor the feed-forward nor the gains from which its gait grew. The set "
            "used here was chosen so that the robot covers the 7 metres; the distance is therefore fitted, not reproduced. "
            "That it climbs with friction and slides without is not fitted."
        )
    if "closed-form" in section.runs and "moreau" in section.runs:
        found.append(
            "closed-form is the report's own time stepping written down from its equations, with its own fixed point; that "
            "moreau agrees with it to rounding shows that the program does what the report says, not that the report is right."
        )
    if any(name.startswith("drake") for name in section.runs):
        found.append(
            "Drake's contact is compliant and has no restitution: agreement with it is to be expected in stick, slip and "
            "rest, at landings only as far as the compliance allows."
        )
    return found


def _pitch_moment(section: Section) -> str:
    """The report's hidden external moment, with its size in this run."""
    text = (
        "The angles of both thighs are absolute, so the torques tau1 and tau3 (tau_3 and tau_5 of the report's vector of "
        "six) act between thigh and world: their sum is an external pitch moment, although the text says that no external "
        "forces are applied."
    )
    data = section.first.trajectory.data
    if not {"tau1", "tau3"} <= set(data["actuator"].values.tolist()):
        return text
    moment = (
        data["actuation"].sel(actuator=["tau1", "tau3"]).sum("actuator", skipna=False).to_numpy()
    )
    if np.isfinite(moment).any():
        rms, largest = np.sqrt(np.nanmean(moment**2)), np.nanmax(np.abs(moment))
        text += f" In this run it has a root mean square of {number(rms, 3)} N m and reaches {number(largest, 3)} N m."
    return f"{text} Without it the climb falls within half a second: see the scenario biped/climb_internal."


def _reference(section: Section) -> tuple[Array, Array] | None:
    """Joint angles and rates of the reference at the first run's times, (N, 4) each."""
    source = section.machine.reference
    if source is None:
        return None
    table = np.array(
        [source.sample(float(t)) for t in section.first.trajectory.data["time"].to_numpy()]
    )
    return table[:, 0], table[:, 1]


def _pair(
    section: Section, variable: str, dim: str, title: str, labels: tuple[str, str]
) -> Picture:
    """x and z of the hip, one above the other, with the published position where there is one."""

    def paint(axes: npt.NDArray[Any]) -> None:
        for index, (name, run) in enumerate(section.runs.items()):
            data = run.trajectory.data
            few = thin(data["time"].to_numpy())
            time = data["time"].to_numpy()[few]
            for panel, coordinate in zip(axes[:, 0], ("x", "z"), strict=True):
                panel.plot(
                    time,
                    data[variable].sel({dim: coordinate}).to_numpy()[few],
                    label=name,
                    **run_style(index),
                )
        for panel, label in zip(axes[:, 0], labels, strict=True):
            panel.set_ylabel(label)
        if variable == "q":
            _mark_claim(axes[0, 0], section)
        finish_time_panels(axes, 2)

    claimed = (
        " The published value is a dotted line with its tolerance."
        if variable == "q" and _claim(section)
        else ""
    )
    alt = f"{title}: along the slope and normal to it, for {listed(section.runs)}.{claimed}"
    return draw(title, alt, 2, 1, paint, height=2.0)


def _claim(section: Section) -> tuple[float, float, str] | None:
    """Value, tolerance and source of a claim about the final position, if there is one."""
    for run in section.runs.values():
        for claim in run.claims:
            if claim.name.startswith("position after"):
                return claim.published, claim.tolerance, claim.source.rpartition(", ")[2]
    return None


def _mark_claim(panel: Axes, section: Section) -> None:
    claim = _claim(section)
    if claim is None:
        return
    value, tolerance, source = claim
    end = float(section.first.trajectory.data["time"][-1])
    panel.axhline(value, color="black", linestyle=":", linewidth=1.0, zorder=0.5)
    panel.errorbar(
        [end],
        [value],
        [tolerance],
        color="black",
        capsize=4.0,
        marker="o",
        markersize=3.0,
        linestyle="",
        label=f"{source}: {number(value, 3)} m at {end:g} s",
    )


def _joints(
    section: Section, variable: str, label: str, title: str, *, reference: Array | None = None
) -> Picture:
    """The four joint coordinates in degrees, with the reference beneath."""
    dim = {"q": "position", "v": "velocity"}[variable]

    def paint(axes: npt.NDArray[Any]) -> None:
        for k, (panel, joint) in enumerate(zip(axes.ravel(), JOINTS, strict=True)):
            if reference is not None:
                time = section.first.trajectory.data["time"].to_numpy()
                few = thin(time)
                panel.plot(
                    time[few],
                    np.rad2deg(reference[few, k]),
                    color="#bbbbbb",
                    linewidth=4.5,
                    label="reference",
                )
            for index, (name, run) in enumerate(section.runs.items()):
                data = run.trajectory.data
                y = np.rad2deg(data[variable].sel({dim: joint}).to_numpy())
                few = thin(y)
                panel.plot(data["time"].to_numpy()[few], y[few], label=name, **run_style(index))
            panel.set_ylabel(label.format(_SYMBOLS[joint]))
        finish_time_panels(axes, 4)

    with_reference = ", over the reference" if reference is not None else ""
    return draw(
        title,
        f"{title} theta 1 to 4 over time{with_reference}, for {listed(section.runs)}.",
        2,
        2,
        paint,
    )


def _tracking_error(section: Section, reference: Array) -> Picture:
    """|theta - theta_ref| of every joint."""
    time = section.first.trajectory.data["time"].to_numpy()

    def paint(axes: npt.NDArray[Any]) -> None:
        for k, (panel, joint) in enumerate(zip(axes.ravel(), JOINTS, strict=True)):
            for index, (name, run) in enumerate(section.runs.items()):
                data = run.trajectory.data
                rows = np.minimum(len(time), data.sizes["time"])
                error = np.abs(
                    np.rad2deg(
                        data["q"].sel(position=joint).to_numpy()[:rows] - reference[:rows, k]
                    )
                )
                few = thin(error)
                panel.plot(time[:rows][few], error[few], label=name, **run_style(index))
            symbol = _SYMBOLS[joint].strip("$")
            panel.set_ylabel(rf"$|{symbol} - {symbol}^{{\mathrm{{ref}}}}|$ [deg]")
        finish_time_panels(axes, 4)

    alt = f"Absolute difference of each joint angle from its reference over time, for {listed(section.runs)}."
    return draw("Tracking errors", alt, 2, 2, paint)


def _initial_posture(section: Section) -> Picture:
    """The robot at the start, in the slope frame."""
    alpha = section.scenario.terrain.slope_deg

    def paint(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        r = points(section.first.trajectory.data["q"].to_numpy()[0])
        panel.plot([-1.5, 1.5], [0.0, 0.0], color="black", linewidth=2.0)
        _stick_figure(panel, r, label=True)
        panel.plot([], [], linestyle="", label=rf"$\alpha$ = {number(alpha)}°, t = 0.00 s")
        panel.set(
            xlim=(-1.5, 1.5), ylim=(-0.3, 2.2), xlabel="x [m]", ylabel="z [m]", aspect="equal"
        )
        panel.legend(loc="upper left")

    return draw(
        "Initial condition",
        "Stick figure of the robot at the start, standing on the slope in its own frame.",
        1,
        1,
        paint,
        height=4.2,
        width=5.6,
    )


def _stick_figure(panel: Axes, r: Array, *, label: bool = False, alpha: float = 1.0) -> None:
    """Two legs and five masses; r has shape (5, 2)."""
    for joints, colour, name in reversed(_LEGS):
        panel.plot(
            *r[list(joints)].T,
            color=colour,
            linewidth=2.0,
            alpha=alpha,
            label=name if label else None,
        )
    panel.plot(
        *r.T,
        color="#B22222",
        marker="o",
        markersize=4.0,
        linestyle="",
        alpha=alpha,
        label="masses" if label else None,
    )


def _paths(section: Section) -> Picture:
    """Where hip, knees and feet went, in the slope frame."""
    r = points(section.first.trajectory.data["q"].to_numpy())
    few = thin(r[:, 0, 0])

    def paint(axes: npt.NDArray[Any]) -> None:
        for k in range(len(_POINTS)):
            panel = axes[min(k, 1), 0]
            panel.plot(*r[few, k].T, color=_POINT_COLOURS[k], linewidth=1.1, label=_POINTS[k])
        axes[1, 0].axhline(0.0, color="black", linewidth=0.8)
        axes[1, 0].set_xlabel("x [m]")
        for panel in axes[:, 0]:
            panel.set_ylabel("z [m]")
            legend_above(panel)

    first = next(iter(section.runs))
    alt = f"Paths of the hip (above) and of knees and feet (below) in the slope frame, in {first}."
    return draw(f"Trajectories of the points: {first}", alt, 2, 1, paint, height=2.1)


def _walk(section: Section) -> Picture:
    """The robot at some moments on its way, in the ground frame of the report's movies."""
    alpha = np.deg2rad(section.scenario.terrain.slope_deg)
    data = section.first.trajectory.data
    turn = np.array([[np.cos(alpha), np.sin(alpha)], [-np.sin(alpha), np.cos(alpha)]])
    r = points(data["q"].to_numpy()) @ turn
    rows = np.unique(np.linspace(0, len(r) - 1, _FRAMES).astype(int))
    low, high = r[rows, :, 0].min() - 0.4, r[rows, :, 0].max() + 0.4
    mu = np.unique(section.machine.contacts.mu)
    e_n = np.unique(section.machine.contacts.restitution)

    def paint(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        panel.plot([low, high], np.tan(alpha) * np.array([low, high]), color="black", linewidth=2.0)
        for place, row in enumerate(rows):
            _stick_figure(panel, r[row], alpha=0.3 + 0.7 * place / max(len(rows) - 1, 1))
        for row in rows[[0, -1]]:
            label = f"{float(data['time'][row]):.1f} s"
            panel.annotate(label, r[row, 0], (0, 8), textcoords="offset points", ha="center")
        panel.plot(
            [], [], linestyle="", label=_conditions(section.scenario.terrain.slope_deg, mu, e_n)
        )
        panel.set(
            xlabel=r"x cos $\alpha$ − z sin $\alpha$ [m]",
            ylabel=r"z cos $\alpha$ + x sin $\alpha$ [m]",
            aspect="equal",
        )
        panel.margins(y=0.12)
        panel.legend(
            loc="lower left", bbox_to_anchor=(0.0, 1.0), handlelength=0.0, borderaxespad=0.1
        )

    first = next(iter(section.runs))
    span, rise = high - low, r[rows, :, 1].max() - r[rows, :, 1].min() + 0.6
    alt = (
        f"Stick figures of the robot at {len(rows)} moments from the start to the end of {first}, in the ground frame, "
        "with the slope as a line; later ones are darker."
    )
    return draw(
        f"The way: {first}",
        alt,
        1,
        1,
        paint,
        height=float(np.clip(8.2 * rise / span, 1.8, 5.0)) + 0.4,
    )


def _conditions(slope_deg: float, mu: Array, e_n: Array) -> str:
    both = [", ".join(f"{value:g}" for value in values) for values in (mu, e_n)]
    return rf"$\alpha$ = {number(slope_deg)}°, $\mu$ = {both[0]}, $e_N$ = {both[1]}"


def _feet(section: Section) -> Picture:
    """How high the feet swing, and how far they slide under load."""
    first_name, first = next(iter(section.runs.items()))

    def paint(axes: npt.NDArray[Any]) -> None:
        data = first.trajectory.data
        r = points(data["q"].to_numpy())
        time = data["time"].to_numpy()
        few = thin(time)
        for k, foot in ((2, "foot A"), (4, "foot B")):
            axes[0, 0].plot(
                time[few], r[few, k, 1], color=_POINT_COLOURS[k], label=f"{foot}, {first_name}"
            )
        clearance = first.metrics.get("swing_clearance", float("nan"))
        if np.isfinite(clearance):
            axes[0, 0].axhline(
                clearance, color="black", linestyle=":", linewidth=1.0, label="swing clearance"
            )
        for index, (name, run) in enumerate(section.runs.items()):
            slid = _slid(run)
            some = thin(slid)
            axes[1, 0].plot(
                run.trajectory.data["time"].to_numpy()[some],
                slid[some],
                label=name,
                **run_style(index),
            )
        axes[0, 0].set_ylabel("height [m]")
        axes[1, 0].set_ylabel("foot slip [m]")
        axes[1, 0].set_xlabel(TIME)
        legend_above(axes[0, 0])
        legend_above(axes[1, 0])

    return draw(
        "Feet: height and slip",
        f"Above: height of both feet over time in {first_name}, with the smallest height at which one passes the other. Below: "
        f"distance that the loaded feet have slid, for {listed(section.runs)}.",
        2,
        1,
        paint,
        height=2.1,
    )


def _slid(run: RunLike) -> Array:
    """Distance slid under load so far, both feet added, (N,) [m]."""
    data = run.trajectory.data
    feet = points(data["q"].to_numpy())[:, [2, 4], 0]
    loaded = data["mode"].sel(contact=list(FEET)).to_numpy() > Mode.OPEN
    moved = np.where(loaded[1:], np.abs(np.diff(feet, axis=0)), 0.0).sum(axis=1)
    return np.concatenate(([0.0], np.cumsum(moved)))
