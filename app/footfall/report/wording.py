"""Numbers and lists as a reader likes them."""

import math
from collections.abc import Iterable

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
MINUS = "\N{MINUS SIGN}"
TIMES = "\N{MULTIPLICATION SIGN}"
NONE = "\N{EN DASH}"


def listed(names: Iterable[str]) -> str:
    """Join names: a, b and c."""
    parts = [str(name) for name in names]
    if len(parts) < 2:
        return parts[0] if parts else "nothing"
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def number(value: float, digits: int = 4) -> str:
    """Write a number with some digits, in powers of ten when large or small; NaN is a dash."""
    if not math.isfinite(value):
        return NONE if math.isnan(value) else f"{MINUS if value < 0 else ''}∞"
    if value == 0.0:
        return "0"
    exponent = math.floor(math.log10(abs(value)))
    if -4 <= exponent < 6:
        text = f"{value:.{digits}g}" if exponent < digits else f"{value:.0f}"
        return text.replace("-", MINUS)
    mantissa, _, power = f"{value:.{max(digits - 2, 0)}e}".partition("e")
    return f"{mantissa.replace('-', MINUS)} {TIMES} 10{str(int(power)).translate(_SUPERSCRIPT)}"


def nearly_all(share: float) -> str:
    """Return a share below 1 in percent, with enough digits to be less than 100 %."""
    digits = max(1, math.ceil(-math.log10(1.0 - share)) - 2)
    return f"{100.0 * share:.{digits}f} %"
