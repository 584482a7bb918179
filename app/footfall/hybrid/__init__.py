"""Event-driven simulation and what is built on it: return maps, their fixed points and branches."""

from footfall.hybrid.batch import (
    BatchPassage,
    batch_derivative,
    batch_map,
    batch_step,
)
from footfall.hybrid.batch_parameter import with_parameter
from footfall.hybrid.batch_section import BatchSectionMap
from footfall.hybrid.branch import (
    BranchEnd,
    BranchOptions,
    follow_branch,
)
from footfall.hybrid.cascade import Cascade
from footfall.hybrid.complex_step import jacobian
from footfall.hybrid.fixed_point import FixedPoint, NotFound, find_fixed_point
from footfall.hybrid.flip import Flip, locate_flip
from footfall.hybrid.model import (
    EITHER,
    FALLING,
    RISING,
    Guard,
    HybridMode,
    HybridSystem,
    State,
    Transition,
)
from footfall.hybrid.options import Options
from footfall.hybrid.return_map import Linearised, NoReturn, SectionMap
from footfall.hybrid.run import Ending, FlowSegment, HybridEvent, HybridRun
from footfall.hybrid.settling import SINK, UNDECIDED, settle
from footfall.hybrid.simulate import simulate
from footfall.hybrid.variation import step_to

__all__ = [
    "EITHER",
    "FALLING",
    "RISING",
    "SINK",
    "UNDECIDED",
    "BatchPassage",
    "BatchSectionMap",
    "BranchEnd",
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
    "Linearised",
    "NoReturn",
    "NotFound",
    "Options",
    "SectionMap",
    "State",
    "Transition",
    "batch_derivative",
    "batch_map",
    "batch_step",
    "find_fixed_point",
    "follow_branch",
    "jacobian",
    "locate_flip",
    "settle",
    "simulate",
    "step_to",
    "with_parameter",
]
