"""Event-driven simulation and what is built on it: return maps, their fixed points and branches."""

from footfall.hybrid.batch import BatchPassage, SectionMap, batch_derivative, batch_step
from footfall.hybrid.branch import BranchOptions, flip_test, follow_branch
from footfall.hybrid.component_first import State
from footfall.hybrid.fixed_point import FixedPoint, NoReturn, NotFound, find_fixed_point
from footfall.hybrid.flip import Cascade, Flip, locate_flip, next_flip
from footfall.hybrid.model import (
    FALLING,
    RISING,
    Guard,
    HybridMode,
    HybridSystem,
    Transition,
)
from footfall.hybrid.run import Ending, FlowSegment, HybridEvent, HybridRun, Options
from footfall.hybrid.simulate import simulate

__all__ = [
    "FALLING",
    "RISING",
    "BatchPassage",
    "BranchOptions",
    "Cascade",
    "Ending",
    "FixedPoint",
    "Flip",
    "FlowSegment",
    "Guard",
    "HybridEvent",
    "HybridMode",
    "HybridRun",
    "HybridSystem",
    "NoReturn",
    "NotFound",
    "Options",
    "SectionMap",
    "State",
    "Transition",
    "batch_derivative",
    "batch_step",
    "find_fixed_point",
    "flip_test",
    "follow_branch",
    "locate_flip",
    "next_flip",
    "simulate",
]
