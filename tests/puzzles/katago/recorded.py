"""An analyst that has the real engine's answers on file, and one that answers as a test wants."""

import hashlib
import json
import os
from pathlib import Path
from types import SimpleNamespace

from playmill.puzzles.katago.analysis import parse_analysis
from playmill.puzzles.katago.analyst import shared_analyst
from playmill.puzzles.katago.settings import KataGoSettings

FOLDER = Path(__file__).parents[2] / "golden" / "katago"
RECORD = "PLAYMILL_RECORD_KATAGO"  # set it to ask the engine that is installed for what is missing


class Recorded:
    """Answers from golden/katago/NAME.jsonl: a line is a hash of the query and the engine's answer, less what nobody reads."""

    network = "g170e-b15c192-s1672170752-d466197061.bin.gz"
    identity = SimpleNamespace(version="1.18.1")

    def __init__(self, name):
        self.path = FOLDER / f"{name}.jsonl"
        lines = self.path.read_text().splitlines() if self.path.exists() else []
        self.replies = dict(json.loads(line) for line in lines)
        self.used = set()

    def analyse(self, query):
        return self.analyse_all([query])[0]

    def analyse_all(self, queries):
        found = []
        for query in queries:
            key = hashlib.sha256(json.dumps(query.fields(), sort_keys=True).encode()).hexdigest()[:24]
            if key not in self.replies:
                what = f"{query.label} after {query.moves} with {query.visits} visits"
                assert RECORD in os.environ, f"{self.path}: no answer for {what}; set {RECORD}=1 to ask the engine"
                self._record(key, query)
            self.used.add(key)
            found.append(parse_analysis(self.replies[key], query.size))
        return found

    def _record(self, key, query):
        self.replies[key] = slim(shared_analyst(KataGoSettings()).engine.ask(query))
        self.path.parent.mkdir(exist_ok=True)
        with self.path.open("a") as file:
            file.write(json.dumps([key, self.replies[key]], separators=(",", ":")) + "\n")


def slim(reply):
    names = ("move", "visits", "prior", "winrate", "scoreLead", "order")
    moves = [{name: info[name] for name in names} | {"pv": info["pv"][:8]} for info in reply["moveInfos"]]
    for info in moves:
        info.update({name: round(info[name], 4) for name in ("prior", "winrate", "scoreLead")})
    root = {name: round(reply["rootInfo"][name], 4) for name in ("visits", "winrate", "scoreLead")}
    return {"rootInfo": root, "moveInfos": moves, "ownership": [round(owner, 2) for owner in reply.get("ownership", [])]}


class Scripted:
    """Answers by a function: query to (winrate of Black, lead of Black, moves as (cell, prior), owner of all points)."""

    network, identity = "none", SimpleNamespace(version="0")

    def __init__(self, answer):
        self.answer, self.asked = answer, []

    def analyse(self, query):
        return self.analyse_all([query])[0]

    def analyse_all(self, queries):
        return [self._one(query) for query in queries]

    def _one(self, query):
        from playmill.puzzles.katago.analysis import Analysis, MoveInfo

        self.asked.append(query)
        winrate, lead, moves, owner = self.answer(query)
        infos = tuple(MoveInfo(cell, query.visits // 2, prior, winrate, lead, (cell,)) for cell, prior in moves)
        return Analysis(query.size, query.visits, winrate, lead, infos, (owner,) * query.size**2)
