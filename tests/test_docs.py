"""README and examples are run, not trusted."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def python_blocks():
    """Every Python block of the docs, as a test of its own."""
    blocks, pages = [], [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for page in pages:
        for number, block in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)):
            blocks.append(pytest.param(block, id=f"{page.relative_to(ROOT)}-{number}"))
    return blocks


@pytest.mark.parametrize("block", python_blocks())
def test_python_in_the_docs_runs(block):
    done = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


def test_commands_in_the_readme_run(tmp_path):
    block = next(b for b in re.findall(r"```\n(.*?)```", README, re.DOTALL) if "playmill games" in b)
    for line in block.splitlines():
        command = line.partition("#")[0].strip()
        # A million games take their time, and so does half an hour of training; bench has its own tests, and check-game
        # needs the new package installed first, which is not for a test to do.
        command = command.replace("1000000", "1000").replace("--games 10 ", "--games 1 --iterations 10 ")
        command = command.replace("configs/yatzy_cpu", f"{ROOT}/configs/yatzy_smoke")
        if command.startswith(("playmill bench", "playmill check-game", "pip install")):
            continue
        words = [sys.executable, "-m", "playmill.cli.main", *shlex.split(command)[1:]]
        done = subprocess.run(words, capture_output=True, text=True, timeout=300, cwd=tmp_path)
        assert done.returncode == 0, (command, done.stderr)


@pytest.mark.parametrize(
    ("script", "words", "part"),
    [("yatzy_report.py", ["--games", "2000"], "perfect play"), ("connect_four_mistakes.py", ["--games", "3"], "mistakes")],
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
        headings = re.findall(r"^## (.*)$", (ROOT / "docs" / "games" / f"{name}.md").read_text(), re.MULTILINE)
        for heading in ("Rules", "Actions", "State", "Features", "Chance", "Checked against"):
            assert heading in headings, f"{name}: no '{heading}'"


def test_settings_in_the_docs_are_settings():
    import yaml

    from playmill.core.documents import fit
    from playmill.pipeline.settings import RunSettings

    for page in (ROOT / "docs").rglob("*.md"):
        for block in re.findall(r"```yaml\n(.*?)```", page.read_text(), re.DOTALL):
            assert fit(RunSettings, page.name, yaml.safe_load(block)).game
