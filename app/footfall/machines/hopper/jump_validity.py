"""Judgement of a motion of the hopper as a jump, the same for all engines and simulations."""


def invalidity_reason(
    *, stands: bool, flies: bool, landed: bool, again: float | None, lands: str
) -> str:
    """Reason why a motion is no jump, in words; empty for one that is.

    stands, flies, landed: whether P begins on the ground, is in the air after that, and is struck
    there once. again: when P is in the air after that strike [s], also if it only rebounds; None
    if it never is. lands: Q or R, which has reached the ground; empty if neither has.
    """
    if not stands:
        return "P does not start on the ground"
    if not flies:
        return f"{lands} lands before P leaves the ground" if lands else "P never flies"
    if not landed:
        return f"{lands} lands before P" if lands else "P does not land in this run"
    if again is not None:
        return f"P leaves the ground again at t = {again:.4f} s"
    return "" if lands else "neither Q nor R lands in this run"
