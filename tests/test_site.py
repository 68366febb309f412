"""The docs as a site: built strictly, whole, and read without a network."""

import json
import re
import subprocess
import sys

import pytest

from docs_running import ROOT
from waiting import wait_for
from web.browsing import CHROMIUM, DRIVER, Reader, chromium

# Whatever a browser fetches by itself; a link that somebody has to click is none of it.
FETCHED = re.compile(r"<(?:script|link|img|iframe|source|video|audio|object|embed|use|image)\b[^>]*>")
ADDRESS = re.compile(r"""(?:src|srcset|href|data)=["']?\s*((?:https?:)?//[^"'\s>]*)""")
FROM_STYLE = re.compile(r"""(?:url\(|@import)\s*["']?\s*((?:https?:)?//[^"')\s]*)""")

OFFLINE = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built as `make docs` builds it; with `--quiet` MkDocs would count no warnings, and let everything pass."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def pages_of(site):
    return {path: path.read_text() for path in site.rglob("*.html")}


def outside_addresses(text):
    """What a page or a style sheet fetches from somewhere else."""
    tags = " ".join(FETCHED.findall(text))
    return ADDRESS.findall(tags) + FROM_STYLE.findall(text)


def test_every_page_of_the_docs_is_in_the_navigation(site):
    start = (site / "index.html").read_text()
    linked = set(re.findall(r'<a href="([^"#]+\.html)" class="md-(?:nav|tabs)__link', start))
    pages = {path.relative_to(ROOT / "docs").with_suffix(".html").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert "tutorials/first_run.html" in pages
    assert pages - linked == set()


def test_pages_and_styles_fetch_nothing_from_elsewhere(site):
    texts = pages_of(site) | {path: path.read_text() for path in site.rglob("*.css")}
    assert {str(path): found for path, text in texts.items() if (found := outside_addresses(text))} == {}


@pytest.mark.parametrize(
    "text",
    [
        '<script src="https://unpkg.com/iframe-worker/shim"></script>',
        '<link rel="stylesheet" href="//fonts.example/css">',
        "<img alt='' src='http://a.example/b.png'>",
        "<style>@font-face{src:url(https://a.example/f.woff2)}</style>",
    ],
)
def test_what_would_be_fetched_is_found(text):
    assert outside_addresses(text)


def test_links_and_pictures_of_pages_are_there(site):
    for page, text in pages_of(site).items():
        if page.name == "404.html":
            continue  # seen from anywhere, so its links begin at the root
        for target in re.findall(r'(?:href|src)="([^"#?:]+)', text):
            assert (page.parent / target).exists(), f"{page.relative_to(site)}: {target}"


def test_readme_is_the_start_page(site):
    start = (site / "index.html").read_text()
    assert "playmill turns play into data, players and puzzles" in start
    assert 'src="img/run.png"' in start
    assert 'href="changelog.html"' in start


def test_files_without_a_page_are_named_without_a_link(site):
    text = (site / "performance.html").read_text()
    assert "<code>benchmarks/results/2026-11-18-h200.json</code>" in text


def test_the_search_index_is_there_for_servers_and_for_the_disk(site):
    index = json.loads((site / "search" / "search_index.json").read_text())
    places = {entry["location"].split("#")[0] for entry in index["docs"]}
    assert {"tutorials/first_run.html", "tutorials/diplomacy_engine.html", "howto/cluster.html"} <= places
    assert (site / "search" / "search_index.js").read_text().startswith("var __index = ")


@pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed")
def test_a_page_opened_from_the_disk_is_searched_without_a_network(site, tmp_path):
    with chromium(tmp_path) as driver:
        reader = Reader(driver, (site / "howto" / "cluster.html").as_uri())
        reader.resize(1360, 860)
        driver.execute_cdp_cmd("Network.enable", {})
        driver.execute_cdp_cmd("Network.emulateNetworkConditions", OFFLINE)
        driver.get(reader.address)
        reader.find("input.md-search__input").send_keys("regret matching")
        wait_for(lambda: reader.all("a.md-search-result__link"))
        found = [link.get_attribute("href") for link in reader.all("a.md-search-result__link")]
        assert any(address.startswith((site / "games" / "diplomacy_search.html").as_uri()) for address in found)
        assert reader.complaints() == []  # whatever could not be fetched would be among them
