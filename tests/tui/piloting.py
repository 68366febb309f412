"""Driving the screen as somebody at a terminal does."""

from __future__ import annotations

import asyncio
import inspect
import time
from contextlib import asynccontextmanager, suppress

from textual.pilot import WaitForScreenTimeout
from textual.widgets import DataTable

from playmill.tui.app import MillApp
from waiting import PATIENCE_S

LARGE, USUAL = (140, 44), (80, 24)
WIDGETS_ON_THE_WAY, ANSWER_S = 7, 5.0  # from a field to its screen and back


@asynccontextmanager
async def opened(root, size=USUAL):
    """The app over a folder of runs, and its pilot."""
    app = MillApp(root)
    async with app.run_test(size=size, notifications=True) as pilot:
        pilot.press, pilot.click = _in_turn(pilot, pilot.press), _settling(pilot, pilot.click)
        await settled(pilot)
        yield app, pilot


async def settled(pilot):
    """Until what was done has come to everybody.

    A message goes from widget to widget. Textual's own pause lasts while this process uses much of a core, so on a busy
    machine, where it hardly gets one, it is over before the message has arrived, and the next key goes to the wrong place.
    """
    for _ in range(WIDGETS_ON_THE_WAY):
        with suppress(WaitForScreenTimeout):  # a widget that is gone meanwhile doesn't answer
            await pilot._wait_for_screen(ANSWER_S)


def _settling(pilot, act):
    async def patiently(*args, **others):
        await settled(pilot)
        await act(*args, **others)
        await settled(pilot)

    return patiently


def _in_turn(pilot, press):
    """One key after the other, each once the one before has been heard."""
    press_one = _settling(pilot, press)

    async def press_all(*keys):
        for key in keys:
            await press_one(key)

    return press_all


async def until(pilot, condition, patience_s=PATIENCE_S):
    """Wait for something to be so."""
    deadline = time.monotonic() + patience_s
    while not condition():
        assert time.monotonic() < deadline, f"nothing happened in {patience_s} s"
        await pilot.pause(0.05)
    await settled(pilot)


def lists(app, count):
    """Whether the screen has a table of so many rows that hears the keys."""
    table = app.screen.query_one(DataTable)
    return table.row_count == count and app.focused is table


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
