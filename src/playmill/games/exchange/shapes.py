"""The outlines of chess pieces, drawn for this package: standing on y = 0, about 30 high, around x = 0."""

from __future__ import annotations

FOOT = "M-11,0V-3.5Q-11,-5 -9,-5.5H9Q11,-5 11,-3.5V0Z"
OUTLINES = {
    "K": FOOT + "M-8,-5.5Q-11,-14 -7,-18Q-3,-21 0,-17Q3,-21 7,-18Q11,-14 8,-5.5Z"
    "M-1.6,-18.5V-22.5H-5V-25.5H-1.6V-29H1.6V-25.5H5V-22.5H1.6V-18.5Z",
    "Q": FOOT + "M-8,-5.5L-12,-23L-6.5,-15L-5,-26L0,-16L5,-26L6.5,-15L12,-23L8,-5.5Z",
    "R": FOOT + "M-7,-5.5L-6,-17H-9V-25H-5.5V-21.5H-2V-25H2V-21.5H5.5V-25H9V-17H6L7,-5.5Z",
    "B": FOOT + "M-6,-5.5Q-10,-13 -5,-19Q-2,-22.5 0,-25Q5,-21 6.5,-17L1,-12.5L2.5,-11L8,-15Q9,-10 6,-5.5Z"
    "M-2,-27a2,2 0 1 1 4,0a2,2 0 1 1 -4,0Z",
    "N": FOOT + "M-7,-5.5Q-7,-11 -1,-15Q-4,-15.5 -6,-13L-10,-13.5L-10,-17Q-6,-20 -5,-24L-3,-27L-1,-24.5Q9,-23 9,-5.5Z",
    "P": FOOT + "M-6,-5.5Q-5,-10 -2.5,-12.5A5,5 0 1 1 2.5,-12.5Q5,-10 6,-5.5Z",
}  # fmt: skip


def outline(letter: str) -> str:
    """The path of a piece."""
    return OUTLINES[letter]
