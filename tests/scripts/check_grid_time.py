#!/usr/bin/env python3
"""A program on many cores in time (docs/grid.md, "Time"): the same for any number of jobs, in each form of its output."""
import json
import os
import re
import subprocess
import sys
import tempfile

LANEWISE, SOURCE = map(os.path.abspath, sys.argv[1:3])
PROGRAM = "examples/programs/multicast.json"


def lanewise(*options):
    done = subprocess.run([LANEWISE, "kernels", PROGRAM, "--time", *options], capture_output=True, text=True)
    assert done.returncode == 0, (options, done.stdout, done.stderr)
    return done.stdout


def check_figures(run, arch):
    """What the example does: (0, 0) sends a page of 4096 bytes to three others when all of them are ready, and each writes a page."""
    places = [core["place"] for core in run["cores"]]
    assert places == [[0, 0], [1, 0], [2, 0], [3, 0]], places
    assert run["cycles"] == max(core["cycles"] for core in run["cores"])
    sender, *receivers = run["cores"]
    assert sum(noc["bytes_in"] for noc in sender["noc"]) == 4096
    for receiver in receivers:
        # Its page, and the semaphore of the sender.
        assert sum(noc["bytes_out"] for noc in receiver["noc"]) == 4096 + 4, receiver["noc"]
        assert receiver["cycles"] > sender["cycles"], "receivers work on what they have got"
    path = run["critical_path"]
    assert path[0]["begin"] == 0 and path[-1]["end"] == run["cycles"]
    assert path[-1]["core"] == run["last"] != [0, 0]
    assert path[-1]["signal"]["core"] == [0, 0] and path[-1]["signal"]["file"].endswith("send_to_all.cpp")
    for before, step in zip(path, path[1:]):
        assert before["core"] == step["signal"]["core"] and before["end"] == step["signal"]["asked"]
        assert before["end"] < step["begin"] == step["signal"]["came"] <= step["end"]
    # A page goes to three neighbours through three links, and each of them once.
    pages = [link for link in run["links"] if link["noc"] == 0 and link["bytes"] >= 4096 and link["from"][1] == link["to"][1]]
    assert len(pages) >= 3, (arch, run["links"])
    assert sum(run["banks"]) > 0


def main(folder):
    os.symlink(os.path.join(SOURCE, "examples"), os.path.join(folder, "examples"))
    os.chdir(folder)  # the example writes a file
    for arch in ("bh", "wh"):
        one = lanewise("--arch", arch, "--jobs", "1", "--json")
        assert one == lanewise("--arch", arch, "--jobs", "3", "--json"), "the number of jobs changes figures"
        check_figures(json.loads(one), arch)
    text = lanewise("--arch", "bh")
    run = json.loads(lanewise("--arch", "bh", "--json"))
    assert re.search(rf"^4 cores, {run['cycles']} cycles until the last", text, re.M), text
    assert f"what bounds it: {run['bound']['part']}, for {run['bound']['cycles']:.0f} cycles" in text, text
    lanewise("--arch", "bh", "--html", "page.html", "--perfetto", "trace.json")
    with open("page.html", encoding="utf-8") as file:
        html = file.read()
    for core in run["cores"]:
        assert f"core ({core['place'][0]}, {core['place'][1]}): {core['cycles']} cycles" in html
    with open("trace.json", encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    for number in range(1, 5):
        spans = [event for event in events if event["pid"] == number and event["ph"] == "b"]
        noc = run["cores"][number - 1]["noc"]
        assert len(spans) == sum(each["reads"] + each["writes"] for each in noc), number


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        main(place)
