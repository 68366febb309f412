"""The server without a browser: who may ask, what is answered, and what is kept."""

import json

import pytest
from starlette.testclient import TestClient

from playmill.core.errors import PlaymillError
from playmill.puzzles.review import read_review
from playmill.web.app import Offer, make_app
from playmill.web.puzzle_shelf import PuzzleShelf
from puzzle_samples import many_puzzles, sample_puzzles, write_puzzles

TOKEN, PORT = "the-token-of-these-tests", 8180
HOME = f"http://127.0.0.1:{PORT}"
HEADER = {"Authorization": f"Bearer {TOKEN}"}

pytestmark = pytest.mark.jit


@pytest.fixture
def path(tmp_path):
    return write_puzzles(tmp_path / "puzzles.jsonl", sample_puzzles()[:4])


@pytest.fixture
def shelf(path):
    shelf = PuzzleShelf(path)
    yield shelf
    shelf.close()


@pytest.fixture
def stranger(shelf):
    return TestClient(make_app(Offer(puzzles=shelf), TOKEN, PORT), HOME, follow_redirects=False)


@pytest.fixture
def client(shelf):
    return TestClient(make_app(Offer(puzzles=shelf), TOKEN, PORT), HOME, headers=HEADER)


# ------------------------------------------------------------------ who may ask

PLACES = ["/", "/puzzles/x", "/api/puzzles", "/icon.svg", "/assets/nothing.js", "/api/nothing"]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("words", ["", "?token=", "?token=wrong", "?token=%00%ff", "?token=the-token-of-these-test"])
def test_without_the_token_nothing_is_answered_but_one_line(stranger, place, words):
    answer = stranger.get(place + words)
    assert answer.status_code == 401
    assert answer.text == "playmill: no token, or an old one; open the address that playmill printed when it began\n"


@pytest.mark.parametrize("headers", [{"Authorization": "Bearer x"}, {"Cookie": f"playmill_{PORT}=x"}, {"Cookie": "=;;"}])
def test_a_wrong_token_is_none(stranger, headers):
    assert stranger.get("/api/puzzles", headers=headers).status_code == 401


def test_the_token_in_the_address_becomes_a_cookie_of_this_port_alone(stranger):
    answer = stranger.get(f"/puzzles/abc?decision=open&token={TOKEN}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/puzzles/abc?decision=open")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"playmill_{PORT}=")
    assert "httponly" in cookie.lower()
    assert "samesite=strict" in cookie.lower()
    assert stranger.get("/api/puzzles").status_code == 200


def test_cookies_of_other_servers_do_not_matter(stranger):
    cookies = f'{{"odd": 1}}; a=b=c; =; "; playmill_1=x; playmill_{PORT}={TOKEN}; z'
    assert stranger.get("/api/puzzles", headers={"Cookie": cookies}).status_code == 200


def test_the_token_leads_to_no_other_host(stranger):
    assert stranger.get(f"//elsewhere.example/?token={TOKEN}").headers["location"].startswith("/")
    assert not stranger.get(f"//elsewhere.example/?token={TOKEN}").headers["location"].startswith("//")


def test_a_token_in_the_address_of_the_api_is_not_looked_at(stranger):
    assert stranger.get(f"/api/puzzles?token={TOKEN}").status_code == 401


@pytest.mark.parametrize(
    "host", ["elsewhere.example", f"elsewhere.example:{PORT}", "127.0.0.1", "127.0.0.1:1", "", "localhost"]
)
def test_a_name_that_somebody_points_here_is_refused(client, host):
    answer = client.get("/api/puzzles", headers={"Host": host})
    assert answer.status_code == 421
    assert answer.text == f"playmill: expected the host 127.0.0.1:{PORT}, got '{host}'\n"


def test_localhost_is_this_machine_too(client):
    assert client.get("/api/puzzles", headers={"Host": f"localhost:{PORT}"}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": f"http://127.0.0.1:{PORT + 1}"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_other_pages_may_not_ask_even_with_the_cookie(client, shelf, headers):
    name = sample_puzzles()[0].name
    answer = client.post("/api/review", json={"puzzle": name, "decision": "deleted"}, headers=headers)
    assert answer.status_code == 403
    assert answer.text.count("\n") == 1
    assert read_review(shelf.path) == {}


def test_answers_carry_a_strict_policy_and_allow_no_other_origin(client):
    for place in ("/", "/api/puzzles", "/api/nothing"):
        headers = client.get(place, headers={"Origin": HOME}).headers
        assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self';")
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert not [name for name in headers if name.startswith("access-control")]


# ------------------------------------------------------------------ what is answered


def test_every_address_is_a_place_in_the_page_but_files_that_are_missing(client):
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert client.get("/puzzles/whatever").text == page.text
    assert client.get("/assets/nothing.js").status_code == 404
    assert client.get("/../../etc/passwd").text == page.text
    assert client.post("/").status_code == 405


def test_the_index_has_a_column_for_each_fact(client):
    index = client.get("/api/puzzles").json()
    puzzles = sample_puzzles()[:4]
    assert index["names"] == [puzzle.name for puzzle in puzzles]
    assert [index["ranks"][rank] for rank in index["rank"]] == [puzzle.difficulty for puzzle in puzzles]
    assert [[index["tags"][tag] for tag in tags] for tags in index["tagged"]] == [puzzle.tags for puzzle in puzzles]
    assert index["is_white"] == [int(puzzle.metadata.side == "white") for puzzle in puzzles]
    assert (index["problems"], index["decisions"]) == ([], {})


def test_a_puzzle_has_its_position_and_its_tree_as_points(client):
    puzzle = next(each for each in sample_puzzles() if each.metadata.source.endswith("straight_three.sgf"))
    view = client.get(f"/api/puzzles/{puzzle.name}").json()
    assert view["position"]["size"] == 19
    assert view["position"]["side"] == 1
    assert (view["position"]["white"][0], view["position"]["black"][0]) == (16 * 19, 17 * 19 + 1)
    assert view["right"][0] == 18 * 19 + 3  # d1
    assert {branch[0] for branch in view["wrong"]} == {18 * 19 + 2, 18 * 19 + 4}
    assert view["facts"]["puzzle_id"] == puzzle.metadata.puzzle_id


def test_broken_lines_are_named_by_number_and_the_rest_is_shown(path, client):
    with path.open("a") as file:
        file.write("{torn\n" + sample_puzzles()[5].line() + "\n" + json.dumps({"difficulty": "6k"}) + "\n")
    index = client.get("/api/puzzles").json()
    assert len(index["names"]) == 5
    assert [problem.split(":")[0] for problem in index["problems"]] == ["line 5", "line 7"]


def test_a_file_that_grows_is_read_again(path, client):
    new = sample_puzzles()[6]
    assert client.get(f"/api/puzzles/{new.name}").status_code == 404
    with path.open("a") as file:
        file.write(new.line() + "\n")
    assert client.get(f"/api/puzzles/{new.name}").status_code == 200
    assert client.get("/api/puzzles").json()["names"][-1] == new.name


@pytest.mark.parametrize("part", ["initial_state_sgf", "solution_sgf"])
def test_a_puzzle_whose_sgf_is_broken_says_so_in_a_line(path, part, client):
    broken = sample_puzzles()[7].model_copy(update={part: "(;SZ[19]AB[zz])"})
    with path.open("a") as file:
        file.write(broken.line() + "\n")
    answer = client.get(f"/api/puzzles/{broken.name}")
    assert answer.status_code == 422
    assert answer.json()["error"].startswith(f"{broken.name}: {part}: expected")


@pytest.mark.parametrize(
    ("solution", "part"),
    [
        ("(;SZ[19](;B[ds]TE[1](;W[ds])))", "expected legal moves, got D1 in a variation"),
        ("(;SZ[19];W[ds])", "expected moves that begin with Black's on 19 lines"),
        ("(;SZ[9];B[dd])", "expected moves that begin with Black's on 19 lines"),
    ],
)
def test_a_tree_that_can_not_be_played_is_told(path, solution, part, client):
    broken = sample_puzzles()[7].model_copy(update={"solution_sgf": solution})
    with path.open("a") as file:
        file.write(broken.line() + "\n")
    answer = client.get(f"/api/puzzles/{broken.name}")
    assert (answer.status_code, answer.json()["error"]) == (422, f"{broken.name}: solution_sgf: {part}")


def test_twenty_thousand_puzzles_are_one_small_answer(tmp_path):
    shelf = PuzzleShelf(write_puzzles(tmp_path / "many.jsonl", many_puzzles(20_000)))
    client = TestClient(make_app(Offer(puzzles=shelf), TOKEN, PORT), HOME, headers=HEADER)
    answer = client.get("/api/puzzles", headers={"Accept-Encoding": "gzip"})
    shelf.close()
    assert len(answer.json()["names"]) == 20_000
    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) < 400_000


# ------------------------------------------------------------------ decisions


def test_a_decision_is_on_the_disk_when_it_is_answered_and_the_puzzles_stay_as_they_are(path, client):
    before, (first, second) = path.read_bytes(), [puzzle.name for puzzle in sample_puzzles()[:2]]
    assert client.post("/api/review", json={"puzzle": first, "decision": "approved"}).status_code == 200
    assert read_review(path) == {first: "approved"}
    client.post("/api/review", json={"puzzle": second, "decision": "deleted"})
    assert client.get("/api/puzzles").json()["decisions"] == {first: "approved", second: "deleted"}
    assert path.read_bytes() == before


def test_undo_takes_back_one_decision_after_the_other(path, client):
    first, second = [puzzle.name for puzzle in sample_puzzles()[:2]]
    for name, decision in ((first, "approved"), (first, "deleted"), (second, "approved")):
        client.post("/api/review", json={"puzzle": name, "decision": decision})
    undone = [client.post("/api/review/undo").json() for _ in range(4)]
    assert [(each["puzzle"], each["decision"]) for each in undone] == [
        (second, "open"),
        (first, "approved"),
        (first, "open"),
        (None, None),
    ]
    assert read_review(path) == {}


def test_a_decision_that_holds_already_is_not_written_again(path, client, shelf):
    name = sample_puzzles()[0].name
    for _ in range(3):
        client.post("/api/review", json={"puzzle": name, "decision": "approved"})
    assert path.with_name("puzzles.review.jsonl").read_text().count("\n") == 1


@pytest.mark.parametrize(
    ("body", "status", "part"),
    [
        ({"puzzle": "nothing", "decision": "approved"}, 404, "no puzzle is called 'nothing'"),
        ({"puzzle": "x", "decision": "perhaps"}, 422, "decision"),
        ({"decision": "open"}, 422, "puzzle"),
        ({"puzzle": "x", "decision": "open", "more": 1}, 422, "more"),
        ([], 422, "body"),
    ],
)
def test_what_is_no_decision_is_refused_in_a_line(path, client, body, status, part):
    answer = client.post("/api/review", json=body)
    assert answer.status_code == status
    assert part in answer.json()["error"]
    assert "\n" not in answer.json()["error"]
    assert read_review(path) == {}


def test_a_full_disk_is_told_and_the_decision_does_not_count(client, shelf, monkeypatch):
    def refuse(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("playmill.puzzles.review.append_line", refuse)
    answer = client.post("/api/review", json={"puzzle": sample_puzzles()[0].name, "decision": "approved"})
    assert answer.status_code == 500
    assert "No space left" in answer.json()["error"]
    assert client.get("/api/puzzles").json()["decisions"] == {}


def test_one_process_reviews_a_file_at_a_time(path, shelf):
    with pytest.raises(PlaymillError, match="another process"):
        PuzzleShelf(path)
