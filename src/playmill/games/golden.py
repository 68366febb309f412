"""The stored playthrough of a game: one game of random choices, replayed step by step to notice any change of the rules.

It lies at `game.golden_path` as JSON: format, game, seed, the start, then one line a step (`docs/formats.md`). A `record` is
the state's bytes and a `key` its key, both in hex, after the step's action. Of records over 1 kB the SHA-256 is stored.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from playmill.core.errors import ContractError, UsageError
from playmill.core.files import atomic_write
from playmill.core.seeds import CHOICES, below, mix
from playmill.games.game import Game, one_line
from playmill.games.registry import address_of
from playmill.games.state import State

FORMAT = 1
# Far beyond any sensible game: a random game of 19x19 Go has under a thousand actions.
MAX_PLIES = 10_000
MAX_RECORD = 1024  # bytes that are stored whole: a game of 19x19 Go would be a file of megabytes
DIGEST = "sha256:"


def write_golden(game: Game, seed: int = 0) -> Path:
    """Play a random game and store it; return where."""
    path = game.golden_path
    atomic_write(path, _to_text(_playthrough(game, seed)))
    return path


def replay_golden(game: Game) -> None:
    """Replay the stored playthrough; the first thing that differs is an error that shows both sides."""
    stored = _read(game)
    _compare(game, "the header", "game", stored["game"], game.name)
    state = game.new(stored["seed"])
    _compare_state(game, "the start", stored["start"], state)
    for number, step in enumerate(stored["steps"], start=1):
        where = f"step {number} ({step['text']})"
        if step["action"] not in state.legal_actions:
            legal = list(state.legal_actions)
            raise _differs(game, where, f"action {step['action']} is stored, but the legal ones are {legal} in '{state.line}'")
        _compare(game, where, "action text", step["text"], state.action_text(step["action"]))
        state = state.apply(step["action"])
        _compare_state(game, where, step, state)
    _compare(game, "the end", "is over", True, state.is_over)
    _compare(game, "the end", "returns", stored["returns"], list(state.returns))


def random_action(state: State) -> int:
    """One of the legal actions, all as likely, chosen by the state's own seed and ply."""
    word = mix(mix(state.seed, CHOICES), state.ply)
    return state.legal_actions[below(word, len(state.legal_actions))]


# ------------------------------------------------------------------ playing


def _playthrough(game: Game, seed: int) -> dict[str, Any]:
    state = game.new(seed)
    header = {"format": FORMAT, "game": game.name, "seed": seed, "start": _fingerprint(state)}
    steps = []
    while not state.is_over:
        if state.ply == MAX_PLIES:
            raise ContractError(f"{game.name}: a random game of seed {seed} has no end after {MAX_PLIES} actions")
        action = random_action(state)
        text = state.action_text(action)
        state = state.apply(action)
        steps.append({"action": action, "text": text, **_fingerprint(state)})
    return {**header, "steps": steps, "returns": list(state.returns)}


def _fingerprint(state: State) -> dict[str, str]:
    data = state.record.tobytes()
    record = data.hex() if len(data) <= MAX_RECORD else DIGEST + hashlib.sha256(data).hexdigest()
    return {"key": f"{state.key:016x}", "record": record}


# ------------------------------------------------------------------ the file


def _to_text(playthrough: dict[str, Any]) -> str:
    """JSON with one line a step, so that a change reads well as a diff."""
    lines = []
    for name, value in playthrough.items():
        if name == "steps":
            steps = ",\n  ".join(json.dumps(step) for step in value)
            lines.append(f' "steps": [\n  {steps}\n ]')
        else:
            lines.append(f" {json.dumps(name)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _read(game: Game) -> dict[str, Any]:
    path = game.golden_path
    if not path.exists():
        raise ContractError(f"{game.name}: no golden playthrough at {path}; {_remedy(game)}")
    try:
        stored: dict[str, Any] = json.loads(path.read_bytes())
        if stored["format"] == FORMAT and all(name in stored for name in ("game", "seed", "start", "steps", "returns")):
            return stored
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise ContractError(f"{game.name}: the golden playthrough {path} can't be read ({error}); {_remedy(game)}") from error
    raise ContractError(f"{game.name}: the golden playthrough {path} is not of format {FORMAT}; {_remedy(game)}")


def _remedy(game: Game) -> str:
    try:
        address = address_of(game)
    except UsageError:
        address = game.name  # made on the fly, so no command can find it anyway
    return f"make one with: playmill check-game {address} --write-golden"


# ------------------------------------------------------------------ comparing


def _compare_state(game: Game, where: str, stored: dict[str, Any], state: State) -> None:
    now = _fingerprint(state)
    if stored["record"] != now["record"]:
        before, after = _text_of(game, stored["record"]), state.line
        if before == after:
            before, after = stored["record"], now["record"]
        _compare(game, where, "state", before, after)
    _compare(game, where, "key", stored["key"], now["key"])


def _text_of(game: Game, record: str) -> str:
    """A stored record as people read it, or as it is stored if only its digest is, or the record's layout has changed since."""
    if record.startswith(DIGEST):
        return record
    data = bytes.fromhex(record)
    return game.text(np.frombuffer(data, game.state)[0]) if len(data) == game.state.itemsize else record


def _compare(game: Game, where: str, what: str, stored: Any, now: Any) -> None:
    if stored != now:
        raise _differs(game, where, f"{what} was '{stored}' and is now '{now}'")


def _differs(game: Game, where: str, difference: str) -> ContractError:
    advice = f"if the rules were meant to change, {_remedy(game)}"
    return ContractError(one_line(f"{game.name}: the golden playthrough differs at {where}: {difference}; {advice}"))
