"""What two players are to each other, by how they search, in words for people.

Where one network plays both, the one that searches a tree is the teacher, and the one that looks one ply deep its student.
"""

from __future__ import annotations

from playmill.search.kinds import ONE_PLY

Roles = tuple[str, str]


def name_roles(names: Roles, kinds: Roles, have_one_network: bool) -> Roles:
    """The roles of two players with these names and kinds of search; kinds that are alike leave the names alone."""
    if kinds[0] == kinds[1]:
        return names
    if have_one_network and kinds[1] == ONE_PLY:
        names = "teacher", "student"
    return f"{names[0]} ({kinds[0]})", f"{names[1]} ({kinds[1]})"
