"""The program ``footfall``, which hears signals before it has imported its commands."""

import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    # python -m would import whatever lies in the working folder for the library
    del sys.path[0]

from footfall.interrupt import ending_by_signals, exit_status, last_words


def main() -> None:
    """Run the command line; a signal while it is imported is answered in one line."""
    with ending_by_signals():
        try:
            from footfall.cli import main as run
        except KeyboardInterrupt:
            print(f"footfall: {last_words()}", file=sys.stderr)  # noqa: T201 (the answer)
            sys.exit(exit_status())
        run()


if __name__ == "__main__":
    main()
