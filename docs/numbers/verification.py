"""Numbers of docs/theory/verification.md, see scripts/page_numbers.py."""

from passage import Passage

from footfall.verify.runner import ORDER_SLACK

PASSAGES = (Passage("falls short of it by no more than {:.1f}:", lambda: [ORDER_SLACK]),)
"""Words of the page, with what computes their numbers: the rule that judges an order."""

GIVEN: dict[str, tuple[str, ...]] = {}
"""Words of the page whose numbers are published, parameters or chosen, by where they are from."""
