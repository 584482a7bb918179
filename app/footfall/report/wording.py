"""Numbers and lists as a reader likes them."""

import math
from collections.abc import Iterable

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_MINUS = "\N{MINUS SIGN}"


def listed(names: Iterable[str]) -> str:
    """a, b and c."""
    parts = [str(name) for name in names]
    return (
        parts[0]
        if len(parts) == 1
        else f"{', '.join(parts[:-1])} and {parts[-1]}"
        if parts
        else "nothing"
    )


def number(value: float, digits: int = 4) -> str:
    """A number with some significant digits, in powers of ten when it is very large or small; a dash for none."""
    if not math.isfinite(value):
        return "–" if math.isnan(value) else f"{_MINUS if value < 0 else ''}∞"
    if value == 0.0:
        return "0"
    exponent = math.floor(math.log10(abs(value)))
    if -4 <= exponent < 6:
        text = f"{value:.{digits}g}" if exponent < digits else f"{value:.0f}"
        return text.replace("-", _MINUS)
    mantissa, _, power = f"{value:.{max(digits - 2, 0)}e}".partition("e")
    return f"{mantissa.replace('-', _MINUS)} × 10{str(int(power)).translate(_SUPERSCRIPT)}"
