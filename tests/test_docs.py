"""README and examples are run, not trusted."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs_running import LANGUAGES, NOT_RUN, PAGES, ROOT, SMALLER, Page, blocks_of, commands_of, unknown_part
from packs.installing import newly_installed
from playmill.games import registry


@pytest.fixture
def folder(tmp_path):
    """A folder for a page; packages that it installs there are gone after it."""
    with newly_installed():
        yield tmp_path
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(str(tmp_path)):
            del sys.modules[name]
    registry._registered.cache_clear()
    registry.address_of.cache_clear()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_all_python_and_all_commands_of_a_page_run(page, folder):
    at_work = Page(page, folder)
    at_work.run()
    if page.parent.name == "tutorials":
        assert at_work.not_said() == [], "shown on the page, but not what came"


def test_every_block_says_what_it_is():
    for page in PAGES:
        for block in blocks_of(page):
            assert block.language in LANGUAGES, f"{block.page}, line {block.line}: expected one of {', '.join(LANGUAGES)}"


def test_what_is_run_smaller_or_not_at_all_is_in_the_docs():
    commands = [
        command for page in PAGES for block in blocks_of(page) if block.language == "console" for command in commands_of(block)
    ]
    for pattern, _, why in SMALLER:
        assert any(re.search(pattern, command) for command in commands), f"{pattern}: {why}"
    for beginning, why in NOT_RUN:
        assert any(command.startswith(beginning) for command in commands), f"{beginning}: {why}"


def test_commands_named_in_a_sentence_exist():
    """A command inside a sentence is not run, but its name and its options are ours."""
    from typer.main import get_command

    from playmill.cli.app import app

    for page in PAGES:
        for words in re.findall(r"`playmill ([^`]+)`", re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)):
            problem = unknown_part(get_command(app), words.split())
            assert problem is None, f"{page.name}: `playmill {words}`: {problem}"


@pytest.mark.parametrize(
    ("script", "words", "part"),
    [
        ("yatzy_report.py", ["--games", "2000"], "perfect play"),
        ("connect_four_mistakes.py", ["--games", "3"], "mistakes"),
        ("cluster_scale.py", ["--workers", "1,64", "--endpoints", "1,2", "--svg", "scale.svg"], "| 2 | 0.06 w | 0.60 g |"),
    ],
)
def test_examples_run(script, words, part, tmp_path):
    command = [sys.executable, ROOT / "examples" / script, *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert part in done.stdout


def test_no_example_is_left_out():
    source = Path(__file__).read_text()
    assert all(script.name in source for script in (ROOT / "examples").glob("*.py"))


def test_links_in_the_docs_lead_somewhere():
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_game_has_a_page_with_the_same_headings():
    from playmill.games.registry import game_names

    for name in game_names():
        page = name.rstrip("0123456789")  # sizes of one game share a page
        headings = re.findall(r"^## (.*)$", (ROOT / "docs" / "games" / f"{page}.md").read_text(), re.MULTILINE)
        for heading in ("Rules", "Actions", "State", "Features", "Chance", "Checked against"):
            assert heading in headings, f"{name}: no '{heading}'"


def test_settings_in_the_docs_are_settings():
    import yaml

    from playmill.core.documents import fit
    from playmill.games.registry import game_names
    from playmill.packs.registry import find_game
    from playmill.pipeline.settings import RunSettings

    for page in (ROOT / "docs").rglob("*.md"):
        for block in re.findall(r"```yaml\n(.*?)```", page.read_text(), re.DOTALL):
            content = yaml.safe_load(block)
            if content["game"] in game_names():
                find_game(content["game"])  # the settings of its pack are known from here on
            assert fit(RunSettings, page.name, content).game


# ------------------------------------------------------------------ the way of a game

ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text()
WAY = ARCHITECTURE[ARCHITECTURE.index("## The way of a game") : ARCHITECTURE.index("## The rooms")]
DRAWING = (ROOT / "docs" / "img" / "way.svg").read_text()
FILE = r"\b[a-z_]+/[a-z_/]+\.py\b"


def test_files_that_the_architecture_names_are_there():
    """By their whole place, so that a reader finds them."""
    for name in re.findall(r"`([\w./]+\.py)`", ARCHITECTURE) + re.findall(FILE, DRAWING):
        assert (ROOT / name).exists() or (ROOT / "src" / "playmill" / name).exists(), name


def test_the_drawing_names_every_stop_of_the_way():
    assert set(re.findall(FILE, DRAWING)) == set(re.findall(FILE, WAY))
    numbers = set(re.findall(r"^(\d+)\. ", WAY, re.MULTILINE))
    assert numbers == set(re.findall(r">(\d+)</text>", DRAWING))
