"""`asset`, and `python -m asset`: from its first moment to its last, Ctrl-C and SIGTERM end it in order."""

import gc
import sys

from asset import interruption

UNDECIDED = 3

NEW_OBJECTS = 100_000
"""Python looks for garbage after so many (700, if it is not told). A run makes trees of objects that last; looking
through them again and again took up to a tenth of its time."""


def command() -> int:
    """Runs the command line; the exit status. While the tool itself is being loaded, nothing was checked: if that is
    interrupted, or finds no memory, the answer is undecided."""
    gc.set_threshold(NEW_OBJECTS)
    with interruption.heeded():
        try:
            from asset.cli.main import main

            return main()
        except KeyboardInterrupt:
            return _undecided("interrupted before there was anything to report")
        except MemoryError:
            return _undecided("out of memory before there was anything to report")
        finally:
            interruption.ignored()
            gc.freeze()  # before it ends, Python would look through all objects once more


def _undecided(why: str) -> int:
    if sys.stderr is not None:
        try:
            print(f"asset: {why}", file=sys.stderr, flush=True)
        except OSError:
            sys.stderr = None
    return UNDECIDED


if __name__ == "__main__":
    sys.exit(command())
