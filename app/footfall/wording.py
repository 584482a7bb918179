"""Suggestions for a name that does not exist: what was meant, or what there is."""

import difflib
from collections.abc import Collection

REMOVED = {
    "Basin": "it is gone; compass/basin is a !Sweep of the function basin",
    "JumpSearch": "it is gone; the jumps that it found are hopper/best and hopper/best_standing",
    "hopper/optimize": "it is gone; the jumps that it found are hopper/best and best_standing",
    "PasibotCalibration": "it is gone; pasibot/calibrate is a !Sweep of the function calibrated",
    "PredictionSweep": "it is gone; humanoid/trade_off is a !Sweep of the function trade_off",
    "friction_margin": "it is gone; give the scenario less friction",
    "torque_power": "it is gone, since the thesis has no such weight; leave it out",
    "ugv/speed_limit": "it is gone, since its document does not ask for it",
    "compass/rimless_wheel": "it is rimless_wheel/roll now",
    "compass/rimless_wheel_settles": "it is rimless_wheel/settles now",
    "slow_drive": "it is gone with ugv/speed_limit, for which it was",
}
"""Advice for tags, scenarios and fields that earlier versions had."""
_MAX_LISTED = 12  # names in a message before it says how many more there are


def did_you_mean(word: str, known: Collection[str]) -> str:
    """Return the clause that mends a misspelt name: the nearest known one, else all there are.

    Of one that earlier versions had it says that it is gone.
    """
    if word in REMOVED:
        return REMOVED[word]
    near = nearest(word, known)
    if near:
        return f"did you mean '{near}'?"
    return f"known: {listed(known)}" if known else "there is none"


def nearest(word: str, known: Collection[str]) -> str:
    """Return the known name that a misspelt one resembles most; empty where none does."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return near[0] if near else ""


def listed(names: Collection[str], most: int = _MAX_LISTED) -> str:
    """Join names in their own order, shortened when there are more than so many."""
    shown = ", ".join(list(names)[:most])
    more = len(names) - most
    return f"{shown} and {more} more" if more > 0 else shown
