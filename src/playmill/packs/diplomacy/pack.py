"""What Diplomacy brings: its own kind of runs, since seven powers who move at once are searched and learnt otherwise."""

from __future__ import annotations

from playmill.packs.diplomacy.runs import DiplomacyRuns, open_family
from playmill.packs.pack import Pack

PACK = Pack(games=("diplomacy",), run=DiplomacyRuns(), family=open_family)
