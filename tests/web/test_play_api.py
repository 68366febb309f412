"""Tables: the game lives in the server, is kept after every move, and nothing is played twice."""

import json
import shutil

import pytest
from starlette.testclient import TestClient

from playmill.nets.pretrained import names_for
from playmill.packs.registry import find_game
from playmill.replay.saved_game import read_saved
from playmill.web.app import Offer, make_app
from playmill.web.opponents import Opponents
from playmill.web.run_shelf import RunShelf
from playmill.web.table_room import TableRoom
from waiting import wait_for
from web.studio_folder import make_models
from web.test_api import HEADER, HOME, PORT, TOKEN

pytestmark = pytest.mark.jit


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    return make_models(tmp_path_factory.mktemp("models"))


class Guest:
    """Somebody who asks a server for tables."""

    def __init__(self, folder, models):
        self.folder, self.room = folder, TableRoom(folder, Opponents(models, None))
        self.client = TestClient(make_app(Offer(tables=self.room), TOKEN, PORT), HOME, headers=HEADER)

    def begin(self, game, against="random", seat=0, simulations=4):
        wish = {"game": game, "against": against, "seat": seat, "simulations": simulations}
        answer = self.client.post("/api/play", json=wish)
        assert answer.status_code == 200, answer.text
        return answer.json()["name"]

    def look(self, name, shown=0):
        """The table once the bot has moved."""
        wait_for(lambda: not self.client.get(f"/api/play/{name}").json()["is_thinking"])
        return self.client.get(f"/api/play/{name}?shown={shown}").json()

    def move(self, name, ply, action):
        return self.client.post(f"/api/play/{name}/move", json={"ply": ply, "action": action})

    def play(self, name, action=None):
        """A move, by default the first legal one; the table afterwards."""
        table = self.look(name)
        answer = self.move(name, table["ply"], table["legal"][0][0] if action is None else action)
        assert answer.status_code == 200, answer.text
        return self.look(name)


@pytest.fixture
def guest(tmp_path, models):
    guest = Guest(tmp_path / "games", models)
    yield guest
    guest.room.close()


def test_bots_and_models_are_offered_for_their_own_game_alone(guest):
    games = {
        game["name"]: [each["name"] for each in game["opponents"]] for game in guest.client.get("/api/play").json()["games"]
    }
    assert games["connect_four"] == ["random", *names_for("connect_four"), "tiny-four"]
    assert "yatzy_rich" not in games  # the same game to a person, and no network asks for its features
    assert games["yatzy"] == ["random", "oracle", *names_for("yatzy"), "tiny-yatzy", "tiny-togo"]
    assert "diplomacy" not in games


@pytest.mark.parametrize(
    ("wish", "part"),
    [
        ({"game": "connect_four", "against": "tiny-yatzy"}, "tiny-yatzy: expected a model of connect_four, got one of yatzy"),
        ({"game": "connect_four", "against": "/etc/passwd"}, "unknown opponent for connect_four"),
        ({"game": "connect_four", "seat": 2}, "connect_four has seats 0 to 1, got 2"),
        ({"game": "chess"}, "unknown game"),
        ({"game": "connect_four", "simulations": 0}, "simulations"),
        ({"game": "connect_four", "more": 1}, "more"),
    ],
)
def test_a_table_that_can_not_be_set_is_refused_in_a_line(guest, wish, part):
    answer = guest.client.post("/api/play", json=wish)
    assert answer.status_code in (404, 422)
    assert part in answer.json()["error"]
    assert "\n" not in answer.json()["error"]
    assert not guest.folder.exists()


@pytest.mark.parametrize(("game", "against"), [("tictactoe", "random"), ("connect_four", "tiny-four")])
def test_a_whole_game_is_kept_as_playmill_play_keeps_it(guest, game, against):
    name = guest.begin(game, against)
    table = guest.look(name)
    while not table["is_over"]:
        table = guest.play(name)
    path = guest.folder / f"{name}.json"
    saved = read_saved(path)
    record = saved.record(path, find_game(game))
    assert list(record.returns) == table["result"]["returns"]
    assert [move["action"] for move in table["moves"]] == list(saved.actions)
    assert guest.client.get("/api/play").json()["tables"][0]["is_over"] is True
    again = guest.client.get(f"/api/play/{name}/record").json()
    assert [move["text"] for move in again["moves"]] == list(saved.texts)
    assert again["boards"][-1] == table["boards"][-1]


def test_a_move_is_on_the_disk_when_it_is_answered_and_a_page_that_is_behind_is_told(guest):
    name = guest.begin("connect_four")
    guest.look(name)
    assert guest.move(name, 0, 3).status_code == 200
    wait_for(lambda: len(read_saved(guest.folder / f"{name}.json").actions) == 2)
    again = guest.move(name, 0, 3)  # the same click, sent again after a dropped connection
    assert (again.status_code, "the game has gone on" in again.json()["error"]) == (422, True)
    table = guest.look(name)
    assert table["ply"] == 2
    illegal = guest.move(name, 2, 9)
    assert (illegal.status_code, "legal actions are" in illegal.json()["error"]) == (422, True)
    assert guest.look(name)["ply"] == 2


def test_a_game_goes_on_after_the_server_was_started_again(tmp_path, models):
    first = Guest(tmp_path / "games", models)
    name = first.begin("connect_four", "tiny-four", seat=1)
    table = first.play(name, 3)
    first.room.close()
    second = Guest(tmp_path / "games", models)
    again = second.look(name)
    assert {key: again[key] for key in ("ply", "moves", "boards", "legal", "names", "seat")} == {
        key: table[key] for key in ("ply", "moves", "boards", "legal", "names", "seat")
    }
    assert second.play(name)["ply"] > table["ply"]
    second.room.close()


def test_undo_leads_back_to_the_last_decision_and_the_same_move_to_the_same_answer(guest):
    name = guest.begin("connect_four", "tiny-four", simulations=16)
    guest.play(name, 3)
    before = guest.play(name, 2)
    guest.client.post(f"/api/play/{name}/undo")
    back = guest.look(name)
    assert back["ply"] == 2
    assert len(read_saved(guest.folder / f"{name}.json").actions) == 2
    assert guest.play(name, 2)["moves"] == before["moves"]
    guest.client.post(f"/api/play/{name}/undo")
    guest.look(name)
    guest.client.post(f"/api/play/{name}/undo")
    assert guest.look(name)["ply"] == 0
    assert "nothing to take back" in guest.client.post(f"/api/play/{name}/undo").json()["error"]


def test_a_network_says_what_it_thought_and_what_it_thinks(guest):
    name = guest.begin("connect_four", "tiny-four", simulations=16)
    table = guest.play(name, 3)
    thought = table["moves"][1]["thought"]
    assert table["moves"][1]["action"] in [row["action"] for row in thought["rows"]]
    assert sum(row["visits"] for row in thought["rows"]) > 0
    assert thought["values"][0] == pytest.approx(-thought["values"][1])
    opinion = guest.client.post(f"/api/play/{name}/opinion", json={}).json()
    assert (opinion["kind"], opinion["model"], opinion["is_own"], opinion["ply"]) == ("puct", "tiny-four", True, 2)
    assert sum(row["policy"] for row in opinion["rows"]) == pytest.approx(1)


def test_in_yatzy_a_move_is_held_against_best_play(guest):
    name = guest.begin("yatzy", "oracle")
    table = guest.look(name)
    opinion = guest.client.post(f"/api/play/{name}/opinion", json={}).json()
    best = next(row for row in opinion["rows"] if row["is_best"])
    assert opinion["rows"][0] == best
    assert best["regret"] == pytest.approx(0, abs=1e-9)
    worst = max(opinion["rows"], key=lambda row: row["regret"])
    table = guest.play(name, worst["action"])
    assert table["moves"][0]["regret"] == pytest.approx(worst["regret"])
    assert all(move["regret"] is None for move in table["moves"] if move["seat"] == 1)


def test_what_an_exact_turn_does_not_know_is_null(guest):
    name = guest.begin("yatzy", "tiny-togo")
    table = guest.play(name, 32)
    thought = next(move["thought"] for move in table["moves"] if move["seat"] == 1)
    assert thought["rows"][0]["visits"] is None
    opinion = guest.client.post(f"/api/play/{name}/opinion", json={}).json()
    assert opinion["kind"] == "exact_turn"
    assert len(opinion["values"]) == 2


def test_a_kept_game_whose_network_is_gone_is_refused_in_a_line(guest):
    name = guest.begin("tictactoe")
    guest.play(name)
    path = guest.folder / f"{name}.json"
    content = json.loads(path.read_text())
    content["against"]["bot"] = "gone.pt"
    (guest.folder / "other.json").write_text(json.dumps(content))
    answer = guest.client.get("/api/play/other")
    assert answer.status_code in (422, 500)
    assert "gone.pt" in answer.json()["error"]
    assert guest.client.get("/api/play/nothing").status_code == 404
    assert guest.client.get("/api/play/..%2Fother").status_code == 404


def test_more_tables_than_are_kept_open_lose_nothing(guest):
    names = [guest.begin("tictactoe") for _ in range(10)]
    for name in names:
        guest.play(name)
    assert all(guest.look(name)["ply"] == 2 for name in names)


def test_pretrained_players_sit_at_tables_by_their_names(guest):
    games = {row["name"]: row["opponents"] for row in guest.client.get("/api/play").json()["games"]}
    [player] = [each for each in games["yatzy"] if each["name"] == "yatzy-best"]
    assert player["kind"] == "pretrained"
    assert "points a game" in player["note"]
    name = guest.begin("yatzy", "yatzy-best", seat=1)
    table = guest.look(name)
    assert table["ply"] > 0  # it had the first turn
    assert table["names"] == ["yatzy-best", "you"]
    assert guest.client.get("/api/play").json()["tables"][0]["against"] == "yatzy-best"
    opinion = guest.client.post(f"/api/play/{name}/opinion", json={}).json()
    assert (opinion["model"], opinion["is_own"]) == ("yatzy-best", True)  # its own network's, and not the bare rules'
    assert read_saved(guest.folder / f"{name}.json").against.bot == "yatzy-best"


def test_a_game_is_played_again_from_the_other_seat(guest):
    name = guest.begin("connect_four", "tiny-four", seat=0, simulations=9)
    again = guest.client.post(f"/api/play/{name}/again", json={}).json()["name"]
    assert again != name
    table = guest.look(again)
    assert (table["seat"], table["opponent"], table["simulations"], table["ply"]) == (1, "tiny-four", 9, 1)
    assert guest.client.post("/api/play/nothing/again", json={}).status_code == 404


def test_the_best_of_a_run_is_called_by_its_run(tmp_path, smoke_run):
    shutil.copytree(smoke_run, tmp_path / "runs" / "first")
    opponents = Opponents({}, RunShelf(tmp_path / "runs"))
    bot = opponents.find(find_game("yatzy"), "run first")
    assert opponents.title(bot) == "best of first"
    assert opponents.title("elsewhere/mine.pt") == "mine"
    assert opponents.title("oracle") == "oracle"


def test_tic_tac_toe_has_a_board_with_its_row_of_three(guest):
    name = guest.begin("tictactoe")
    table = guest.look(name)
    assert (table["boards"][0]["kind"], table["boards"][0]["cells"]) == ("tictactoe", ".........")
    while not table["is_over"]:
        table = guest.play(name)
    won = table["boards"][-1]["won"]
    assert len({table["boards"][-1]["cells"][square] for square in won}) == bool(table["result"]["lead"])
