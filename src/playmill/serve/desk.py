"""The control face of a server: its status, reloads, and the end. Files are read in a thread of their own."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import zmq

from playmill import __version__
from playmill.core.errors import PlaymillError, one_line
from playmill.serve.control import RELOAD, STATUS
from playmill.serve.models import Generation, ModelSource, ModelTable, ServedModel
from playmill.serve.protocol import (
    PROTOCOL_VERSION,
    Frames,
    Header,
    MessageKind,
    ProtocolError,
    Reason,
    decode_json,
    encode_json,
    refusal,
)
from playmill.serve.queues import ClientId
from playmill.serve.settings import ServeSettings
from playmill.serve.tally import ServerTally
from playmill.serve.workers import Bell

LOAD, DRAIN = "load", "drain"
CONTROLS = (STATUS, RELOAD, DRAIN)


@dataclass(frozen=True)
class Reload:
    """An order for the thread that reads files: these names again, or new sources."""

    client: ClientId
    request: int
    names: list[str] | None = None
    sources: tuple[ModelSource, ...] = ()


@dataclass(frozen=True)
class Loaded:
    """What came of it: generations to be swapped in, or an error."""

    client: ClientId
    request: int
    found: list[tuple[ServedModel, Generation]] = field(default_factory=list)
    error: str | None = None


class ControlDesk:
    """Answers control messages. Only the server that a run started for itself reads files that a client names."""

    def __init__(
        self,
        table: ModelTable,
        settings: ServeSettings,
        tally: ServerTally,
        context: zmq.Context[Any],
        done: SimpleQueue[Any],
        is_managed: bool,
    ) -> None:
        self.table, self.settings, self.tally, self.is_managed = table, settings, tally, is_managed
        self.is_draining = False
        self._began = time.monotonic()
        self._context, self._done = context, done
        self._orders: SimpleQueue[Reload | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._read_files, daemon=True, name="playmill-serve-loader")
        self._thread.start()
        for model in table.models:
            self.tally.model(model.source.name).generation = model.card.generation

    def answer(self, client: ClientId, header: Header, payload: Frames) -> list[Any] | None:
        """The answer to a control message; None if it comes later."""
        content = decode_json(payload, header.request)
        word = content.get("ask")
        if word == STATUS:
            return encode_json(Header(MessageKind.TOLD, request=header.request), self.status())
        if word == DRAIN:
            self.is_draining = True
            return encode_json(Header(MessageKind.TOLD, request=header.request), self.status())
        if word == RELOAD and _is_names(content.get("models")):
            self._orders.put(Reload(client, header.request, content.get("models")))
            return None
        if word == LOAD and self.is_managed and _is_paths(content.get("models")):
            sources = tuple(ModelSource(name, Path(path)) for name, path in content["models"].items())
            self._orders.put(Reload(client, header.request, None, sources))
            return None
        line = f"control: expected {', '.join(CONTROLS)}, got {one_line(content)}"
        raise ProtocolError(Reason.MALFORMED, line, header.request)

    def status(self) -> dict[str, Any]:
        """What the server is, what it serves, and what it has done."""
        settings = self.settings
        return {
            "protocol": PROTOCOL_VERSION,
            "playmill": __version__,
            "pid": os.getpid(),
            "uptime_s": round(time.monotonic() - self._began, 3),
            "cpu_s": time.process_time(),
            "draining": self.is_draining,
            "managed": self.is_managed,
            "controls": list(CONTROLS),
            "device": settings.device,
            "threads": settings.threads,
            "max_batch": settings.max_batch,
            "max_wait_us": settings.max_wait_us,
            "client_rows": settings.client_rows,
            "models": [model.card.model_dump() for model in self.table.models],
            **self.tally.facts(),
        }

    def swap(self, loaded: Loaded) -> list[Any] | None:
        """Put new generations in their places, all at once, and say so to whoever asked for them."""
        if loaded.error is not None:
            self.tally.refusals[Reason.FAILED.name.lower()] += 1
            return refusal(loaded.request, Reason.FAILED, loaded.error)
        for model, generation in loaded.found:
            tally = self.tally.model(model.source.name)
            tally.reloads += model.current is not None
            tally.generation = generation.card.generation
            model.swap(generation)
        status = self.status() | {"swapped": [model.source.name for model, _ in loaded.found]}
        return encode_json(Header(MessageKind.TOLD, request=loaded.request), status)

    def close(self) -> None:
        self._orders.put(None)
        self._thread.join()

    # ------------------------------------------------------------------ the thread that reads files

    def _read_files(self) -> None:
        bell = Bell(self._context)
        while (order := self._orders.get()) is not None:
            self._done.put(self._load(order))
            bell.ring()
        bell.close()

    def _load(self, order: Reload) -> Loaded:
        try:
            models = [self.table.add(source) for source in order.sources] if order.sources else self.table.named(order.names)
            return Loaded(order.client, order.request, self.table.prepare(models))
        except PlaymillError as error:
            return Loaded(order.client, order.request, error=one_line(error))
        except Exception as error:  # a network that can't be built must not end the one that is at work
            return Loaded(order.client, order.request, error=f"{type(error).__name__}: {one_line(error)}")


def _is_names(found: Any) -> bool:
    return found is None or (isinstance(found, list) and all(isinstance(name, str) for name in found))


def _is_paths(found: Any) -> bool:
    return isinstance(found, dict) and all(isinstance(path, str) for path in found.values())
