"""Words of a page with numbers that are computed, see scripts/page_numbers.py."""

import math
import re
import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_NUMBER = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"
_EXPONENT = re.compile(r"(?<=\d)e\+?(-?)0?(?=\d)")  # 1e-04 is written 1e-4


@dataclass(frozen=True)
class Passage:
    """Words of a page, a format for each number in them, and what computes these numbers.

    slow: it takes more than some seconds. minutes: it takes so long that no test asks for it.
    bound: the page states upper bounds of the values, such as those of errors of rounding. near:
    how far each value may be from the page's, where rounding, which processors do in different
    order, grows over a run.
    """

    text: str
    values: Callable[[], Sequence[float]]
    slow: bool = False
    minutes: bool = False
    bound: bool = False
    near: tuple[float, ...] = ()

    def made(self, page: str) -> str:
        """Words with the numbers as computed now, or as the page has them where these hold."""
        values = self.values()
        stated = [float(number) for number in self.search(page).groups()]
        if self.near:
            values = [
                has if abs(value - has) <= most else value
                for value, has, most in zip(values, stated, self.near, strict=True)
            ]
        if self.bound:
            values = [
                has if value <= has else 10.0 ** math.ceil(math.log10(value))
                for value, has in zip(values, stated, strict=True)
            ]
        return _EXPONENT.sub(r"e\1", self.text.format(*values))

    def search(self, page: str) -> re.Match[str]:
        """Find the words, with any numbers; raises ValueError unless the page has them once."""
        parts = [
            pattern(words) + (f"({_NUMBER})" if field is not None else "")
            for words, field, _, _ in string.Formatter().parse(self.text)
        ]
        found = list(re.finditer("".join(parts), page))
        if len(found) != 1:
            raise ValueError(f"the page has these words {len(found)} times: {self.text}")
        return found[0]

    def stated(self, page: str) -> str:
        """Words as the page has them, on one line."""
        return " ".join(self.search(page).group().split())


def pattern(text: str) -> str:
    """Regular expression of words that may be broken over lines."""
    return r"\s+".join(re.escape(word) for word in re.split(r"\s+", text))
