"""Claims of documents and checks by formulas, values of runs, and the verdict between them.

A verdict means one thing. *reproduced*: a number that is printed, met within its own rounding.
*fitted*: met by a parameter that was chosen for it. *predicted*: what is said in words, or follows
from what is published, met by a model in which nothing was chosen for it. *check*: agrees with a
formula that is evaluated for the machine of the run, which nobody published a number for.
*differs*: the rest.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from footfall.registry.documents import rows_of_table

_MOST_DIGITS = 15  # of a double

Verdict = Literal["reproduced", "fitted", "predicted", "check", "differs"]
Basis = Literal["number", "words", "formula"]
Relation = Literal["about", "at least", "at most"]
_BOUNDS: tuple[Relation, ...] = ("at least", "at most")


@dataclass(frozen=True)
class Claim:
    """One statement held against a run.

    published: the number that the source prints, NaN where it prints none. bound: what the value is
    held to where there is none: what words are held to mean, or what a formula gives, see basis.
    relation: of the value to that, "about" within the tolerance. All in the same unit; tolerance is
    absolute, and reason says where it comes from or why the run differs. source: document, section
    or figure. about_end: it is judged for runs that failed as well, which no other claim is.
    own_error: what of the tolerance is the engine's own error, as the run itself shows it.
    """

    name: str
    unit: str
    value: float
    published: float
    tolerance: float
    verdict: Verdict
    source: str
    reason: str
    bound: float = math.nan
    relation: Relation = "about"
    basis: Basis = "number"
    about_end: bool = False
    own_error: float = 0.0

    def __post_init__(self) -> None:
        """Refuse verdicts that such a claim cannot have."""
        printed = math.isfinite(self.published)
        if self.basis != "number" and (printed or not math.isfinite(self.bound)):
            raise ValueError(f"{self.name}: words and formulas have a bound, nothing is published")
        if self.verdict == "reproduced" and self.basis != "number":
            raise ValueError(f"{self.name}: only a published number is reproduced")
        if (self.verdict == "check") > (self.basis == "formula"):
            raise ValueError(f"{self.name}: only a formula is checked")

    @property
    def target(self) -> float:
        """Number that the value is held to, whoever gave it."""
        return self.published if self.basis == "number" else self.bound

    def holds(self, value: float) -> bool:
        """Return whether a value stands to the target as the relation says; NaN does not."""
        if self.relation == "about":
            return abs(value - self.target) <= self.tolerance
        if self.relation == "at least":
            return value >= self.target - self.tolerance
        return value <= self.target + self.tolerance

    def of(self, value: float, besides: str = "") -> "Claim":
        """Return the claim on a value: one that is met keeps its verdict, else it differs.

        besides: what else there is to say, after the reason.
        """
        verdict: Verdict = self.verdict if self.holds(value) else "differs"
        reason = "; ".join(part for part in (self.reason, besides) if part)
        return replace(self, value=value, verdict=verdict, reason=reason)

    def criterion(self, text: Callable[[float], str]) -> str:
        """Return the bound that the value is held to, in words; text: writes a number."""
        within = self._within(text)
        if self.basis == "number":
            return within.strip() if self.relation == "about" else self.relation
        bound = f"{text(self.bound)}{within}"
        if self.relation != "about":
            bound = f"{self.relation} {bound}"
        return f"{bound} by formula" if self.basis == "formula" else bound

    def held_to(self, text: Callable[[float], str]) -> str:
        """Criterion with the published number, for a line of text."""
        if self.basis != "number":
            return self.criterion(text)
        relation = "" if self.relation == "about" else f"{self.relation} "
        return f"{relation}{text(self.published)}{self._within(text)}, published"

    def _within(self, text: Callable[[float], str]) -> str:
        """Tolerance in words; empty where there is none."""
        whose = " (engine's error)" if 2.0 * self.own_error > self.tolerance else ""
        return f" ± {text(self.tolerance)}{whose}" if self.tolerance else ""

    def digits(self, least: int) -> int:
        """Digits that tell the values to their tolerance, and at least so many."""
        target = self.target
        if not (self.tolerance > 0.0 and math.isfinite(target) and target != 0.0):
            return least
        places = math.log10(abs(target) / self.tolerance)
        return min(max(least, math.ceil(places) + 1), _MOST_DIGITS)


def judged(
    name: str,
    unit: str,
    value: float,
    published: float,
    tolerance: float,
    *,
    source: str,
    reason: str,
    fitted: bool = False,
) -> Claim:
    """Judge a value by a published number: within its rounding it is reproduced or fitted.

    fitted: a free parameter was set to get the value.
    """
    met: Verdict = "fitted" if fitted else "reproduced"
    return Claim(name, unit, value, published, tolerance, met, source, reason).of(value)


def stated(
    name: str,
    unit: str,
    value: float,
    bound: float,
    relation: Relation = "about",
    tolerance: float = 0.0,
    *,
    source: str,
    reason: str,
    fitted: bool = False,
    about_end: bool = False,
    own_error: float = 0.0,
) -> Claim:
    """Judge a value by words: bound, relation and tolerance are what they are held to mean.

    As it is said it is predicted, or fitted where something was chosen for it. own_error, in the
    unit of the value, comes on top of the tolerance: words leave an engine its own error, which
    therefore is no reason to differ. Give one that this run measures.
    """
    met: Verdict = "fitted" if fitted else "predicted"
    words = (name, unit, value, math.nan, tolerance + own_error, met, source, reason)
    return Claim(*words, bound, relation, "words", about_end, own_error).of(value)


def checked(
    name: str, unit: str, value: float, exact: float, tolerance: float, *, source: str, reason: str
) -> Claim:
    """Hold a value against a formula that is evaluated for this machine: a check, no claim."""
    met: Verdict = "check"
    formula = (name, unit, value, math.nan, tolerance, met, source, reason, exact)
    return Claim(*formula, basis="formula").of(value)


class Statement(NamedTuple):
    """A statement of a source that no run is held to yet: a row of a machine's claims.md.

    name, unit, relation, bound, tolerance, source and reason as of `Claim`; what stands in braces
    in a text, or is NaN, is given with the value. flags: printed for a number of the source, words
    or formula; fitted where something was chosen for it; and "about the end" of a run.
    """

    name: str
    unit: str
    relation: Relation
    bound: float
    tolerance: float
    flags: frozenset[str]
    source: str
    reason: str

    def claim(
        self,
        *,
        bound: float | None = None,
        tolerance: float | None = None,
        own_error: float = 0.0,
        fitted: bool = False,
        **words: Any,  # noqa: ANN401 (numbers or texts, as str.format takes them)
    ) -> Claim:
        """Return it as a claim without a value; words: by the names in braces."""
        name, source, reason = (
            text.format(**words) if words else text
            for text in (self.name, self.source, self.reason)
        )
        held_to = self.bound if bound is None else bound
        allowed = (self.tolerance if tolerance is None else tolerance) + own_error
        chosen = fitted or "fitted" in self.flags
        about_end = "about the end" in self.flags
        if "printed" in self.flags:
            met: Verdict = "fitted" if chosen else "reproduced"
            row = (name, self.unit, math.nan, held_to, allowed, met, source, reason)
            return Claim(*row, relation=self.relation, about_end=about_end, own_error=own_error)
        basis: Basis = "formula" if "formula" in self.flags else "words"
        met = "check" if basis == "formula" else "fitted" if chosen else "predicted"
        row = (name, self.unit, math.nan, math.nan, allowed, met, source, reason)
        return Claim(*row, held_to, self.relation, basis, about_end, own_error)

    def of(self, value: float, **given: Any) -> Claim:  # noqa: ANN401 (as of `claim`)
        """Return the claim on a value; given: as of `claim`."""
        return self.claim(**given).of(float(value))


def read_statements(package: str) -> dict[str, Statement]:
    """Read the statements of a machine's sources, the rows of the Markdown table claims.md, by key.

    package: the machine's package, in which the file lies. Its columns: key, statement, unit, what
    it is held to ("0.84", "at most 0.1"; a dash for what the run gives), tolerance, flags, source,
    reason. Raises ValueError, one line, for a row that has others.
    """
    statements = {}
    for key, name, unit, held_to, allowed, flags, source, reason in rows_of_table(
        package, "claims.md", 8
    ):
        relation: Relation = next((r for r in _BOUNDS if held_to.startswith(r)), "about")
        bound, tolerance = (
            math.nan if cell == "-" else float(cell)
            for cell in (held_to.removeprefix(relation).strip(), allowed)
        )
        marks = frozenset(flag.strip() for flag in flags.split(","))
        statements[key] = Statement(name, unit, relation, bound, tolerance, marks, source, reason)
    return statements
