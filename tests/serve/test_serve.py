"""'lanewise serve': who is answered, what is answered, and the page in headless Chromium.

LANEWISE names the program. Nothing is said here about time but that an answer comes.
"""

import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import threading
import time
from urllib.parse import parse_qs, urlsplit

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.expected_conditions import alert_is_present
from selenium.webdriver.support.ui import Select, WebDriverWait

PROGRAM = os.environ["LANEWISE"]
LONG = 30  # seconds for what takes a fraction of one

KERNEL = """#include "sfpi.h"
using namespace sfpi;
void kernel() {
  for (int row = 0; row < 32; ++row) {
    vFloat x = dst_reg[0];
    dst_reg[0] = x * 2.0f;
    dst_reg++;
  }
}
"""


class Server:
    """The program in a folder of its own, and requests to it."""

    def __init__(self, folder, *arguments):
        self.folder = folder
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--port", "0", *arguments],
            cwd=folder,
            env={**os.environ, "TMPDIR": str(self.temporary)},
            stdout=subprocess.PIPE,
            text=True,
        )
        self.first_line = self.line()
        self.url = json.loads(self.first_line)["address"] if "--json" in arguments else self.first_line
        parts = urlsplit(self.url)
        self.port = parts.port
        self.key = parse_qs(parts.query)["key"][0]

    def line(self):
        """What it prints next; "" where nothing comes."""
        limit = threading.Timer(LONG, self.process.kill)
        limit.start()
        text = self.process.stdout.readline().strip()
        limit.cancel()
        return text

    def request(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONG)
        connection.request(method, path, body, {"X-Lanewise-Key": self.key} if headers is None else headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer, text

    def ask(self, path, **body):
        answer, text = self.request("POST", path, json.dumps(body))
        assert answer.status == 200, text
        return json.loads(text)

    def end(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=LONG)


@pytest.fixture
def server(tmp_path):
    (tmp_path / "kernel.cpp").write_text(KERNEL)
    running = Server(tmp_path, "kernel.cpp", "--ref", "2 * x", "--kernel-time", "3")
    yield running
    running.process.kill()
    running.process.wait()


# Who is answered.


def test_listens_on_this_machine_only(server):
    with open("/proc/net/tcp", encoding="ascii") as table:
        listening = [line.split()[1] for line in table if line.split()[3] == "0A"]
    addresses = [each for each in listening if each.endswith(f":{server.port:04X}")]
    assert addresses == [f"0100007F:{server.port:04X}"]


@pytest.mark.parametrize("path", ["/", "/kernel"])
def test_without_the_key_nothing_is_told(server, path):
    for headers in ({}, {"X-Lanewise-Key": "0" * 32}):
        answer, text = server.request("GET", path, headers=headers)
        assert answer.status == 403
        assert "2.0f" not in text and "key" in json.loads(text)["error"]


@pytest.mark.parametrize("path", ["/program", "/errors", "/save"])
def test_without_the_key_nothing_is_done(server, path):
    answer, _ = server.request("POST", path, json.dumps({"text": "int;"}), headers={})
    assert answer.status == 403
    assert (server.folder / "kernel.cpp").read_text() == KERNEL


def test_another_name_of_this_machine_is_refused(server):
    """A page elsewhere whose name leads to 127.0.0.1 has that name as its Host."""
    headers = {"X-Lanewise-Key": server.key, "Host": f"example.org:{server.port}"}
    assert server.request("GET", "/kernel", headers=headers)[0].status == 403


def test_another_page_is_refused(server):
    """What a page elsewhere sends carries that page's origin."""
    for origin in ("http://example.org", f"http://127.0.0.1:{server.port + 1}", "null"):
        headers = {"X-Lanewise-Key": server.key, "Origin": origin}
        answer, text = server.request("GET", "/kernel", headers=headers)
        assert answer.status == 403 and "its own page only" in json.loads(text)["error"]
    for host in ("127.0.0.1", "localhost"):
        headers = {"X-Lanewise-Key": server.key, "Origin": f"http://{host}:{server.port}", "Host": f"{host}:{server.port}"}
        assert server.request("GET", "/kernel", headers=headers)[0].status == 200


def test_only_an_editor_may_frame_it(server):
    answer, _ = server.request("GET", f"/?key={server.key}")
    (framing,) = [each.split() for each in answer.getheader("Content-Security-Policy").split(";") if "frame-ancestors" in each]
    assert framing == ["frame-ancestors", "vscode-webview:", "vscode-file:"]


def test_editor_has_no_other_files(server):
    assert server.request("GET", "/editor/lib/codemirror.js")[0].status == 200
    for path in ("/editor/../../../../../etc/passwd", "/editor/%2e%2e/%2e%2e/package.json", "/editor/package.json"):
        assert server.request("GET", path)[0].status == 404


@pytest.mark.parametrize("body", ["", "[]", "{", "{}", '{"text": 1}', '{"text": "", "arch": "gs2"}', '{"text": "", "format": 3}'])
def test_malformed_requests(server, body):
    answer, text = server.request("POST", "/program", body)
    assert answer.status == 400
    assert json.loads(text)["error"]


def test_requests_have_a_largest_size(server):
    assert server.request("POST", "/program", json.dumps({"text": " " * (5 << 20)}))[0].status == 413


# What is answered.


def test_program_and_errors(server):
    told = server.ask("/program", text=KERNEL)
    assert told["problems"] == []
    assert "SFPSTORE" in told["listing"] and "cycles per tile" in told["time"]
    errors = server.ask("/errors", text=KERNEL, reference="2 * x")
    assert errors["inputs"] == 65536 and "<svg" in errors["errors"]


def test_answers_are_not_compressed(server):
    """It would take longer than everything else, and nothing goes farther than this machine."""
    headers = {"X-Lanewise-Key": server.key, "Accept-Encoding": "gzip, deflate, br"}
    for method, path, body in (("POST", "/program", json.dumps({"text": KERNEL})), ("GET", "/editor/lib/codemirror.js", None)):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=LONG)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        assert answer.getheader("Content-Encoding") is None and len(answer.read()) > 10000
        connection.close()


def test_both_chips(server):
    for arch, name in (("bh", "Blackhole"), ("wh", "Wormhole")):
        assert name in server.ask("/program", text=KERNEL, arch=arch)["time"]


@pytest.mark.parametrize(
    "text, line, what",
    [
        (KERNEL.replace("2.0f;", "2.0f"), 6, "expected"),  # g++
        (KERNEL.replace("x * 2.0f", "x / 2.0f"), 6, "reciprocal"),  # a rule of SFPI that g++ checks
        (KERNEL.replace("vFloat x = dst_reg[0];", "vFloat x;"), 6, "before it has a value"),  # one that the compiler checks
    ],
)
def test_mistakes_stand_at_their_line(server, text, line, what):
    told = server.ask("/program", text=text)
    assert "listing" not in told
    assert any(each["line"] == line and each["kind"] == "error" for each in told["problems"]), told["problems"]
    assert any(what in each["text"] for each in told["problems"])
    assert str(server.temporary) not in json.dumps(told)


def test_hazards_stand_at_their_line(tmp_path):
    # SFPMAD takes two cycles, and Wormhole does not wait (VU 5.3).
    text = "SFPLOAD L0, 0, 3, 0\nSFPMAD L0, L0, L0, L1, 0\nSFPSTORE L1, 0, 3, 0\n"
    (tmp_path / "row.tt").write_text(text)
    running = Server(tmp_path, "row.tt", "--arch", "wh")
    told = running.ask("/program", text=text, arch="wh")
    assert [(each["kind"], each["line"]) for each in told["problems"]][:1] == [("hazard", 3)]
    assert "SFPNOP" in told["problems"][0]["detail"]
    assert running.end() == 0


@pytest.mark.parametrize("body", ["for (;;) {}", "*(volatile int*)0 = 1;", "__builtin_trap();", "exit(0);"])
def test_kernels_hurt_nobody(server, body):
    text = "#include <cstdlib>\n" + KERNEL.replace("for (int row", body + "\nfor (int row")
    told = server.ask("/program", text=text)
    assert "listing" not in told and told["problems"][0]["kind"] == "error"
    assert "listing" in server.ask("/program", text=KERNEL)


def test_kernels_are_confined(server):
    """The whole table is that of tests/sfpi/confinement_test.cpp; this is the way there."""
    header = pathlib.Path(__file__).resolve().parents[1] / "confinement" / "hostile.h"
    for attack, what in (("kill-group", "tried to send a signal"), ("socket", "tried to open a socket")):
        text = f'#include "{header}"\n' + KERNEL.replace("  for", f'  attack("{attack}");\n  for', 1)
        told = server.ask("/program", text=text)
        assert any(what in each["text"] for each in told["problems"]), told["problems"]
    assert "listing" in server.ask("/program", text=KERNEL)


@pytest.mark.parametrize(
    "choice, what",
    [
        ({"reference": "2 *"}, "column 4"),
        ({"reference": "x", "inputs": "some"}, "some"),
        ({"reference": "x", "format": "fp32", "inputs": "every"}, "more than can follow"),
    ],
)
def test_wrong_choices_are_problems(server, choice, what):
    problems = server.ask("/errors", text=KERNEL, **choice)["problems"]
    assert problems[0]["kind"] == "error" and what in problems[0]["text"], problems


def test_formats_with_many_inputs_are_sampled(server):
    assert server.ask("/errors", text=KERNEL, reference="2 * x", format="fp32")["inputs"] == 65536


def test_save_writes_the_file(server):
    server.ask("/save", text="// new\n")
    assert (server.folder / "kernel.cpp").read_text() == "// new\n"


def test_lines_of_json(tmp_path):
    (tmp_path / "kernel.cpp").write_text(KERNEL)
    running = Server(tmp_path, "kernel.cpp", "--json")
    assert json.loads(running.first_line) == {
        "address": running.url, "host": "127.0.0.1", "port": running.port, "file": "kernel.cpp"}
    running.ask("/save", text="// new\n")
    assert json.loads(running.line()) == {"saved": "kernel.cpp", "bytes": 7}
    running.request("POST", "/save", json.dumps({"text": "// other\n", "before": KERNEL}))  # refused: it has changed
    assert running.end() == 0
    assert running.process.stdout.read() == ""


def test_a_new_kernel_in_json(tmp_path):
    # Ctrl-C right behind the address ends it, however far it has come by then.
    for turn in range(10):
        folder = tmp_path / str(turn)
        folder.mkdir()
        running = Server(folder, "--json")
        assert json.loads(running.first_line)["file"] is None
        assert running.end() == 0


def test_save_keeps_what_others_have_written(server):
    file = server.folder / "kernel.cpp"
    server.ask("/save", text="// mine\n", before=KERNEL)
    file.write_text("// another's\n")
    answer, text = server.request("POST", "/save", json.dumps({"text": "// newer\n", "before": "// mine\n"}))
    assert answer.status == 412 and "has changed on the disk" in text
    assert file.read_text() == "// another's\n"
    server.ask("/save", text="// newer\n", before="// another's\n")
    assert file.read_text() == "// newer\n"


def is_open(connection):
    """Whether the other side waits for more: it has neither closed it nor complained."""
    connection.setblocking(False)
    try:
        connection.recv(1)
        return False
    except BlockingIOError:
        return True


def answers_beside(server, count):
    """Whether somebody is answered while connections that were there before, and say nothing more, are still open. Not the last of
    them: where there are few threads, these would be waiting beside the answer."""
    half_open = []
    for number in range(count):
        half_open.append(socket.create_connection(("127.0.0.1", server.port), timeout=LONG))
        if number % 2 == 0:
            half_open[-1].sendall(b"GET /kernel HTTP/1.1\r\nHost: ")
    answer, _ = server.request("GET", "/kernel")
    assert answer.status == 200
    still_open = any([is_open(connection) for connection in half_open[count // 2 : count // 2 + 50]])
    for connection in half_open:
        connection.close()
    return still_open


def test_connections_that_say_nothing_more_keep_nobody_waiting(server):
    # They are closed after a second, which a busy machine may need between the last of them and the answer.
    assert any(answers_beside(server, 300) for _ in range(5))


def test_new_kernel_has_no_file(tmp_path):
    running = Server(tmp_path)
    kernel = json.loads(running.request("GET", "/kernel")[1])
    assert kernel["text"] is None
    answer, text = running.request("POST", "/save", json.dumps({"text": "x"}))
    assert answer.status == 400 and "no file" in text
    told = running.ask("/program", text=kernel["initial"], reference=kernel["reference"])
    assert told["problems"] == [] and "listing" in told
    assert running.end() == 0
    assert not (tmp_path / "kernel.cpp").exists()


def test_what_a_kernel_includes_lies_beside_it(tmp_path):
    (tmp_path / "twice.h").write_text('#include "sfpi.h"\ninline sfpi::vFloat twice(sfpi::vFloat x) { return x + x; }\n')
    text = KERNEL.replace('"sfpi.h"', '"twice.h"').replace("x * 2.0f", "twice(x)")
    (tmp_path / "kernel.cpp").write_text(text)
    running = Server(tmp_path, "kernel.cpp")
    assert running.ask("/program", text=text)["problems"] == []
    assert running.end() == 0


def test_ctrl_c_ends_it_and_leaves_nothing(server):
    server.ask("/program", text=KERNEL)
    assert server.end() == 0
    assert list(server.temporary.iterdir()) == []


def refused(folder, *arguments):
    done = subprocess.run([PROGRAM, "serve", *arguments], cwd=folder, capture_output=True, text=True, timeout=LONG)
    assert done.returncode == 2 and done.stdout == ""
    return done.stderr


def test_bad_options(tmp_path):
    (tmp_path / "words.bin").write_bytes(b"\x7fELF\0\0")
    assert "absent.cpp" in refused(tmp_path, "absent.cpp")
    assert "no text" in refused(tmp_path, "words.bin")
    assert "65536" in refused(tmp_path, "--port", "65536")
    assert "fp99" in refused(tmp_path, "--format", "fp99")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert "--port 0" in refused(tmp_path, "--port", str(taken.getsockname()[1]))


# The page.


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
    def __init__(self, browser, server):
        self.browser = browser
        browser.get(server.url)
        self.settle()

    def settle(self):
        WebDriverWait(self.browser, LONG).until(
            lambda browser: browser.find_element(By.TAG_NAME, "body").get_attribute("data-state") == "ready"
        )

    def text(self, part):
        return self.browser.find_element(By.ID, part).text

    def editor(self, script, *arguments):
        return self.browser.execute_script(
            "const editor = document.querySelector('.CodeMirror').CodeMirror;" + script, *arguments
        )

    def replace(self, old, new):
        text = self.editor("return editor.getValue()")
        assert old in text
        self.editor("editor.setValue(arguments[0])", text.replace(old, new))
        self.settle()


@pytest.fixture
def page(browser, server):
    shown = Page(browser, server)
    yield shown
    # The page has done nothing that the browser complains about; an intervention is its own.
    log = [each for each in browser.get_log("browser") if each["source"] != "intervention"]
    assert [each for each in log if each["level"] == "SEVERE"] == []
    shown.editor("editor.setValue('');")
    browser.get("about:blank")
    try:
        browser.switch_to.alert.accept()
    except Exception:  # there was no question
        pass


def test_page_shows_words_timeline_and_errors(page):
    assert "SFPSTORE" in page.text("listing")
    assert page.browser.find_elements(By.CSS_SELECTOR, "#time .timeline .box")
    assert page.browser.find_elements(By.CSS_SELECTOR, "#errors svg .chart")
    assert page.text("problems") == ""
    assert "65,536 inputs" in page.text("status")


def test_page_follows_an_edit(page):
    before = page.text("errors")
    assert "largest |ULP|" in before
    page.editor("editor.setCursor({line: 5, ch: 22}); editor.focus()")
    keys = page.browser.switch_to.active_element
    keys.send_keys(Keys.BACKSPACE, "5")  # for the 2 of 2.0f
    page.settle()
    assert "5.0f" in page.editor("return editor.getLine(5)")
    WebDriverWait(page.browser, LONG).until(lambda _: page.text("errors") != before)


def test_page_marks_a_mistake_and_takes_it_back(page):
    page.replace("2.0f;", "2.0f")
    assert "line 6" in page.text("problems")
    assert page.browser.find_elements(By.CSS_SELECTOR, ".CodeMirror .at-error")
    assert page.browser.find_elements(By.CSS_SELECTOR, "#results.old")  # what stands there is of an older text
    page.browser.find_element(By.CSS_SELECTOR, "#problems li").click()
    assert page.editor("return editor.getCursor().line") == 5
    page.replace("2.0f", "2.0f;")
    assert page.text("problems") == ""
    assert not page.browser.find_elements(By.CSS_SELECTOR, ".CodeMirror .at-error, #results.old")


def test_page_has_both_chips(page):
    Select(page.browser.find_element(By.ID, "arch")).select_by_value("wh")
    WebDriverWait(page.browser, LONG).until(lambda _: "Wormhole" in page.text("time"))
    page.settle()


def test_page_takes_a_reference(page):
    field = page.browser.find_element(By.ID, "reference")
    field.clear()
    WebDriverWait(page.browser, LONG).until(lambda _: page.text("errors") == "")
    field.send_keys("x")
    WebDriverWait(page.browser, LONG).until(lambda _: "largest |ULP|" in page.text("errors"))
    page.settle()


def test_page_links_lines(page):
    page.editor("editor.setCursor({line: 5, ch: 0}); editor.focus()")
    hit = page.browser.find_elements(By.CSS_SELECTOR, "#results .hit")
    assert hit and all(each.get_attribute("data-line") == "6" for each in hit)


def test_page_links_to_a_program(page):
    page.replace("2.0f", "6.0f")
    page.browser.find_element(By.ID, "link").click()
    WebDriverWait(page.browser, LONG).until(lambda browser: "#program=" in browser.current_url)
    link, first = page.browser.current_url, page.browser.current_window_handle
    page.browser.switch_to.new_window("tab")
    page.browser.get(link)
    page.settle()
    assert page.editor("return editor.getValue()") == KERNEL.replace("2.0f", "6.0f")
    assert page.browser.title.startswith("* ")  # the file on the disk is another one
    page.browser.close()
    page.browser.switch_to.window(first)


def test_page_says_at_once_that_it_compiles(page):
    assert page.editor("editor.setValue('int x;'); return document.getElementById('status').textContent") == "compiling"
    page.settle()
    assert "compiling" not in page.text("status")


def test_problems_stay_in_sight(page):
    page.editor("editor.setValue(arguments[0])", "int wrong = nothing;\n" * 40 + KERNEL)
    page.settle()
    page.browser.execute_script("document.getElementById('results').scrollTop = 1000000")
    problems = page.browser.find_element(By.ID, "problems")
    scrolled, top, bottom, height = page.browser.execute_script(
        "const at = arguments[0].getBoundingClientRect();"
        "return [document.getElementById('results').scrollTop, at.top, at.bottom, innerHeight]", problems)
    assert scrolled > 100, "there was nothing to scroll"
    assert 0 < top < bottom < height / 2, f"from {top} to {bottom} of {height}"


def test_page_fits_a_phone(page):
    page.browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True})
    try:
        widths = page.browser.execute_script(
            "return [document.documentElement.scrollWidth, document.getElementById('results').scrollWidth, innerWidth]")
        shown = [each.is_displayed() for each in page.browser.find_elements(By.CSS_SELECTOR, "header select, header input, #time .timeline")]
    finally:
        page.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert max(widths) == 390, widths
    assert len(shown) >= 5 and all(shown)


def test_page_saves(page, server):
    page.replace("2.0f", "4.0f")
    assert page.browser.title.startswith("* ")
    page.browser.find_element(By.ID, "save").click()
    WebDriverWait(page.browser, LONG).until(lambda browser: not browser.title.startswith("* "))
    assert (server.folder / "kernel.cpp").read_text() == KERNEL.replace("2.0f", "4.0f")


def test_page_asks_before_it_overwrites(page, server):
    file = server.folder / "kernel.cpp"
    page.replace("2.0f", "4.0f")
    file.write_text("// another's\n")
    WebDriverWait(page.browser, LONG).until(lambda _: "changed on the disk" in page.text("status"))
    for answer, left in (("dismiss", "// another's\n"), ("accept", KERNEL.replace("2.0f", "4.0f"))):
        page.browser.find_element(By.ID, "save").click()
        WebDriverWait(page.browser, LONG).until(alert_is_present())
        alert = page.browser.switch_to.alert
        assert "has changed on the disk since it was opened here" in alert.text
        getattr(alert, answer)()
        if answer == "accept":
            WebDriverWait(page.browser, LONG).until(lambda browser: not browser.title.startswith("* "))
        assert file.read_text() == left
    assert "4.0f" in page.editor("return editor.getValue()")
    page.browser.get_log("browser")  # of the save that was refused


def test_page_follows_the_file(page, server):
    (server.folder / "kernel.cpp").write_text(KERNEL.replace("2.0f", "8.0f"))
    WebDriverWait(page.browser, LONG).until(lambda _: "8.0f" in page.editor("return editor.getValue()"))
    assert not page.browser.title.startswith("* ")


def test_page_says_when_the_program_has_ended(page, server):
    server.end()
    WebDriverWait(page.browser, LONG).until(lambda _: "has it ended" in page.text("status"))
    page.browser.get_log("browser")  # of the connection that is refused
