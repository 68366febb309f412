"""Packs are found by the name of their game, and a wrong one is refused with a way out."""

import sys

import pytest

from packs.installing import newly_installed
from playmill.core.errors import ContractError, UsageError
from playmill.games.heads import HEADS
from playmill.nets.kinds import NET_KINDS
from playmill.packs import registry


@pytest.fixture
def installed(tmp_path):
    """Installs a package whose pack module holds `text`, as pip would leave it, for the game `take`."""

    def install(package: str, text: str, game: str = "take") -> None:
        (tmp_path / f"{package}.py").write_text(text)
        info = tmp_path / f"{package}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[playmill.packs]\n{game} = {package}:PACK\n")

    with newly_installed():
        sys.path.insert(0, str(tmp_path))
        yield install


PLAIN = "from playmill.packs.pack import Pack\nPACK = Pack(games=('take',), presets={'net.hidden': 32})\n"


def test_a_game_without_a_pack_has_an_empty_one():
    assert registry.find_pack("no_such_game").presets == {}


def test_a_package_brings_the_pack_of_its_game(installed):
    installed("take_pack", PLAIN)
    assert registry.find_pack("take").presets == {"net.hidden": 32}
    assert registry.find_pack("take") is registry.find_pack("take")


def test_two_packs_for_one_game_are_both_named(installed):
    installed("take_pack", PLAIN)
    installed("other_pack", PLAIN)
    with pytest.raises(UsageError, match=r"game 'take' has two packs, of other_pack 1\.0 and take_pack 1\.0; uninstall one"):
        registry.find_pack("take")


def test_a_package_may_not_bring_a_second_pack_for_a_game_of_ours(installed):
    installed("my_yatzy", PLAIN.replace("'take'", "'yatzy'"), game="yatzy")
    with pytest.raises(UsageError, match=r"game 'yatzy' has two packs, of my_yatzy 1\.0 and playmill itself; uninstall one"):
        registry.find_pack("yatzy")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("PACK = 3", r"package take_pack 1\.0: expected a Pack at 'take_pack:PACK', got int"),
        ("import nothing_there", r"package take_pack 1\.0 can't be loaded .*: ModuleNotFoundError: .*nothing_there"),
        (PLAIN.replace("'take'", "'taek'"), r"the Pack at 'take_pack:PACK' serves \('taek',\); name the game there"),
        (PLAIN.replace("('take',)", "'take'"), r"the Pack at 'take_pack:PACK' serves 'take'; name the game there"),
    ],
)
def test_a_broken_pack_names_its_package(installed, text, line):
    installed("take_pack", text)
    with pytest.raises(ContractError, match=line):
        registry.find_pack("take")


NAMING = """
from dataclasses import replace
from playmill.nets.kinds import NET_KINDS
from playmill.packs.pack import Pack
PACK = Pack(games=('take',), nets={{'take_net': replace(NET_KINDS['mlp'], heads=({head!r},))}}, presets={presets!r})
"""


@pytest.mark.parametrize(
    ("head", "presets", "line"),
    [
        ("margni", {}, r"unknown head 'margni'; did you mean 'margin'\? \(known: margin, .*win\)"),
        ("margin", {"net.kind": "take_nte"}, r"unknown network kind 'take_nte'; did you mean 'take_net'\? \(known: .*mlp.*\)"),
        ("margin", {"search.kind": "pucct"}, r"unknown search 'pucct'; did you mean 'puct'\? \(known: .*puct.*\)"),
        ("margin", {"measure.name": "error"}, r"unknown measure 'error' \(known: none\)"),
    ],
)
def test_a_pack_that_names_what_nobody_has_is_told_the_nearest(installed, head, presets, line):
    installed("take_pack", NAMING.format(head=head, presets=presets))
    with pytest.raises(ContractError, match=rf"the pack of game 'take' from package take_pack 1\.0: {line}"):
        registry.find_pack("take")
    assert "take_net" not in NET_KINDS


TAKEN = """
from playmill.games.heads import HEADS
from playmill.packs.pack import Pack
PACK = Pack(games=('take',), heads=(HEADS['win'],))
"""


def test_a_pack_may_not_change_what_others_rely_on(installed):
    win = HEADS["win"]
    installed("take_pack", TAKEN)
    with pytest.raises(ContractError, match=r"head 'win' is there already; choose another name \(known: "):
        registry.find_pack("take")
    assert HEADS["win"] is win


NAMED = """
from playmill.nets.kinds import NET_KINDS
from playmill.packs.pack import Pack
PACK = Pack(games=('take',), nets={'hidden': NET_KINDS['mlp']})
"""


def test_a_kind_may_not_be_called_as_a_setting_beside_its_section(installed):
    installed("take_pack", NAMED)
    with pytest.raises(ContractError, match=r"network kind 'hidden' would have the name of a setting beside it"):
        registry.find_pack("take")


COMPARED = """
from playmill.arena.measure import Measure
from playmill.packs.pack import Pack
MEASURE = Measure('wins', 'how often it wins', lambda *_: [], lambda fields: '', baseline='perfcet')
PACK = Pack(games=('take',), bots={'perfect': lambda game, workers: None}, measures=(MEASURE,))
"""


def test_a_measure_that_compares_with_an_unknown_bot_is_told_the_nearest(installed):
    installed("take_pack", COMPARED)
    with pytest.raises(ContractError, match=r"unknown bot 'perfcet'; did you mean 'perfect'\? \(known: perfect\)"):
        registry.find_pack("take")
