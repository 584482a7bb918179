"""Changes to an XML file that leave other lines where they are: messages still point at them."""

import re
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from footfall.plants.xml_tree import Node, parse_xml

_ATTRIBUTE = r"""(\s){}\s*=\s*("[^"]*"|'[^']*')"""


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
