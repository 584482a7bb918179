"""One-line messages for faults of a model, and Drake's warnings: which need no action."""

import logging
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from footfall import wording
from footfall.wording import nearest
from footfall.yaml_loader import table_beside

if TYPE_CHECKING:
    from pydrake.multibody.parsing import ModelDirective

_MAX_LENGTH = 400  # characters of a foreign message; a few names and a path fit
_ANSWERED = (
    "does not currently support non-zero joint friction",  # footfall reads it: file_physics
    "half spaces are not currently supported for deformable",  # footfall has no such bodies
    "Drake's Meshcat only supports Mesh/Convex",  # collision shapes are shown instead
)
# judged by file_check before Drake reads the file
_OF_URDF = re.compile(r"\S*\.urdf:\d+: .*is currently unsupported and will be ignored")
_LOGGER = logging.getLogger("drake")


def tag_tables() -> dict[str, Any]:
    """Return the tables of ``plants/tags.yaml``: tags of model files, and words for warnings."""
    return table_beside(__file__, "tags.yaml")


def words(text: str) -> frozenset[str]:
    """The names in a text, separated by blanks."""
    return frozenset(text.split())


def did_you_mean(word: str, known: Collection[str]) -> str:
    """Mend a misspelt name as ``footfall.wording`` does, or by its part behind the model's name."""
    tails = {name.rpartition("::")[2]: name for name in sorted(known)}
    near = nearest(word, sorted(known)) or tails.get(nearest(word.rpartition("::")[2], tails))
    return f"did you mean '{near}'?" if near else wording.did_you_mean(word, sorted(known))


def listed(names: Iterable[str]) -> str:
    """Names in alphabetical order, shortened when there are many."""
    return wording.listed(sorted(names))


def one_line(error: BaseException | str) -> str:
    """A foreign message without line breaks, C++ source positions and level tags, cut if long."""
    text = re.sub("^//", "/", " ".join(str(error).split()))  # Drake doubles it in SDF paths
    text = re.sub(r"In \S+\.cxx, line \d+: (\w+) \(0x[0-9a-f]+\): ", r"\1: ", text)  # VTK
    text = re.sub(r"^sto(?:[dfil]|ul)$", "a text stands where a number belongs", text)  # C++
    text = re.sub(r"condition '.*?' failed\.? (?=\w+ = )", "", text)
    text = re.sub(r"Failure at \S+ in (\w+)\(\): ", r"\1: ", text)
    text = re.sub(r"^\w+\(\): ", "", text)
    text = re.sub(r"(^|: )(?:error|warning): ", r"\1", text)
    text = re.sub(r" for <root> while accepting .*| while (?:accepting|visiting) .*", "", text)
    return text if len(text) <= _MAX_LENGTH else text[:_MAX_LENGTH] + " ..."


def explain(
    error: BaseException | str, directives: "Sequence[ModelDirective]", files: Collection[str]
) -> str:
    """One line for a fault that Drake raised (or logged) while it read the given files."""
    text = one_line(error)
    line = _explain_sdf_tag(text) or _explain_name(text, directives) or _explain_inertia(text)
    if line:
        return line
    where = "" if any(file in text for file in files) else f"{listed(files) or 'directives'}: "
    return (
        f"{where}{text.rstrip('.! ')}. Drake refuses the model as it stands: "
        "correct the file or the directives."
    )


def _explain_sdf_tag(text: str) -> str | None:
    strange = re.search(r"XML Element\[([^]]+)\], child of element\[([^]]+)\], not defined", text)
    if strange:
        where, tag, parent = text.split(": ", 1)[0], strange[1], strange[2]
    else:
        strange = re.search(r"^(.*?): Unsupported SDFormat element in (\S+): (\S+)", text)
        if not strange:
            return None
        where, parent, tag = strange[1], strange[2], strange[3]
    near = nearest(tag, words(tag_tables()["sdf"]))
    advice = f"did you mean '{near}'?" if near else "correct its spelling or remove it."
    return f"{where}: <{tag}> inside <{parent}> is not a tag that Drake reads; {advice}"


def _explain_name(text: str, directives: "Sequence[ModelDirective]") -> str | None:
    missing = re.search(r"no (Frame|Joint|Body) named '([^']*)' anywhere in the model", text)
    if not missing:
        return None
    kind, name = missing[1].lower(), missing[2]
    known: set[str] = set()
    for model, names in re.findall(r"in model instance '([^']*)' are: ([^;)]*)", text):
        prefix = "" if model == "WorldModelInstance" or kind == "joint" else f"{model}::"
        known.update(prefix + other for other in names.split(", "))
    where = _who_asks(name, directives)
    return f"{where}: {kind} '{name}' does not exist; {did_you_mean(name, known)}"


def _who_asks(name: str, directives: "Sequence[ModelDirective]") -> str:
    """The directive that names a frame or joint; the plain words if a nested one does."""
    for directive in directives:
        weld, frame, model = directive.add_weld, directive.add_frame, directive.add_model
        if weld and name in (weld.parent.split("::")[-1], weld.child.split("::")[-1]):
            return f"add_weld {weld.parent} -> {weld.child}"
        if frame and name == (frame.X_PF.base_frame or "").split("::")[-1]:
            return f"add_frame {frame.name}"
        if model and name in model.default_joint_positions:
            return f"add_model {model.name}, default_joint_positions"
        if model and name in model.default_free_body_pose:
            return f"add_model {model.name}, default_free_body_pose"
    return "directives"


def _explain_inertia(text: str) -> str | None:
    where = re.match(r"(.+?:\d+): ", text)
    if where is None or ("inertia matrix" not in text and "central inertia" not in text):
        return None
    return (
        f"{where[1]}: the mass or the inertia is not that of a body; give a positive mass and "
        "principal moments of which none exceeds the sum of the others."
    )


class _Warnings(logging.Filter):
    """Passes over answered warnings; while somebody listens, hands all others to them instead."""

    def __init__(self) -> None:
        super().__init__()
        self.listeners: list[list[str]] = []

    def filter(self, record: logging.LogRecord) -> bool:
        text = " ".join(record.getMessage().split())
        if any(remark in text for remark in _ANSWERED) or _OF_URDF.match(text):
            return False
        if record.levelno < logging.WARNING:
            return not self.listeners
        for lines in self.listeners:
            lines.append(text)
        return not self.listeners


_FILTER = _Warnings()


def silence_answered_warnings() -> None:
    """Let Drake's logger pass over these warnings; asking for it again does nothing."""
    _LOGGER.addFilter(_FILTER)


@contextmanager
def listening() -> Iterator[list[str]]:
    """Keep the warnings of a `with` block, a line each, instead of letting them go to the console.

    Whoever listens outside gets those of an inner block as well.
    """
    _LOGGER.removeFilter(_FILTER)
    _LOGGER.addFilter(_FILTER)  # behind filters that put the user's files in place of compiled ones
    lines: list[str] = []
    _FILTER.listeners.append(lines)
    try:
        yield lines
    finally:
        # by identity: another listener may have heard the same
        _FILTER.listeners[:] = [other for other in _FILTER.listeners if other is not lines]
