"""`python -m asset` is `asset`."""

import sys

from asset.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
