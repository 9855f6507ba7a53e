#!/usr/bin/env python3
"""small_root.py ROOT PACKAGES...: a root folder with these packages of Debian and what they depend on, and nothing else.

Files and database entries are those of the running system, where all of them have to be installed: that takes seconds and no network.
In a ROOT that is there already, what is missing is added. Pages of documentation are left out.
"""

import os
import pathlib
import re
import subprocess
import sys

ESSENTIAL = ("base-files", "base-passwd", "bash", "coreutils", "dash", "diffutils", "dpkg", "findutils", "gawk|mawk", "grep",
             "libc-bin", "sed", "tar")
FIELDS = ("Package", "Status", "Depends", "Pre-Depends", "Provides")
LEFT_OUT = re.compile(r"/usr/share/(doc|man|locale|info|lintian)/")
DATABASE = pathlib.Path("var/lib/dpkg")


def paragraphs():
    """The installed packages: name, fields and text of each."""
    for text in (pathlib.Path("/") / DATABASE / "status").read_text().split("\n\n"):
        fields = {name: value for name, value in re.findall(r"^([A-Za-z-]+): (.*)$", text, re.MULTILINE) if name in FIELDS}
        if fields.get("Status") == "install ok installed":
            yield fields["Package"], fields, text


def names(relation):
    """The names in 'a (>= 1) | b:any'."""
    return [re.split(r"[ :(]", choice.strip())[0] for choice in relation.split("|")]


class System:
    """The packages of this system."""

    def __init__(self):
        self.fields, self.text, self.provided = {}, {}, {}
        for name, fields, text in paragraphs():
            self.fields[name], self.text[name] = fields, text
            for provided in fields.get("Provides", "").split(","):
                self.provided.setdefault(names(provided)[0], name)

    def installed(self, relation):
        """The package that stands for one of its names."""
        choices = names(relation)
        for name in choices:
            if name in self.fields:
                return name
        for name in choices:
            if name in self.provided:
                return self.provided[name]
        sys.exit(f"small_root.py: {relation.strip()} is not installed here")

    def closure(self, relations):
        """The packages of these relations, with what they depend on."""
        found, left = set(), list(relations)
        while left:
            name = self.installed(left.pop())
            if name in found:
                continue
            found.add(name)
            for field in ("Depends", "Pre-Depends"):
                left += filter(str.strip, self.fields[name].get(field, "").split(","))
        return found


def database_files(packages):
    """Files of dpkg's about them; a package that exists for several architectures has its own with it."""
    for name in packages:
        for file in (pathlib.Path("/") / DATABASE / "info").glob(f"{name}[.:]*"):
            if re.fullmatch(re.escape(name) + r"(:[a-z0-9]+)?[.](list|md5sums|shlibs|triggers|symbols)", file.name):
                yield file


def begin(root):
    """Folders that no package has, and links in place of folders as here."""
    of_dpkg = (DATABASE / name for name in ("info", "updates", "alternatives"))
    for folder in ("tmp", "proc", "dev", "root", "etc/alternatives", "usr/bin", *of_dpkg):
        (root / folder).mkdir(parents=True, exist_ok=True)
    for name in ("bin", "sbin", "lib", "lib64"):
        here = pathlib.Path("/") / name
        if here.is_symlink() and not (root / name).is_symlink():
            (root / here.readlink()).mkdir(parents=True, exist_ok=True)
            (root / name).symlink_to(here.readlink())


def copy(root, files):
    """Into the root, as they are here."""
    listed = "\0".join(str(file).lstrip("/") for file in files)
    with subprocess.Popen(["tar", "-C", "/", "--null", "--no-recursion", "-T", "-", "-cf", "-"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as pack:
        with subprocess.Popen(["tar", "-C", root, "--no-same-owner", "--keep-directory-symlink", "-xpf", "-"], stdin=pack.stdout) as unpack:
            pack.stdin.write(listed.encode())
            pack.stdin.close()
            unpack.wait()
    if pack.wait() or unpack.returncode:
        sys.exit("small_root.py: tar failed")


def link_alternatives(root):
    """/usr/bin/c++ and its like, where what they lead to is there."""
    for file in (pathlib.Path("/") / DATABASE / "alternatives").iterdir():
        lines = file.read_text().split("\n\n")[0].splitlines()
        # Its state, the link; then name and link of each that follows it, up to an empty line.
        for name, link in [(file.name, lines[1]), *zip(lines[2::2], lines[3::2])]:
            target = pathlib.Path("/etc/alternatives") / name
            if not target.is_symlink() or not (root / str(target.readlink()).lstrip("/")).exists():
                continue
            for at, to in ((target, target.readlink()), (pathlib.Path(link), target)):
                place = root / str(at).lstrip("/")
                place.parent.mkdir(parents=True, exist_ok=True)
                if not place.is_symlink():
                    place.symlink_to(to)


def main():
    root, relations = pathlib.Path(sys.argv[1]), sys.argv[2:]
    begin(root)
    system = System()
    status = root / DATABASE / "status"
    before = set(re.findall(r"^Package: (\S+)", status.read_text(), re.MULTILINE)) if status.exists() else set()
    added = sorted(system.closure([*ESSENTIAL, *relations]) - before)
    information = list(database_files(added))
    files = {line for file in information if file.suffix == ".list" for line in file.read_text().splitlines()}
    files = {file for file in files if not LEFT_OUT.match(file) and (os.path.islink(file) or os.path.isfile(file))}
    copy(root, [*information, *sorted(files)])
    with status.open("a") as out:
        out.writelines(system.text[name] + "\n\n" for name in added)
    for name in ("passwd", "group"):
        (root / "etc" / name).write_text((root / "usr/share/base-passwd" / f"{name}.master").read_text())
    link_alternatives(root)
    subprocess.run(["/sbin/ldconfig", "-r", root], check=True)


main()
