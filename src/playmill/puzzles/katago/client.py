"""Asking the engine: many queries at a time, answers in any order, and a new process for one that crashed or hangs.

Whoever waits for an answer also looks after the engine, so there is no thread that does nothing else. A query that was with a
process when it ended is asked again, a limited number of times.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playmill.core.errors import PlaymillError
from playmill.core.executor import stop_sign
from playmill.puzzles.katago.process import EngineProcess
from playmill.puzzles.katago.query import Query
from playmill.puzzles.katago.settings import KataGoSettings
from playmill.puzzles.katago.starting import Start

POLL_S = 0.1  # how often a waiting caller looks after the engine
HELLO = "hello"
FOREVER = float("inf")
Reply = dict[str, Any]


class EngineRefused(PlaymillError):
    """The engine says that a query is none, such as one with a move that the rules forbid."""


class EngineFailed(PlaymillError):
    """The engine can't be started, or ends or hangs again and again."""


@dataclass(eq=False)
class Flight:
    """A query that the engine has."""

    number: int
    query: Query
    allowed_s: float
    sent: float
    again: int = 0
    reply: Reply | None = None

    @property
    def name(self) -> str:
        return f"query {self.number}" + (f" ({self.query.label})" if self.query.label else "")

    def line(self) -> bytes:
        fields = {"id": str(self.number), "priority": self.query.priority, **self.query.fields()}
        return json.dumps(fields).encode() + b"\n"


@dataclass
class KataGo:
    """An engine that can be asked from several threads; it is started by the first query. `close` ends it."""

    start: Start
    settings: KataGoSettings
    log: Path
    version: str | None = None  # known when it has answered
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _flights: dict[str, Flight] = field(default_factory=dict)
    _process: EngineProcess | None = None
    _count: int = 0
    _began: float = 0.0
    _ready: float = FOREVER
    _failure: str | None = None

    def ask(self, query: Query) -> Reply:
        """The engine's answer to one query."""
        [(_, reply)] = self.ask_all([query])
        return reply

    def ask_all(self, queries: Iterable[Query]) -> Iterator[tuple[int, Reply]]:
        """The number and the answer of each query as they come; no more are out at a time than the settings allow."""
        with closing(_Batch(self)) as batch:
            for number, query in enumerate(queries):
                while not self._send(batch, number, query):
                    yield from batch.collect()
            while batch.flights:
                yield from batch.collect()

    def wait_ready(self) -> None:
        """Start the engine if it isn't running, and return when it has answered for the first time."""
        with self._changed:
            self._open()
            while self._ready == FOREVER:
                self._wait()

    def close(self) -> None:
        """End the engine, for good."""
        with self._changed:
            process, self._process = self._process, None
            self._failure = self._failure or "katago: the engine was closed"
        if process is not None:
            process.close()

    def __enter__(self) -> KataGo:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------------ sending, with the lock

    def _send(self, batch: _Batch, number: int, query: Query) -> bool:
        """Hand the query to the engine if it may have one more; else return False, waiting for others' if there are no own."""
        with self._changed:
            process = self._open()
            if len(self._flights) >= self.settings.in_flight:
                if not batch.flights:
                    self._wait()
                return False
            self._count += 1
            visits = query.visits + sum(flight.query.visits for flight in self._flights.values())
            allowed_s = self.settings.timeout_s + self.settings.visit_s * visits
            flight = Flight(self._count, query, allowed_s, time.monotonic())
            self._flights[str(flight.number)] = batch.flights[number] = flight
            process.write(flight.line())
            return True

    def _open(self) -> EngineProcess:
        """The engine's process, started now if there is none."""
        if self._failure is not None:
            raise EngineFailed(self._failure)
        if self._process is None:
            self._began, self._ready = time.monotonic(), FOREVER
            self._process = EngineProcess(self.start.command, self.start.environment, self.log, self._hear, self._hear_end)
            self._process.write(json.dumps({"id": HELLO, "action": "query_version"}).encode() + b"\n")
        return self._process

    def forget(self, flights: Iterable[Flight]) -> None:
        """Tell the engine that nobody waits for these any more."""
        with self._changed:
            for flight in flights:
                if self._flights.pop(str(flight.number), None) is not None and flight.reply is None and self._process:
                    order = {"id": f"end {flight.number}", "action": "terminate", "terminateId": str(flight.number)}
                    self._process.write(json.dumps(order).encode() + b"\n")
            self._changed.notify_all()

    # ------------------------------------------------------------------ hearing, in the process's thread

    def _hear(self, process: EngineProcess, line: bytes) -> None:
        try:
            reply = json.loads(line)
        except ValueError:
            return  # not the protocol's; an engine may greet
        if not isinstance(reply, dict) or "warning" in reply or reply.get("isDuringSearch") is True:
            return
        with self._changed:
            if process is not self._process:
                return
            if reply.get("id") == HELLO:
                self._ready, self.version = time.monotonic(), str(reply.get("version", "unknown"))
            flight = self._flights.pop(str(reply.get("id")), None)
            if flight is not None:
                flight.reply = reply
            self._changed.notify_all()

    def _hear_end(self, process: EngineProcess) -> None:
        with self._changed:
            self._changed.notify_all()

    # ------------------------------------------------------------------ waiting and looking after it, with the lock

    def _wait(self) -> None:
        """Wait a moment for news. An engine that ended or hangs is started again, or given up."""
        stop_sign().check()
        self._changed.wait(POLL_S)
        if self._failure is not None:
            raise EngineFailed(self._failure)
        process, now = self._open(), time.monotonic()
        if self._ready == FOREVER:
            if process.has_ended:
                self._give_up(f"the engine did not start: {process.last_words()}")
            if now - self._began > self.settings.startup_s:
                self._give_up(f"the engine did not answer within {self.settings.startup_s:g} s of its start")
        elif process.has_ended:
            self._restart(f"the engine crashed ({process.last_words()}) at {self._oldest()}")
        else:
            late = [one for one in self._flights.values() if now - max(one.sent, self._ready) > one.allowed_s]
            if late:
                self._restart(f"no answer in {late[0].allowed_s:g} s for {late[0].name}")

    def _oldest(self) -> str:
        return next((flight.name for flight in self._flights.values()), "no query")

    def _restart(self, why: str) -> None:
        """Ask what is out again in a new process, unless that has been done too often."""
        if any(flight.again >= self.settings.restarts for flight in self._flights.values()):
            tries = self.settings.restarts + 1
            self._give_up(why + (f", asked {tries} times" if tries > 1 else ""))
        assert self._process is not None
        self._process.kill()
        self._process = None
        process = self._open()
        for flight in self._flights.values():
            flight.again += 1
            flight.sent = time.monotonic()
            process.write(flight.line())

    def _give_up(self, why: str) -> None:
        if self._process is not None:
            self._process.kill()
            self._process = None
        self._failure = f"katago: {why}; see {self.log}"
        self._changed.notify_all()
        raise EngineFailed(self._failure)


@dataclass
class _Batch:
    """The queries that one caller has out, by its own numbers."""

    engine: KataGo
    flights: dict[int, Flight] = field(default_factory=dict)

    def collect(self) -> Iterator[tuple[int, Reply]]:
        """What has been answered; waits until there is something, if anything is out."""
        with self.engine._changed:
            while self.flights and not any(flight.reply for flight in self.flights.values()):
                self.engine._wait()
            done = {number: flight for number, flight in self.flights.items() if flight.reply is not None}
        for number, flight in done.items():
            del self.flights[number]
            yield number, _checked(flight)

    def close(self) -> None:
        self.engine.forget(self.flights.values())
        self.flights.clear()


def _checked(flight: Flight) -> Reply:
    reply = flight.reply or {}
    if "error" in reply:
        raise EngineRefused(f"katago: {flight.name} was refused: {reply['error']} ({reply.get('field', 'no field named')})")
    return reply
