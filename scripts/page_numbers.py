"""Make the numbers of the documents anew, and say which pages state others.

    python scripts/page_numbers.py                        every page, all numbers: an hour
    python scripts/page_numbers.py compass --quick        one page, without what takes minutes
    python scripts/page_numbers.py compass --write        write the numbers into the page

`docs/numbers/PAGE.py` belongs to PAGE.md in docs/machines or docs/theory. Its PASSAGES are words of
the page whose numbers are computed; its GIVEN are words whose numbers are published, parameters or
chosen, by where they come from. Together they have every number of the page with a decimal point,
an exponent or a unit; without GIVEN only some are computed.
"""

import argparse
import itertools
import re
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NUMBERS = ROOT / "docs" / "numbers"
PAGES = {
    page.stem: page
    for folder in ("machines", "theory")
    for page in (ROOT / "docs" / folder).glob("*.md")
    if (NUMBERS / f"{page.stem}.py").exists()
}  # whose numbers are declared
sys.path.insert(0, str(NUMBERS))

from passage import Passage, pattern  # noqa: E402 (beside the numbers of the pages)

_UNIT = "%|degrees?|rad|mrad|µrad|N|W|J|mJ|µJ|Hz|kg|mm|cm|µm|ms|m|s"
_MEASURED = re.compile(
    rf"(?<![\w./-])-?(?:(?:\d*\.\d+)(?:e-?\d+)?|\d+e-?\d+|\d+(?=°|\s(?:{_UNIT})(?!\w)))"
)
_CODE = re.compile(r"(?m)^    .*$|`[^`]*`|\]\([^)]*\)")  # blocks, words of code, links


def declared(name: str) -> tuple[Path, tuple[Passage, ...], tuple[str, ...] | None]:
    """Page, passages and given words of a page's name; None where not all numbers are declared."""
    contents = runpy.run_path(str(NUMBERS / f"{name}.py"))
    given = contents.get("GIVEN")
    words = None if given is None else tuple(itertools.chain(*given.values()))
    return PAGES[name], contents["PASSAGES"], words


def names() -> list[str]:
    """Pages whose numbers are declared."""
    return sorted(PAGES)


def undeclared(page: str, passages: Sequence[Passage], given: Sequence[str] | None) -> list[str]:
    """Numbers in no passage and no given words, with what is around them."""
    if given is None:
        return []
    covered = [passage.search(page).span() for passage in passages]
    for words in given:
        spans = [found.span() for found in re.finditer(pattern(words), page)]
        if not spans:
            raise ValueError(f"the page has not these words: {words}")
        covered += spans
    covered += [found.span() for found in _CODE.finditer(page)]
    return [
        " ".join(page[max(0, found.start() - 40) : found.end() + 20].split())
        for found in _MEASURED.finditer(page)
        if not any(begin <= found.start() and found.end() <= end for begin, end in covered)
    ]


def rewritten(passage: Passage, page: str, made: str) -> str:
    """The page with the numbers of a passage as they were made; line breaks stay."""
    found = passage.search(page)
    numbers = found.re.fullmatch(made)
    if numbers is None:
        raise ValueError(f"numbers that no page can hold: {made}")
    for group in range(len(numbers.groups()), 0, -1):
        begin, end = found.span(group)
        page = page[:begin] + numbers.group(group) + page[end:]
    return page


def main() -> int:
    """Return 1 where a page states other numbers than are computed, else 0."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pages", nargs="*", choices=[*names(), []], help="all, unless named")
    parser.add_argument("--quick", action="store_true", help="leave out what takes minutes")
    parser.add_argument("--write", action="store_true", help="write the numbers into the pages")
    asked = parser.parse_args()
    wrong = 0
    for name in asked.pages or names():
        path, passages, given = declared(name)
        for words in undeclared(path.read_text(encoding="utf-8"), passages, given):
            print(f"{name}: nothing makes the number in: {words}")
            wrong += 1
        for passage in passages:
            if not (asked.quick and (passage.slow or passage.minutes)):
                wrong += differs(name, path, passage, write=asked.write)
    print("every number is as it is computed" if not wrong else f"{wrong} differ")
    return int(wrong > 0)


def differs(name: str, path: Path, passage: Passage, *, write: bool) -> bool:
    """Say whether a page states other numbers than are computed; write: these into the page."""
    page = path.read_text(encoding="utf-8")
    try:
        stated, made = passage.stated(page), passage.made(page)
    except Exception as fault:  # noqa: BLE001 (the passages before and after took minutes as well)
        print(f"{name}: not computed: {passage.text}\n{' ' * len(name)}  {fault!r}")
        return True
    if stated == made:
        return False
    print(f"{name}: the page:  {stated}\n{' ' * len(name)}  computed:  {made}", flush=True)
    if write:
        path.write_text(rewritten(passage, page, made), encoding="utf-8")
    return True


if __name__ == "__main__":
    sys.exit(main())
