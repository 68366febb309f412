"""Networks of a command or a run, opened here or at a server: whoever plays is handed one of these and asks no more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playmill.games.game import Game
from playmill.nets.checkpoint import AnyNet
from playmill.nets.net_evaluator import NetEvaluator
from playmill.serve.endpoint import Wanted
from playmill.serve.link import LinkTally, merged
from playmill.serve.reloading import OnReload
from playmill.serve.remote import open_remote
from playmill.serve.settings import InferSettings


class RemoteOpener:
    """Opens networks at servers that have the same weights; with the signature of `nets.evaluators.open_evaluator`.

    Whoever sets `on_reload` hears each time that a server was asked to take in a network, and what came of it.
    """

    def __init__(self, settings: InferSettings) -> None:
        self.settings = settings
        self.on_reload: OnReload | None = None
        self._tallies: list[LinkTally] = []
        self._past = LinkTally()  # what `take_facts` has told of

    def __call__(
        self, source: AnyNet, backend: str, device: str = "cpu", /, *, game: Game | None = None, rows: int = 0
    ) -> NetEvaluator:
        """The servers' own devices and sizes of a pass count, not those that are asked for."""
        return self._open(source, backend)

    def _open(self, checkpoint: AnyNet, backend: str) -> NetEvaluator:
        wanted = Wanted(checkpoint.meta.weights_sha256, backend, game=checkpoint.meta.game)
        found = open_remote(self.settings, wanted, on_reload=self.on_reload)
        self._tallies.append(found.tally)
        return found

    def take_facts(self) -> dict[str, Any]:
        """What the networks opened since the last call were asked, and how long answers took."""
        total = merged(self._tallies)
        self._past, self._tallies = merged([self._past, *self._tallies]), []
        return total.facts()

    def total(self) -> LinkTally:
        """What all networks were asked so far."""
        return merged([self._past, *self._tallies])

    def hear_restarts(self, on_restart: Callable[[int, int], None]) -> None:
        """Servers of others are started again by others."""

    def close(self) -> None:
        """Nothing is held."""
