"""How a page looks: its parts, where they are, and how light, against a reference that was looked at by a person.

Everything is compared with room for other fonts and another browser: parts by their order, by the step from one to the next and by their
size; what is in them by mean colours of cells. A reference is a text, REFERENCES/NAME.txt.
"""

import base64
import pathlib
import re

HERE = pathlib.Path(__file__).parent
REFERENCES = HERE / "references"
WIDTHS = {1400: 900, 390: 844}  # of windows in pixels, with their heights
SCHEMES = ("light", "dark")
COLUMNS, ROWS = 8, 4  # of the cells of a part
SCALE = 0.5  # of the picture that cells are taken from
LEAST_HEIGHT = 60  # pixels: of a part that is looked into

# How far a part may be away from its reference.
PLACE = lambda step: 10 + 0.04 * abs(step)  # noqa: E731  pixels, of a step from the part before
SIZE = lambda size: 14 + 0.06 * size  # noqa: E731  pixels
COLOUR = 8  # of 255: its mean colour
CELL = 30  # of 255: the grey of a cell
CELLS = 8  # of 255: all cells, in the mean

LINE = re.compile(r"(\S+) (-?\d+),(-?\d+) (\d+)x(\d+)((?: [0-9a-f]{6}(?::[0-9a-f]+)?)*)")


def script(name):
    return (HERE / name).read_text()


class Window:
    """A browser's window of some width in one of the schemes, on a page that is already there."""

    def __init__(self, browser, width, scheme, height=None):
        self.browser = browser
        self.width, self.height = width, height or WIDTHS[width]
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.resize(self.height)

    def command(self, name, **arguments):
        return self.browser.execute_cdp_cmd(name, arguments)

    def resize(self, height):
        self.command("Emulation.setDeviceMetricsOverride", width=self.width, height=height, deviceScaleFactor=1, mobile=False)

    def unfold(self):
        """As high as the page, so that all of it can be seen; what depends on the window's height stays."""
        height = self.browser.execute_script(
            "for (const each of document.querySelectorAll('details')) each.open = true;"
            "for (const each of document.body.querySelectorAll('*')) {"
            "  const most = getComputedStyle(each).maxHeight;"
            "  if (most.endsWith('px') && !(each instanceof SVGElement)) each.style.maxHeight = most;"
            "}"
            "return document.documentElement.scrollHeight")
        self.resize(max(height, self.height))

    def audit(self):
        return self.browser.execute_script(script("audit.js"))

    def blocks(self):
        return self.browser.execute_script(script("blocks.js"))

    def picture(self, scale=1):
        """A PNG in base64 of all that the window shows."""
        width, height = self.browser.execute_script("return [innerWidth, innerHeight]")
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": scale}
        return self.command("Page.captureScreenshot", format="png", clip=clip)["data"]

    def cells(self, blocks):
        """The mean colour of each part, and the greys of its cells, of a picture of half the size: a quarter of its points say the same."""
        boxes = [[round(SCALE * each) for each in block[1:]] for block in blocks]
        return self.browser.execute_async_script(script("greys.js"), self.picture(SCALE), boxes, COLUMNS, ROWS)


def painted(blocks, cells):
    """For each part its mean colour, and the greys of its cells if it is high enough."""
    texts = []
    for (_, _, _, _, height), (mean, greys) in zip(blocks, cells):
        text = "".join(f"{part:02x}" for part in mean)
        texts.append(text + ":" + "".join(f"{grey:02x}" for grey in greys) if height >= LEAST_HEIGHT else text)
    return texts


def lines_of(blocks, paints):
    """The reference's lines: the part and its box, and how it is painted in each scheme."""
    return [f"{name} {left},{top} {width}x{height} " + " ".join(paint[i] for paint in paints)
            for i, (name, left, top, width, height) in enumerate(blocks)]


def parse(line):
    match = LINE.fullmatch(line)
    assert match, f"no line of a reference: {line}"
    return match[1], [int(match[i]) for i in range(2, 6)], match[6].split()


def numbers(text):
    return [int(text[i:i + 2], 16) for i in range(0, len(text), 2)]


def paint_differs(found, expected):
    """What differs in how a part is painted, or nothing."""
    (mean, _, greys), (mean_before, _, greys_before) = found.partition(":"), expected.partition(":")
    if max(abs(a - b) for a, b in zip(numbers(mean), numbers(mean_before))) > COLOUR:
        return f"its colour is #{mean}, not #{mean_before}"
    steps = [abs(a - b) for a, b in zip(numbers(greys), numbers(greys_before))]
    if steps and (max(steps) > CELL or sum(steps) / len(steps) > CELLS):
        at = steps.index(max(steps))
        return f"cell {at % COLUMNS} of row {at // COLUMNS} is {max(steps)} of 255 away, all are {sum(steps) / len(steps):.1f}"
    return None


def differences(found, expected):
    """What differs between the lines of a page and those of its reference."""
    found, expected = [[parse(line) for line in lines] for lines in (found, expected)]
    names, names_before = [[part[0] for part in parts] for parts in (found, expected)]
    if names != names_before:
        at = next((i for i, (a, b) in enumerate(zip(names, names_before)) if a != b), min(len(names), len(names_before)))
        return [f"part {at + 1} is {names[at:at + 1]}, not {names_before[at:at + 1]}; {len(names)} parts, not {len(names_before)}"]
    wrong, top, top_before = [], 0, 0
    for (name, box, paints), (_, box_before, paints_before) in zip(found, expected):
        step = box_before[1] - top_before
        if abs(box[0] - box_before[0]) > PLACE(0) or abs(box[1] - top - step) > PLACE(step):
            wrong.append(f"{name} at {box[0]},{box[1]}, {box[1] - top} below the one before, not {step}")
        elif any(abs(a - b) > SIZE(b) for a, b in zip(box[2:], box_before[2:])):
            wrong.append(f"{name} at {box[0]},{box[1]} has {box[2]}x{box[3]}, not {box_before[2]}x{box_before[3]}")
        else:
            wrong += [f"{name} at {box[0]},{box[1]}, {scheme}: {text}" for scheme, paint, before in zip(SCHEMES, paints, paints_before)
                      if (text := paint_differs(paint, before))]
        top, top_before = box[1], box_before[1]
    return wrong


def keep(folder, name, picture):
    """The picture as a PNG, for a person."""
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    (pathlib.Path(folder) / f"{name}.png").write_bytes(base64.b64decode(picture))
