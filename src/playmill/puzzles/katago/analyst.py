"""The engine with its kept answers: what the rest of the factory asks."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from playmill.puzzles.katago.analysis import Analysis, parse_analysis
from playmill.puzzles.katago.cache import AnalysisCache
from playmill.puzzles.katago.client import KataGo
from playmill.puzzles.katago.place import EnginePlace, Identity, find_engine, home, identify
from playmill.puzzles.katago.query import Query
from playmill.puzzles.katago.settings import KataGoSettings
from playmill.puzzles.katago.starting import start_of

LOG = "katago.log"
MOST_LOG = 16 << 20  # bytes; a larger log is begun anew


class Analyst:
    """Answers queries, from the disk where they were answered before. The engine starts at the first that wasn't."""

    def __init__(self, settings: KataGoSettings) -> None:
        self.settings = settings
        self.place: EnginePlace = find_engine(settings)
        self.identity: Identity = identify(self.place)
        self.cache = AnalysisCache(home() / "analyses", self.identity, settings.cache_mib)
        self.engine = KataGo(start_of(self.place), settings, _log())
        self.asked = self.found = self.visits = 0  # answers of the engine and of the disk, and visits paid for

    @property
    def network(self) -> str:
        """The network's name, which is its file's."""
        return self.place.network.name

    def analyse(self, query: Query) -> Analysis:
        """The answer to one query."""
        return self.analyse_all([query])[0]

    def analyse_all(self, queries: Sequence[Query]) -> list[Analysis]:
        """The answers in the order of the queries; equal queries are asked once."""
        found = {query: kept for query in dict.fromkeys(queries) if (kept := self._kept(query)) is not None}
        self.found += len(found)
        missing = [query for query in dict.fromkeys(queries) if query not in found]
        for query, analysis in self._ask(missing):
            found[query] = analysis
        return [found[query] for query in queries]

    def close(self) -> None:
        """End the engine if it was started."""
        self.engine.close()

    def _kept(self, query: Query) -> Analysis | None:
        reply = self.cache.read(query)
        return None if reply is None else parse_analysis(reply, query.size)

    def _ask(self, queries: list[Query]) -> Iterator[tuple[Query, Analysis]]:
        if not queries:
            return
        for number, reply in self.engine.ask_all(queries):
            query = queries[number]
            analysis = parse_analysis(reply, query.size)
            self.cache.write(query, reply)
            self.asked += 1
            self.visits += analysis.visits
            yield query, analysis


def _log() -> Path:
    """The file for what the engine says besides its answers; a large one is begun anew."""
    log = home() / LOG
    if log.exists() and log.stat().st_size > MOST_LOG:
        log.unlink()
    return log


_shared: dict[KataGoSettings, Analyst] = {}
_lock = threading.Lock()


def shared_analyst(settings: KataGoSettings) -> Analyst:
    """The one analyst of this process for these settings: tasks on all threads ask the same engine."""
    with _lock:
        if settings not in _shared:
            _shared[settings] = Analyst(settings)
        return _shared[settings]


def close_shared(which: Iterable[KataGoSettings] | None = None) -> None:
    """End the engines that tasks shared."""
    with _lock:
        for settings in list(_shared if which is None else which):
            analyst = _shared.pop(settings, None)
            if analyst is not None:
                analyst.close()
