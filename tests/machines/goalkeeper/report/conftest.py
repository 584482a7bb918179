"""Fixtures that tests of the goalkeeper's page share."""

import pytest
from tests.machines.goalkeeper.report.sections import ARC, QUICK, SHOT, section_of


@pytest.fixture(scope="module")
def arc():
    """The listing's arc, with a keeper that has bounds and with the listing's."""
    return section_of(ARC, "moreau", "closed-form")


@pytest.fixture(scope="module")
def listing():
    """The listing's arc and keeper."""
    return section_of(ARC, "closed-form")


@pytest.fixture(scope="module")
def goal():
    """A shot that is a goal."""
    return section_of(SHOT, "moreau")


@pytest.fixture(scope="module")
def save():
    """The same shot, saved by a keeper that is quicker."""
    return section_of(SHOT, "moreau", settings=QUICK)
