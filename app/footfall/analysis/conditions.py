"""Conditions on metrics that a run has to meet to count as a success."""

import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from footfall.errors import ScenarioError

_WRITTEN = re.compile(r"\s*([A-Za-z_]\w*)\s*(<=|>=|<|>)\s*(\S+)\s*")
_HOLDS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


@dataclass(frozen=True)
class Condition:
    """A bound on a metric."""

    metric: str
    relation: str
    bound: float

    def unmet(self, metrics: Mapping[str, float]) -> str:
        """Say how metrics do not meet it; empty where they do."""
        value = metrics.get(self.metric, math.nan)
        if math.isnan(value):
            return f"no {self.metric}, wanted {self.relation} {self.bound:g}"
        if _HOLDS[self.relation](value, self.bound):
            return ""
        return f"{self.metric} is {value:.6g}, not {self.relation} {self.bound:g}"


def read_conditions(texts: Sequence[str]) -> list[Condition]:
    """Read conditions such as ``x_final > 0.5``; raises ScenarioError for what is none."""
    return [_read(text) for text in texts]


def _read(text: str) -> Condition:
    found = _WRITTEN.fullmatch(text)
    try:
        if found is not None and math.isfinite(float(found[3])):
            return Condition(found[1], found[2], float(found[3]))
    except ValueError:
        pass
    raise ScenarioError(f"success: '{text}' is no condition: write it as x_final > 0.5.")
