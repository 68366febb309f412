"""A page as a picture, by a browser without a window."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from playmill.bench.inventory import APT, BROWSERS
from playmill.core.errors import PlaymillError, UsageError
from playmill.core.files import copy_file, temporary_folder

WIDTH, LEAST = 1200, 400  # pixels
PATIENCE_S = 120
MEASURE = "<script>document.documentElement.dataset.height = document.documentElement.scrollHeight</script>"


def find_browser() -> str:
    """A browser that can draw a page, or a line about how to get one."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        names = ", ".join(BROWSERS)
        raise UsageError(
            f"--png: needs a browser ({names}) to draw the page, and none is found; `{APT} chromium fonts-dejavu-core`"
        )
    return found


def draw_page(page: str, out: Path, browser: str) -> None:
    """Write the whole page as a PNG; all of it or nothing."""
    with temporary_folder("playmill-png-") as folder:
        source, picture = folder / "page.html", folder / "page.png"
        source.write_text(page.replace("</body>", f"{MEASURE}</body>"), encoding="utf-8")
        told = _run(browser, folder, source, f"--window-size={WIDTH},{LEAST}", "--dump-dom")
        found = re.search(r'data-height="(\d+)"', told)
        height = int(found[1]) if found else LEAST
        _run(browser, folder, source, f"--window-size={WIDTH},{height}", f"--screenshot={picture}")
        if not picture.exists():
            raise PlaymillError(f"--png: {browser} drew nothing; open the page itself instead")
        copy_file(picture, out)


def _run(browser: str, folder: Path, source: Path, *switches: str) -> str:
    usual = ["--headless", "--disable-gpu", "--hide-scrollbars", "--no-first-run", f"--user-data-dir={folder / 'profile'}"]
    usual += ["--no-sandbox"] if os.geteuid() == 0 else []  # browsers refuse their sandbox to root
    command = [browser, *usual, *switches, source.as_uri()]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=PATIENCE_S, check=False)
    except subprocess.TimeoutExpired:
        raise PlaymillError(f"--png: {browser} did not answer in {PATIENCE_S} s; open the page itself instead") from None
    return done.stdout
