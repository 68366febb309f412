"""The studio in a real browser: runs followed, compared and replayed, whole games played by clicking."""

import subprocess
import sys
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains

from playmill.games.exchange.board import MAX_HP
from playmill.replay.saved_game import read_saved
from puzzle_samples import sample_puzzles, write_puzzles
from waiting import wait_for
from web.browsing import CHROMIUM, DRIVER, Reader, chromium
from web.serving import serving
from web.studio_folder import copy_runs, make_models

pytestmark = [
    pytest.mark.jit,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed"),
]
ROOT = Path(__file__).parents[2]
RUN_S = 150.0  # for a smoke run on a busy machine; it takes about fifteen seconds
# A page asks once a second: where two iterations take three seconds, it would see too little of a run to tell.
LIVE_ITERATIONS = 6
DESK, PHONE = (1360, 860), (390, 844)


class Visitor(Reader):
    """Somebody in front of the studio."""

    def visit(self, path: str) -> None:
        self.driver.get(self.address.split("/?")[0] + path)

    def wait_for_text(self, selector: str, part: str, patience_s: float = 30.0) -> None:
        wait_for(lambda: part in self.text(selector), patience_s)

    def attribute(self, selector: str, name: str) -> str:
        """Of the first one, at this moment."""
        script = "return document.querySelector(arguments[0])?.getAttribute(arguments[1]) ?? ''"
        return str(self.driver.execute_script(script, selector, name))

    def is_within_the_page(self) -> bool:
        return self.driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")

    # ------------------------------------------------------------------ tables

    def begin(self, game: str, against: str) -> str:
        """A new table, by the lobby; its name."""
        self.visit("/play")
        wait_for(lambda: self.all(f"[data-game={game}]"))
        self.find(f"[data-game={game}]").click()
        choice = self.find("select[aria-label=Against]")
        next(each for each in choice.find_elements("css selector", "option") if each.get_attribute("value") == against).click()
        next(each for each in self.find("select[aria-label=Simulations]").find_elements("css selector", "option")).click()
        self.button("Begin")
        self.wait_for_turn()
        return self.driver.execute_script("return location.pathname").split("/")[-1]

    def wait_for_turn(self) -> str:
        """Until the person is to move, or the game is over; which of them."""
        wait_for(lambda: self.attribute(".table-board", "data-turn") in ("you", "over"), 60.0)
        return self.attribute(".table-board", "data-turn")

    @property
    def ply(self) -> int:
        return int(self.attribute(".table-board", "data-ply") or -1)

    def table(self) -> dict:
        """What the server says of the table that is shown."""
        script = "const done = arguments[1]; fetch('/api/play/' + arguments[0]).then(a => a.json()).then(done)"
        return self.driver.execute_async_script(script, self.driver.execute_script("return location.pathname").split("/")[-1])

    def click(self, selector: str) -> None:
        ActionChains(self.driver, duration=0).click(self.find(selector)).perform()


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with chromium(tmp_path_factory.mktemp("chromium"), "--enable-unsafe-swiftshader") as driver:
        yield driver


@pytest.fixture(scope="module")
def folder(smoke_run, tmp_path_factory):
    folder = tmp_path_factory.mktemp("studio")
    copy_runs(smoke_run, folder)
    write_puzzles(folder / "puzzles.jsonl", sample_puzzles()[:3])
    return folder


@pytest.fixture(scope="module")
def address(folder):
    models = [word for name, path in make_models(folder).items() for word in ("--model", f"{name}={path}")]
    with serving("studio", "runs", "--puzzles", "puzzles.jsonl", *models, cwd=folder) as (address, _):
        yield address


@pytest.fixture
def visitor(browser, address):
    """Somebody who has opened the studio; the console stays empty."""
    visitor = Visitor(browser, address)
    visitor.media(prefers_reduced_motion="reduce")
    visitor.resize(*DESK)
    browser.get(address)
    visitor.wait_for_text("h1", "Runs")
    yield visitor
    assert visitor.complaints() == []


def test_the_list_leads_to_a_run_with_its_curves_events_and_settings(visitor):
    wait_for(lambda: len(visitor.all(".run-row")) >= 3)
    assert "run.json" in visitor.text(".run-problem")
    next(link for link in visitor.all("a.run-link") if link.text.startswith("first")).click()
    visitor.wait_for_text("h1", "first")
    wait_for(lambda: visitor.attribute("[data-run-state]", "data-run-state") == "done")
    titles = [each.get_attribute("data-chart") for each in visitor.all("[data-chart]")]
    assert {"Strength", "Gates", "loss: total"} <= set(titles)
    assert len(visitor.all("[data-chart=Gates] .chart-dot")) == 2
    assert len(visitor.all("[data-chart=Strength] .chart-band")) == 1
    assert "points a game" in visitor.text(".events")
    assert "exact_turn" in visitor.text(".facts-list")
    ActionChains(visitor.driver).move_to_element(visitor.find("[data-chart=Gates] svg")).perform()
    visitor.wait_for_text("[data-chart=Gates] .chart-words", "% of 32 games")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    "path", ["/runs", "/runs/first", "/runs?compare=first,second", "/runs/first/games", "/play", "/puzzles"]
)
def test_every_page_fits_a_phone_in_both_themes(visitor, path, theme):
    visitor.media(prefers_reduced_motion="reduce", prefers_color_scheme=theme)
    visitor.resize(*PHONE, touch=True)
    visitor.visit(path)
    wait_for(lambda: visitor.all("h1") and not visitor.all(".waiting"))
    assert visitor.is_within_the_page()
    assert visitor.driver.execute_script("return document.documentElement.dataset.theme") == theme
    assert visitor.find(".top nav [aria-current]").is_displayed()


def test_two_runs_are_compared_over_what_one_likes(visitor):
    for name in ("first", "second"):
        visitor.find(f"[aria-label='Compare {name}']").click()
    visitor.button("Compare 2")
    visitor.wait_for_text("h1", "Comparison")
    assert len(visitor.all("[data-chart=Strength] .chart-line")) == 2
    visitor.button("games of self-play")
    name = "return document.querySelector('[data-chart=Strength] .chart-tick.name').textContent"
    wait_for(lambda: visitor.driver.execute_script(name) == "games of self-play")
    assert "None: all have the same settings." in visitor.text(".sheet")


def test_a_recorded_game_is_stepped_through_by_keys_and_clicks(visitor):
    visitor.visit("/runs/first/games")
    wait_for(lambda: visitor.all(".die"))
    visitor.press("\ue014", "\ue014")  # right arrow
    wait_for(lambda: visitor.attribute(".at-table", "data-ply") == "2")
    assert visitor.all(".judgement .did")
    visitor.press("\ue010")  # End
    wait_for(lambda: not visitor.all(".die"))
    totals = [int(cell.text) for cell in visitor.all(".score-sheet tfoot td")]
    written = [
        sum(int(row.text) for row in visitor.all(f".score-sheet tbody tr:not(.upper) td:nth-child({n})")) for n in (2, 3)
    ]
    assert [total - points in (0, 50) for total, points in zip(totals, written, strict=True)] == [True, True]
    visitor.find(".replayed li:nth-child(5) button").click()
    wait_for(lambda: visitor.attribute(".at-table", "data-ply") == "5")


def test_a_live_run_is_followed_to_its_end(visitor, folder):
    command = [sys.executable, "-m", "playmill.cli.main", "run", str(ROOT / "configs" / "yatzy_smoke.yaml")]
    command += ["--iterations", str(LIVE_ITERATIONS), "--out", "runs/live"]
    run = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: any(link.text.startswith("live") for link in visitor.all("a.run-link")), RUN_S)
        next(link for link in visitor.all("a.run-link") if link.text.startswith("live")).click()
        visitor.wait_for_text("h1", "live")
        visitor.driver.execute_script("window.stillTheSamePage = true")
        states, seen = set(), set()

        def is_done():
            state = visitor.attribute("[data-run-state]", "data-run-state")
            states.add(state)
            if state == "running":
                seen.add((len(visitor.all(".events li")), len(visitor.all(".phases li.done"))))
            return "done" in states

        wait_for(is_done, RUN_S)
        assert "running" in states
        assert len(seen) > 2  # events and phases came as the run went on ...
        assert visitor.driver.execute_script("return window.stillTheSamePage")  # ... and nobody reloaded the page
    finally:
        run.wait(RUN_S)
    wait_for(lambda: f"{LIVE_ITERATIONS} of {LIVE_ITERATIONS} iterations" in visitor.text("[data-run-state]"))
    wait_for(lambda: len(visitor.all("[data-chart=Gates] .chart-dot")) == LIVE_ITERATIONS)
    events = visitor.text(".events")
    assert events.count("measured") == LIVE_ITERATIONS
    assert run.returncode == 0


def test_connect_four_is_played_to_its_end_against_a_network_and_a_reload_keeps_it(visitor, folder):
    name = visitor.begin("connect_four", "tiny-four")
    visitor.click("[data-column='4']")
    wait_for(lambda: visitor.ply == 2)
    visitor.driver.refresh()
    visitor.wait_for_turn()
    assert visitor.ply == 2
    assert "visits" in visitor.text(".judgement")
    visitor.press("3")
    wait_for(lambda: visitor.ply == 4)
    visitor.press("z")
    wait_for(lambda: visitor.ply == 2)
    visitor.press("o")
    visitor.wait_for_text(".judgement h2", "Opinion")
    while visitor.wait_for_turn() == "you":
        before = visitor.ply
        visitor.click(".four-columns button:enabled")
        wait_for(lambda at=before: visitor.ply > at)
    saved = read_saved(folder / "games" / f"{name}.json")
    assert saved.result is not None
    word = {1: "You won", 0: "A draw", -1: "You lost"}[int(saved.result[0])]
    assert visitor.text(".turn .badge") == word
    discs = len(visitor.all(".four-disc"))
    assert discs == len(saved.actions)
    visitor.button("Replay")
    wait_for(lambda: visitor.attribute(".at-table", "data-ply") == "0")
    visitor.press("\ue010")  # End
    wait_for(lambda: len(visitor.all(".four-disc")) == discs)
    visitor.visit("/play")
    visitor.wait_for_text(".tables", "Connect four")


def test_yatzy_is_played_to_its_end_against_a_network_with_the_regret_of_each_move(visitor, folder):
    name = visitor.begin("yatzy", "tiny-yatzy")
    held = visitor.attribute("[data-die='1']", "aria-label").split()[2].strip(",")
    visitor.click("[data-die='1']")
    assert visitor.attribute("[data-die='1']", "aria-pressed") == "true"
    visitor.press("r")
    wait_for(lambda: visitor.ply == 1)
    assert any(f": {held}, held" in die.get_attribute("aria-label") for die in visitor.all(".die"))
    visitor.driver.refresh()
    visitor.wait_for_turn()
    assert visitor.ply == 1
    for _ in range(15):
        before = visitor.ply
        best = max(visitor.all("[data-category]"), key=lambda each: int(each.text))
        best.click()
        wait_for(lambda at=before: visitor.ply > at)
        if visitor.wait_for_turn() == "over":
            break
    saved = read_saved(folder / "games" / f"{name}.json")
    assert saved.result is not None
    assert len(visitor.all(".move-list i")) == 16  # a roll and fifteen marks of the person's own
    given = float(visitor.attribute("[data-given]", "data-given"))
    assert given > 1
    totals = [int(cell.text) for cell in visitor.all(".score-sheet tfoot td")]
    assert (totals[0] > totals[1]) - (totals[0] < totals[1]) == saved.result[0]


def choose_exchange(table):
    """Hit whoever can be hit, the king first; else go forward: the game ends soon."""
    pieces = {piece[0]: piece for piece in table["boards"][-1]["pieces"]}

    def worth(move):
        action = move[0]
        end, target, kind = action >> 9 & 63, action >> 3 & 63, action & 7
        if 2 <= kind <= 5:
            hit = pieces[target]
            return (2, hit[1] == 0, -hit[3] / MAX_HP[hit[1]])
        return (1 if kind < 2 else 0, end // 8, -abs(end % 8 - 4))

    return max(table["legal"], key=worth)


def test_exchange_is_played_to_its_end_against_a_network(visitor, folder):
    name = visitor.begin("exchange", "tiny-exchange")
    while visitor.wait_for_turn() == "you":
        action, text, _ = choose_exchange(visitor.table())
        before = visitor.ply
        if text == "--":
            visitor.button("Pass: nothing else is legal")
        else:
            visitor.click(f"[data-square={text[:2]}]")
            target, end, kind = action >> 3 & 63, action >> 9 & 63, action & 7
            aim = target if 2 <= kind <= 6 else end
            visitor.click(f"[data-square={'abcdefgh'[aim % 8]}{aim // 8 + 1}]")
            if visitor.ply == before and visitor.all(f"[data-move='{text}']"):
                visitor.click(f"[data-move='{text}']")
        wait_for(lambda at=before: visitor.ply > at)
    saved = read_saved(folder / "games" / f"{name}.json")
    assert saved.result is not None
    assert visitor.text(".turn .badge") in ("You won", "You lost", "A draw")


def test_go_is_played_on_its_board(visitor):
    visitor.begin("go9", "random")
    visitor.wait_for_board()
    visitor.play("E5", 9)
    wait_for(lambda: visitor.ply == 2)
    visitor.button("Pass")
    wait_for(lambda: visitor.ply == 4)
    assert "E5" in visitor.text(".move-list")


def test_a_server_that_is_gone_is_told_and_found_again_with_the_game(folder, browser, tmp_path):
    """The address, with its port, is the same one again; so is the game."""
    with serving("studio", "--kept", str(tmp_path), cwd=folder) as (address, process):
        visitor = Visitor(browser, address)
        visitor.media(prefers_reduced_motion="reduce")
        visitor.resize(*DESK)
        browser.get(address)
        visitor.wait_for_text("h1", "Runs")
        name = visitor.begin("tictactoe", "random")
        process.kill()
        process.wait()
        visitor.find("[data-action='4']").click()
        visitor.wait_for_text(".trouble", "the server doesn't answer")
    assert len(read_saved(tmp_path / f"{name}.json").actions) == 0
    with serving("studio", "--kept", str(tmp_path), cwd=folder) as (address, _):
        visitor = Visitor(browser, address)
        browser.get(address.replace("/?", f"/play/{name}?"))
        assert visitor.wait_for_turn() == "you"
        visitor.find("[data-action='4']").click()
        wait_for(lambda: visitor.ply == 2)
    visitor.complaints()  # of connections refused, which are the point


def test_an_opponent_of_another_game_is_refused_in_a_line(visitor):
    script = """const done = arguments[0];
      fetch('/api/play', {method: 'POST', headers: {'Content-Type': 'application/json'},
        body: JSON.stringify({game: 'yatzy', against: 'tiny-four'})}).then(a => a.json()).then(done)"""
    told = visitor.driver.execute_async_script(script)
    assert told == {"error": "tiny-four: expected a model of yatzy, got one of connect_four; choose another opponent"}
    assert any("422" in line for line in visitor.complaints())
