"""What `playmill warmup` runs: small commands that compile what their big sisters need."""

from __future__ import annotations

# Each is a run of one short iteration; a search that differs in its kernels has one of its own.
_SHORT = {
    "iterations": 1,
    "selfplay": {"games": 4, "shard_games": 4, "lanes": 4},
    "train": {"batch_size": 8, "steps_per_iteration": 2},
    "gate": {"games": 4},
}
_NET = {"net": {"kind": "mlp", "hidden": 16, "blocks": 1, "togo": True}}
_PUCT = {"search": {"kind": "puct", "puct": {"budget": 4}}}
_POINTS = {"search": {"kind": "puct", "puct": {"budget": 4, "points_scale": 400, "afterstates": True}}}
_BUDGET = {"budget": {"kind": "iterations", "amount": 2}, "max_year": 1902}
RUNS: dict[str, dict[str, object]] = {
    "exact_turn": {"game": "yatzy", "search": {"kind": "exact_turn"}, "measure": {"games": 4}, **_NET, **_SHORT},
    "yatzy_puct": {"game": "yatzy", **_POINTS, **_NET, **_SHORT},
    "connect_four": {"game": "connect_four", **_PUCT, **_SHORT},
    "tictactoe": {"game": "tictactoe", **_PUCT, **_SHORT},
    "diplomacy": {
        "game": "diplomacy",
        "iterations": 1,
        "net": {"channels": 16, "blocks": 1, "hidden": 16},
        "search": {"candidates": 4, "polish_nodes": 50},
        "selfplay": {"games": 2, "settings": _BUDGET},
        "train": {"batch_size": 8, "steps_per_iteration": 2},
        "gate": {"games": 14, **_BUDGET},
    },
}
_FIVE = "AB[bk][ck][dk][ek][bl][el][fl][bm]AW[aj][bj][cj][dj][ej][fj][ak][fk][gk][al][gl][am][gm]"  # a bulky five, shut in
FILES = {  # what other commands read
    "game.sgf": "(;GM[1]SZ[19]AB[aa];B[pd];W[dd])",
    "group.sgf": f"(;GM[1]SZ[13]{_FIVE};B[fm])",
    "problem.sgf": f"(;GM[1]SZ[13]{_FIVE.replace('AB', 'AB[fm]')}MA[fm]PL[W])",
}
GAMES = ("connect_four", "tictactoe", "yatzy")

Words = tuple[str, ...]


def _run(name: str) -> Words:
    return ("run", f"{{work}}/{name}.yaml", "--out", f"{{work}}/{name}")


# An area's commands run one after the other, since they share kernels; areas run side by side, the slowest first.
AREAS: dict[str, list[Words]] = {
    "diplomacy": [
        ("diplomacy", "search", "start", "--kind", "rm_plus", "--nodes", "50"),
        ("diplomacy", "search", "start", "--kind", "cartesian", "--nodes", "50"),
        ("diplomacy", "explain", "start", "A par - bur"),
    ],
    "training": [_run(name) for name in RUNS if name != "diplomacy"],
    "search": [("explore", game, "--simulations", "4") for game in GAMES],
    "oracle": [("oracle", "expected"), ("oracle", "sim", "--games", "4")],
    "simulate": [("simulate", game, "--playouts", "4") for game in GAMES],
    "puzzles": [
        ("puzzles", "clean", "{work}/game.sgf", "{work}/clean"),
        ("solve", "{work}/problem.sgf", "--table", "1", "--proof", "{work}/problem.proof"),
        ("puzzles", "mine", "{work}/group.sgf", "--out", "{work}/mined/puzzles.jsonl"),
    ],
    "rules": [("check-game", game) for game in GAMES],
    "diplomacy-training": [_run("diplomacy")],
}
NEEDS_NETS = {"training", "diplomacy-training"}
