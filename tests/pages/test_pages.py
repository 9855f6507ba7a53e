"""All pages of the program in headless Chromium, in a wide and in a narrow window, light and dark.

Nothing is cut off, overlaps, wraps or is too pale to be read (audit.js), and each looks like its reference (look.py). LANEWISE names the
program, LANEWISE_SOURCE the checkout. LANEWISE_BLESS=1 writes the references anew; LANEWISE_PICTURES=FOLDER keeps the screenshots.
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

import look

PROGRAM = os.environ["LANEWISE"]
SOURCE = pathlib.Path(os.environ["LANEWISE_SOURCE"])
COMPILER = "riscv64-unknown-elf-gcc"
LONG = 60  # seconds
SERVED_HEIGHT = 2600  # pixels, of the window of 'serve': its results scroll

# What writes each page, in a folder that has the examples.
PAGES = {
    "time": "time examples/gelu.cpp --arch bh,wh --cycles 290:390",
    "sweep": "sweep examples/exp_approximate.cpp --ref exp(x) --arch bh,wh",
    "sweep-one": "sweep examples/exp_approximate.cpp --ref exp(x) --inputs range:0.5:2",
    "diff": "diff examples/exp.cpp examples/exp_approximate.cpp --arch bh,wh --ref exp(x)",
    "accuracy": "accuracy --examples examples --kernel exp.tt --kernel abs.tt --kernel exp_approximate.cpp --kernel gelu.cpp",
    "tile": "tile examples/tile/matmul_bh.tt --time",
    "program": "kernels examples/programs/vector_add.json --time",
    "grid": "kernels examples/programs/multicast.json --time",
    "clock": "clock --recorded open_rows.csv",
    "elf": "elf graphs.elf --stats",
    "llk-diff": "llk-diff before after --arch bh --variants 1",
    "tune-corpus": "tune --corpus metal --arch bh,wh --kernel square --kernel elu",
    "hazards": "early.tt",
}
PAGE_OPTION = {"tune-corpus": "--page"}  # of the others: --html
# What the checker finds has a page in Python alone.
CHECK = """
import sys, lanewise
open(sys.argv[2], "w").write(lanewise.kernel(sys.argv[1], arch="wh").check().html())
"""
EARLY = "SFPLOAD  L0, FP32, ADDR_MOD_3, 0\nSFPMAD   L0, L0, L9, L2, 0\nSFPSTORE L2, FP32, ADDR_MOD_3, 0\nSFPPOPC\nSFPSHFT2 0, L0, L1, 9\n"


def make_trees(made):
    """'metal', and two of tt-llk: doubled tiles have 1 more in 'after', and one address mode is left in another state."""
    subprocess.run([SOURCE / "tests/scripts/metal_tree.sh", made / "metal"], check=True)
    for name, offset in (("before", "0"), ("after", "1.0f")):
        subprocess.run([SOURCE / "tests/scripts/llk_tree.sh", SOURCE, made / name], check=True)
        for header in (made / name).glob("tt_llk_*/llk_lib/our_offset.h"):
            header.write_text(f"#pragma once\n#define OFFSET {offset}\n")
        test = made / name / "tests/sources/double_test.cpp"
        test.write_text(test.read_text().replace("SrcAIncr_ADDR32, 8)", "SrcAIncr_ADDR32, 8 + int(OFFSET))"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("pages")
    shutil.copytree(SOURCE / "examples", made / "examples")
    shutil.copy(SOURCE / "tests/silicon/open_rows.csv", made)
    shutil.copy(SOURCE / "tests/elf/programs/graphs.c", made)
    (made / "early.tt").write_text(EARLY)
    make_trees(made)
    flags = f"-march=rv32im_zicsr -mabi=ilp32 -nostdlib -ffreestanding -g -O1 -Wl,-Ttext=0x6000,-e,0x6000 -fdebug-prefix-map={made}=/tests"
    if shutil.which(COMPILER):
        subprocess.run([COMPILER, *flags.split(), "graphs.c", "-o", "graphs.elf"], cwd=made, check=True)
    return made


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    options = webdriver.ChromeOptions()
    for each in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1500,1100"):
        options.add_argument(each)
    options.add_argument(f"--user-data-dir={tmp_path_factory.mktemp('chromium')}")
    chromium = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    chromium.set_script_timeout(LONG)
    yield chromium
    chromium.quit()


def written(folder, name):
    """The page's address. It is written once."""
    file = folder / f"{name}.html"
    if not file.exists():
        if "elf" in PAGES[name] and not shutil.which(COMPILER):
            pytest.skip(f"{COMPILER} is not there")
        words = PAGES[name].split()
        if name == "hazards":
            command = [sys.executable, "-c", CHECK, *words, file.name]
        else:
            command = [PROGRAM, *words, PAGE_OPTION.get(name, "--html"), file.name]
        environment = dict(os.environ, PYTHON=sys.executable)  # which 'llk-diff' runs tests with
        made = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
        assert file.exists(), made.stderr
    return file.as_uri()


def look_at(window, name):
    """What is wrong with what the window shows, its parts, and how they are painted."""
    wrong = [f"{name}: {each}" for each in window.audit()]
    blocks = window.blocks()
    if folder := os.environ.get("LANEWISE_PICTURES"):
        look.keep(folder, re.sub(r"\W+", "-", name), window.picture())
    return wrong, blocks, look.painted(blocks, window.cells(blocks))


def examine(browser, name, width, load, height=None):
    """What is wrong with a page at this width, and the lines of its look."""
    wrong, paints = [], []
    for scheme in look.SCHEMES:
        window = look.Window(browser, width, scheme, height)
        if not paints:
            load()
        window.unfold()
        complaints, blocks, paint = look_at(window, f"{name}, {width}, {scheme}")
        wrong += complaints
        paints.append(paint)
    return wrong, look.lines_of(blocks, paints)


def hold(name, lines):
    """What differs between the lines of each width and the page's reference."""
    file = look.REFERENCES / f"{name}.txt"
    parts = re.split(r"^== (\d+)\n", file.read_text(), flags=re.MULTILINE)[1:]
    expected = {int(width): text.splitlines() for width, text in zip(parts[::2], parts[1::2])}
    return [f"{name}, {width} pixels: {each}" for width in lines for each in look.differences(lines[width], expected[width])]


def check(browser, name, load, height=None):
    wrong, lines = [], {}
    for width in look.WIDTHS:
        complaints, lines[width] = examine(browser, name, width, load, height)
        wrong += complaints
    if os.environ.get("LANEWISE_BLESS"):
        parts = [f"== {width}\n" + "\n".join(lines[width]) + "\n" for width in lines]
        (look.REFERENCES / f"{name}.txt").write_text("".join(parts))
    wrong += hold(name, lines)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", PAGES)
def test_page(browser, folder, name):
    address = written(folder, name)
    check(browser, name, lambda: browser.get(address))


def test_served_page(browser, folder):
    server = subprocess.Popen(
        [PROGRAM, "serve", "--port", "0", "examples/gelu.cpp", "--ref", "gelu(x)"], cwd=folder, stdout=subprocess.PIPE, text=True)
    try:
        address = server.stdout.readline().strip()

        def load():
            browser.get(address)
            WebDriverWait(browser, LONG).until(
                lambda _: browser.find_element(By.TAG_NAME, "body").get_attribute("data-state") == "ready")

        check(browser, "serve", load, SERVED_HEIGHT)
        browser.get("about:blank")
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(timeout=LONG)


# That the checks see what they are for: a page that is spoilt in one way, and what has to be said of it.
SPOILT = {
    "a panel is hidden": (".card:first-child { display: none; }", "parts, not"),
    "a picture is hidden": ("svg.picture { visibility: hidden; }", "parts, not"),
    "texts are pale": (".muted { color: #b8c0c8; }", "contrast"),
    "labels are pale": (".chart .tick { fill: #b8c0c8; }", "contrast"),
    "labels are small": (".chart .tick { font-size: 6px; }", "letters of"),
    "labels overlap": (".chart .tick { font-size: 40px; }", "overlap"),
    "labels leave the picture": (".chart .tick { transform: translate(0, -400px); }", "outside of its picture"),
    "columns wrap": ("td, th { max-width: 5ch; white-space: normal !important; }", "wraps"),
    "a heading is cut off": ("h1 { overflow: hidden; white-space: nowrap; width: 90px; }", "cut off"),
    "the page is too wide": ("table { min-width: 1600px; } .scroll { overflow: visible; }", "wider than its window"),
    "bars are gone": (".chart .bars { fill: none !important; stroke: none !important; }", "its colour"),
    "all is moved": (".pair { margin-left: 80px; }", "at"),
}


def test_the_checks_see(browser, folder):
    browser.get(written(folder, "sweep-one"))
    window = look.Window(browser, 1400, "light")
    window.unfold()
    browser.execute_script("document.head.append(document.createElement('style'))")
    unseen = []
    for what, (style, said) in SPOILT.items():
        browser.execute_script("document.head.lastElementChild.textContent = arguments[0]", style)
        wrong, blocks, paint = look_at(window, "spoilt")
        wrong += hold("sweep-one", {1400: look.lines_of(blocks, [paint])})
        if not any(said in each for each in wrong):
            unseen.append(f"{what}: {wrong}")
    assert not unseen, "\n".join(unseen)
