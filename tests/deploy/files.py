"""The files of deploy/, read as a container engine reads them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import yaml

DEPLOY = Path(__file__).parents[2] / "deploy"
METRIC = re.compile(r"playmill_[a-z_]+")


def dashboard():
    return json.loads((DEPLOY / "grafana" / "dashboards" / "playmill.json").read_text())


def queries():
    """Every question that the dashboard asks, by panel."""
    panels = [panel for panel in dashboard()["panels"] if panel["type"] != "row"]
    return [(panel["title"], target["expr"]) for panel in panels for target in panel["targets"]]


class Stage:
    """What a container of one target starts."""

    def __init__(self):
        self.entrypoint, self.command, self.health, self.user = [], [], [], "root"

    def copy(self):
        other = Stage()
        other.__dict__.update(self.__dict__)
        return other


def stages():
    """The stages of the Dockerfile by their names, each with what it has from the stage before it."""
    found: dict[str, Stage] = {}
    text = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")
    for line in text.splitlines():
        word, _, rest = line.strip().partition(" ")
        if word == "FROM":
            base, name = rest.split(" AS ")
            current = found[name] = found[base].copy() if base in found else Stage()
        elif word == "ENTRYPOINT":
            current.entrypoint, current.command = json.loads(rest), []
        elif word == "CMD":
            current.command = json.loads(rest)
        elif word == "HEALTHCHECK":
            current.health = json.loads(rest.partition("CMD ")[2])
        elif word == "USER":
            current.user = rest
    return found


def compose(name="compose.yaml", **variables):
    """The compose file with its anchors resolved, and variables that have a default put in."""
    text = re.sub(r"\$\{(\w+):-([^}]*)\}", lambda found: variables.get(found[1], found[2]), (DEPLOY / name).read_text())
    return yaml.safe_load(text)
