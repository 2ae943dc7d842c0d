"""`python -m asset.cli.each_file [OPTION…] FILE…`: `asset check` for each file, as hooks of version control want it."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from asset.cli.main import main
from asset.languages import ENDINGS


def run(words: Sequence[str]) -> int:
    """Checks each file at the end of the words, with the words before them; the worst exit status."""
    first = next((at for at in range(len(words) + 1) if all(map(_is_model_file, words[at:]))), len(words))
    options, files = words[:first], words[first:]
    return max((main(["check", file, *options, "--quiet"]) for file in files), default=0)


def _is_model_file(word: str) -> bool:
    return "=" not in word and word.endswith(ENDINGS)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
