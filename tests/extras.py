"""Packages of extras, which some tests need."""

import importlib.util
import os

import pytest


def require(package, extra):
    """Skip a test without a package, or fail where all of them have to be there."""
    if importlib.util.find_spec(package) is None:
        message = f"{package} is not installed: pip install 'footfall[{extra}]'"
        if os.environ.get("FOOTFALL_REQUIRE_EXTRAS") == "1":
            pytest.fail(message)
        pytest.skip(message)
