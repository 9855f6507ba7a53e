#!/usr/bin/env python3
"""check_pages.py SOURCE: README.md and the pages of docs/ hang together.

- Every relative link leads to a file, and its #anchor to a heading or an <a id=...> of that page.
- docs/README.md, the index, links to every page of docs/.
- README.md has at most 130 lines, and its pictures less than 150 kB.
"""

import pathlib
import re
import sys

MOST_LINES = 130
MOST_BYTES = 150_000

LINK = re.compile(r"(!?)\[[^\]]*\]\(([^)\s]+)\)|()^\[[^\]]+\]: (\S+)", re.MULTILINE)


def without_code(text):
    """The text with its lines, but without fenced blocks, indented blocks and `code`."""
    inside, kept = False, []
    for line in text.splitlines():
        is_fence = line.startswith("```")
        kept.append("" if inside or is_fence or line.startswith("    ") else re.sub(r"`[^`]*`", "", line))
        inside ^= is_fence
    return "\n".join(kept)


def anchors(text):
    """What '#...' may name on a page: headings as GitHub writes them, and ids."""
    found = set(re.findall(r'<a id="([^"]+)">', text))
    inside = False
    for line in text.splitlines():
        inside ^= line.startswith("```")
        heading = re.match(r"#+ (.*)", line)
        if heading and not inside:
            words = re.sub(r"<[^>]*>|\]\([^)]*\)", "", heading[1]).strip().lower()
            slug = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
            same = 0
            while (name := f"{slug}-{same}" if same else slug) in found:
                same += 1
            found.add(name)
    return found


def links(page):
    """Line, whether it is a picture, file and anchor of each relative link."""
    text = without_code(page.read_text())
    for match in LINK.finditer(text):
        target = match[2] or match[4]
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        yield text.count("\n", 0, match.start()) + 1, match[1] == "!", file, anchor


def mistakes(source):
    front, index = source / "README.md", source / "docs/README.md"
    pages = sorted((source / "docs").rglob("*.md"))
    indexed = {index.resolve()}
    for page in [front, *pages]:
        for line, is_picture, file, anchor in links(page):
            place = f"{page.relative_to(source)}:{line}"
            target = (page.parent / file).resolve() if file else page.resolve()
            if page == index:
                indexed.add(target)
            if not target.exists():
                yield f"{place}: there is no {file}"
            elif anchor and anchor not in anchors(target.read_text()):
                yield f"{place}: {file or page.name} has no heading '{anchor}'"
            elif is_picture and page == front and target.stat().st_size >= MOST_BYTES:
                yield f"{place}: {file} has {target.stat().st_size} bytes; fewer than {MOST_BYTES} are allowed"
    for page in pages:
        if page.resolve() not in indexed:
            yield f"docs/README.md: no link to {page.relative_to(source)}"
    count = len(front.read_text().splitlines())
    if count > MOST_LINES:
        yield f"README.md: {count} lines; at most {MOST_LINES} are allowed. Move what is long to a page of docs/"


def main():
    found = list(mistakes(pathlib.Path(sys.argv[1])))
    for mistake in found:
        print(mistake)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
