"""Changes to an XML file that leave other lines where they are: messages still point at them."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from footfall.errors import ModelError
from footfall.plants.xml_tree import xml_parser

_ATTRIBUTE = r"""(\s){}\s*=\s*("[^"]*"|'[^']*')"""


@dataclass(eq=False)
class Element:
    """One element of a text: its tag, attributes, parent, children, and places in the bytes."""

    tag: str
    attributes: dict[str, str]
    parent: "Element | None"
    line: int
    start: int
    inside: int = 0  # where its contents begin
    end: int = 0
    children: list["Element"] = field(default_factory=list)

    def find(self, tag: str) -> "Element | None":
        """First child with a tag."""
        return next((child for child in self.children if child.tag == tag), None)

    def all(self, *tags: str) -> list["Element"]:
        """Return the element and all below it that have one of some tags, in the file's order."""
        found = [self] if self.tag in tags else []
        for child in self.children:
            found += child.all(*tags)
        return found


class XmlEdit:
    """The text of an XML file, and changes to it that are carried out together."""

    def __init__(self, data: bytes, path: Path) -> None:
        """Read a text; ModelError names the file and the line where it is broken."""
        self._data = data
        self._edits: dict[tuple[int, int], bytes] = {}
        self._tags: dict[Element, str] = {}
        top = Element("", {}, None, 0, 0)
        here = [top]
        parser = xml_parser()

        def begin(tag: str, attributes: dict[str, str]) -> None:
            at = parser.CurrentByteIndex
            node = Element(tag, attributes, here[-1], parser.CurrentLineNumber, at)
            node.inside = _end_of_tag(data, at)
            here[-1].children.append(node)
            here.append(node)

        def close(_tag: str) -> None:
            node = here.pop()
            empty = data[node.inside - 2 : node.inside] == b"/>"
            node.end = node.inside if empty else _end_of_tag(data, parser.CurrentByteIndex)

        parser.StartElementHandler, parser.EndElementHandler = begin, close
        try:
            parser.Parse(data, True)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise ModelError(
                f"{path}:{error.lineno}: the XML is broken here ({reason}); mend or restore the "
                "file."
            ) from error
        self.root = top.children[0]

    def set(self, element: Element, name: str, value: str | None) -> None:
        """Give an attribute another value; None takes it out."""
        tag = self._tag(element)
        found = re.search(_ATTRIBUTE.format(re.escape(name)), tag)
        new = "" if value is None else f" {name}={quoteattr(value)}"
        if found:
            kept = found[0].count("\n") * "\n"
            tag = tag[: found.start()] + kept + new + tag[found.end() :]
        elif value is not None:
            head = re.match(r"<[^\s/>]+", tag)
            place = head.end() if head else 1
            tag = tag[:place] + new + tag[place:]
        self._tags[element] = tag

    def rename(self, element: Element, tag: str) -> None:
        """Give an element without contents another tag."""
        self._tags[element] = re.sub(r"^<[^\s/>]+", f"<{tag}", self._tag(element))
        if self._data[element.inside - 2 : element.inside] != b"/>":
            closing = self._data.rindex(b"</", element.start, element.end)
            self._edits[closing, element.end] = f"</{tag}>".encode()

    def contents(self, element: Element) -> str:
        """Return the text inside an element without children, as it was."""
        return self.inner_text(element).decode()

    def set_text(self, element: Element, text: str) -> None:
        """Replace what is inside an element without children."""
        inner = self._data[element.inside : element.end]
        closing = element.inside + inner.rindex(b"</")
        self._edits[element.inside, closing] = escape(text).encode()

    def inner_text(self, element: Element) -> bytes:
        """Return what is inside an element, as it was."""
        inner = self._data[element.inside : element.end]
        return inner[: inner.rindex(b"</")] if element.end > element.inside else b""

    def replace(self, element: Element, text: bytes) -> None:
        """Put a text in the place of an element; the lines after it move."""
        self._edits[element.start, element.end] = text

    def remove(self, element: Element) -> None:
        """Take an element out."""
        old = self._data[element.start : element.end]
        self._edits[element.start, element.end] = b"\n" * old.count(b"\n")

    def insert(self, element: Element, text: str) -> None:
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
        edits |= {(node.start, node.inside): tag.encode() for node, tag in self._tags.items()}
        parts, at = [], 0
        for (start, end), new in sorted(edits.items()):
            if start < at:
                continue  # inside of what was taken out
            parts += [self._data[at:start], new]
            at = end
        return b"".join([*parts, self._data[at:]])

    def _tag(self, element: Element) -> str:
        known = self._tags.get(element)
        return known or self._data[element.start : element.inside].decode()


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
