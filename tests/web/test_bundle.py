"""The built page in the package: made from the sources that are here, shipped in the wheel, and in need of nobody outside."""

import hashlib
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from web import go_cases

ROOT = Path(__file__).parents[2]
SOURCES, STATIC = ROOT / "web", ROOT / "src" / "playmill" / "web" / "static"
TOP = ("index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts")
NO_PART = re.compile(r"\.(test\.tsx?|cases\.json)$")


def sources_hash():
    """What the build writes into sources.sha256."""
    found = [path for folder in ("public", "src") for path in (SOURCES / folder).rglob("*") if path.is_file()]
    names = [*TOP, *(path.relative_to(SOURCES).as_posix() for path in found if not NO_PART.search(path.name))]
    told = hashlib.sha256()
    for name in sorted(names):
        told.update(f"{name}\n".encode() + (SOURCES / name).read_bytes() + b"\n")
    return told.hexdigest()


def test_the_bundle_is_made_from_these_sources():
    assert (STATIC / "sources.sha256").read_text().strip() == sources_hash(), "the page's sources have changed; run `make web`"


def test_the_page_names_only_files_that_are_there():
    page = (STATIC / "index.html").read_text()
    named = re.findall(r'(?:src|href)="/([^"]+)"', page)
    assert len(named) >= 3
    assert all((STATIC / name).is_file() for name in named)
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\bon[a-z]+=|https?:", page), "the content policy forbids it"


def test_licences_of_what_is_bundled_are_told():
    told = (STATIC / "licenses.md").read_text()
    for package in ("react", "react-dom", "pixi.js"):
        assert f"## {package} - " in told


def test_the_lock_file_names_no_registry():
    assert "resolved" not in (SOURCES / "package-lock.json").read_text()


@pytest.mark.jit
def test_the_pages_rules_are_tested_with_cases_of_our_kernels():
    assert go_cases.PLACE.read_text() == go_cases.text(), "run `python tests/web/go_cases.py`, then `make web`"


@pytest.mark.skipif(not (SOURCES / "node_modules" / ".bin" / "vitest").exists(), reason="`make web` installs what it needs")
def test_the_pages_own_tests_pass():
    done = subprocess.run(["npm", "test"], cwd=SOURCES, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_wheel_has_the_page(tmp_path):
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT, timeout=600)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        shipped = {name.removeprefix("playmill/web/static/") for name in wheel.namelist() if "/web/static/" in name}
    assert shipped == {path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file()}
