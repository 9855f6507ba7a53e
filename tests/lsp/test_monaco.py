"""Monaco, the editor of VS Code, in headless Chromium, with 'lanewise lsp' behind it.

Skipped where there is no npm, or its registry cannot be reached.
"""

import http.server
import json
import os
import pathlib
import shutil
import subprocess
import threading

import pytest
from client import Client
from test_lsp import ROW, ROW_TEXT

webdriver = pytest.importorskip("selenium.webdriver", reason="python3-selenium is not there")
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent / "monaco"
LONG = 30  # seconds for what takes a fraction of one
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".ttf": "font/ttf"}


@pytest.fixture(scope="module")
def monaco():
    """The folder of Monaco's files; fetched once for each lock file."""
    if not shutil.which("npm") or not shutil.which("chromedriver"):
        pytest.skip("npm or chromedriver is not there")
    folder = pathlib.Path(os.environ.get("LANEWISE_MONACO", HERE / "build"))
    folder.mkdir(parents=True, exist_ok=True)
    lock, known = HERE / "package-lock.json", folder / "node_modules" / ".lanewise-lock"
    if not known.exists() or known.read_bytes() != lock.read_bytes():
        if subprocess.run(["npm", "ping"], capture_output=True, check=False).returncode != 0:
            pytest.skip("the registry of npm cannot be reached")
        for each in (HERE / "package.json", lock):
            shutil.copy(each, folder)
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=folder, check=True, capture_output=True)
        known.write_bytes(lock.read_bytes())
    return folder / "node_modules" / "monaco-editor" / "min"


def handler_of(client, monaco, capabilities):
    """Files of the page and of Monaco; questions go to the server one by one."""
    asking = threading.Lock()

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def send(self, content, kind):
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(content)

        def do_GET(self):
            if self.path == "/start":
                return self.send(json.dumps({**capabilities, "text": ROW_TEXT}).encode(), "application/json")
            name = self.path.split("?")[0].lstrip("/")
            file = monaco / name if name.startswith("vs/") else HERE / (name or "page.html")
            if not file.is_file():
                return self.send_error(404)
            return self.send(file.read_bytes(), TYPES.get(file.suffix, "application/octet-stream"))

        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            params = asked["params"]
            with asking:
                if self.path == "/ask":
                    answer = client.ask(asked["method"], **params)
                elif self.path == "/change":
                    client.change(ROW, params["text"])
                    answer = None
                else:
                    answer = {"version": client.versions[ROW], "diagnostics": client.problems(ROW)}
            return self.send(json.dumps(answer).encode(), "application/json")

    return Handler


@pytest.fixture
def page(monaco, tmp_path):
    options = webdriver.ChromeOptions()
    for each in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1300,900", f"--user-data-dir={tmp_path}"):
        options.add_argument(each)
    with Client() as client:
        capabilities = client.initialize(arch="wh")
        client.open(ROW, ROW_TEXT)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler_of(client, monaco, capabilities))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        browser.get(f"http://127.0.0.1:{server.server_port}/")
        yield browser
        # What the page still asks for is answered before the server ends.
        wait(browser, lambda _: browser.execute_script("return document.body.dataset.busy || '0'") == "0")
        browser.quit()
        server.shutdown()


def wait(browser, what):
    return WebDriverWait(browser, LONG).until(what)


def shown(browser, selector, text):
    """Whether one of the elements has the text."""
    return any(text in each.text.replace("\u00a0", " ") for each in browser.find_elements(By.CSS_SELECTOR, selector))


def markers(browser):
    return browser.execute_script("return monaco.editor.getModelMarkers({}).map((each) => [each.code, each.startLineNumber])")


def settled(browser, version):
    wait(browser, lambda _: browser.find_element(By.TAG_NAME, "body").get_attribute("data-version") == str(version))


def test_monaco_shows_all_of_it(page):
    settled(page, 1)
    assert markers(page) == [["mad-result", 4]]
    wait(page, lambda _: page.find_elements(By.CSS_SELECTOR, ".squiggly-error"))
    wait(page, lambda _: shown(page, ".view-lines", "1 word, 1 cycle"))
    wait(page, lambda _: shown(page, ".codelens-decoration", "tune"))

    page.execute_script("editor.setPosition({ lineNumber: 3, column: 3 }); editor.focus(); editor.trigger('', 'editor.action.showHover')")
    wait(page, lambda _: shown(page, ".monaco-hover", "SFPMAD: Multiplies and adds"))

    page.execute_script("editor.setPosition({ lineNumber: 2, column: 21 }); editor.trigger('', 'editor.action.revealDefinition')")
    wait(page, lambda _: page.execute_script("return editor.getPosition().lineNumber") == 1)

    # The first mend, by the menu.
    page.execute_script("editor.setPosition({ lineNumber: 4, column: 5 }); editor.focus(); editor.trigger('', 'editor.action.quickFix')")
    wait(page, lambda _: shown(page, ".action-widget", "insert SFPNOP"))
    page.switch_to.active_element.send_keys(Keys.ENTER)
    settled(page, 2)
    assert markers(page) == []
    assert "SFPNOP\nSFPSTORE" in page.execute_script("return editor.getValue()")

    page.execute_script("editor.setPosition({ lineNumber: 6, column: 1 }); editor.focus()")
    page.switch_to.active_element.send_keys("SFPLOADM")
    wait(page, lambda _: shown(page, ".suggest-widget", "SFPLOADMACRO"))
