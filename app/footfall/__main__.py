"""The program ``footfall``, which hears signals before it has imported its commands."""

import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    # python -m would import whatever lies in the working folder for the library
    del sys.path[0]

from footfall.errors import last_line
from footfall.interrupt import ending_by_signals, exit_status, kept, last_words


def main() -> None:
    """Run the command line; a signal or a fault while it is imported is one line."""
    with ending_by_signals():
        try:
            from footfall.cli import main as run
        except KeyboardInterrupt:
            print(f"footfall: {last_words()}", file=sys.stderr)  # noqa: T201 (the answer)
            sys.exit(exit_status())
        except Exception as error:  # noqa: BLE001 (memory or handles run out, or a broken library)
            print(f"footfall: {last_line(error, kept())}", file=sys.stderr)  # noqa: T201 (the answer)
            sys.exit(1)
        run()


if __name__ == "__main__":
    main()
