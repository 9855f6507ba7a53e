"""The page of docs/browser.md in headless Chromium, from a server that knows nothing but files.

LANEWISE names the program, LANEWISE_WEB the folder of the page.
"""

import functools
import http.server
import os
import pathlib
import shlex
import shutil
import subprocess
import threading

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

PROGRAM = os.environ["LANEWISE"]
WEB = pathlib.Path(os.environ["LANEWISE_WEB"])
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
LONG = 60  # seconds for what takes a few
MOST_BYTES = 8 << 20  # of the whole folder, uncompressed


def test_folder_is_small():
    assert sum(each.stat().st_size for each in WEB.rglob("*") if each.is_file()) < MOST_BYTES


class Files(http.server.SimpleHTTPRequestHandler):
    asked = []

    def do_GET(self):
        Files.asked.append(self.path)
        super().do_GET()

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=str(WEB)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    options = webdriver.ChromeOptions()
    for each in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1500,1100"):
        options.add_argument(each)
    options.add_argument(f"--user-data-dir={tmp_path_factory.mktemp('chromium')}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chromium = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    yield chromium
    chromium.quit()


class Page:
    def __init__(self, browser, address):
        self.browser = browser
        browser.get("about:blank")
        browser.get(address)
        self.settle()

    def settle(self):
        WebDriverWait(self.browser, LONG).until(
            lambda browser: browser.find_element(By.TAG_NAME, "body").get_attribute("data-state") == "ready"
        )

    def element(self, part):
        return self.browser.find_element(By.ID, part)

    def text(self, part):
        return self.element(part).text

    def editor(self, script, *arguments):
        return self.browser.execute_script(
            "const editor = document.querySelector('.CodeMirror').CodeMirror;" + script, *arguments
        )

    def write(self, text):
        self.editor("editor.setValue(arguments[0])", text)
        self.settle()

    def command(self, line):
        field = self.element("command")
        field.clear()
        field.send_keys(line)
        self.element("execute").click()
        WebDriverWait(self.browser, LONG).until(lambda _: self.element("printed").get_attribute("data-state") == "ready")
        return self.browser.execute_script("return document.getElementById('printed').textContent")


@pytest.fixture
def page(browser, address):
    shown = Page(browser, address)
    yield shown
    assert [each for each in browser.get_log("browser") if each["level"] == "SEVERE"] == []


def test_first_screen_shows_a_program_and_its_time(page):
    assert "SFPSTORE" in page.text("listing")
    assert page.element("command").get_attribute("value") == "run abs.tt --in ramp"
    # What the module cannot do is not offered.
    assert not page.element("reference").is_displayed() and not page.element("inputs").is_displayed()
    assert page.browser.find_elements(By.CSS_SELECTOR, "#time .timeline .box")
    assert page.text("problems") == ""


def test_page_follows_an_edit(page):
    page.write("SFPLOAD L0, 0, 3, 0\nSFPMAD L0, L0, L0, L1, 0\nSFPSTORE L1, 0, 3, 0\n")
    assert page.text("problems") == ""
    Select(page.element("arch")).select_by_value("wh")  # which does not wait for SFPMAD (VU 5.3)
    WebDriverWait(page.browser, LONG).until(lambda _: "hazard: line 3" in page.text("problems"))
    page.settle()
    page.write("SFPLOAD L0, 99, 99\n")
    assert "error: line 1" in page.text("problems")


def test_commands_print_what_the_program_prints(page):
    WebDriverWait(page.browser, LONG).until(lambda _: Select(page.element("example")).options)
    Select(page.element("example")).select_by_value("softplus.tt")
    WebDriverWait(page.browser, LONG).until(lambda _: page.text("name") == "softplus.tt")
    page.settle()
    for command in (
        "run softplus.tt --in random:3 --trace",
        "run 'softplus.tt' --in \"value:1\" --quiet",
        "run softplus.tt --in 'no such file'",
        "check softplus.tt --json",
        "explain SFPMAD",
    ):
        native = subprocess.run([PROGRAM, *shlex.split(command)], cwd=EXAMPLES, capture_output=True, text=True, timeout=LONG)
        assert page.command(command) == native.stderr + native.stdout


def test_link_brings_text_and_choices_back(page, browser, address):
    text = "; äöü, and what a fragment cannot have: #&+/=%\nSFPLOADI L0, 0, 0x3F80\n" + "SFPNOP\n" * 500
    page.write(text)
    Select(page.element("arch")).select_by_value("wh")
    Select(page.element("format")).select_by_value("fp16")
    page.settle()
    page.element("link").click()
    WebDriverWait(browser, LONG).until(lambda _: "#program=" in browser.current_url)
    link = browser.current_url
    assert len(link) < 400  # the text has 3,500 letters
    again = Page(browser, link)
    assert again.editor("return editor.getValue()") == text
    assert again.element("arch").get_attribute("value") == "wh"
    assert again.element("format").get_attribute("value") == "fp16"
    assert "Wormhole" in again.text("time")


def test_damaged_link_says_so(page, browser, address):
    damaged = Page(browser, address + "#program=AAAA")
    assert "the link is damaged" in damaged.text("status")
    damaged.write("SFPNOP\n")
    assert "damaged" not in damaged.text("status")


def test_nothing_leaves_the_page(page):
    Files.asked.clear()
    page.write("SFPNOP\n")
    page.command("run program.tt")
    page.element("link").click()
    assert Files.asked == []
