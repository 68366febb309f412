"""Packages with games and packs, installed for one test, and packs forgotten after it."""

import shutil
import sys
from contextlib import contextmanager
from pathlib import Path

from docs_running import install
from playmill.games import registry as games
from playmill.games.heads import HEADS, VALUE_HEADS
from playmill.games.trackers import TRACKERS
from playmill.nets.kinds import NET_KINDS
from playmill.packs import entering, registry
from playmill.search.kinds import SEARCHES

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
TABLES = (HEADS, VALUE_HEADS, TRACKERS, NET_KINDS, SEARCHES)


@contextmanager
def newly_installed():
    """Whatever is put on the path inside is gone afterwards, and so are the rows that its packs have entered."""
    rows, path, entered = [dict(table) for table in TABLES], list(sys.path), list(entering._entered)
    _forget()
    try:
        yield
    finally:
        added = tuple(place for place in sys.path if place not in path)
        sys.path[:], entering._entered[:] = path, entered
        for table, kept in zip(TABLES, rows, strict=True):
            table.clear()
            table.update(kept)
        for name, module in list(sys.modules.items()):
            if added and (getattr(module, "__file__", None) or "").startswith(added):
                del sys.modules[name]
        _forget()


def install_example(name, folder):
    """Install one of our examples, as `pip install -e` would, from a copy."""
    shutil.copytree(EXAMPLES / name, folder / name)
    install(folder / name)


def _forget():
    registry.find_pack.cache_clear()
    games._registered.cache_clear()
