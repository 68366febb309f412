"""The studio in a real browser: runs followed, compared and replayed, whole games played by clicking."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains

from playmill.games.exchange.board import MAX_HP
from playmill.replay.saved_game import read_saved
from playmill.runs.folder import PHASES
from playmill.runs.view import RunView
from puzzle_samples import sample_puzzles, write_puzzles
from waiting import halted, wait_for
from web.browsing import CHROMIUM, DRIVER, Reader, chromium
from web.serving import serving
from web.studio_folder import copy_runs, make_models

pytestmark = [
    pytest.mark.jit,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed"),
]
ROOT = Path(__file__).parents[2]
RUN_S = 300.0  # for a smoke run on a busy machine; it takes about fifteen seconds
LIVE_ITERATIONS = 3
DESK, PHONE = (1360, 860), (390, 844)


class Visitor(Reader):
    """Somebody in front of the studio."""

    def visit(self, path: str) -> None:
        self.driver.get(self.address.split("/?")[0] + path)

    def wait_for_text(self, selector: str, part: str) -> None:
        wait_for(lambda: part in self.text(selector))

    def texts(self, selector: str) -> list[str]:
        """The texts of all, at one moment."""
        script = "return [...document.querySelectorAll(arguments[0])].map((each) => each.innerText)"
        return self.driver.execute_script(script, selector)

    def open_run(self, name: str) -> None:
        """By its link in the list."""
        self.click(f"a.run-link[href$='/runs/{name}']")
        self.wait_for_text("h1", name)

    def attribute(self, selector: str, name: str) -> str:
        """Of the first one, at this moment."""
        script = "return document.querySelector(arguments[0])?.getAttribute(arguments[1]) ?? ''"
        return str(self.driver.execute_script(script, selector, name))

    def focused(self, name: str) -> str:
        """An attribute of what has the focus."""
        return str(self.driver.execute_script("return document.activeElement.getAttribute(arguments[0]) ?? ''", name))

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
        wait_for(lambda: self.attribute(".table-board", "data-turn") in ("you", "over"))
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
    browser.get("about:blank")
    visitor.complaints()  # those of the page before, whose server may be gone
    browser.get(address)
    visitor.wait_for_text("h1", "Runs")
    yield visitor
    assert visitor.complaints() == []


def test_the_list_leads_to_a_run_with_its_curves_events_and_settings(visitor):
    wait_for(lambda: len(visitor.all(".run-row")) >= 3)
    assert "run.json" in visitor.text(".run-problem")
    visitor.open_run("first")
    wait_for(lambda: visitor.attribute("[data-run-state]", "data-run-state") == "done")
    titles = [each.get_attribute("data-chart") for each in visitor.all("[data-chart]")]
    assert {"Strength", "Gates", "loss: total"} <= set(titles)
    assert len(visitor.all("[data-chart=Gates] .chart-dot")) == 2
    assert len(visitor.all("[data-chart=Strength] .chart-band")) == 1
    assert "points a game" in visitor.text(".events")
    assert "exact_turn" in visitor.text(".facts-list")
    assert visitor.text("[data-chart=Gates] .chart-words").startswith("iteration 2: ")  # the last one, unasked
    visitor.driver.execute_script("document.querySelector('[data-chart=Gates] svg').focus()")
    visitor.press("\ue012", "\ue012")  # left arrow: to the last dot, and to the one before
    visitor.wait_for_text("[data-chart=Gates] .chart-words", "iteration 1: ")
    ActionChains(visitor.driver).move_to_element_with_offset(visitor.find("[data-chart=Gates] svg"), 120, 0).perform()
    visitor.wait_for_text("[data-chart=Gates] .chart-words", "iteration 2: ")
    assert "% of 32 games" in visitor.text("[data-chart=Gates] .chart-words")


def test_a_run_that_is_not_there_is_told_with_the_way_back(visitor):
    visitor.visit("/runs/nothing")
    visitor.wait_for_text(".trouble", "no run is called 'nothing'")
    visitor.find(".lost a").click()
    visitor.wait_for_text("h1", "Runs")
    assert any("404" in line for line in visitor.complaints())


def test_nothing_is_asked_of_anybody_but_the_server(visitor):
    script = "return performance.getEntriesByType('resource').map((each) => each.name)"
    for path in ("/runs/first", "/runs/first/games", "/play", "/puzzles"):
        visitor.visit(path)
        wait_for(lambda: visitor.all("h1") and not visitor.all(".waiting"))
        names = visitor.driver.execute_script(script)
        assert names
        assert all(name.startswith(visitor.address.split("/?")[0]) for name in names)


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
    wait_for(lambda: visitor.all(".judgement .did"))
    visitor.press("\ue010")  # End
    wait_for(lambda: not visitor.all(".die"))
    totals = [int(cell.text) for cell in visitor.all(".score-sheet tfoot td")]
    written = [
        sum(int(row.text) for row in visitor.all(f".score-sheet tbody tr:not(.upper) td:nth-child({n})")) for n in (2, 3)
    ]
    assert [total - points in (0, 50) for total, points in zip(totals, written, strict=True)] == [True, True]
    visitor.find(".replayed li:nth-child(5) button").click()
    wait_for(lambda: visitor.attribute(".at-table", "data-ply") == "5")


def phases_done(run):
    """How many phases of a run's first iteration its manifest has, and how many phases its events tell the end of."""
    events = run / "logs" / "metrics.ndjson"
    if not events.exists():
        return 0, 0
    entries = RunView(run).manifest.iterations
    names = [json.loads(line)["event"] for line in events.read_text().split("\n")[:-1]]  # the last may still be written
    first = [getattr(entries[0], phase) for phase in PHASES] if entries else []
    return sum(entry is not None for entry in first), sum(name.endswith("_done") for name in names)


def test_a_live_run_is_followed_to_its_end(visitor, folder):
    """The run is halted after each phase of its first iteration: how fast machine and page are makes no difference."""
    command = [sys.executable, "-m", "playmill.cli.main", "run", str(ROOT / "configs" / "yatzy_smoke.yaml")]
    command += ["--iterations", str(LIVE_ITERATIONS), "--out", "runs/live"]
    run = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    live = folder / "runs" / "live"
    ends = ("self-play", "trained", "gate", "measured")
    try:
        wait_for(lambda: phases_done(live)[1] >= 1, RUN_S)
        with halted(run.pid):
            visitor.open_run("live")
            wait_for(lambda: visitor.attribute("[data-run-state]", "data-run-state") == RunView(live).state.name)
            visitor.driver.execute_script("window.stillTheSamePage = true")
        for count in (2, 3):
            wait_for(lambda least=count: phases_done(live)[0] >= least, RUN_S)
            with halted(run.pid):
                entries, ended = phases_done(live)
                wait_for(lambda now=ended: sum(each.split(" ")[0] in ends for each in visitor.texts(".events b")) == now)
                wait_for(lambda: visitor.attribute("[data-run-state]", "data-run-state") == RunView(live).state.name)
                if entries < len(PHASES):  # still in the first iteration
                    wait_for(lambda now=entries: len(visitor.all(".phases li.done")) == now)
        wait_for(lambda: visitor.attribute("[data-run-state]", "data-run-state") == "done", RUN_S)
        assert visitor.driver.execute_script("return window.stillTheSamePage")  # nobody reloaded the page
    finally:
        run.wait(RUN_S)
    wait_for(lambda: f"{LIVE_ITERATIONS} of {LIVE_ITERATIONS} iterations" in visitor.text("[data-run-state]"))
    wait_for(lambda: len(visitor.all("[data-chart=Gates] .chart-dot")) == LIVE_ITERATIONS)
    wait_for(lambda: visitor.text(".events").count("measured") == LIVE_ITERATIONS)
    assert run.returncode == 0


def test_connect_four_is_played_to_its_end_against_a_network_and_a_reload_keeps_it(visitor, folder):
    name = visitor.begin("connect_four", "tiny-four")
    visitor.click("[data-column='4']")
    wait_for(lambda: visitor.ply == 2)
    visitor.driver.refresh()
    visitor.wait_for_turn()
    assert visitor.ply == 2
    visitor.wait_for_text(".judgement", "visits")
    visitor.press("3")
    wait_for(lambda: visitor.ply == 4)
    visitor.wait_for_turn()  # the move is shown before the bot sits back; only then it may be taken back
    visitor.press("z")
    wait_for(lambda: visitor.ply == 2)
    visitor.wait_for_turn()
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
    wait_for(lambda: any(button.text == "Replay" for button in visitor.all("button")))
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
    wait_for(lambda: visitor.attribute("[data-die='1']", "aria-pressed") == "true")
    visitor.press("r")
    wait_for(lambda: visitor.ply == 1)
    assert any(f": {held}, held" in die.get_attribute("aria-label") for die in visitor.all(".die"))
    visitor.driver.refresh()
    visitor.wait_for_turn()
    assert visitor.ply == 1
    visitor.press("\ue015")  # down, to the category that is worth most
    wait_for(lambda: visitor.focused("data-category"))
    visitor.press("\ue007")  # Enter
    wait_for(lambda: visitor.ply > 1)
    for _ in range(14):
        visitor.wait_for_turn()
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
    assert visitor.wait_for_turn() == "you"
    visitor.button("Pass")
    wait_for(lambda: visitor.ply > 2)  # 3 where the bot has passed, too: that was the end
    assert "E5" in visitor.text(".move-list")
    assert "pass" in visitor.text(".move-list")


def test_tic_tac_toe_is_played_by_keys_alone_and_again_from_the_other_seat(visitor):
    first = visitor.begin("tictactoe", "random")
    for key in "123456789":
        if visitor.wait_for_turn() == "over":
            break
        if not visitor.all(f"[data-action='{int(key) - 1}']:enabled"):
            continue
        before = visitor.ply
        visitor.press(key)
        wait_for(lambda at=before: visitor.ply > at)
    assert visitor.wait_for_turn() == "over"
    visitor.press("n")
    wait_for(lambda: "/play/" in visitor.driver.current_url and not visitor.driver.current_url.endswith(first))
    visitor.wait_for_turn()
    visitor.wait_for_text(".headline", "you are O, against random")


def test_the_rules_are_at_hand(visitor):
    visitor.begin("exchange", "greedy")
    visitor.button("Rules")
    visitor.wait_for_text("dialog", "Kill the enemy king")
    visitor.press("\ue00c")  # Escape
    wait_for(lambda: not visitor.all("dialog"))
    visitor.click("[data-square=a8]")
    visitor.wait_for_text(".exchange-choices", "Black's rook, 13 of 13 HP")


def test_who_comes_without_a_run_can_play_at_once(browser, tmp_path):
    with serving("studio", cwd=tmp_path) as (address, _):
        visitor = Visitor(browser, address)
        visitor.media(prefers_reduced_motion="reduce")
        visitor.resize(*DESK)
        browser.get(address)
        visitor.wait_for_text("h1", "Play")
        visitor.button("Begin")
        assert visitor.wait_for_turn() == "you"
        assert len(visitor.all(".die")) == 5
        visitor.visit("/runs")
        visitor.wait_for_text(".empty", "playmill run yatzy")
        assert visitor.find(".empty a").get_attribute("href").endswith("/play")
        assert visitor.complaints() == []


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


def test_a_connection_that_drops_in_mid_game_loses_nothing(visitor):
    def set_offline(is_offline):
        conditions = {"offline": is_offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        visitor.driver.execute_cdp_cmd("Network.emulateNetworkConditions", conditions)

    visitor.driver.execute_cdp_cmd("Network.enable", {})
    visitor.begin("tictactoe", "random")
    visitor.click("[data-action='4']")
    wait_for(lambda: visitor.ply == 2)
    visitor.wait_for_turn()
    set_offline(True)
    try:
        visitor.click("[data-action]:enabled")
        visitor.wait_for_text(".trouble", "the server doesn't answer")
    finally:
        set_offline(False)
    wait_for(lambda: not visitor.all(".trouble"))
    assert visitor.wait_for_turn() == "you"
    assert visitor.ply == 2
    visitor.click("[data-action]:enabled")
    wait_for(lambda: visitor.ply > 2)
    assert all("ERR_INTERNET_DISCONNECTED" in line for line in visitor.complaints())


def test_an_opponent_of_another_game_is_refused_in_a_line(visitor):
    script = """const done = arguments[0];
      fetch('/api/play', {method: 'POST', headers: {'Content-Type': 'application/json'},
        body: JSON.stringify({game: 'yatzy', against: 'tiny-four'})}).then(a => a.json()).then(done)"""
    told = visitor.driver.execute_async_script(script)
    assert told == {"error": "tiny-four: expected a model of yatzy, got one of connect_four; choose another opponent"}
    assert any("422" in line for line in visitor.complaints())
