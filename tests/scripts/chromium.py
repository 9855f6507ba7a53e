"""One headless Chromium for all pages of a check (page.sh). Standard input has a request per line, its words parted by tabs:

    dump FILE WIDTH TO     what the browser has made of the page, in a window of that width
    shot FILE SCHEME TO    how it looks, 'light' or 'dark', in a window of 1400 x 1000 pixels

The answer is a line: 'done', or what went wrong.
"""

import base64
import pathlib
import shutil
import sys
import tempfile

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service

HEIGHT = 1000  # pixels, of each window


def start(profile):
    options = webdriver.ChromeOptions()
    for each in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={profile}"):
        options.add_argument(each)
    return webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))


def load(browser, file, width, scheme):
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False})
    browser.get(pathlib.Path(file).absolute().as_uri())


def dump(browser, file, width, to):
    load(browser, file, int(width), "light")
    pathlib.Path(to).write_text(browser.execute_script("return document.documentElement.outerHTML"))


def shot(browser, file, scheme, to):
    load(browser, file, 1400, scheme)
    picture = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
    pathlib.Path(to).write_bytes(base64.b64decode(picture["data"]))


def main():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = start(profile)
        for line in sys.stdin:
            request, *words = line.rstrip("\n").split("\t")
            try:
                {"dump": dump, "shot": shot}[request](browser, *words)
                print("done", flush=True)
            except (WebDriverException, OSError) as error:
                print(str(error).splitlines()[0], flush=True)
        browser.quit()


main()
