"""docs/formats.md as tests read it: the fields that it promises of the files of a run."""

import re
from pathlib import Path

PAGE = (Path(__file__).parents[1] / "docs" / "formats.md").read_text()
NAME = re.compile(r"`([a-z][a-z0-9_]*)`")


def part(begin, end):
    """The page from one piece of text up to another."""
    start = PAGE.index(begin)
    return PAGE[start : PAGE.index(end, start + len(begin))]


def names(text):
    """Names in a text; what stands in brackets is about other things."""
    while (shorter := re.sub(r"\([^()]*\)", "", text)) != text:
        text = shorter
    return set(NAME.findall(text))


def first_cells(text):
    """The names in the first column of a table."""
    return {name for line in text.splitlines() if line.startswith("| `") for name in names(line.split("|")[1])}


def row(text, name):
    """The names in the row that begins with `name`."""
    rows = [line for line in text.splitlines() if line.startswith("|")]
    line = next(line for line in rows if f"`{name}`" in line.split("|")[1])
    return names(line.split("|", 2)[2])


RUN = part("`run.json`:\n", "`files` has a line")
ENTRIES = part("| entry | fields |", "`details` has what")
EVENTS = part("## Events", "The `entropy` of")
SIDECAR = names(part("`NAME.meta.json` repeats the meta:", "`NAME.int8.onnx`").split(":", 1)[1])
HEAD = {"event", "ts_ms", "run_id", "v", "config_hash", "commit", "step"}  # of every event


def fields_of_entry(phase):
    """What the entry of a phase in `run.json` has."""
    return {"seconds", *row(ENTRIES, phase)} - {"oracle"}


def fields_of_event(kind):
    """What an event of this kind has besides what all have."""
    return fields_of_entry(kind.removesuffix("_done")) if kind.endswith("_done") else row(EVENTS, kind)


def own_fields(event):
    """What an event has besides that, and besides losses, which a network's heads name."""
    return {name for name in event if not name.startswith("loss_")} - HEAD - {"iteration"}
