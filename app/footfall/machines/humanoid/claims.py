"""Statements of the thesis's chapter 5, held against a walk."""

from collections.abc import Mapping, Sequence

from footfall.metrics import Metric
from footfall.registry.claims import Claim
from footfall.registry.context import MachineContext


def claims(
    _scenario: str, _context: MachineContext, _metrics: Mapping[str, Metric]
) -> Sequence[Claim]:
    """Judge them."""
    return []
