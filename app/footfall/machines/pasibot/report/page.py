"""Report of PASIBOT: figures, tables, and notes on what is fitted, assumed, held and left out."""

import numpy as np

from footfall.machines.pasibot.claims import is_text
from footfall.machines.pasibot.closed_form.bodies import total_mass
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, STEP_ENDS, exchange
from footfall.machines.pasibot.closed_form.thresholds import least_friction, painleve_friction
from footfall.machines.pasibot.closed_form.two_freedoms import two_freedoms
from footfall.machines.pasibot.model import POINTS
from footfall.machines.pasibot.report.floor import (
    floor_force,
    slide_table,
    slip_over_steps,
    zero_moment_point,
)
from footfall.machines.pasibot.report.joints import joint_forces, joint_table, matrix_of_equations
from footfall.machines.pasibot.report.linkage import (
    gait_sequence,
    linkage_curves,
    scuffing,
    swinging_sole,
)
from footfall.machines.pasibot.report.runs import PasibotRun, PasibotRuns, read_walks
from footfall.machines.pasibot.report.torque import distance_from_closed_form, motor_torque
from footfall.machines.pasibot.trajectory_adapter import sole
from footfall.registry.machine import CLOSED_FORM, HYBRID
from footfall.report.figure import Figure
from footfall.report.figures import coordinate_figures
from footfall.report.machine_report import MachineReport
from footfall.report.tables import Table, listed, number

_FITTED = (
    "The document's tables and figures are lost. Two numbers of its text fit two scales: 0.84 N m, "
    "which start the machine, and a friction of 0.08, which keeps its foot from sliding at 3 "
    "rad/s, give the density and the length of the crank. All links are taken as uniform bars, "
    "with a tenth of the weight in the hip; foot, mass centre of the hip and the offsets of the "
    "bars are assumed. What is not fitted is predicted; pasibot/calibrate holds it against the "
    "text."
)
_ASSEMBLY = (
    "The printed lengths leave open whether knees bend forward and on which side of C the "
    "stabiliser's end is. Here knees bend forward and the end is behind. All four ways slide first "
    "at mid-step, but only this one has its second slide about the end of the first quarter, as "
    "the text says: at a friction of 0.05 and 3 rad/s from 0.163 to 0.351 of the step. With the "
    "end ahead it begins at the exchange, and with knees to the rear at 0.70; each fitted anew."
)
_HELD = (
    "closed-form holds the supporting foot, as the document does in its sections 5 and 6: it "
    "neither slides nor lifts nor tips over, whatever force that takes."
)
_FREE = "hybrid lets the foot slide and ends where it would lift, but knows no foot that tips over."
_HELD_TORQUE = (
    "Under a constant torque that starts it the machine goes on to gain speed in every step. A "
    "foot that is held then needs ever more friction, {friction} in the first step of {name}, and "
    "{pulls}: the document's figures 13 and 14 are of a foot that can neither slide nor lift."
)
_EXCHANGE = (
    "When the other foot takes over it is flat, level and at rest: there is no impact. The force "
    "along the floor jumps all the same, since the machine leans otherwise on its new leg, and a "
    "slide may begin or end with that."
)
_SCUFFS = (
    "In engines with a floor the sole that swings would go {scuff} mm into it in the first fifth "
    "of a step and brake the machine. {turns} A foot touches down and lifts off without speed, so "
    "that on a floor that yields both may carry for some hundredths of a step about an exchange, "
    "and rub."
)
_STARTING = (
    "The text's starting torque is no static one: {static} N m would be needed to hold the machine "
    "everywhere, but from rest it brings speed along."
)


def notes(walks: PasibotRuns) -> list[str]:
    """Return what a reader should know, a paragraph each."""
    text = is_text(walks.parameters)
    paragraphs = [_FITTED] if text else []
    paragraphs.append(_facts(walks))
    paragraphs += [_ASSEMBLY] if text else []
    paragraphs += _at_speed(walks)
    paragraphs += _of_engines(walks)
    paragraphs += _under_torque(walks)
    paragraphs.append(_EXCHANGE)
    if text:
        # for 0.84 N m: of the fitted machine
        at = two_freedoms(walks.parameters, np.linspace(STEP_BEGINS, STEP_ENDS, 2001))
        paragraphs.append(_STARTING.format(static=number(float(np.max(at.gravity)), 3)))
    return paragraphs


def _facts(walks: PasibotRuns) -> str:
    p = walks.parameters
    heel, toe = (1e3 * end for end in sole(p))
    return (
        f"The crank is {1e3 * p.l8:.2f} mm long, a step {1e3 * exchange(p)['step']:.1f} mm; the "
        f"machine weighs {total_mass(p):.2f} kg with its load of {number(p.hip_load, 3)} kg. Its "
        f"sole, which is assumed, reaches from {number(heel, 4)} to {number(toe, 4)} mm ahead of "
        "the ankle. Up to a friction of "
        f"{number(painleve_friction(p).value, 4)} (Painlevé) a torque determines how a sliding "
        f"foot goes on; this one has {number(p.mu_k, 3)}."
    )


def _at_speed(walks: PasibotRuns) -> list[str]:
    """Friction and zero-moment point of a held foot at a constant speed of the crank."""
    p, rate = walks.parameters, walks.rate
    if not rate:
        return []
    try:
        peak = least_friction(p, rate)
    except ValueError as error:
        return [f"{str(error).capitalize()}."]
    at = two_freedoms(p, np.linspace(STEP_BEGINS, STEP_ENDS, 2001))
    held = at.inverse(rate, 0.0)
    zmp = 1e3 * np.asarray(at.zmp(rate, held))
    phase = (peak.th8 - STEP_BEGINS) / np.pi
    needs = (
        f"At {rate:g} rad/s a foot that is held needs a friction of {number(peak.value, 3)}, most "
        f"at a phase of {phase:.3f}, and its zero-moment point goes from {number(zmp.min(), 4)} to "
        f"{number(zmp.max(), 4)} mm."
    )
    heel, toe = (1e3 * end for end in sole(p))
    if zmp.min() < heel or zmp.max() > toe:
        needs += " That is beyond the sole: a foot that is free tips over."
    return [needs]


def _of_engines(walks: PasibotRuns) -> list[str]:
    """Notes on the feet in the engines."""
    engines = {walk.engine for walk in walks.runs}
    paragraphs = [" ".join([_HELD] * (CLOSED_FORM in engines) + [_FREE] * (HYBRID in engines))]
    low = 1e3 * scuffing(walks.parameters)
    both = set(POINTS) <= set(walks.section.robot.contacts.names)
    if walks.stepping and both and low > 0.0:
        feet = walks.section.scenario.alternating_feet
        turns = "Here nothing keeps it from that."
        if feet:
            names = listed(name.rpartition("::")[2] for name in feet.feet)
            turns = f"Here {names} take turns: what swings does not touch."
        paragraphs.append(_SCUFFS.format(scuff=number(low, 2), turns=turns))
    return [text for text in paragraphs if text]


def _under_torque(walks: PasibotRuns) -> list[str]:
    """Friction that holds the foot under a torque, in the run that holds it."""
    held = [walk for walk in walks.runs if walk.engine == CLOSED_FORM]
    if walks.rate is not None or not held:
        return []
    walk = held[0]
    first = walk.gait.phase <= min(1.0, float(walk.gait.phase.max()))
    ratio = (np.abs(walk.gait.along) / walk.gait.up)[first]
    if not np.isfinite(ratio).any():
        return []
    friction = number(float(np.nanmax(ratio)), 3)
    return [_HELD_TORQUE.format(friction=friction, name=walk.name, pulls=_pulls(walk))]


def _pulls(walk: PasibotRun) -> str:
    """Time from which the floor would have to pull; observables leave out what pulls."""
    events = [event for event in walk.trajectory.events if "hold the foot down" in event.what]
    if not events:
        return "the floor always pushes"
    return f"from {events[0].time:.2f} s on the floor would have to pull"


def figures(walks: PasibotRuns) -> list[Figure]:
    """The linkage and its gait; torque, floor and slip of all runs; then the coordinates."""
    engines = {walk.engine for walk in walks.runs}
    pictures = [
        gait_sequence(walks.parameters),
        linkage_curves(walks.parameters),
        swinging_sole(walks.parameters),
        motor_torque(walks),
        floor_force(walks) if walks.on_floor else None,
        zero_moment_point(walks) if walks.on_floor else None,
        joint_forces(walks),
        matrix_of_equations(walks.parameters) if CLOSED_FORM in engines else None,
        slip_over_steps(walks),
        distance_from_closed_form(walks),
    ]
    return [picture for picture in pictures if picture is not None] + coordinate_figures(walks)


def tables(walks: PasibotRuns) -> list[Table]:
    """The slides of all runs, and the forces between the links."""
    slides_and_forces = [slide_table(walks), joint_table(walks)]
    return [table for table in slides_and_forces if table is not None]


REPORT = MachineReport(figures, notes, tables, read=read_walks)
