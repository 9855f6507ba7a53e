#!/usr/bin/env python3
"""check_recipes.py SOURCE PROGRAM: the container, the action, the hooks and the workflows of docs/ci.md are as this checkout is.

- Containerfile: files that it copies are there; what it builds with is what the launcher installs for that; packages of Debian that it
  names are those of the Debian packages' own recommendations, or known to apt.
- action.yml, .pre-commit-hooks.yaml, docs/ci.md: YAML of the right form. Every `lanewise COMMAND --option` in them is one of the program's,
  every input that is used is declared, and every declared one is used. A workflow of docs/ci.md has at most 15 lines.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

MOST_LINES = 15


def packages_of_launcher(source, names):
    """The words of such lists of the launcher."""
    text = (source / "lanewise").read_text()
    lists = re.findall(r"^[a-z_]+_packages=\(.*?\)(?=\s)", text, re.MULTILINE | re.DOTALL)
    words = " ".join(f'"${{{name}[@]}}"' for name in names)
    script = "\n".join(lists) + f"\nprintf '%s\\n' {words}"
    return set(subprocess.run(["bash", "-c", script], check=True, capture_output=True, text=True).stdout.split())


def instructions(text):
    """Instruction and rest of each line, continued lines joined."""
    lines = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)).splitlines()
    return [tuple(line.split(maxsplit=1)) for line in lines if line.strip()]


def installed_packages(command):
    found = re.search(r"apt-get install (?:-\S+ +)*([^&]*)", command)
    return set(found[1].split()) if found else set()


def check_container(source):
    steps = instructions((source / "Containerfile").read_text())
    stages = [step for step in steps if step[0] == "FROM"]
    if [stage[1].split()[0] for stage in stages] != ["debian:12-slim"] * 2:
        yield "Containerfile: not two stages of debian:12-slim"
    wanted = {name.split("|")[0] for name in packages_of_launcher(source, ["run_packages", "python_packages"])} | {"dpkg-dev", "file"}
    build, use = [installed_packages(rest) for word, rest in steps if word == "RUN" and "apt-get install" in rest]
    if build != wanted:
        yield f"Containerfile: builds with other packages than the launcher does: {' '.join(sorted(build ^ wanted))}"
    of_package = (source / "cmake/package.cmake").read_text()
    recommended = re.findall(r"[a-z0-9+.-]+", re.search(r'PROGRAM_PACKAGE_RECOMMENDS\s+"([^"]*)"', of_package)[1])
    for name in sorted(use - set(recommended) - {"/packages/*.deb"}):
        yield f"Containerfile: {name} is nothing that the package lanewise recommends"
    for word, rest in steps:
        if word == "COPY" and not rest.startswith("--from"):
            yield from (f"Containerfile: there is no {name} to copy" for name in rest.split()[:-1] if not (source / name).exists())
    copied = {name for word, rest in steps if word == "COPY" for name in rest.split()[:-1]}
    cmake = (source / "CMakeLists.txt").read_text() + (source / "cmake/install.cmake").read_text()
    for name in sorted(set(re.findall(r"(?:^include\(|DIRECTORY )([a-z]+)(?=[/ ])", cmake, re.MULTILINE)) - copied):
        yield f"Containerfile: CMake wants {name}, which is not copied"


class Program:
    """What `lanewise COMMAND --help-all` knows."""

    def __init__(self, path):
        self.path, self.known = path, {}

    def options(self, command):
        if command not in self.known:
            help_text = subprocess.run([self.path, command, "--help-all"], capture_output=True, text=True, check=False)
            self.known[command] = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", help_text.stdout)) if help_text.returncode == 0 else None
        return self.known[command]

    def mistakes(self, text, where):
        """Of the calls of the program in a text of shell."""
        for command, rest in re.findall(r"(?<![\w./-])lanewise ([a-z][a-z-]*)((?:[^\n|;&>\\]|\\\n)*)", text):
            options = self.options(command)
            if options is None:
                yield f"{where}: lanewise has no command {command}"
                continue
            for option in re.findall(r"(?<!\S)--[a-z-]+", rest):
                if option not in options:
                    yield f"{where}: lanewise {command} has no {option}"


def check_action(source, program):
    where = "action.yml"
    action = yaml.safe_load((source / where).read_text())
    if not {"name", "description", "inputs", "runs"} <= set(action) or action["runs"]["using"] != "composite":
        yield f"{where}: no composite action with a name, a description and inputs"
    text = json.dumps(action["runs"])
    for name in sorted(set(re.findall(r"inputs[.]([\w-]+)", text)) ^ set(action["inputs"])):
        yield f"{where}: the input {name} is not both declared and used"
    for step in action["runs"]["steps"]:
        if "run" in step and ("shell" not in step or "${{" in step["run"]):
            yield f"{where}: a step without a shell, or with an expression in its script, which would run what is in it"
        yield from program.mistakes(step.get("run", ""), where)
        script = subprocess.run(["bash", "-n"], input=step.get("run", ""), capture_output=True, text=True, check=False)
        if script.returncode:
            yield f"{where}: {script.stderr}"
        for name in re.findall(r"\$GITHUB_ACTION_PATH/([\w./-]+)", step.get("run", "")):
            if not (source / name).exists():
                yield f"{where}: there is no {name}"


def run_action(source, program):
    """The last step of the action, over two examples: its status, and what it leaves behind."""
    where = "action.yml"
    step = yaml.safe_load((source / where).read_text())["runs"]["steps"][-1]
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        (folder / "lanewise").symlink_to(program.path)
        environment = {**os.environ, "PATH": f"{work}:{os.environ['PATH']}", "RUNNER_TEMP": work, "GITHUB_OUTPUT": f"{work}/output",
                       "GITHUB_STEP_SUMMARY": f"{work}/summary", "FILES": "examples/exp.t? examples/abs.tt", "ARCH": "bh,wh",
                       "OPTIONS": "--syntax auto"}
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], cwd=source, env=environment,
                              capture_output=True, text=True, check=False)
        if done.returncode:
            yield f"{where}: its last step ends with {done.returncode}: {done.stderr}"
            return
        named = re.fullmatch(r"sarif=(.*)\n", (folder / "output").read_text())
        if not named or json.loads(pathlib.Path(named[1]).read_text())["version"] != "2.1.0":
            yield f"{where}: no SARIF where its output says"
        if "### lanewise check" not in (folder / "summary").read_text():
            yield f"{where}: no summary"


def check_hooks(source, program):
    where = ".pre-commit-hooks.yaml"
    for hook in yaml.safe_load((source / where).read_text()):
        missing = {"id", "name", "description", "entry", "language", "files"} - set(hook)
        if missing:
            yield f"{where}: a hook without {', '.join(sorted(missing))}"
        yield from program.mistakes(" ".join([hook["entry"], *hook.get("args", [])]), where)
        pattern = re.compile(hook["files"])
        for file, wanted in (("kernels/exp.cpp", True), ("exp.tt", True), ("README.md", False), ("main.cppx", False)):
            if bool(pattern.search(file)) != wanted:
                yield f"{where}: {hook['id']} {'leaves out' if wanted else 'takes'} {file}"


def check_page(source, program):
    where = "docs/ci.md"
    blocks = re.findall(r"^```yaml\n(.*?)^```", (source / where).read_text(), re.MULTILINE | re.DOTALL)
    action = yaml.safe_load((source / "action.yml").read_text())
    hooks = {hook["id"] for hook in yaml.safe_load((source / ".pre-commit-hooks.yaml").read_text())}
    workflows = 0
    for block in blocks:
        read = yaml.safe_load(block)
        if "jobs" in read:
            workflows += 1
            if len(block.splitlines()) > MOST_LINES:
                yield f"{where}: a workflow of {len(block.splitlines())} lines; at most {MOST_LINES} were promised"
            for step in (step for job in read["jobs"].values() for step in job["steps"]):
                yield from program.mistakes(step.get("run", ""), where)
                if step.get("uses", "").split("@")[0].endswith("/lanewise"):
                    yield from (f"{where}: the action has no input {name}" for name in set(step.get("with", {})) - set(action["inputs"]))
        for repository in read.get("repos", []):
            yield from (f"{where}: there is no hook {hook['id']}" for hook in repository["hooks"] if hook["id"] not in hooks)
    if not workflows:
        yield f"{where}: no workflow"


def main():
    source, program = pathlib.Path(sys.argv[1]).resolve(), Program(pathlib.Path(sys.argv[2]).resolve())
    wrong = [*check_container(source), *check_action(source, program), *run_action(source, program),
             *check_hooks(source, program), *check_page(source, program)]
    print("\n".join(wrong) if wrong else "the container, the action, the hooks and the page agree")
    return bool(wrong)


sys.exit(main())
