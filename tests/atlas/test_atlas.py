"""The atlas of the examples in headless Chromium, from its folder: without a server, in wide and narrow windows, light and dark."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

LANEWISE = os.environ["LANEWISE"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
PHONE, DESKTOP = (390, 844), (1500, 1100)


def lanewise(*words, status=0):
    done = subprocess.run([LANEWISE, *words], cwd=ROOT, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == status, done.stderr
    return done


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("atlas") / "site"
    done = lanewise("atlas", "-o", str(folder))
    assert "16 kernels: 16 items measured, 0 as they were" in done.stderr
    return folder


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    options = webdriver.ChromeOptions()
    for each in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(each)
    options.add_argument(f"--user-data-dir={tmp_path_factory.mktemp('chromium')}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chromium = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    yield chromium
    chromium.quit()


def look(browser, site, page, size=DESKTOP, dark=False):
    """Opens a page of the folder; what it may not say on the way are errors."""
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE},
    )
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    browser.get("about:blank")
    browser.get((site / page.split("#")[0]).as_uri() + page[len(page.split("#")[0]) :])
    assert [each for each in browser.get_log("browser") if each["level"] == "SEVERE"] == []


def rows(browser):
    """Kernel and chip of the rows that are shown, in their order."""
    return browser.execute_script(
        "return [...document.querySelectorAll('.results tbody tr')].filter((row) => !row.hidden)"
        ".map((row) => row.dataset.id + ' ' + row.cells[4].textContent)"
    )


def fragment(browser):
    return browser.current_url.partition("#")[2]


def heading(browser, text):
    return next(each for each in browser.find_elements(By.CSS_SELECTOR, ".results th button") if each.text == text)


def figures(browser, kernel, chip):
    """The texts of a row by their headings."""
    return browser.execute_script(
        "const headings = [...document.querySelectorAll('.results th')].map((each) => each.textContent);"
        "const row = [...document.querySelectorAll('.results tbody tr')]"
        "  .find((each) => each.dataset.id === arguments[0] && each.cells[4].textContent === arguments[1]);"
        "return Object.fromEntries(headings.map((name, i) => [name, row.cells[i].textContent]));",
        kernel,
        chip,
    )


def test_figures_are_those_of_other_commands(browser, site):
    chosen = ["exp.tt", "gelu.cpp", "exp_approximate.cpp"]
    words = [word for kernel in chosen for word in ("--kernel", kernel)]
    found = json.loads(lanewise("accuracy", "--json", *words).stdout)["rows"]
    assert len(found) == 6
    look(browser, site, "index.html")
    for row in found:
        shown = figures(browser, row["kernel"], row["arch"])
        assert shown["largest ULP"] == str(row["ulp"]["largest"])
        assert float(shown["mean ULP"]) == pytest.approx(row["ulp"]["mean"], rel=0.006)
        assert shown["cycles"] == f"{row['cycles']:.0f}"
        assert shown["function"] == row["reference"]
    atlas = json.loads((site / "atlas.json").read_text())
    for item in atlas["items"]:
        for chip in item["chips"]:
            assert chip["errors"]["cycles"] == chip["cycles"]


def test_no_program_is_below_its_bound(site):
    chips = [chip for item in json.loads((site / "atlas.json").read_text())["items"] for chip in item["chips"]]
    bounds = [chip for chip in chips if chip["bound"] and "cycles" in chip["bound"]]
    assert len(bounds) > 20
    assert all(chip["bound"]["cycles"] <= chip["cycles"] for chip in bounds)
    # Its branches become more selects than it has instructions.
    page = (site / "op" / "pieces.cpp.html").read_text()
    assert "the tuner&#39;s operations for it take" in page or "the tuner's operations for it take" in page


def test_search_order_and_filters_are_in_the_address(browser, site):
    look(browser, site, "index.html")
    assert len(rows(browser)) == 32
    field = browser.find_element(By.ID, "search")
    field.send_keys("EXP wh")
    assert rows(browser) == ["exp.cpp wh", "exp.tt wh", "exp_approximate.cpp wh"]
    heading(browser, "cycles").click()
    assert rows(browser) == ["exp_approximate.cpp wh", "exp.tt wh", "exp.cpp wh"]
    heading(browser, "cycles").click()
    assert rows(browser) == ["exp.cpp wh", "exp.tt wh", "exp_approximate.cpp wh"]
    assert fragment(browser) == "q=EXP+wh&sort=-cycles"

    # What was in the address is there again in another window.
    look(browser, site, "index.html#" + fragment(browser))
    assert rows(browser) == ["exp.cpp wh", "exp.tt wh", "exp_approximate.cpp wh"]
    assert browser.find_element(By.ID, "shown").text == "3 of 32 rows"
    Select(browser.find_element(By.ID, "format")).select_by_visible_text("bf16")
    assert "format=bf16" in fragment(browser)
    look(browser, site, "index.html#family=no-such&sort=no-such&compare=no-such")
    assert len(rows(browser)) == 32


def test_kernels_are_compared_side_by_side(browser, site):
    look(browser, site, "index.html#compare=exp.tt,gelu.cpp")
    compared = browser.find_element(By.ID, "compared")
    assert compared.find_element(By.TAG_NAME, "h3").text == "Compared: exp.tt, gelu.cpp"
    lines = {
        cells[0]: cells[1:]
        for cells in browser.execute_script(
            "return [...document.querySelectorAll('#compared tr')].map((row) => [...row.cells].map((cell) => cell.textContent))"
        )
    }
    assert lines["operation"] == ["exp.tt", "exp.tt", "gelu.cpp", "gelu.cpp"]
    assert lines["chip"] == ["bh", "wh", "bh", "wh"]
    for at, (kernel, chip) in enumerate([("exp.tt", "bh"), ("exp.tt", "wh"), ("gelu.cpp", "bh"), ("gelu.cpp", "wh")]):
        shown = figures(browser, kernel, chip)
        for name in ("largest ULP", "special values", "cycles", "bound"):
            assert lines[name][at] == shown[name]
    images = browser.find_elements(By.CSS_SELECTOR, "#compared img")
    assert [browser.execute_script("return arguments[0].naturalWidth", image) for image in images] == [350, 350]

    boxes = browser.find_elements(By.CSS_SELECTOR, ".results tbody input:checked")
    assert len(boxes) == 4, "the rows of both chips"
    boxes[0].click()
    assert fragment(browser) == "compare=gelu.cpp"
    browser.find_element(By.ID, "clear").click()
    assert fragment(browser) == ""
    assert not compared.is_displayed()


def test_a_link_leads_to_the_page_of_a_kernel_and_back(browser, site):
    look(browser, site, "index.html")
    browser.find_element(By.LINK_TEXT, "tanh.cpp").click()
    assert browser.current_url == (site / "op/tanh.cpp.html").as_uri() + "#bf16"
    assert browser.find_element(By.TAG_NAME, "h1").text == "tanh.cpp"
    widths = [
        browser.execute_script("return arguments[0].naturalWidth", image)
        for image in browser.find_elements(By.CSS_SELECTOR, ".error-picture img")
    ]
    assert widths == [606, 606]
    browser.find_element(By.LINK_TEXT, "Compare").click()
    assert browser.find_element(By.CSS_SELECTOR, "#compared h3").text == "Compared: tanh.cpp"
    # A link within the page changes what is compared.
    browser.execute_script("location.hash = 'compare=abs.tt'")
    assert browser.execute_async_script(
        "const done = arguments[0]; setTimeout(() => done(document.querySelector('#compared h3').textContent), 50)"
    ) == "Compared: abs.tt"


@pytest.mark.parametrize("page", ["index.html", "index.html#compare=exp.tt,gelu.cpp", "op/gelu.cpp.html", "op/words.hex.html"])
def test_pages_fit_on_a_telephone(browser, site, page):
    look(browser, site, page, PHONE)
    wide = browser.execute_script(
        "return [document.documentElement.scrollWidth, document.body.scrollWidth, innerWidth]"
    )
    assert max(wide[:2]) <= wide[2] == 390
    # Letters are not scaled down with a picture, and the narrow picture is the one that is loaded.
    for image in browser.find_elements(By.CSS_SELECTOR, ".error-picture img"):
        shown = browser.execute_script("return [arguments[0].clientWidth, arguments[0].naturalWidth]", image)
        assert shown[1] == 350
        assert shown[0] > 320
    small = browser.execute_script(
        "return [...document.querySelectorAll('td, th, p, span, code, button, select')]"
        ".filter((each) => parseFloat(getComputedStyle(each).fontSize) < 12).length"
    )
    assert small == 0


def test_dark_and_light_are_legible(browser, site):
    for page in ("index.html", "op/gelu.cpp.html"):
        seen = []
        for dark in (False, True):
            look(browser, site, page, dark=dark)
            seen.append(
                browser.execute_script(
                    "const style = getComputedStyle(document.body); return [style.color, style.backgroundColor]"
                )
            )
        assert seen[0] != seen[1]
        for text, ground in seen:
            assert abs(brightness(text) - brightness(ground)) > 150


def brightness(colour):
    red, green, blue = (int(each) for each in colour[colour.index("(") + 1 : -1].split(",")[:3])
    return 0.3 * red + 0.6 * green + 0.1 * blue


def test_without_scripts_the_table_is_whole(browser, site):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        look(browser, site, "index.html")
        assert len(browser.find_elements(By.CSS_SELECTOR, ".results tbody tr")) == 32
        assert not browser.find_element(By.ID, "search").is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_nothing_leads_out_of_the_folder(site):
    for file in site.rglob("*"):
        if not file.is_file():
            continue
        text = file.read_text()
        assert str(ROOT) not in text and str(site) not in text, file
        for part in ("http://", "https://", "file://", "@import", "fetch("):
            assert part not in text.replace("http://www.w3.org/2000/svg", ""), file


def test_one_changed_word_is_one_item(site, tmp_path):
    examples = tmp_path / "examples"
    shutil.copytree(ROOT / "examples", examples)
    folder = tmp_path / "site"
    shutil.copytree(site, folder)
    again = lanewise("atlas", "-o", str(folder), "--examples", str(examples))
    assert "0 items measured, 16 as they were" in again.stderr
    changed = examples / "abs.tt"
    text = changed.read_text()
    changed.write_text(text + "SFPNOP\n")
    again = lanewise("atlas", "-o", str(folder), "--examples", str(examples), "--against", str(site))
    assert "1 items measured, 15 as they were" in again.stderr
    assert "bh: cycles" in (folder / "op/abs.tt.html").read_text()
    assert "Nothing has changed." in (folder / "op/exp.tt.html").read_text()


def test_bad_input_is_one_message(tmp_path):
    out = str(tmp_path / "site")
    assert "there is no kernel" in lanewise("atlas", "-o", out, "--kernel", "no_such", status=2).stderr
    assert "fp99" in lanewise("atlas", "-o", out, "--formats", "fp99", status=2).stderr
    assert "no such folder" in lanewise("atlas", "nowhere", "-o", out, status=2).stderr
    assert "--sfpi is for the kernels of a checkout" in lanewise("atlas", "-o", out, "--sfpi", "7.38", status=2).stderr
    assert "--out" in lanewise("atlas", status=2).stderr
    assert not (tmp_path / "site").exists()
