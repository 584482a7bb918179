"""Legged machines in hard contact: one model file, several engines, the closed form beside them."""


def __getattr__(name: str) -> str:
    # looked up on demand: reading the metadata costs more than the rest of this import
    if name == "__version__":
        from importlib.metadata import version

        return version("footfall")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
