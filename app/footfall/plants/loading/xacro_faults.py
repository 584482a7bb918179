"""One-line messages for the faults that the macro processor xacro raises."""

from collections.abc import Callable, Collection, Iterator
from types import TracebackType
from xml.dom.minidom import Node

from footfall.errors import ModelError
from footfall.plants.messages import did_you_mean, one_line

_SHOWN = 60  # characters of an expression in a message
_AT_WORK = ("node", "elt")  # what xacro calls the element that it works on
_UNKNOWN_MACRO = "unknown macro name: xacro:"


class Refused(ModelError):
    """A file asks for what a model does not get; the place goes in front of the message."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what}. A model file is data: correct it, or use --trust (in Python trust=True) if "
            "you trust who wrote it."
        )


class MissingArgument(KeyError):
    """An argument that a file asks for and nobody gave."""


def explain_xacro(
    error: BaseException,
    place_of: Callable[[Node], object],
    file: str,
    arguments: Collection[str],
) -> str:
    """One line for what xacro raised.

    place_of: where an element was written; file: the one being read, for where no element is at
    fault; arguments: those that are known.
    """
    cause, expression = _unwrapped(error)
    seen = list(_locals(error.__traceback__))
    nodes = [names[name] for names in seen for name in _AT_WORK if name in names]
    places = [place_of(node) for node in nodes if isinstance(node, Node)]
    places = [one for one in places if one is not None]
    where = str(places[-1]) if places else file
    if isinstance(cause, MemoryError):
        cause = Refused("it asks for more memory than any robot needs")
    if isinstance(cause, Refused):
        return f"{where}: {_shown(expression)}{cause}"
    if isinstance(cause, ModelError):  # ours: it names its place, or begins behind it
        return f"{where}{cause}" if str(cause).startswith(":") else str(cause)
    fault = (
        _of_argument(cause, arguments)
        or _of_name(cause, expression, _known(seen, "symbols"))
        or _of_macro(cause, _known(seen, "macros"))
        or _of_file(cause)
        or _of_ring(cause)
        or _other(cause, expression)
    )
    return f"{where}: {fault}"


def _unwrapped(error: BaseException) -> tuple[BaseException, str]:
    """The exception that xacro wrapped into its own, and the expression that it came from."""
    expression = ""
    while True:
        suffix = getattr(error, "suffix", None)
        if suffix:
            expression = suffix.partition("'")[2].removesuffix("'")
        inner = getattr(error, "exc", None)
        if not isinstance(inner, BaseException):
            return error, expression
        error = inner


def _locals(traceback: TracebackType | None) -> Iterator[dict[str, object]]:
    """Local variables of xacro's functions, from the outermost call to where it was raised."""
    while traceback is not None:
        if traceback.tb_frame.f_globals.get("__name__") == "xacro":
            yield traceback.tb_frame.f_locals
        traceback = traceback.tb_next


def _known(seen: list[dict[str, object]], kind: str) -> set[str]:
    """Names of properties or macros that were defined where xacro gave up, its own not counted."""
    tables = [names[kind] for names in seen if isinstance(names.get(kind), dict)]
    table = tables[-1] if tables else None
    known: set[str] = set()
    while isinstance(table, dict) and hasattr(table, "parent"):
        known.update(name for name in table if not name.startswith(("*", "__")))
        table = table.parent
    return known


def _of_argument(cause: BaseException, arguments: Collection[str]) -> str:
    if not isinstance(cause, MissingArgument) and type(cause).__name__ != "ArgException":
        return ""
    name = str(cause.args[0])
    others = f" (known: {', '.join(sorted(arguments))})" if arguments else ""
    return (
        f"argument '{name}' has no value{others}; give it one in the scenario, arguments: "
        f"{{MODEL: {{{name}: VALUE}}}}, or by --arg {name}=VALUE, or declare a default: "
        f'<xacro:arg name="{name}" default="..."/>.'
    )


def _of_name(cause: BaseException, expression: str, known: set[str]) -> str:
    if not isinstance(cause, NameError):
        return ""
    name = str(cause).partition("'")[2].partition("'")[0]
    return f"{_shown(expression)}there is no property '{name}'; {did_you_mean(name, known)}"


def _of_macro(cause: BaseException, known: set[str]) -> str:
    text = str(cause)
    if not text.startswith(_UNKNOWN_MACRO):
        return ""
    name = text.removeprefix(_UNKNOWN_MACRO)
    return f"there is no macro <xacro:{name}>; {did_you_mean(name, known)}"


def _of_file(cause: BaseException) -> str:
    if not isinstance(cause, OSError):
        return ""
    if isinstance(cause, FileNotFoundError):
        return f"'{cause.filename}' is not there; correct the path."
    return f"'{cause.filename}' cannot be read ({cause.strerror}); correct the path."


def _of_ring(cause: BaseException) -> str:
    if not isinstance(cause, RecursionError):
        return ""
    return "macros, files or expressions go into each other without end; break the ring."


def _other(cause: BaseException, expression: str) -> str:
    reason = one_line(cause).rstrip(".") or type(cause).__name__
    if isinstance(cause, KeyError):
        reason = f"there is no {reason}"
    elif isinstance(cause, SyntaxError):
        reason = f"no expression ({cause.msg})"
    if expression.startswith("xacro.fatal("):  # the file's own words on its arguments
        return f"{reason}."
    return f"{_shown(expression)}{reason}; correct the file."


def _shown(expression: str) -> str:
    """Return the beginning of an expression, to stand before what is wrong with it."""
    text = " ".join(expression.split())
    return f"${{{text if len(text) <= _SHOWN else text[:_SHOWN] + '...'}}}: " if text else ""
