"""Networks of a command or a run, opened here or at a server: whoever plays is handed one of these and asks no more."""

from __future__ import annotations

from typing import Any

from playmill.games.game import Game
from playmill.nets.checkpoint import Checkpoint
from playmill.nets.net_evaluator import NetEvaluator
from playmill.serve.endpoint import Wanted
from playmill.serve.link import LinkTally, merged
from playmill.serve.remote import open_remote
from playmill.serve.settings import InferSettings


class RemoteOpener:
    """Opens networks at servers that have the same weights; called as `nets.evaluators.open_evaluator` is."""

    def __init__(self, settings: InferSettings) -> None:
        self.settings = settings
        self._tallies: list[LinkTally] = []

    def __call__(self, source: Checkpoint, backend: str, device: str, /, *, game: Game | None, rows: int) -> NetEvaluator:
        """The servers' own devices and sizes of a pass count, not those that are asked for."""
        return self._open(source, backend)

    def _open(self, checkpoint: Checkpoint, backend: str) -> NetEvaluator:
        found = open_remote(self.settings, Wanted(checkpoint.meta.weights_sha256, backend))
        self._tallies.append(found.tally)
        return found

    def take_facts(self) -> dict[str, Any]:
        """What the networks opened since the last call were asked, and how long answers took."""
        total, self._tallies = merged(self._tallies), []
        return total.facts()

    def close(self) -> None:
        """Nothing is held."""
