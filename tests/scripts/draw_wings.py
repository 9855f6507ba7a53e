#!/usr/bin/env python3
"""draw_wings.py SOURCE [--check]: docs/wings.svg, the wings and rooms of src/ and which includes which.

Rooms and their order come from cmake/library.cmake, arrows from the #include lines, what is said of a wing from its heading in
docs/architecture.md. An arrow is left out where others lead from one end to the other. With --check nothing is written: status 1 if
the picture is another one, or if the page has not every room in its table, in the order of cmake/library.cmake.
"""

import html
import pathlib
import re
import sys

WIDTH, BAND, GAP, TOP = 900, 74, 14, 12
NAME_WIDTH, GUTTER = 236, 84
BOX_HEIGHT, BOX_SPACE = 28, 26
LETTER = 7.3  # pixels of a letter of a room's name, about
BESIDE = ["cli", "browser", "python"]  # no part of the library

STYLE = """
  text { font: 13px sans-serif; fill: #1d2733 }
  .wing { font-weight: bold; font-size: 15px }
  .subject { fill: #566573; font-size: 12px }
  .room { text-anchor: middle }
  .band { fill: #eef2f7 }
  .box { fill: #fff; stroke: #8a9bb0 }
  .arrow { fill: none; stroke: #52708f; stroke-width: 1.4; marker-end: url(#head) }
  marker path { fill: #52708f }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .subject { fill: #9aa9b8 } .band { fill: #1c2530 } .box { fill: #0f161e; stroke: #52637a }
    .arrow { stroke: #8fb2d6 } marker path { fill: #8fb2d6 }
  }
"""


def rooms_in_order(source):
    """The rooms, base first: what stands later may include what stands before."""
    text = (source / "cmake/library.cmake").read_text()
    return re.search(r"^set\(LANEWISE_ROOMS([^)]*)\)", text, re.MULTILINE)[1].split() + BESIDE


def room_of(path, rooms):
    """The innermost folder of a path from src/ that is a room, or None."""
    return next((str(folder) for folder in pathlib.PurePosixPath(path).parents if str(folder) in rooms), None)


def includes(source, rooms):
    """For each room, the other rooms that its files include."""
    found = {room: set() for room in rooms}
    kernels = "source/sfpi/include/"  # what kernels include stands before all rooms
    for file in sorted((source / "src").rglob("*")):
        name = file.relative_to(source / "src").as_posix()
        if file.suffix not in (".h", ".cpp", ".def") or name.startswith(kernels):
            continue
        for target in re.findall(r'^ *# *include "([^"]+)"', file.read_text(), re.MULTILINE):
            room = None if target.startswith(kernels) else room_of(target, rooms)
            if room and room != room_of(name, rooms):
                found[room_of(name, rooms)].add(room)
    return found


def reduced(edges, order):
    """The edges without those that others imply; `order` has what is included before what includes it."""
    reach, kept = {}, {}
    for node in order:
        reach[node], kept[node] = set(), []
        for other in sorted(edges[node], key=order.index, reverse=True):
            if other not in reach[node]:
                kept[node].append(other)
            reach[node] |= {other} | reach.get(other, set())
    return kept


def wing_of(room):
    return room.split("/")[0]


def wing_edges(edges, wings):
    found = {wing: set() for wing in wings}
    for room, others in edges.items():
        found[wing_of(room)] |= {wing_of(other) for other in others} - {wing_of(room)}
    return found


def subjects(page):
    """What the headings of the page say of each wing."""
    return dict(re.findall(r"^### `(\w+)/`: (.*)$", page, re.MULTILINE))


def text(x, y, kind, words):
    return f'<text class="{kind}" x="{x:g}" y="{y:g}">{html.escape(words)}</text>'


def arrow(path):
    return f'<path class="arrow" d="{path}"/>'


def draw_rooms(y, rooms, edges):
    """The boxes of a wing from left to right; arrows between neighbours in a line, others below the boxes."""
    parts, middle, x = [], {}, NAME_WIDTH
    top = y + (BAND - BOX_HEIGHT) / 2 - (5 if len(rooms) > 2 else 0)
    sides, below = {}, 0
    for room in rooms:
        name = room.split("/")[-1]
        width = round(len(name) * LETTER) + 22
        parts.append(f'<rect class="box" x="{x}" y="{top:g}" width="{width}" height="{BOX_HEIGHT}" rx="5"/>')
        parts.append(text(x + width / 2, top + 18.5, "room", name))
        middle[room], sides[room] = x + width / 2, (x, x + width)
        x += width + BOX_SPACE
    for place, room in enumerate(rooms):
        for other in edges[room]:
            if other not in middle:
                continue
            if rooms.index(other) == place - 1:
                parts.append(arrow(f"M{sides[room][0]} {top + 14:g}H{sides[other][1] + 5}"))
            else:
                low, deep = top + BOX_HEIGHT, 6 + 5 * below
                parts.append(arrow(f"M{middle[room] - 8:g} {low:g}v{deep}q0 6 -6 6H{middle[other] + 14:g}q-6 0 -6 -6v{5 - deep}"))
                below += 1
    return parts


def draw_gutter(wings, tops, edges):
    """Arrows between wings: to the next one straight, past others in lanes at the right."""
    parts, lanes = [], []
    edge = WIDTH - GUTTER
    for wing in wings:
        for other in edges[wing]:
            first, last = sorted((wings.index(wing), wings.index(other)))
            if last - first == 1:
                parts.append(arrow(f"M{NAME_WIDTH / 2:g} {tops[wing] + BAND}V{tops[other] - 5}"))
                continue
            lane = next((n for n, until in enumerate(lanes) if all(e <= first or s >= last for s, e in until)), len(lanes))
            if lane == len(lanes):
                lanes.append([])
            lanes[lane].append((first, last))
            x = edge + 22 + 18 * lane
            parts.append(arrow(f"M{edge} {tops[wing] + BAND / 2 + 8 + 6 * lane:g}H{x - 8}q8 0 8 8"
                               f"V{tops[other] + BAND / 2 - 16 - 6 * lane:g}q0 8 -8 8H{edge + 5}"))
    return parts


def picture(source):
    rooms = rooms_in_order(source)
    edges = includes(source, rooms)
    wings = list(dict.fromkeys(map(wing_of, rooms)))
    said = subjects((source / "docs/architecture.md").read_text())
    room_arrows = reduced(edges, rooms)
    wing_arrows = reduced(wing_edges(edges, wings), wings)
    from_top = wings[::-1]
    tops = {wing: TOP + place * (BAND + GAP) for place, wing in enumerate(from_top)}
    height = 2 * TOP + len(wings) * BAND + (len(wings) - 1) * GAP
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" role="img">',
             "<title>The wings of src/, and which includes which</title>",
             "<!-- Made by tests/scripts/draw_wings.py. -->",
             f"<style>{STYLE}</style>",
             '<defs><marker id="head" viewBox="0 0 8 8" refX="3" refY="4" markerWidth="8" markerHeight="8" orient="auto" '
             'markerUnits="userSpaceOnUse"><path d="M0 0L8 4L0 8z"/></marker></defs>']
    for wing in from_top:
        parts.append(f'<rect class="band" x="12" y="{tops[wing]}" width="{WIDTH - GUTTER - 12}" height="{BAND}" rx="8"/>')
        parts.append(text(26, tops[wing] + 30, "wing", wing))
        for line, words in enumerate(broken(said[wing].replace("`", ""))):
            parts.append(text(26, tops[wing] + 48 + 15 * line, "subject", words))
        own = [room for room in rooms if wing_of(room) == wing]
        if own != [wing]:
            parts += draw_rooms(tops[wing], own, room_arrows)
    parts += draw_gutter(from_top, tops, wing_arrows)
    return "\n".join(parts) + "\n</svg>\n"


def broken(words, most=32):
    """One or two lines of the subject of a wing."""
    if len(words) <= most:
        return [words]
    at = words.rfind(" ", 0, most + 1)
    return [words[:at], words[at + 1:]]


def complaints(source, drawn):
    """What is not as it has to be, one sentence each."""
    file = source / "docs/wings.svg"
    if not file.exists() or file.read_text() != drawn:
        yield "docs/wings.svg is not up to date: run tests/scripts/draw_wings.py"
    named = re.findall(r"^\| `([a-z/]+)/` \|", (source / "docs/architecture.md").read_text(), re.MULTILINE)
    if [room for room in named if room != "source/sfpi/include"] != rooms_in_order(source):
        yield "docs/architecture.md has not the rooms of cmake/library.cmake in their order, one row each"


def main():
    source = pathlib.Path(sys.argv[1])
    drawn = picture(source)
    if "--check" not in sys.argv[2:]:
        (source / "docs/wings.svg").write_text(drawn)
        return 0
    found = list(complaints(source, drawn))
    for sentence in found:
        print(sentence)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
