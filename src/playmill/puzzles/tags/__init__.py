"""Tags of a puzzle: `table.py` lists them, each with a sentence and the predicate that decides it.

A predicate sees a `Study` (`study.py`): the problem and every line of its solution, played out. None of them searches; what the
solution doesn't show, no tag tells.
"""

from playmill.puzzles.tags.table import TAGS, Tag, tags_of

__all__ = ["TAGS", "Tag", "tags_of"]
