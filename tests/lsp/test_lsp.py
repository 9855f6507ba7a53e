"""'lanewise lsp' over its streams, as an editor talks to it."""

import os
import pathlib
import subprocess
import time

import pytest
from client import Client, applied, frame

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
ROW = "file:///kernels/row.tt"
# The two characters in front of the mode are four code units of UTF-16.
ROW_TEXT = """.equ START 0
SFPLOAD L0, 0, 3, START
SFPMAD L0, L0, L10, L1, 0  // ü 😀
SFPSTORE L1, 0, 3, START
"""
KERNEL = """#include <sfpi.h>
using namespace sfpi;

void kernel() {
  for (int d = 0; d < 32; ++d) {
    dst_reg[0] = dst_reg[0] * 2.0f + 1.0f;
    dst_reg++;
  }
}
"""


@pytest.fixture
def client():
    with Client() as made:
        yield made


def test_conversation(client):
    """From initialize to exit, of assembly for Wormhole, where nothing waits for SFPMAD."""
    capabilities = client.initialize(arch="wh")["capabilities"]
    assert capabilities["positionEncoding"] == "utf-16"
    types = capabilities["semanticTokensProvider"]["legend"]["tokenTypes"]
    client.open(ROW, ROW_TEXT)
    (problem,) = client.problems(ROW)
    assert problem["code"] == "mad-result" and problem["severity"] == 1
    assert problem["range"] == {"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 24}}
    assert problem["relatedInformation"][0]["location"]["range"]["start"]["line"] == 2

    hover = client.ask_at("hover", ROW, 2, 3)["contents"]["value"]
    assert "SFPMAD: " in hover and "latency  2 cycles" in hover and "1 word" in hover
    assert "LReg[10]" in client.ask_at("hover", ROW, 2, 16)["contents"]["value"]

    labels = {item["label"] for item in client.ask_at("completion", ROW, 4, 0)}
    assert {"SFPMAD", "SFPSTORE", ".equ", "TTI_SFPNOP"} <= labels
    hints = client.ask("textDocument/inlayHint", textDocument={"uri": ROW}, range=client.whole(ROW))
    assert [(hint["position"]["line"], hint["label"]) for hint in hints] == [(i, "1 word, 1 cycle") for i in (1, 2, 3)]
    assert hints[1]["position"]["character"] == len(ROW_TEXT.split("\n")[2]) + 1  # 😀 is two

    (place,) = client.ask_at("definition", ROW, 1, 20)
    assert place["range"] == {"start": {"line": 0, "character": 5}, "end": {"line": 0, "character": 10}}

    actions = client.ask("textDocument/codeAction", textDocument={"uri": ROW}, range=problem["range"], context={"diagnostics": [problem]})
    assert actions
    for action in actions:
        assert action["diagnostics"][0]["code"] == "mad-result"
        client.change(ROW, applied(ROW_TEXT, action["edit"]["changes"][ROW]))
        assert client.problems(ROW) == []

    data = client.ask("textDocument/semanticTokens/full", textDocument={"uri": ROW})["data"]
    assert len(data) % 5 == 0
    assert data[:4] == [0, 0, 4, types.index("keyword")]
    lenses = client.ask("textDocument/codeLens", textDocument={"uri": ROW})
    assert [lens["command"]["title"] for lens in lenses] == ["run", "time", "sweep", "tune"]
    assert lenses[1]["command"]["arguments"][0]["words"] == ["time", "/kernels/row.tt", "--arch", "wh"]
    assert client.finish() == 0


def test_errors_follow_the_text(client):
    client.initialize()
    client.open(ROW, "/* ü😀 */ SFPMADD L0, L1\n")
    (problem,) = client.problems(ROW)
    assert problem["range"] == {"start": {"line": 0, "character": 10}, "end": {"line": 0, "character": 17}}
    client.change(ROW, "  SFPNOPP\n")
    (problem,) = client.problems(ROW)
    actions = client.ask("textDocument/codeAction", textDocument={"uri": ROW}, range=problem["range"], context={"diagnostics": []})
    assert "change to SFPNOP" in [action["title"] for action in actions]
    client.change(ROW, "  SFPNOP\n")
    assert client.problems(ROW) == []
    assert client.finish() == 0


def test_kernel(client):
    client.initialize()
    uri = "file:///kernels/no%20such%20folder/k.cpp"
    client.open(uri, KERNEL, "cpp")
    assert client.problems(uri) == []
    hints = client.ask("textDocument/inlayHint", textDocument={"uri": uri}, range=client.whole(uri))
    assert any(hint["position"]["line"] == 5 and "cycle" in hint["label"] for hint in hints)
    assert "SFPMAD" in client.ask_at("hover", uri, 5, 16)["contents"]["value"]
    lenses = client.ask("textDocument/codeLens", textDocument={"uri": uri})
    assert {lens["range"]["start"]["line"] for lens in lenses} == {3}
    client.change(uri, KERNEL.replace("2.0f", "2.0f * nothing"))
    problems = client.problems(uri)
    assert [(p["range"]["start"]["line"], p["severity"]) for p in problems] == [(5, 1)]
    assert "nothing" in problems[0]["message"]
    client.change(uri, KERNEL.replace("dst_reg[0] * 2.0f", "vFloat{} * 2.0f"))
    assert [p["range"]["start"]["line"] for p in client.problems(uri) if p["severity"] <= 2]  # lanes without a value
    assert client.finish() == 0


def test_kernel_that_hangs_or_crashes_is_ended():
    with Client("--kernel-time", "0.5") as client:
        client.initialize()
        uri = "file:///kernels/k.cpp"
        client.open(uri, KERNEL.replace("void kernel() {", "void kernel() { for (volatile int i = 0; i < 1; i = 0) {}"), "cpp")
        assert client.problems(uri)
        client.change(uri, KERNEL.replace("void kernel() {", "void kernel() { *(volatile int*)nullptr = 1;"))
        assert client.problems(uri)
        client.change(uri, KERNEL)
        assert client.problems(uri) == []
        assert client.finish() == 0


def test_tile(client):
    client.initialize()
    uri = "file:///kernels/tile.tt"
    client.open(uri, (EXAMPLES / "tile/datacopy_bh.tt").read_text())
    assert client.problems(uri) == []
    hints = client.ask("textDocument/inlayHint", textDocument={"uri": uri}, range=client.whole(uri))
    assert any("executed" in hint["label"] for hint in hints)
    client.change(uri, ".thread math\nSEMWAIT 511, 2, 1\nSFPNOP\n")
    problems = client.problems(uri)
    assert "deadlock" in problems[0]["message"]


def test_settings(client):
    client.initialize(arch="bh")
    client.open(ROW, ROW_TEXT)
    assert client.problems(ROW) == []
    client.notify("workspace/didChangeConfiguration", settings={"lanewise": {"arch": "wh"}})
    client.told.clear()
    assert [problem["code"] for problem in client.problems(ROW)] == ["mad-result"]
    client.change(ROW, "// lanewise: arch=bh\n" + ROW_TEXT)
    assert client.problems(ROW) == []
    client.change(ROW, "// lanewise: arc=bh\n" + ROW_TEXT)
    (problem,) = client.problems(ROW)
    assert "did you mean arch" in problem["message"] and problem["range"]["start"]["line"] == 0
    client.notify("workspace/didChangeConfiguration", settings={"lanewise": {"wrong": 1}})
    while client.next().get("method") != "window/showMessage":
        pass


def test_settings_of_kernels_are_not_for_assembly(client):
    """Both stand in one folder, which has one setting."""
    client.initialize(call=["f(8)"], init="g()", entry="f")
    client.open(ROW, ROW_TEXT)
    assert client.problems(ROW) == []


def test_bursts_and_cancellation(client):
    """Of many changes at once, the last is told; a request that waits can be cancelled, or is out of date."""
    client.initialize()
    client.open(ROW, "SFPNOP\n")
    burst = b""
    for i in range(50):
        client.versions[ROW] += 1
        params = {"textDocument": {"uri": ROW, "version": client.versions[ROW]}, "contentChanges": [{"text": "SFPNOP\n" * i + "WRONG\n"}]}
        burst += frame({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": params})
    client.send_bytes(burst)
    (problem,) = client.problems(ROW)
    assert problem["range"]["start"]["line"] == 49
    assert len(client.published) <= 2  # the first may have been told before the others came
    # A kernel keeps the server busy while the rest of the messages comes.
    uri = "file:///kernels/busy.cpp"
    client.open(uri, KERNEL + f"// {time.time()}\n", "cpp")
    client.texts[uri] = KERNEL
    busy = client.start("textDocument/inlayHint", textDocument={"uri": uri}, range=client.whole(uri))
    position = {"line": 0, "character": 1}
    cancelled = client.start("textDocument/hover", textDocument={"uri": ROW}, position=position)
    stale = client.start("textDocument/hover", textDocument={"uri": ROW}, position=position)
    client.notify("$/cancelRequest", id=cancelled)
    client.change(ROW, "SFPNOP\n")
    assert "result" in client.answer(busy)
    assert client.answer(cancelled)["error"]["code"] == -32800
    assert client.answer(stale)["error"]["code"] == -32801
    assert client.finish() == 0


def test_wrong_messages(client):
    """Each is told, and the next is understood."""
    number = client.start("textDocument/hover")
    assert client.answer(number)["error"]["code"] == -32002
    client.initialize()
    for wrong in (b"Content-Length: 3\r\n\r\nabc", b"Nothing: 3\r\n\r\n", b"Content-Length: x\r\n\r\n", b"Content-Length: -1\r\n\r\n"):
        client.send_bytes(wrong)
        assert client.next()["error"]["code"] == -32700
    client.send_bytes(frame([1, 2]))
    assert client.next()["error"]["code"] == -32600
    client.send_bytes(b"Content-Length: 200000\r\n\r\n" + b"[" * 200000)
    assert client.next()["error"]["code"] == -32700
    deep = b'{"jsonrpc": "2.0", "id": 99, "method": "shutdown", "params": %s}' % (b"[" * 100000 + b"]" * 100000)
    client.send_bytes(b"Content-Length: %d\r\n\r\n" % len(deep) + deep)
    assert client.next()["error"]["code"] == -32700
    client.send_bytes(frame({"jsonrpc": "2.0", "id": [[1]], "method": "shutdown"}))
    assert client.next()["error"]["code"] == -32600
    number = client.start("textDocument/nothing", textDocument={"uri": ROW})
    assert client.answer(number)["error"]["code"] in (-32601, -32602)
    number = client.start("textDocument/hover", textDocument=3)
    assert client.answer(number)["error"]["code"] == -32602
    client.notify("textDocument/didChange", nothing=1)
    client.open(ROW, "SFPNOP\n")
    assert client.problems(ROW) == []
    assert client.finish() == 0


def test_exit_status():
    with Client() as client:
        client.initialize()
        client.notify("exit")
        assert client.process.wait(timeout=60) == 1
    with Client() as client:
        client.process.stdin.close()
        assert client.process.wait(timeout=60) == 1
    closed = subprocess.run([os.environ["LANEWISE"], "lsp"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=60)
    assert (closed.returncode, closed.stdout) == (1, b"")
