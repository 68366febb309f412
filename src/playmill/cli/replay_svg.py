"""A game as one animated SVG, which plays by itself in a browser; elsewhere it shows how the game ended."""

from __future__ import annotations

from html import escape

from playmill.cli.frames import Film, Group, make_film
from playmill.games.svg import FONT, tag
from playmill.replay.recorded_game import RecordedGame

FOOT = 62.0  # height of the words below the board
WORDS = 78  # characters of a line there, at the usual size of a board
LAST_PLIES = 4  # how long the end stays, in moves
STYLE = """
.a{{animation:{length:g}s step-end infinite}}.bar{{fill:#0f766e}}.way{{fill:#d5dbe1}}
.m{{font-weight:600;font-size:16px;fill:#1d2733}}.t,.n{{font-size:12.5px;fill:#5d6873}}
@media (prefers-color-scheme:dark){{.m{{fill:#eceae5}}.t,.n{{fill:#aaa69d}}.way{{fill:#2a2e37}}.bar{{fill:#5eead4}}}}
@media (prefers-reduced-motion:reduce){{.a{{animation:none}}}}
"""
SHEET = 500.0  # width of the words' own units


def animate_game(record: RecordedGame, pictures: list[str], plies: list[int], pace: float) -> str:
    """The game as a picture a shown ply, `pace` seconds each."""
    boards, words = make_film(pictures), _words(record, plies)
    units, rules = len(plies) - 1 + LAST_PLIES, dict[frozenset[int], str]()
    board = "".join(_animated(group, boards, units, rules) for group in boards.groups)
    foot = _bar("way", 1.0) + "".join(_animated(group, boards, units, rules) for group in words)
    scale = boards.width / SHEET
    height = boards.height + FOOT * scale
    style = STYLE.format(length=units * pace).replace("\n", "") + "".join(rules.values())
    title = tag("title", escape(f"{record.game.name}, {record.result_text()}"))
    return tag(
        "svg", title, f"<style>{style}</style>", boards.opening(is_inside=True), board, "</svg>",
        tag("g", foot, transform=f"translate(0,{boards.height:g}) scale({scale:g})", text_anchor="middle"),
        xmlns="http://www.w3.org/2000/svg", width=boards.width, height=height,
        viewBox=f"0 0 {boards.width:g} {height:g}", role="img", font_family=FONT,
    ) + "\n"  # fmt: skip


def _bar(name: str, share: float) -> str:
    return tag("rect", x=0, y=FOOT - 5, width=round(SHEET * share, 2), height=4, rx=2, class_=name)


def _words(record: RecordedGame, plies: list[int]) -> list[Group]:
    """What is said below each board: the move that led to it, and what it did."""
    groups = []
    for i, ply in enumerate(plies):
        head, told = "the start", f"seed {record.seed}"
        if ply:
            move = record.moves[ply - 1]
            head, told = f"{record.mover_text(move)}: {move.text}", move.told
        if ply == len(record.moves):
            told = record.result_text()
        lines = (("m", 20, head), ("t", 39, told), ("n", 53, f"{ply} of {len(record.moves)}"))
        text = "".join(tag("text", escape(_cut(words)), x=SHEET / 2, y=y, class_=name) for name, y, words in lines if words)
        groups.append(Group(text + _bar("bar", ply / max(len(record.moves), 1)), frozenset([i])))
    return groups


def _cut(words: str) -> str:
    return words if len(words) <= WORDS else words[: WORDS - 1] + "…"


def _animated(group: Group, film: Film, units: int, rules: dict[frozenset[int], str]) -> str:
    """A group that comes and goes; `rules` gets the CSS of every way of doing so, once."""
    if len(group.shown) == film.count:
        return group.content
    if group.shown not in rules:
        rules[group.shown] = _rule(len(rules), group.shown, film.count, units)
    name = f"k{list(rules).index(group.shown)}"
    at_end = "visible" if film.count - 1 in group.shown else "hidden"
    return f'<g class="a {name}" visibility="{at_end}">{group.content}</g>'


def _rule(number: int, shown: frozenset[int], count: int, units: int) -> str:
    """The CSS that shows something in these pictures alone."""
    changes = [i for i in range(count) if i == 0 or (i in shown) != (i - 1 in shown)]
    steps = "".join(f"{100 * i / units:.5g}%{{visibility:{'visible' if i in shown else 'hidden'}}}" for i in changes)
    return f".k{number}{{animation-name:k{number}}}@keyframes k{number}{{{steps}}}"
