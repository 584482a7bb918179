"""``python -m footfall`` is ``footfall``."""

from footfall.cli import main

main()
