"""What the site makes of pages that also stand in the repository: README as its start, links out of docs/ without a page.

MkDocs calls these functions (`hooks` in mkdocs.yml).
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
# Pages of the site whose text stands outside of docs/: where it stands, seen from the repository's root.
OUTSIDE = {"index.md": "README.md", "changelog.md": "CHANGELOG.md"}
FENCE = re.compile(r"(^ *```.*?^ *```$)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for page, source in OUTSIDE.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text()))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """The page with links as the site has them; what looks like one in a fenced block is left alone.

    Pages call commands `console`, which Pygments would print in grey, as output: our commands have no prompt before them.
    """
    address = page.file.src_uri
    parts = FENCE.split(markdown)  # text, block, text, ...
    parts[::2] = [LINK.sub(lambda link: _link_on_site(link, address, files), text) for text in parts[::2]]
    parts[1::2] = [block.replace("```console", "```sh", 1) for block in parts[1::2]]
    return "".join(parts)


def _link_on_site(link: re.Match[str], address: str, files: Files) -> str:
    """The same link, from page to page of the site; or its words alone, where there is a file but no page of it."""
    image, words, target, anchor = link[1], link[2], link[3], link[4] or ""
    if ":" in target:
        return link[0]
    source = OUTSIDE.get(address, f"docs/{address}")
    place = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
    pages = {outside: page for page, outside in OUTSIDE.items()}
    on_site = pages.get(place, place.removeprefix("docs/"))
    if files.get_file_from_path(on_site) is not None:
        return f"{image}[{words}]({posixpath.relpath(on_site, posixpath.dirname(address) or '.')}{anchor})"
    # What is nowhere is left as it is: the strict build names it.
    if not (ROOT / place).exists():
        return link[0]
    return words if place in words else f"{words} (`{place}`)"
