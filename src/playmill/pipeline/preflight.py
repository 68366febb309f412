"""Whether a run can begin, found out beforehand: each check with what was found and, where it failed, the way out."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from playmill.core.errors import PlaymillError, one_line
from playmill.core.extras import require_extra
from playmill.core.locks import holder_of
from playmill.pipeline.run import kind_of
from playmill.runs.folder import RunFolder
from playmill.runs.kind import RunLike
from playmill.serve.settings import InferSettings

LEAST_FREE, PLENTY_FREE = 256 << 20, 2 << 30  # bytes: without the first a run is not begun, below the second it is told
GIB = 1 << 30
ASK_S = 2.0


@dataclass(frozen=True)
class Check:
    """What one look found. A check that failed has a remedy, and keeps a run from being started."""

    name: str
    ok: bool
    line: str
    remedy: str = ""


class Trouble(PlaymillError):
    """A check that failed."""

    def __init__(self, line: str, remedy: str) -> None:
        super().__init__(line)
        self.remedy = remedy


def preflight(folder: RunFolder, config: Path) -> Iterator[Check]:
    """One check after the other; those that need valid settings come last, and only if there are any."""
    yield _check("packages", _packages)
    settings = None
    try:
        kind = kind_of(config)
        settings = kind.load(config)[0]
        kind.check(config)
        yield Check("settings", True, "valid, and they fit the game and this machine")
    except PlaymillError as error:
        yield Check("settings", False, one_line(error), "change them in the form (e), and save the draft")
    yield _check("folder", lambda: _writable(folder))
    yield _check("nobody at work", lambda: _free(folder))
    yield _check("disk space", lambda: _space(folder.root))
    if settings is not None:
        yield from _of_settings(settings)


def _of_settings(settings: RunLike) -> Iterator[Check]:
    device = str(getattr(settings, "device", "cpu"))
    yield _check("device", lambda: _device(device))
    infer = getattr(settings, "infer", None)
    if isinstance(infer, InferSettings) and not infer.is_local:
        yield _check("server packages", lambda: _server_packages())
        for address in infer.endpoints:
            yield _check(f"server {address}", lambda address=address: _server(address, infer.key))  # type: ignore[misc]


def _check(name: str, look: Callable[[], str]) -> Check:
    """What a look says, or what it raises."""
    try:
        return Check(name, True, look())
    except Trouble as error:
        return Check(name, False, str(error), error.remedy)
    except PlaymillError as error:
        line, _, way_out = str(error).partition("; ")
        return Check(name, False, line, way_out)


def _packages() -> str:
    require_extra("nets", "a run")
    return "PyTorch and ONNX Runtime are installed"


def _server_packages() -> str:
    require_extra("serve", "infer: a server")
    return "installed"


def _writable(folder: RunFolder) -> str:
    there = next(path for path in (folder.root, *folder.root.absolute().parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=there):
            return f"{folder.root} can be written"
    except OSError as error:
        raise Trouble(
            f"{there} can't be written ({error.strerror})", f"allow writing there, or choose another folder than {there}"
        ) from None


def _free(folder: RunFolder) -> str:
    holder = holder_of(folder.lock)
    if holder is not None:
        raise Trouble(f"{holder} works on this run", "wait for it, or stop it")
    return "no other process works on this run"


def _space(root: Path) -> str:
    there = next(path for path in (root, *root.absolute().parents) if path.exists())
    free = shutil.disk_usage(there).free
    words = f"{free / GIB:,.1f} GiB free"
    if free < LEAST_FREE:
        raise Trouble(words, "remove older runs, or choose a folder on another disk")
    return words if free >= PLENTY_FREE else f"{words}, which is little for a long run"


def _device(device: str) -> str:
    if device == "cpu":
        return f"cpu, {os.cpu_count() or 1} cores"
    from playmill.nets.evaluators import check_device

    check_device(device)
    return f"{device} is there"


def _server(address: str, key: str | None) -> str:
    """Reached, of our protocol, and able to take in new networks while it serves."""
    from playmill.serve.control import RELOAD, ask, load_key

    status = ask(address, "status", load_key(key), ASK_S)
    if RELOAD not in status.get("controls", ()):
        raise Trouble("the server can't load networks while it serves", "end it, and start this version's `playmill serve`")
    if status.get("draining"):
        raise Trouble("the server is on its way out", f"start it again: `playmill serve --model best=FILE.pt --bind {address}`")
    return f"answers, with {len(status['models'])} models; it loads new ones while it serves"
