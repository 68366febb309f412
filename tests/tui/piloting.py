"""Driving the screen as somebody at a terminal does."""

from __future__ import annotations

import asyncio
import inspect
import time
from contextlib import asynccontextmanager

from playmill.tui.app import MillApp

LARGE, USUAL = (140, 44), (80, 24)


@asynccontextmanager
async def opened(root, size=USUAL):
    """The app over a folder of runs, and its pilot."""
    app = MillApp(root)
    async with app.run_test(size=size, notifications=True) as pilot:
        await pilot.pause()
        yield app, pilot


async def until(pilot, condition, patience_s=20.0):
    """Wait for something to be so."""
    deadline = time.monotonic() + patience_s
    while not condition():
        assert time.monotonic() < deadline, f"nothing happened in {patience_s} s"
        await pilot.pause(0.05)
    await pilot.pause()


def driven(test):
    """A test that is a coroutine, as an ordinary one."""

    def run(*args, **others):
        asyncio.run(test(*args, **others))

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    run.__signature__ = inspect.signature(test)
    return run


def shown(widget):
    """The text of a Static."""
    content = widget.content
    return getattr(content, "plain", str(content))


def told(app):
    """What notifications say."""
    return " ".join(note.message for note in app._notifications)


def screen_text(app):
    """All that the terminal shows."""
    return "\n".join("".join(segment.text for segment in strip) for strip in app.screen._compositor.render_strips())
