"""Templates of the pages, which need nothing else and run no script but their own."""

import base64
import hashlib
import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from footfall.report.charts.packing import PackedCharts

_TEMPLATES = Path(__file__).parent / "templates"
_SCRIPT = re.compile(r'<script(?: type="(?:text/javascript|module)")?>(.*?)</script>', re.DOTALL)
_HASHES = "hashes-of-scripts"  # in a page until its scripts are known
_PICTURES = "img-src data: blob:"
_POLICY = "; ".join(
    (
        "default-src 'none'",
        f"script-src {_HASHES} 'wasm-unsafe-eval' blob:",
        "style-src 'unsafe-inline'",
        _PICTURES,
        "font-src data:",
        "connect-src data: blob:",
        "worker-src blob: data:",
        "base-uri 'none'",
        "form-action 'none'",
    )
)


def render(
    template: str,
    /,
    *,
    viewers: Iterable[str] = (),
    pictures_beside: bool = False,
    **values: Any,  # noqa: ANN401 (what a template shows)
) -> str:
    """Return a page made of a template and its values.

    Its content-security policy lets it reach nothing outside itself, and lets run only its own
    scripts and those of viewers (pages that it holds). pictures_beside: it has pictures in files
    of its folder.
    """
    charts = PackedCharts()
    policy = _POLICY.replace(
        _PICTURES, f"{_PICTURES} 'self' file:" if pictures_beside else _PICTURES
    )
    page = environment().get_template(template).render(charts=charts, policy=policy, **values)
    scripts = [script for part in (page, *viewers) for script in _SCRIPT.findall(part)]
    return page.replace(_HASHES, " ".join(dict.fromkeys(_hash(script) for script in scripts)), 1)


def _hash(script: str) -> str:
    """Return the source expression of a script, which a browser compares with what it runs."""
    text = script.replace("\r\n", "\n").replace("\r", "\n")
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


@cache
def environment() -> jinja2.Environment:
    """The templates; what they are given is escaped, and a name they do not know is an error."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        bytecode_cache=_kept(),
    )


def _kept() -> jinja2.BytecodeCache | None:
    """Keep compiled templates beside them, as Python keeps modules; None where nobody may write.

    To compile them takes a tenth of a page's time. A changed template is compiled anew.
    """
    if sys.dont_write_bytecode:
        return None
    folder = _TEMPLATES / "__pycache__"
    with suppress(OSError):
        folder.mkdir(exist_ok=True)
    return jinja2.FileSystemBytecodeCache(str(folder)) if os.access(folder, os.W_OK) else None
