"""`asset`, and `python -m asset`: from its first moment to its last, Ctrl-C and SIGTERM end it in order."""

import sys

from asset import interruption

UNDECIDED = 3


def command() -> int:
    """Runs the command line; the exit status."""
    with interruption.heeded():
        try:
            from asset.cli.main import main

            return main()
        except KeyboardInterrupt:
            print("asset: interrupted before there was anything to report", file=sys.stderr)
            return UNDECIDED
        finally:
            interruption.ignored()


if __name__ == "__main__":
    sys.exit(command())
