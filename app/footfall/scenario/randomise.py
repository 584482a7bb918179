"""Numbers of a scenario that are drawn from its seed."""

import hashlib
from collections.abc import Collection, Mapping

import numpy as np

from footfall.analysis.distributions import Distribution
from footfall.errors import ScenarioError
from footfall.overrides import YamlValue, apply_values

_STREAM = 0x72616E64  # of a seed's random numbers: those of no push and no sensor


def share(seed: int, path: str) -> float:
    """Return the quantile that a seed draws for a path, which depends on no other path."""
    words = np.frombuffer(hashlib.sha256(path.encode()).digest(), dtype=np.uint32)
    return float(np.random.default_rng([seed % 2**64, _STREAM, *words.tolist()]).random())


def with_drawn(
    mapping: Mapping[str, YamlValue],
    randomise: Mapping[str, Distribution],
    *,
    open_groups: Collection[str],
) -> dict[str, YamlValue]:
    """Return a scenario's mapping with the values that its seed draws.

    open_groups: as ``apply_overrides`` takes them. Drawn once more they are the same. Raises
    ScenarioError, one line, for a path that is not there or leads to no number.
    """
    values = {path: one.at(share(mapping["seed"], path)) for path, one in randomise.items()}
    try:
        drawn = apply_values(mapping, values, open_groups=open_groups)
    except ScenarioError as error:
        raise ScenarioError(f"randomise: {str(error).removeprefix('--set ')}") from error
    for path, value in values.items():
        former = value_at(mapping, path)
        if isinstance(former, bool | str) or path.partition(".")[0] in ("seed", "randomise"):
            raise ScenarioError(
                f"randomise: {path} is no number that can be drawn: take it out of randomise."
            )
        if isinstance(former, int) and value.is_integer():
            drawn = apply_values(drawn, {path: int(value)}, open_groups=open_groups)
    return drawn


def value_at(mapping: YamlValue, path: str) -> YamlValue:
    """Return the value at a path of a scenario's mapping; None where there is none yet."""
    for key in path.split("."):
        mapping = mapping[int(key)] if isinstance(mapping, list) else mapping.get(key)
        if mapping is None:
            return None
    return mapping
