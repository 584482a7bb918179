"""XML read into plain nodes that remember their line, so that messages can point at it.

Changes to a text leave other lines where they are.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.dom import expatbuilder, minidom
from xml.parsers import expat

from footfall.errors import ModelError

_MAX_DEPTH = 100  # no model needs it; a recursive walk stands it
_DECLARED = re.compile(rb"""<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)""")
_ATTRIBUTE = r"""(\s){}\s*=\s*("[^"]*"|'[^']*')"""
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(eq=False)
class Node:
    """One element: its tag as written (prefix included), attributes, line, text and children.

    start, close: where its first and its last tag begin in the bytes of the file.
    """

    tag: str
    attributes: dict[str, str]
    line: int
    parent: "Node | None" = field(default=None, repr=False)
    start: int = 0
    close: int = 0
    children: list["Node"] = field(default_factory=list)
    text: str = ""

    def find(self, *path: str) -> "Node | None":
        """First descendant along a path of tags, or None."""
        if not path:
            return self
        child = next((child for child in self.children if child.tag == path[0]), None)
        return None if child is None else child.find(*path[1:])

    def in_order(self) -> "Iterator[Node]":
        """This element and all in it, in the order of the file."""
        yield self
        for child in self.children:
            yield from child.in_order()

    def all(self, *tags: str) -> "list[Node]":
        """Return this element and all in it that have one of some tags, in the file's order."""
        return [node for node in self.in_order() if node.tag in tags]


def number_of(text: str) -> float:
    """Return the number that a text is; NaN for one that is none."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def read_xml(path: Path) -> Node:
    """Read a file; ModelError names the file (and the line) if it is missing or broken."""
    return parse_xml(xml_bytes(path), path)


def read_document(path: Path) -> tuple[minidom.Document, Node]:
    """Read a file as a document that can be changed, and as `read_xml` does."""
    data = xml_bytes(path)
    root = parse_xml(data, path)  # says in our words what is wrong with broken XML
    # without namespaces: many files use the prefix drake: and do not declare it; of a text, the
    # parser ignores the encoding that it declares
    document: minidom.Document = expatbuilder.parseString(  # noqa: S316 (the user's own file)
        data.decode("utf-8-sig"), namespaces=False
    )
    return document, root


def xml_bytes(path: Path) -> bytes:
    """Return what is in a file, in UTF-8 whatever it declares: Drake reads no other encoding.

    Raises ModelError, one line, for a file that is missing or in another encoding.
    """
    try:
        data = path.read_bytes()
        data.decode()
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise ModelError(f"{path}: {reason}; check the path and its spelling.") from error
    except UnicodeDecodeError as error:
        declared = _DECLARED.search(data)
        known = (
            "UTF-16" if data[:2] in _UTF_16 else declared[1].decode() if declared else "ENCODING"
        )
        line = data.count(b"\n", 0, error.start) + 1
        raise ModelError(
            f"{path}:{line}: the text is not in UTF-8, which Drake reads alone; write a copy that "
            f"is: iconv -f {known} -t UTF-8 {path.name} > COPY{path.suffix}."
        ) from error
    return data


def parse_xml(data: bytes, path: Path) -> Node:
    """Parse what is in a file; ModelError names the file and the line if it is broken."""
    parser = expat.ParserCreate("utf-8")  # whatever the file declares, as Drake has it
    stack = [Node("", {}, 0)]

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(stack) > _MAX_DEPTH:
            raise ModelError(
                f"{path}:{parser.CurrentLineNumber}: tags are nested deeper than {_MAX_DEPTH}; "
                "close those that are open."
            )
        at = parser.CurrentByteIndex
        node = Node(tag, attributes, parser.CurrentLineNumber, stack[-1], at)
        stack[-1].children.append(node)
        stack.append(node)

    def end(_tag: str) -> None:
        stack.pop().close = parser.CurrentByteIndex

    def characters(text: str) -> None:
        stack[-1].text += text

    def entity(name: str, *_: object) -> None:
        raise ModelError(
            f"{path}:{parser.CurrentLineNumber}: the file declares an entity '{name}', which no "
            "model needs; write out what it stands for."
        )

    parser.buffer_text = True
    parser.EntityDeclHandler = entity
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        still_open = f"close <{stack[-1].tag}> of line {stack[-1].line}" if stack[1:] else "mend it"
        raise ModelError(
            f"{path}:{error.lineno}: the XML is broken here ({expat.ErrorString(error.code)}); "
            f"{still_open} or restore the file."
        ) from error
    return stack[0].children[0]


class XmlEdit:
    """The text of an XML file, and changes to it that are carried out together."""

    def __init__(self, data: bytes, path: Path) -> None:
        """Read a text; ModelError names the file and the line where it is broken."""
        self._data = data
        self._edits: dict[tuple[int, int], bytes] = {}
        self._tags: dict[Node, str] = {}
        self.root = parse_xml(data, path)

    def set(self, element: Node, name: str, value: str | None) -> None:
        """Give an attribute another value; None takes it out."""
        from xml.sax.saxutils import quoteattr  # late: it imports ways into the network

        tag = self._tag(element)
        match = re.search(_ATTRIBUTE.format(re.escape(name)), tag)
        new = "" if value is None else f" {name}={quoteattr(value)}"
        if match:
            breaks = match[0].count("\n") * "\n"
            tag = tag[: match.start()] + breaks + new + tag[match.end() :]
        elif value is not None:
            head = re.match(r"<[^\s/>]+", tag)
            place = head.end() if head else 1
            tag = tag[:place] + new + tag[place:]
        self._tags[element] = tag

    def rename(self, element: Node, tag: str) -> None:
        """Give an element without contents another tag."""
        self._tags[element] = re.sub(r"^<[^\s/>]+", f"<{tag}", self._tag(element))
        if not self._is_empty(element):
            self._edits[element.close, self._end(element)] = f"</{tag}>".encode()

    def contents(self, element: Node) -> str:
        """Return the text inside an element without children, as it was."""
        return self.inner_text(element).decode()

    def set_text(self, element: Node, text: str) -> None:
        """Replace what is inside an element without children."""
        from xml.sax.saxutils import escape

        self._edits[self._inside(element), element.close] = escape(text).encode()

    def inner_text(self, element: Node) -> bytes:
        """Return what is inside an element, as it was."""
        return b"" if self._is_empty(element) else self._data[self._inside(element) : element.close]

    def replace(self, element: Node, text: bytes) -> None:
        """Put a text in the place of an element; the lines after it move."""
        self._edits[element.start, self._end(element)] = text

    def remove(self, element: Node) -> None:
        """Take an element out."""
        end = self._end(element)
        self._edits[element.start, end] = b"\n" * self._data.count(b"\n", element.start, end)

    def insert(self, element: Node, text: str) -> None:
        """Put elements before the contents of one, on its line."""
        tag = self._tag(element)
        if tag.endswith("/>"):
            name = re.match(r"<([^\s/>]+)", tag)
            tag = f"{tag[:-2]}>{text}</{name[1] if name else ''}>"
        else:
            tag += text
        self._tags[element] = tag

    def text(self) -> bytes:
        """Return the changed text."""
        edits = dict(self._edits)
        edits |= {
            (node.start, self._inside(node)): tag.encode() for node, tag in self._tags.items()
        }
        parts, at = [], 0
        for (start, end), new in sorted(edits.items()):
            if start < at:
                continue  # inside of what was taken out
            parts += [self._data[at:start], new]
            at = end
        return b"".join([*parts, self._data[at:]])

    def _tag(self, element: Node) -> str:
        known = self._tags.get(element)
        return known or self._data[element.start : self._inside(element)].decode()

    def _inside(self, element: Node) -> int:
        """Place of the contents of an element."""
        return _end_of_tag(self._data, element.start)

    def _is_empty(self, element: Node) -> bool:
        inside = self._inside(element)
        return self._data[inside - 2 : inside] == b"/>"

    def _end(self, element: Node) -> int:
        start = element.start if self._is_empty(element) else element.close
        return _end_of_tag(self._data, start)


def _end_of_tag(data: bytes, start: int) -> int:
    """Return where a tag ends, beyond its bracket; those in quotes do not count."""
    quote = 0
    for place in range(start, len(data)):
        letter = data[place]
        if quote:
            quote = 0 if letter == quote else quote
        elif letter in b"\"'":
            quote = letter
        elif letter == ord(">"):
            return place + 1
    return len(data)
