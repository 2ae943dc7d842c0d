"""`python -m asset` is `asset`."""

import sys


def main() -> int:
    """Does what the command line asks; the exit status. While the tool itself is being loaded, nothing was checked: if
    that is interrupted, or finds no memory, the answer is undecided."""
    try:
        from asset.cli.main import main as run

        return run()
    except KeyboardInterrupt:
        return _undecided("interrupted before there was anything to report")
    except MemoryError:
        return _undecided("out of memory before there was anything to report")


def _undecided(why: str) -> int:
    if sys.stderr is not None:
        try:
            print(f"asset: {why}", file=sys.stderr, flush=True)
        except OSError:
            sys.stderr = None
    return 3


if __name__ == "__main__":
    sys.exit(main())
