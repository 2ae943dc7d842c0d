"""What the site has besides docs/: pages from the root of the project, references, and freshly drawn pictures."""

from __future__ import annotations

import logging
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "src")]

import pictures  # noqa: E402
import references  # noqa: E402

ROOT_PAGES = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "benchmarks/README.md": "benchmarks.md",
}
"""Pages of the project that are not in docs/, and their names in the site."""

ROW, CODE = re.compile(r"^\|.*$", re.MULTILINE), re.compile(r"`[^`]*`")

LINK = re.compile(r"(\]\()(?!\w+:|#)([^)#\s]*)")


def on_config(config: MkDocsConfig) -> None:
    """Pages that the navigation does not name are put under How-to."""
    generated = {*ROOT_PAGES.values(), "api.md", "commands.md"}
    omitted = {file.name for file in Path(config.docs_dir).glob("*.md")} - _named(config.nav) - generated
    how_to = next(entry["How-to"] for entry in config.nav or [] if "How-to" in entry)
    how_to += sorted(omitted)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for source, target in ROOT_PAGES.items():
        _add(files, config, target, (ROOT / source).read_text(encoding="utf-8"))
    _add(files, config, "api.md", references.python())
    _add(files, config, "commands.md", references.command_line())
    with tempfile.TemporaryDirectory() as place:
        logging.getLogger("mkdocs.asset").info("drawing the pictures")
        pictures.draw(Path(place))
        for picture in Path(place).glob("*.svg"):
            _add(files, config, f"pictures/{picture.name}", picture.read_bytes())
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, **_: Any) -> str:
    """Links are those of the repository; in the site, they lead to the page that a file has become, or to the file."""
    sources = {target: source for source, target in ROOT_PAGES.items()}
    source = sources.get(page.file.src_uri, f"docs/{page.file.src_uri}")

    def there(link: re.Match[str]) -> str:
        path = os.path.normpath(os.path.join(os.path.dirname(source), link[2]))
        if path in ROOT_PAGES:
            return link[1] + ROOT_PAGES[path]
        if path.startswith("docs/"):
            return link[1] + path.removeprefix("docs/")
        if not (ROOT / path).exists():
            return link[0]  # it leads nowhere, and the build says so
        kind = "tree" if (ROOT / path).is_dir() else "blob"
        return f"{link[1]}{config.repo_url.rstrip('/')}/{kind}/main/{path}"

    return LINK.sub(there, ROW.sub(_with_plain_bars, markdown))


def _with_plain_bars(row: re.Match[str]) -> str:
    """In the code of a table, GitHub wants a bar with a backslash before it, which would be shown here."""
    return CODE.sub(lambda code: code[0].replace(r"\|", "|"), row[0])


def _add(files: Files, config: MkDocsConfig, name: str, content: str | bytes) -> None:
    if existing := files.get_file_from_path(name):
        files.remove(existing)
    files.append(File.generated(config, name, content=content))


def _named(nav: Any) -> set[str]:
    """The pages that are named anywhere in a navigation."""
    if isinstance(nav, str):
        return {nav}
    parts = nav.values() if isinstance(nav, dict) else nav
    return set().union(*map(_named, parts))
