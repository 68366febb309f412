"""A real browser in front of a real server: what a reader does, as short words."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

from waiting import wait_for

LETTERS = "ABCDEFGHJKLMNOPQRST"
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
SWITCHES = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars",
)  # fmt: skip


@contextmanager
def chromium(folder, *switches):
    """A browser without memory of any other."""
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for switch in (*SWITCHES, *switches, f"--user-data-dir={folder}"):
        options.add_argument(switch)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER, log_output=os.devnull))
    try:
        yield driver
    finally:
        driver.quit()


class Reader:
    """Somebody in front of the page."""

    def __init__(self, driver, address: str) -> None:
        self.driver, self.address = driver, address

    def open(self, width: int = 1360, height: int = 860) -> None:
        self.resize(width, height)
        self.driver.get(self.address)
        self.wait_for_board()

    def resize(self, width: int, height: int, scale: float = 1.0, touch: bool = False) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": touch}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def media(self, **features: str) -> None:
        """Say what the reader prefers: `prefers_color_scheme="dark"`."""
        wanted = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": wanted})

    def find(self, selector: str):
        """The first one, once there is one."""
        wait_for(lambda: self.all(selector))
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        """The text of the first one, at this moment; nothing while there is none."""
        script = "return document.querySelector(arguments[0])?.innerText ?? ''"
        return str(self.driver.execute_script(script, selector)).strip()

    def wait_for_board(self) -> None:
        wait_for(lambda: self.driver.execute_script("return !!document.querySelector('[data-layout] canvas')"))

    def wait_for_puzzle(self, name: str) -> None:
        """Until the puzzle is in the address and on the page."""
        wait_for(lambda: self.puzzle == name == self.text(".facts code"))

    def wait_for_words(self, part: str, selector: str = ".said") -> None:
        wait_for(lambda: part in self.text(selector))

    def press(self, *keys: str) -> None:
        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()

    def button(self, words: str) -> None:
        """Click the one that says this, once there is one."""
        script = """return [...document.querySelectorAll('button')].find(
            (each) => each.innerText.trim().split('\\n')[0] === arguments[0] && !each.disabled)"""
        wait_for(lambda: self.driver.execute_script(script, words))
        self.driver.execute_script(script, words).click()

    def play(self, name: str, size: int = 19) -> None:
        """Click a point such as D1."""
        board = self.find("[data-layout]")
        cell, margin, top, left = map(float, board.get_attribute("data-layout").split())
        column, row = LETTERS.index(name[0]), size - int(name[1:])
        x, y = margin + (column - left + 0.5) * cell, margin + (row - top + 0.5) * cell
        canvas = self.find(".board canvas").rect
        at = ActionChains(self.driver, duration=10).move_to_element_with_offset(
            self.find(".board canvas"), int(x - canvas["width"] / 2), int(y - canvas["height"] / 2)
        )
        at.click().perform()

    @property
    def puzzle(self) -> str:
        """The name of the puzzle in the address."""
        return self.driver.execute_script("return location.pathname").split("/")[-1]

    def counts(self) -> dict[str, int]:
        rows = (each.text.split() for each in self.all("[data-count]"))
        return {word: int(number.replace(",", "")) for number, word in rows}

    def complaints(self) -> list[str]:
        """What stands in the browser's console, warnings included, but for how slow it is to draw without a GPU."""
        entries = [entry for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
        return [entry["message"] for entry in entries if "GL Driver Message" not in entry["message"]]
