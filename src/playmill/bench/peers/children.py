"""The peers' processes: found, started when first asked for, kept until the run ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from playmill.bench.measure import Round
from playmill.core.errors import PlaymillError

VARIABLE = "PLAYMILL_PEERS_PYTHON"
ENVIRONMENT = Path(".venv-peers")
WAIT_S = 120.0  # beyond the time asked for: JAX loads and compiles before its first answer


@dataclass(frozen=True)
class Kind:
    """How a peer is run: its script with some arguments, and the package that must be there."""

    package: str
    script: str
    args: tuple[str, ...] = ()


KINDS = {
    "open_spiel": Kind("pyspiel", "open_spiel_playouts.py", ("connect_four", "games")),
    "open_spiel_chess": Kind("pyspiel", "open_spiel_playouts.py", ("chess", "plies")),
    "open_spiel_go9": Kind("pyspiel", "open_spiel_playouts.py", ("go(board_size=9)", "plies")),
    "pgx": Kind("pgx", "pgx_playouts.py", ("until_over",)),
    "pgx_auto_reset": Kind("pgx", "pgx_playouts.py", ("auto_reset",)),
    "open_spiel_mcts": Kind("pyspiel", "open_spiel_search.py"),
    "mctx": Kind("mctx", "mctx_search.py", ("connect_four", "1")),
    "mctx_all_cores": Kind("mctx", "mctx_search.py", ("connect_four", "all")),
    "diplomacy_adjudicate": Kind("diplomacy", "diplomacy_package.py", ("adjudicate",)),
    "diplomacy_orders": Kind("diplomacy", "diplomacy_package.py", ("orders",)),
    "diplomacy_games": Kind("diplomacy", "diplomacy_package.py", ("games",)),
    "mctx_backgammon": Kind("mctx", "mctx_search.py", ("backgammon", "1")),
}


class PeerFailed(PlaymillError):
    """A peer that can't be measured."""


class Peer:
    """One running peer, a side to be measured: calling it lets it play for some seconds."""

    def __init__(self, name: str, command: list[str]) -> None:
        self.name = name
        self.about: dict[str, Any] = {}
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the child lives
        try:
            self._child = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True
            )
        except OSError as error:
            raise PeerFailed(f"{name}: {command[0]} can't be run: {error.strerror}") from error

    def __call__(self, seconds: float) -> Round:
        answer = self._ask(f"run {seconds}", seconds + WAIT_S)
        self.about = {key: value for key, value in answer.items() if key not in ("count", "seconds")}
        return Round(answer["count"], answer["seconds"])

    def _ask(self, request: str, limit_s: float) -> dict[str, Any]:
        """The answer to one request; a peer that is silent for too long is ended, and counts as failed."""
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        guard = threading.Timer(limit_s, self._child.kill)
        guard.start()
        try:
            print(request, file=self._child.stdin, flush=True)
            answer: dict[str, Any] = json.loads(self._child.stdout.readline())
            return answer
        except (OSError, ValueError) as error:
            raise PeerFailed(f"{self.name}: {self._last_words()}") from error
        finally:
            guard.cancel()

    def _last_words(self) -> str:
        """Why it ended: the last line on its stderr."""
        self._child.kill()
        self._child.wait()
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else "it gave no answer"

    def close(self) -> None:
        self._child.kill()
        self._child.communicate()
        self._errors.close()


class Peers:
    """The peers of one run. Those that can't be had are noted in `missing`, with the reason."""

    def __init__(self, wanted: bool = True) -> None:
        self._wanted = wanted
        self._started: dict[str, Peer] = {}
        self.missing: dict[str, str] = {}

    def start(self, names: Iterable[str]) -> dict[str, Peer]:
        """Those of the named peers that answer; none if peers are not wanted."""
        names = list(names) if self._wanted else []
        for name in names:
            if name not in self._started and name not in self.missing:
                self._try(name)
        return {name: self._started[name] for name in names if name not in self.missing}

    def _try(self, name: str) -> None:
        try:
            self._started[name] = Peer(name, _command(name))
            self._started[name](0.0)
        except PeerFailed as error:
            self.missing[name] = str(error)

    def explain(self) -> str | None:
        """One line about the missing peers and the way to get them; None if none is missing."""
        if not self.missing:
            return None
        way = f"install them with `make bench-peers`, or point {VARIABLE} at a Python that has them"
        return f"peers not measured ({'; '.join(self.missing.values())}): {way}"

    def __enter__(self) -> Peers:
        return self

    def __exit__(self, *_: object) -> None:
        for peer in self._started.values():
            peer.close()


def _command(name: str) -> list[str]:
    kind = KINDS[name]
    return [_interpreter(name, kind.package), str(Path(__file__).with_name(kind.script)), *kind.args]


def _interpreter(name: str, package: str) -> str:
    """The Python that should have the package: a chosen one, that of the peers' environment here, or this one."""
    own = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if chosen := os.environ.get(VARIABLE):
        return chosen
    if own.exists():
        return str(own)
    if find_spec(package):
        return sys.executable
    raise PeerFailed(f"{name}: not installed")
