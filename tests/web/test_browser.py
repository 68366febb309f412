"""The page in a real browser: what a reviewer does all day."""

import json
import time

import pytest
from selenium.webdriver.common.keys import Keys

from playmill.puzzles.review import read_review
from puzzle_samples import many_puzzles, sample_puzzles, write_puzzles
from waiting import wait_for
from web.browsing import CHROMIUM, DRIVER, Reader, chromium
from web.serving import served

pytestmark = [
    pytest.mark.jit,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed"),
]


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with chromium(tmp_path_factory.mktemp("chromium"), "--enable-unsafe-swiftshader") as driver:
        yield driver


@pytest.fixture
def path(tmp_path):
    return write_puzzles(tmp_path / "puzzles.jsonl", sample_puzzles())


@pytest.fixture
def reviewer(path, browser):
    """Somebody who has just opened the page of `path`, on a large screen; the console stays empty."""
    with served(path) as (address, _):
        yield from _opened(browser, address)


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """The address of a page whose puzzles nobody decides about."""
    path = write_puzzles(tmp_path_factory.mktemp("shown") / "puzzles.jsonl", sample_puzzles())
    with served(path) as (address, _):
        yield address


@pytest.fixture
def reader(shown, browser):
    """Somebody who has just opened that page."""
    yield from _opened(browser, shown)


def _opened(browser, address):
    reader = Reader(browser, address)
    reader.media(prefers_reduced_motion="reduce")
    reader.open()
    yield reader
    assert reader.complaints() == []


def find(source, side):
    """The number of a sample, and the puzzle."""
    puzzles = enumerate(sample_puzzles())
    return next((at, each) for at, each in puzzles if source in each.metadata.source and each.metadata.side == side)


def go_to(reader, at):
    for _ in range(at):
        reader.press(Keys.ARROW_RIGHT)
    reader.wait_for_puzzle(sample_puzzles()[at].name)


def test_puzzles_are_approved_deleted_and_undone_and_a_reload_keeps_it(reviewer, path):
    first, second, third = (puzzle.name for puzzle in sample_puzzles()[:3])
    before = path.read_bytes()
    assert reviewer.puzzle == first
    assert reviewer.counts() == {"approved": 0, "deleted": 0, "open": len(sample_puzzles())}
    reviewer.press("a")
    reviewer.wait_for_puzzle(second)
    reviewer.press("d")
    reviewer.wait_for_puzzle(third)
    wait_for(lambda: read_review(path) == {first: "approved", second: "deleted"})
    reviewer.press("z")
    reviewer.wait_for_puzzle(second)
    wait_for(lambda: read_review(path) == {first: "approved"})
    reviewer.press("D")
    reviewer.wait_for_puzzle(third)
    reviewer.driver.refresh()
    reviewer.wait_for_board()
    assert reviewer.puzzle == third
    assert reviewer.counts() == {"approved": 1, "deleted": 1, "open": len(sample_puzzles()) - 2}
    reviewer.press("z")  # the server knows what to take back
    reviewer.wait_for_puzzle(second)
    assert path.read_bytes() == before


def test_decisions_are_kept_across_servers(path, browser):
    with served(path) as (address, _):
        reader = Reader(browser, address)
        reader.open()
        reader.press("a")
        wait_for(lambda: read_review(path))
    with served(path) as (address, _):
        reader = Reader(browser, address)
        reader.open()
        assert reader.counts()["approved"] == 1
        assert reader.puzzle == sample_puzzles()[1].name  # the first one that is open


def test_a_puzzle_is_solved_by_clicking_and_a_wrong_move_is_refuted(reader):
    at, puzzle = find("straight_three", "white")
    go_to(reader, at)
    assert reader.text("h1") == "White to play and kill"
    reader.play("A1")
    reader.wait_for_words("A stone stands on A1.")
    reader.play("H5")
    reader.wait_for_words("H5 is wrong: it is proved that every other first move fails.")
    reader.play("C1")
    reader.wait_for_words("C1 is wrong: Black D1 refutes it, and Black lives.")
    reader.press("r")
    reader.wait_for_words("Where does White play?")
    reader.play("D1")
    reader.wait_for_words("White to play.")
    assert reader.text(".played").split() == ["1", "D1", "2", "C1"]
    reader.play("E1")
    reader.wait_for_words("Solved: Black is dead.")
    assert "SOLUTION" in reader.text(".solution").upper()
    assert puzzle.metadata.source in reader.text(".facts")


def test_an_engines_puzzle_says_honestly_that_a_move_is_unknown(tmp_path, browser):
    puzzle = sample_puzzles()[0]
    judged = puzzle.model_copy(update={"metadata": puzzle.metadata.model_copy(update={"verification": "engine"})})
    with served(write_puzzles(tmp_path / "engine.jsonl", [judged])) as (address, _):
        reader = Reader(browser, address)
        reader.open()
        reader.play("H5")
        reader.wait_for_words("H5 isn't in the tree, so nothing is known about it")
        assert reader.find(".said").get_attribute("data-tone") == "unknown"


def test_the_facts_tell_what_the_game_did_not_have_and_in_what_the_budget_is_counted(tmp_path, browser):
    proved = sample_puzzles()[0]
    changed = {"left_out": "aa", "added": ["js", "ss"], "engine": "katago 1.18.1", "network": "b15"}
    found = proved.model_copy(update={"metadata": proved.metadata.model_copy(update=changed)})
    with served(write_puzzles(tmp_path / "found.jsonl", [found])) as (address, _):
        reader = Reader(browser, address)
        reader.open()
        rows = dict(each.text.split("\n") for each in reader.all(".facts dl > div"))
        assert (rows["Left out"], rows["Added"]) == ("A19, a stone of the game", "K1 T1, not in the game")
        assert rows["Judge"] == "katago 1.18.1, b15"
        assert rows["Budget"].endswith(" nodes")  # a proof's, whoever found the puzzle


def test_the_keyboard_alone_is_enough(reader):
    at, _ = find("straight_three", "black")
    go_to(reader, at)
    reader.press(Keys.ARROW_DOWN)
    reader.wait_for_words("End of the line: Black lives.")
    reader.press(Keys.ARROW_UP, " ", "r", "b")
    board = reader.find(".board")
    start = board.get_attribute("data-cursor")
    reader.press(*[Keys.ARROW_DOWN] * 8, *[Keys.ARROW_LEFT] * 10, *[Keys.ARROW_RIGHT] * 3)
    wait_for(lambda: board.get_attribute("data-cursor") == "D1")
    assert start != "D1"
    reader.press(Keys.ENTER)
    reader.wait_for_words("Solved: Black lives.")
    reader.press(Keys.ESCAPE, Keys.ARROW_RIGHT)
    reader.wait_for_puzzle(sample_puzzles()[at + 1].name)
    reader.press("?")
    wait_for(lambda: "approve, and on to the next" in reader.text("dialog"))
    reader.press("a")  # not while help is open
    reader.press(Keys.ESCAPE)
    wait_for(lambda: not reader.all("dialog"))
    assert reader.counts()["approved"] == 0
    reader.press("s")
    wait_for(lambda: reader.all(".solution .move"))
    aim = sample_puzzles()[4].name
    reader.press("/", aim[:9])
    wait_for(lambda: len(reader.all(".row")) == 1)
    reader.press(Keys.ENTER)
    reader.wait_for_puzzle(aim)
    reader.press("/", "zzz")
    wait_for(lambda: reader.all(".row") == [])


def test_filters_choose_and_a_link_shows_the_same(reviewer):
    total = len(sample_puzzles())
    corner = [puzzle for puzzle in sample_puzzles() if "corner" in puzzle.tags]
    next(chip for chip in reviewer.all(".chip") if chip.text.startswith("corner")).click()
    wait_for(lambda: reviewer.text(".found [role=status]") == f"{len(corner)} of {total}")
    assert len(reviewer.all(".row")) == len(corner)
    reviewer.press(Keys.ARROW_RIGHT)
    wait_for(lambda: reviewer.puzzle in {puzzle.name for puzzle in corner})
    reviewer.driver.refresh()
    reviewer.wait_for_board()
    assert len(reviewer.all(".row")) == len(corner)
    reviewer.driver.get(reviewer.address.split("?")[0] + "puzzles?from=5k&decision=open")
    reviewer.wait_for_board()
    hard = [puzzle for puzzle in sample_puzzles() if puzzle.metadata.difficulty_score >= 40]
    assert len(reviewer.all(".row")) == len(hard)
    assert reviewer.puzzle == hard[0].name
    reviewer.press("a")
    wait_for(lambda: len(reviewer.all(".row")) == len(hard) - 1)
    reviewer.driver.get(reviewer.address.split("?")[0] + f"puzzles?search={corner[1].name[3:12]}")
    reviewer.wait_for_puzzle(corner[1].name)


def test_after_a_click_the_keys_are_still_the_pages(reader):
    reader.all(".row")[1].click()
    reader.wait_for_puzzle(sample_puzzles()[1].name)
    reader.press(" ")
    wait_for(lambda: reader.text(".played"))
    choice = reader.find("select[aria-label=Proof]")
    choice.click()
    next(option for option in choice.find_elements("css selector", "option") if option.text == "Proved").click()
    wait_for(lambda: "verification=proved" in reader.driver.current_url)
    reader.press("r")
    wait_for(lambda: not reader.text(".played"))


def test_a_puzzle_has_an_address_and_one_that_is_not_there_is_told(reader):
    name = sample_puzzles()[3].name
    reader.driver.get(reader.address.replace("/?", f"/puzzles/{name}?"))
    reader.wait_for_board()
    assert reader.puzzle == name
    assert reader.driver.current_url.endswith(f"/puzzles/{name}")  # the token is gone from it
    reader.driver.get(reader.address.split("?")[0] + "puzzles/nothing")
    wait_for(lambda: "no puzzle is called 'nothing'" in reader.text("main"))
    assert any("404" in line for line in reader.complaints())


def test_broken_lines_are_shown_and_new_puzzles_come_with_a_reload(reviewer, path):
    new = many_puzzles(1)[0]
    with path.open("a") as file:
        file.write("{broken\n" + new.line() + "\n")
    reviewer.driver.refresh()
    reviewer.wait_for_board()
    assert reviewer.text(".problems summary") == "1 line of puzzles.jsonl can't be shown"
    reviewer.find(".problems summary").click()
    assert reviewer.text(".problems li").startswith(f"line {len(sample_puzzles()) + 1}: expected one JSON object")
    assert reviewer.counts()["open"] == len(sample_puzzles()) + 1


def test_it_fits_a_phone(reader):
    reader.resize(375, 740, 2, touch=True)
    reader.driver.refresh()
    reader.wait_for_board()
    widest = reader.driver.execute_script("return Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)")
    assert widest == 375
    for selector in (".board canvas", ".actions .approve", ".actions .delete", ".list-button"):
        box = reader.find(selector).rect
        assert box["x"] >= 0, selector
        assert box["x"] + box["width"] <= 375, selector
        assert box["y"] + box["height"] <= 740, selector
    reader.button("☰")
    reader.all(".row")[2].click()
    reader.wait_for_puzzle(sample_puzzles()[2].name)
    assert not reader.find(".sidebar").is_displayed()
    reader.play("A1")
    reader.wait_for_words("Solved")


def test_it_follows_the_systems_theme_and_can_be_told_otherwise(reader):
    colour = "return getComputedStyle(document.body).backgroundColor"
    light = reader.driver.execute_script(colour)
    reader.media(prefers_color_scheme="dark")
    wait_for(lambda: reader.driver.execute_script(colour) != light)
    reader.find(".theme-button").click()
    wait_for(lambda: reader.driver.execute_script(colour) == light)
    reader.driver.execute_script("localStorage.clear()")


def test_everything_that_can_be_pressed_has_a_name_and_a_visible_focus(reader):
    names = reader.driver.execute_script(
        "return [...document.querySelectorAll('button, a, select, input, [tabindex=\"0\"]')]"
        ".map((each) => each.getAttribute('aria-label') || each.innerText)"
    )
    assert len(names) > 20
    assert all(name.strip() for name in names)
    reader.press(Keys.TAB)
    outline = reader.driver.execute_script("return getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


def test_nothing_is_asked_of_anybody_but_the_server(reader):
    names = reader.driver.execute_script("return performance.getEntriesByType('resource').map((each) => each.name)")
    assert names
    assert all(name.startswith(reader.address.split("?")[0]) for name in names)


def test_twenty_thousand_puzzles_load_soon_and_scroll(tmp_path, browser):
    with served(write_puzzles(tmp_path / "many.jsonl", many_puzzles(20_000))) as (address, _):
        reader = Reader(browser, address)
        reader.resize(1360, 860)
        began = time.monotonic()
        browser.get(address)
        reader.wait_for_board()
        took = time.monotonic() - began
        shown = browser.execute_script("return performance.now()")
        assert reader.text(".found [role=status]") == "20,000 puzzles"
        assert len(reader.all(".row")) < 60
        began = time.monotonic()
        browser.execute_script("document.querySelector('.list').scrollTop = 1e9")
        wait_for(lambda: "#20000" in reader.text(".list"))
        scrolled = time.monotonic() - began
        reader.press("a")
        wait_for(lambda: reader.counts()["approved"] == 1)
        print(
            json.dumps(
                {
                    "puzzles": 20_000,
                    "board_after_s": round(took, 2),
                    "page_ms": round(shown),
                    "end_of_list_s": round(scrolled, 2),
                }
            )
        )
        assert reader.complaints() == []


def test_without_webgl_a_plain_canvas_draws(path, tmp_path):
    with served(path) as (address, _), chromium(tmp_path / "chromium", "--disable-3d-apis") as driver:
        reader = Reader(driver, address)
        reader.open()
        assert reader.find(".board").get_attribute("data-renderer") == "canvas"
        reader.press(Keys.ARROW_DOWN)
        reader.wait_for_words("End of the line: Black lives.")


def test_a_browser_that_can_not_draw_at_all_is_told(path, browser):
    with served(path) as (address, _):
        no_canvas = {"source": "HTMLCanvasElement.prototype.getContext = () => null; delete window.OffscreenCanvas"}
        script = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", no_canvas)
        reader = Reader(browser, address)
        browser.get(address)
        wait_for(lambda: "The board can't be drawn" in reader.text(".board-missing"))
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
        reader.complaints()
