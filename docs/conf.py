"""Configuration of Sphinx: `make docs` writes the site to build/docs, where it opens offline."""

import os
import re
import sys
import tomllib
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, ClassVar

from docutils import nodes
from sphinx.util.docutils import SphinxDirective, SphinxRole

os.environ["NUMBA_DISABLE_JIT"] = "1"  # a compiled function hides its docstring and arguments
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from reference_pages import write_pages  # noqa: E402 (beside this file)
from results import STORE, Request, claims_table, results_table  # noqa: E402 (likewise)

_PROJECT = tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]

project = _PROJECT["name"]
release = version = _PROJECT["version"]
author = "The footfall authors"
copyright = author  # noqa: A001 (Sphinx's name)

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["generated/*.md"]  # parts of pages
myst_heading_anchors = 3
highlight_language = "none"
smartquotes = False  # q' is a derivative

add_module_names = False
autodoc_class_signature = "mixed"
autodoc_default_options = {"members": True, "member-order": "bysource", "ignore-module-all": True}
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 90
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = "footfall"
html_favicon = "_static/favicon.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False

_ARRAY = re.compile(
    r"[\w.~]*ndarray\[tuple\[[\w.~]*Any, \.\.\.\], [\w.~]*dtype\[[\w.~]*float64\]\]"
)
_CODE = re.compile(r"(``.+?``)")
_SPECIAL = re.compile(r"[\\*|`]|_(?!\w)")
_COUNTED = re.compile(r"^(?=\(?\w+[.)] )")


def setup(app: Any) -> None:  # noqa: ANN401 (Sphinx has its types where this need not be run)
    """Make the pages that come from the code, and read docstrings as the plain text they are."""
    app.add_directive("results", Results)
    app.add_directive("claims", Claims)
    app.add_role("value", Value())
    app.connect("builder-inited", lambda _app: write_pages(HERE / "generated"))
    app.connect("autodoc-skip-member", _of_others)
    app.connect("autodoc-process-docstring", _as_text)
    app.connect("autodoc-process-signature", _short)


class Results(SphinxDirective):
    """Table of metrics of runs, as results.py describes it."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar = dict.fromkeys(("engines", "metrics", "digits"), str)
    table = staticmethod(results_table)

    def run(self) -> list[nodes.Node]:
        """Make the table, Markdown as the page is."""
        request = Request.of(self.arguments[0], self.options)
        for path in STORE.glob("*.json"):
            self.env.note_dependency(str(path))
        try:
            text = type(self).table(request)
        except ValueError as error:
            raise self.error(str(error)) from error
        return list(self.parse_text_to_nodes(text))


class Claims(Results):
    """Table of claims about runs."""

    table = staticmethod(claims_table)


class Value(SphinxRole):
    """A number that the code has, by its full name; a field of a dataclass gives its default."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Write the number as the pages write numbers."""
        text = re.sub(
            r"e([-+])0*", lambda sign: f"e{sign[1].strip('+')}", f"{resolve_name(self.text):g}"
        )
        return [nodes.Text(text)], []


def _of_others(
    _app: object, _what: str, _name: str, member: object, _skip: bool, _options: object
) -> bool | None:
    """Leave out the functions that a library puts into a class of ours (matplotlib's `set`)."""
    module = str(getattr(member, "__module__", ""))
    return True if module.startswith("matplotlib.") else None


def _short(
    _app: object,
    _what: str,
    _name: str,
    _obj: object,
    _options: object,
    arguments: str | None,
    returned: str | None,
) -> tuple[str | None, str | None]:
    """Write arrays as the code does: Array."""
    return tuple(each and _ARRAY.sub("Array", each) for each in (arguments, returned))


def _as_text(
    _app: object, _what: str, _name: str, _obj: object, _options: object, lines: list[str]
) -> None:
    """Keep what reStructuredText would take for markup, and formulas that are indented."""
    found: list[str] = []
    for before, line in zip(["", *lines], lines, strict=False):
        if line.startswith(" ") and not before.strip() and found[-2:-1] != ["::"]:
            found += ["::", ""]
        if line.startswith(" "):
            found.append(line)
            continue
        first = _COUNTED.sub(r"\\", _escaped(line)) if not before.strip() else _escaped(line)
        found.append(first)
    lines[:] = found


def _escaped(line: str) -> str:
    parts = _CODE.split(line)
    return "".join(p if p.startswith("``") else _SPECIAL.sub(r"\\\g<0>", p) for p in parts)
