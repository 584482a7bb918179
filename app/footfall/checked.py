"""Fields of dataclasses that say what they take, checked when one is made.

    @dataclass
    class Drive(Checked, at="controller.drive."):
        kp: float = positive(100.0)
        axis: list[float] = finite([0.0, 0.0, 1.0], size=3)
        mode: str = one_of("soft", ("soft", "hard"))
        mass: float = field(metadata=POSITIVE)  # no default

refuses ``kp = -1`` by "controller.drive.kp is -1: give a positive number." What is null is not
checked; of groups every entry is, under its name; lists and arrays must fit as a whole.
"""

import copy
import functools
import math
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, TypeVar, cast

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.errors import FootfallError, ScenarioError

_T = TypeVar("_T")
_KEY = "check"


@dataclass(frozen=True)
class Check:
    """Test of a field's values: whether one fits, and the order that mends one that does not."""

    fits: Callable[[Any], object]
    mend: str


class Checked:
    """Base of dataclasses whose fields are checked when one is made, and `__post_init__` again.

    at: what stands before a field's name in a message; may name its own, as in
    "the push on '{self.link}': ". With it a value that does not fit raises ScenarioError, without
    it ValueError; one line in both cases, which the former ends with a full stop.
    """

    _at: ClassVar[str | None] = None

    def __init_subclass__(cls, at: str | None = None, **others: Any) -> None:  # noqa: ANN401 (of other bases)
        """Note the place that messages name."""
        super().__init_subclass__(**others)
        if at is not None:
            cls._at = at

    def __post_init__(self) -> None:
        """Refuse values that do not fit their field."""
        for item in fields(cast("Any", self)):
            check = item.metadata.get(_KEY)
            if check is None:
                continue
            for path, value in _entries(item.name, getattr(self, item.name)):
                if value is not None and not _fits(check, value):
                    shown = f"'{value}'" if isinstance(value, str) else value
                    raise self.refusal(f"{path} is {shown}: {check.mend}")

    def refusal(self, message: str) -> ScenarioError | ValueError:
        """Return the error with a message, which begins with a field and has no full stop."""
        if self._at is None:
            return ValueError(message)
        return ScenarioError(f"{self._at.format(self=self)}{message}.")


def _fits(check: Check, value: object) -> bool:
    with suppress(TypeError):  # of a text in the place of a number
        return bool(check.fits(value))
    return False


def _entries(path: str, value: object) -> Iterator[tuple[str, object]]:
    """Yield a value under its path, a group's entries each under its own."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from _entries(f"{path}.{name}", part)
    else:
        yield path, value


def metadata(fits: Callable[[Any], object], mend: str) -> Mapping[str, Check]:
    """Return the metadata of a field that takes what fits; mend: an order, as "give a number"."""
    return {_KEY: Check(fits, mend)}


def _is_finite(value: Any) -> bool:  # noqa: ANN401 (numbers, lists, arrays)
    if isinstance(value, float | int):
        return math.isfinite(value)
    return bool(np.isfinite(value).all())


def _above(value: Any, low: float, *, strictly: bool) -> bool:  # noqa: ANN401 (as above)
    if isinstance(value, float | int):
        return low < value < math.inf or (value == low and not strictly)
    real = np.real(value)
    return _is_finite(value) and bool(np.all(real > low if strictly else real >= low))


def _are_points(value: Any) -> bool:  # noqa: ANN401 (lists)
    return all(len(point) == 3 and _is_finite(point) for point in value)


FINITE = metadata(_is_finite, "give a finite number")
POSITIVE = metadata(lambda value: _above(value, 0.0, strictly=True), "give a positive number")
NOT_NEGATIVE = metadata(
    lambda value: _above(value, 0.0, strictly=False), "give a finite number that is not negative"
)
"""Metadata of fields without a default."""


def within(
    low: float, high: float, mend: str = "", *, open_low: bool = False, open_high: bool = False
) -> Mapping[str, Check]:
    """Return the metadata of a number from low to high, which are taken unless they are open."""

    def fits(value: Any) -> bool:  # noqa: ANN401 (numbers, lists, arrays)
        real = np.real(value)
        above = real > low if open_low else real >= low
        return bool(np.all(above & (real < high if open_high else real <= high)))

    ends = (
        f"{'above' if open_low else 'from'} {low:g} {'and below' if open_high else 'to'} {high:g}"
    )
    return metadata(fits, mend or f"give a number {ends}")


def checked(default: _T, check: Mapping[str, Check], mend: str = "") -> _T:
    """Return a field with a default and a check; mend: the order in a message, if not its own."""
    if mend:
        check = metadata(check[_KEY].fits, mend)
    if isinstance(default, list | dict | set):
        return field(default_factory=functools.partial(copy.deepcopy, default), metadata=check)
    return field(default=default, metadata=check)


def positive(default: _T, mend: str = "") -> _T:
    """Return a field of finite numbers above 0."""
    return checked(default, POSITIVE, mend)


def not_negative(default: _T, mend: str = "") -> _T:
    """Return a field of finite numbers from 0 on."""
    return checked(default, NOT_NEGATIVE, mend)


def finite(default: _T, mend: str = "", *, size: int | None = None) -> _T:
    """Return a field of finite numbers; size: how many a list has."""
    if size is None:
        return checked(default, FINITE, mend)
    check = metadata(lambda value: len(value) == size and _is_finite(value), "")
    return checked(default, check, mend or f"give {size} finite numbers")


def vectors(
    default: _T,
    mend: str = "give points as [[x, y, z], ...] [m]",
    *,
    least: int = 0,
    most: float = math.inf,
) -> _T:
    """Return a field of lists of points; least and most: of them."""
    fits = metadata(lambda each: least <= len(each) <= most and _are_points(each), mend)
    return checked(default, fits)


def between(
    default: _T,
    low: float,
    high: float,
    mend: str = "",
    *,
    open_low: bool = False,
    open_high: bool = False,
) -> _T:
    """Return a field of numbers `within` two ends."""
    return checked(default, within(low, high, mend, open_low=open_low, open_high=open_high))


def one_of(default: _T, choices: Collection[object], mend: str = "") -> _T:
    """Return a field of a few words or numbers."""
    listed = ", ".join(map(str, choices))
    return checked(default, metadata(choices.__contains__, mend or f"choose one of {listed}"))


def numbers(told: str, given: npt.ArrayLike, kind: type[FootfallError] = ScenarioError) -> Array:
    """Return an array of floats, NaN where it is masked; raises an error for what is none.

    told: how its line begins, as in "torques are"; kind: of the error.
    """
    try:
        array: npt.NDArray[Any] = np.asarray(np.ma.filled(given, np.nan))
        return array.astype(np.float64, order="C", casting="same_kind", copy=False)
    except (TypeError, ValueError) as error:
        raise kind(f"{told} no numbers: give an array of floats.") from error
