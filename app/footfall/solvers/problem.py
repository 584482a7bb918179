"""Solvers of the contact problem by their numbers, and verdicts on what they found."""

from enum import IntEnum


class SolverStatus(IntEnum):
    """Verdict of the natural map on the impulses."""

    SOLVED = 0
    NOT_SOLVED = 1


class SolverStage(IntEnum):
    """The solver that found the impulses; NONE where n = 0 or q = 0 left nothing to do.

    OWN: of the user.
    """

    NONE = 0
    ENUMERATION = 1
    NEWTON = 2
    GAUSS_SEIDEL = 3
    PROXIMAL = 4
    FIXED_POINT = 5
    VELOCITY_SPACE = 6
    SETTLED_MODES = 7
    OWN = 8


# the same as plain numbers, for compiled code
SOLVED, NOT_SOLVED = (int(status) for status in SolverStatus)
(
    NONE,
    ENUMERATION,
    NEWTON,
    GAUSS_SEIDEL,
    PROXIMAL,
    FIXED_POINT,
    VELOCITY_SPACE,
    SETTLED_MODES,
    OWN,
) = (int(stage) for stage in SolverStage)
