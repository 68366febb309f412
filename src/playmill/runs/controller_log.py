"""`logs/controller.log`: what a run said while it worked, and the traceback if it failed. For people; nothing reads it."""

from __future__ import annotations

import faulthandler
import logging
import traceback
import warnings
from contextlib import suppress
from typing import Any

from playmill.runs.folder import RunFolder

LOGGER = logging.getLogger("playmill")


class _Quiet(logging.FileHandler):
    """A disk that refuses a line of the log is no reason to say anything."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        pass


class ControllerLog:
    """Open, it takes in what this package and its libraries log and warn of; a crash of native code leaves its stacks there."""

    def __init__(self, folder: RunFolder) -> None:
        self.path = folder.controller_log
        self._handler: logging.FileHandler | None = None
        self._has_faults = False
        self._show = warnings.showwarning

    def open(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._handler = _Quiet(self.path)
        except OSError:
            return
        self._handler.setFormatter(logging.Formatter("%(asctime)s %(name)s: %(message)s"))
        LOGGER.setLevel(logging.INFO)
        logging.getLogger().addHandler(self._handler)
        self._show, warnings.showwarning = warnings.showwarning, self._warn
        if not faulthandler.is_enabled() and self._handler.stream is not None:
            faulthandler.enable(self._handler.stream)
            self._has_faults = True

    def say(self, line: str) -> None:
        LOGGER.info(line)

    def failed(self, error: BaseException) -> None:
        """Keep the whole traceback."""
        LOGGER.error("".join(traceback.format_exception(error)).rstrip())

    def _warn(self, message: Any, category: Any, filename: Any, lineno: Any, file: Any = None, line: Any = None) -> None:
        """As Python shows a warning, and into the log."""
        LOGGER.warning(warnings.formatwarning(message, category, filename, lineno, line).rstrip())
        self._show(message, category, filename, lineno, file, line)

    def close(self) -> None:
        if self._handler is None:
            return
        if self._has_faults:
            faulthandler.disable()
        warnings.showwarning = self._show
        logging.getLogger().removeHandler(self._handler)
        with suppress(OSError):
            self._handler.close()
        self._handler = None
