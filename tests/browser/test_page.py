"""The page of docs/browser.md in headless Chromium, from a server that knows nothing but files.

LANEWISE names the program, LANEWISE_WEB the folder of the page.
"""

import functools
import http.server
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import threading
import urllib.parse

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
MOST_REQUESTS, MOST_FIRST_BYTES = 16, 6 << 20  # until the first result is there


def test_folder_is_small():
    assert sum(each.stat().st_size for each in WEB.rglob("*") if each.is_file()) < MOST_BYTES


class Files(http.server.SimpleHTTPRequestHandler):
    asked = []
    changed = {}  # what some files are made of before they are sent

    def do_GET(self):
        Files.asked.append(self.path)
        if self.path not in Files.changed:
            super().do_GET()
            return
        script = Files.changed[self.path]((WEB / self.path.lstrip("/")).read_text()).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript")
        self.send_header("Content-Length", str(len(script)))
        self.end_headers()
        self.wfile.write(script)

    def end_headers(self):
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

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


@pytest.mark.skipif(shutil.which("riscv64-unknown-elf-gcc") is None, reason="the package gcc-riscv64-unknown-elf is not installed")
def test_an_elf_file_is_beside_the_program(page, tmp_path):
    """A linked file whose only function is one SFPNOP (0x8F000000 as a core fetches it: rotated left by two) and a return."""
    source = tmp_path / "nop.s"
    source.write_text(".type nop, @function\nnop:\n .word 0x3c000002\n ret\n")
    tools = ["-march=rv32im", "-mabi=ilp32", "-nostdlib", "-Wl,-Ttext=0x6000,-e,0x6000"]
    subprocess.run(["riscv64-unknown-elf-gcc", *tools, str(source), "-o", str(tmp_path / "nop.elf")], check=True, timeout=LONG)
    program = page.editor("return editor.getValue()")
    page.element("open").send_keys(str(tmp_path / "nop.elf"))
    WebDriverWait(page.browser, LONG).until(lambda _: "SFPNOP" in page.text("printed"))
    assert page.element("command").get_attribute("value") == "elf 'nop.elf'"
    assert page.editor("return editor.getValue()") == program
    assert "SFPNOP" in page.command("time nop.elf --call nop")


def choose_example(page, name):
    page.element("examples").click()
    card = WebDriverWait(page.browser, LONG).until(lambda _: page.browser.find_elements(By.CSS_SELECTOR, f"#gallery [data-name='{name}']"))[0]
    card.click()
    WebDriverWait(page.browser, LONG).until(lambda _: page.text("name") == name)
    page.settle()


def test_commands_print_what_the_program_prints(page):
    choose_example(page, "softplus.tt")
    for command in (
        "run softplus.tt --in random:3 --trace",
        "run 'softplus.tt' --in \"value:1\" --quiet",
        "run softplus.tt --in 'no such file'",
        "check softplus.tt --json",
        "explain SFPMAD",
    ):
        native = subprocess.run([PROGRAM, *shlex.split(command)], cwd=EXAMPLES, capture_output=True, text=True, timeout=LONG)
        assert page.command(command) == native.stderr + native.stdout


def native_picture(tmp_path, *command):
    subprocess.run([PROGRAM, *command, "--svg", tmp_path / "errors.svg"], cwd=EXAMPLES, check=True, capture_output=True, timeout=LONG)
    return (tmp_path / "errors.svg").read_text()


def test_every_example_has_its_picture_in_the_gallery(page, tmp_path):
    page.element("examples").click()
    cards = WebDriverWait(page.browser, LONG).until(lambda _: page.browser.find_elements(By.CSS_SELECTOR, "#gallery button"))
    assembly = {each.name for each in EXAMPLES.iterdir() if each.suffix in (".tt", ".hex")}
    kernels = {each.name for each in EXAMPLES.glob("*.cpp")} - {name.replace(".tt", ".cpp") for name in assembly}
    programs = sorted(assembly | kernels)
    assert [each.get_attribute("data-name") for each in cards] == programs
    shown = """const done = arguments[0];
        const pictures = [...document.querySelectorAll("#gallery img")];
        for (const each of pictures) each.loading = "eager";
        Promise.all(pictures.map((each) => each.decode())).then(() => done(pictures.map((each) => each.naturalWidth)), () => done("broken"));"""
    assert min(page.browser.execute_async_script(shown)) > 100
    examples = json.loads((WEB / "examples.json").read_text())
    measured = [each for each in examples if each["reference"] != ""]
    assert len(measured) >= 6
    for each in measured:
        drawn = (WEB / "pictures" / (each["name"] + ".svg")).read_text()
        assert drawn == native_picture(tmp_path, "sweep", each["name"], "--ref", each["reference"])


def test_a_kernel_has_its_recording(page, tmp_path):
    choose_example(page, "reciprocal.cpp")
    assert page.text("problems") == ""
    assert "SFPMAD" in page.text("listing")
    assert page.editor("return editor.getOption('mode')") == "text/x-c++src"
    command = "run reciprocal.cpp --in ramp:1:4 --arch bh,wh --quiet"
    assert page.command(command) == subprocess.run([PROGRAM, *shlex.split(command)], cwd=EXAMPLES, capture_output=True, text=True, timeout=LONG).stdout
    link = page.browser.execute_async_script("show_link().then(() => arguments[0](location.href))")
    text = page.editor("return editor.getValue()")
    page.write("// changed\n" + text)
    assert "the kernel's text is another one than its recording is of" in page.text("problems")
    linked = Page(page.browser, link)
    assert linked.text("name") == "reciprocal.cpp" and linked.text("problems") == ""
    assert linked.editor("return editor.getValue()") == text


def test_a_recording_is_opened_as_its_kernel(page, tmp_path):
    file = tmp_path / "any.recording"
    recorded = subprocess.run([PROGRAM, "run", "clamp.cpp", "--emit", "recording"], cwd=EXAMPLES, capture_output=True, check=True, timeout=LONG)
    file.write_bytes(recorded.stdout)
    page.element("open").send_keys(str(file))
    WebDriverWait(page.browser, LONG).until(lambda _: page.text("name") == "clamp.cpp")
    page.settle()
    assert page.text("problems") == "" and "SFPSWAP" in page.text("listing")
    assert page.editor("return editor.getValue()") == (EXAMPLES / "clamp.cpp").read_text()
    Select(page.element("arch")).select_by_value("wh")  # which it was not recorded for
    WebDriverWait(page.browser, LONG).until(lambda _: "not recorded for Wormhole" in page.text("problems"))
    other = tmp_path / "other.recording"
    other.write_text("{}")
    page.element("open").send_keys(str(other))
    WebDriverWait(page.browser, LONG).until(lambda _: "no recording" in page.text("status"))


def test_an_example_brings_errors_and_a_command_with_its_picture(page, tmp_path):
    choose_example(page, "exp.tt")
    assert page.element("reference").get_attribute("value") == "exp(x)"
    WebDriverWait(page.browser, LONG).until(lambda _: page.browser.find_elements(By.CSS_SELECTOR, "#errors svg"))
    command = page.element("command").get_attribute("value")
    printed = page.command(command)
    assert "exp.tt against exp(x)" in printed
    picture = page.browser.find_element(By.CSS_SELECTOR, "#written img").get_attribute("src")
    assert urllib.parse.unquote(picture.split(",", 1)[1]) == native_picture(tmp_path, "sweep", "exp.tt", "--ref", "exp(x)")
    page.command("run exp.tt --in ramp --quiet")
    assert page.browser.find_elements(By.CSS_SELECTOR, "#written img") == []


def test_commands_of_examples_run(page):
    # Of each kind: errors, cycles of one chip, two operands, a kernel in C++.
    for name in ("words.hex", "matmul_wh.tt", "integer.tt", "pieces.cpp"):
        choose_example(page, name)
        assert "error:" not in page.command(page.element("command").get_attribute("value"))


# WebAssembly of one function, "f", that does nothing but "unreachable".
TRAP = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 5, 1, 3, 0, 0, 11]


def with_a_trap(script):
    """A module that, once it has ended, answers nothing any more."""
    return script + (
        "{ const before = ask_lanewise; const trap = new WebAssembly.Module(new Uint8Array(%s)); let ended = false;"
        "  ask_lanewise = (module, request) => (ended ||= request.includes('TRAP'))"
        "    ? new WebAssembly.Instance(trap).exports.f() : before(module, request); }" % TRAP
    )


def with_little_memory(script):
    assert "2147483648" in script
    return script.replace("2147483648", str(96 << 20))


ENDS = [
    ("/request.js", with_a_trap, "SFPNOP // TRAP\n", "it met what it cannot do (unreachable)"),
    ("/lanewise.js", with_little_memory, ".repeat 900000\nSFPNOP\n.endr\n", "there is no memory left for what it was asked"),
]


@pytest.mark.parametrize("file, change, text, why", ENDS, ids=["trap", "memory"])
def test_module_that_has_ended_starts_again(browser, address, file, change, text, why):
    Files.changed = {file: change}
    try:
        page = Page(browser, address)
        page.editor("editor.setValue(arguments[0])", text)
        WebDriverWait(browser, LONG).until(lambda _: "ended" in page.text("status"))
        assert page.text("status") == f"the module has ended, since {why}; it starts again"
        page.write("SFPABS L0, L1, 0\n")
        assert "SFPABS" in page.text("listing")
        assert "SFPABS" in page.command("explain SFPABS")
    finally:
        Files.changed = {}


def test_command_that_takes_long_can_be_stopped(page):
    field = page.element("command")
    field.clear()
    field.send_keys("sweep abs.tt --ref 'abs(x)' --format fp32")  # minutes
    page.element("execute").click()
    page.element("stop").click()
    WebDriverWait(page.browser, LONG).until(lambda _: page.text("printed") == "stopped")
    assert "SFPABS" in page.command("explain SFPABS")


def test_first_result_needs_few_files(browser, address):
    """Loaded in 2 s: what bounds that on any line is how often, and how much, is fetched. Pictures come when somebody looks."""
    Files.asked.clear()
    Page(browser, address)
    assert len(Files.asked) <= MOST_REQUESTS
    assert sum((WEB / (each.lstrip("/") or "index.html")).stat().st_size for each in Files.asked) < MOST_FIRST_BYTES


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
