"""SGF trees: parsed and written by sgfmill's grammar, which is strict and never recurses.

Values are kept as they stand in the file, escapes and all, so that what is read and written again is the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sgfmill import sgf_grammar

Properties = dict[str, list[str]]


@dataclass(eq=False)
class SgfNode:
    """One node: its properties, each a list of raw values, and the nodes that follow, the main line first."""

    properties: Properties = field(default_factory=dict)
    children: list[SgfNode] = field(default_factory=list)

    def raw(self, name: str) -> str | None:
        """The first value of a property as the file has it."""
        values = self.properties.get(name)
        return values[0] if values else None

    def text(self, name: str) -> str | None:
        """The first value as people read it: escapes taken away."""
        raw = self.raw(name)
        return None if raw is None else sgf_grammar.text_value(raw.encode()).decode()

    def set_text(self, name: str, text: str) -> None:
        """Give a property one value."""
        self.properties[name] = [sgf_grammar.escape_text(text.encode()).decode()]

    def main_line(self) -> Iterator[SgfNode]:
        """This node and those of the main line after it."""
        node = self
        while True:
            yield node
            if not node.children:
                return
            node = node.children[0]

    def every_node(self) -> Iterator[SgfNode]:
        """This node and all below it, each before what follows it."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)


def parse_sgf(text: str) -> SgfNode:
    """The tree of one strictly written game; ValueError says what is wrong with another text."""
    coarse = sgf_grammar.parse_sgf_game(text.encode())
    root = _node(None, coarse.sequence[0])
    sgf_grammar.make_tree(coarse, root, _node, _add)
    return root


def write_sgf(root: SgfNode) -> str:
    """The game as SGF, properties in alphabetical order (FF first), in lines of about 80 characters."""
    coarse = sgf_grammar.make_coarse_game_tree(root, lambda node: node.children, _encoded)
    return sgf_grammar.serialise_game_tree(coarse).decode()  # type: ignore[no-any-return]


def _node(_: Any, properties: dict[str, list[bytes]]) -> SgfNode:
    return SgfNode({name: [value.decode() for value in values] for name, values in properties.items()})


def _add(parent: SgfNode, child: SgfNode) -> None:
    parent.children.append(child)


def _encoded(node: SgfNode) -> dict[str, list[bytes]]:
    return {name: [value.encode() for value in values] for name, values in node.properties.items()}
