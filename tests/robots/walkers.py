"""Scenarios in which published robots walk: one controller, whose numbers and names differ."""

from footfall.scenario.io import parse_scenario

_WALK = """
duration: {duration}
time_step: 0.001
record_every: 5
friction: 0.8
terrain: {terrain}
directives:
- add_model: {{name: robot, file: {file}}}
- add_collision_filter_group:
    {{name: hips, members: {hips}, ignored_collision_filter_groups: [hips]}}
initial: {{drop_along: "robot::{trunk}", positions: {posture}}}
fallen_below: {{"robot::{trunk}": {low}}}
feet: &feet {feet}
controller: !WholeBody
  period: 0.002
  contacts: {contacts}
  tasks:
    momentum: !AngularMomentum {{kd: 5.0, weight: 0.01}}
    posture: !JointPosture {{kp: 50.0, kd: 14.0, weight: 0.001}}
  walk:
    feet: *feet
    trunk: {trunk}
    groups: {groups}
    velocity: [{speed}, 0.0]
    begin: 0.3
    shift: 0.4
    swing: {swing}
    overlap: {overlap}
    ramp: 0.02
    height: {height}
    steps: {steps}
"""


LEVEL = "{}"
# steps of up to 2 cm along the way, behind level ground to start on
STEPS = (
    "!RoughGround {kind: steps, height: 0.02, cell: 0.3, size: [12.0, 2.0], centre: [5.5, 0.0], "
    "flat_radius: 0.6}"
)


def _scenario(text, terrain=LEVEL, **given):
    return parse_scenario(text.format(terrain=terrain, **given))


def trotting_go2(file):
    """Unitree's Go2 trots at 0.5 m/s over steps of up to 2 cm."""
    posture = {}
    for leg, side in (("FL", 1.0), ("FR", -1.0), ("RL", 1.0), ("RR", -1.0)):
        posture |= {
            f"{leg}_hip_joint": 0.068 * side,
            f"{leg}_thigh_joint": 0.785,
            f"{leg}_calf_joint": -1.44,
        }
    aside = {"FL": -0.00157, "FR": 0.00162, "RL": -0.00157, "RR": 0.00162}
    contacts = [
        {"link": f"{leg}_foot", "corners": [[-0.01578, y, -0.01784]]} for leg, y in aside.items()
    ]
    scenario = _scenario(
        _WALK,
        duration=6.0,
        file=file,
        terrain=STEPS,
        trunk="base",
        # they overlap in this posture
        hips=["robot::base", *(f"robot::{leg}_thigh" for leg in aside)],
        posture=posture,
        low=0.2,
        feet={leg: [f"{leg}_foot"] for leg in aside},
        contacts=contacts,
        groups="[[FL, RR], [FR, RL]]",
        speed=0.5,
        swing=0.25,
        overlap=0.05,
        height=0.05,
        steps=16,
    )
    # around the middle of a ball of 22 mm
    scenario.controller.walk.footholds.margin = 0.04
    return scenario


def trotting_solo12(file):
    """Solo12, of 2.5 kg, trots at 0.3 m/s."""
    posture, contacts = {}, []
    for leg, side, fore in (("FL", 1, 1), ("FR", -1, 1), ("HL", 1, -1), ("HR", -1, -1)):
        posture |= {f"{leg}_HAA": 0.1 * side, f"{leg}_HFE": 0.8 * fore, f"{leg}_KFE": -1.6 * fore}
        corner = [-0.00954 * fore, -0.00134 * side, -0.01178]
        contacts.append({"link": f"{leg}_FOOT", "corners": [corner]})
    return _scenario(
        _WALK,
        duration=4.0,
        file=file,
        trunk="base_link",
        hips=["robot::base_link", *(f"robot::{leg}_UPPER_LEG" for leg in ("FL", "FR", "HL", "HR"))],
        posture=posture,
        low=0.13,
        feet={leg: [f"{leg}_FOOT"] for leg in ("FL", "FR", "HL", "HR")},
        contacts=contacts,
        groups="[[FL, HR], [FR, HL]]",
        speed=0.3,
        swing=0.2,
        overlap=0.05,
        height=0.03,
        steps=10,
    )


def walking_g1(file):
    """Unitree's G1 with 29 joints walks thirty steps at 0.3 m/s."""
    posture = {}
    for side in ("left", "right"):
        posture |= {
            f"{side}_hip_pitch_joint": -0.3,
            f"{side}_knee_joint": 0.6,
            f"{side}_ankle_pitch_joint": -0.3,
        }
    sole = [[0.12, 0.03, -0.035], [-0.05, 0.025, -0.035]]
    sole += [[-0.05, -0.025, -0.035], [0.12, -0.03, -0.035]]
    feet = {side: [f"{side}_ankle_roll_link"] for side in ("left", "right")}
    return _scenario(
        _WALK,
        duration=19.5,
        file=file,
        trunk="pelvis",
        hips=["robot::pelvis"],
        posture=posture,
        low=0.4,
        feet=feet,
        contacts=[{"link": links[0], "corners": sole} for links in feet.values()],
        groups="[[right], [left]]",
        speed=0.3,
        swing=0.5,
        overlap=0.1,
        height=0.05,
        steps=30,
    )
