"""An editor, as far as a test needs one: sends messages to 'lanewise lsp' and reads what comes back."""

import json
import os
import queue
import subprocess
import threading

LONGEST = 60  # seconds for an answer


def frame(message):
    content = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(content), content)


class Client:
    def __init__(self, *options):
        self.process = subprocess.Popen([os.environ["LANEWISE"], "lsp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.messages = queue.Queue()
        self.notices = []
        self.number = 0
        self.versions = {}
        self.texts = {}
        self.published = []  # versions, in the order of their diagnostics
        self.told = {}  # the last diagnostics of each document
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()

    def _read(self):
        stream = self.process.stdout
        while header := stream.readline():
            length = int(header.split(b":")[1])
            assert stream.readline() == b"\r\n"
            self.messages.put(json.loads(stream.read(length)))
        self.messages.put(None)

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def notify(self, method, **params):
        self.send_bytes(frame({"jsonrpc": "2.0", "method": method, "params": params}))

    def start(self, method, **params):
        self.number += 1
        self.send_bytes(frame({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}))
        return self.number

    def next(self):
        message = self.messages.get(timeout=LONGEST)
        assert message is not None, "the server has ended"
        return message

    def answer(self, number):
        while True:
            message = self.next()
            if message.get("id") == number and "method" not in message:
                return message
            self.notices.append(message)

    def ask(self, method, **params):
        message = self.answer(self.start(method, **params))
        assert "error" not in message, message
        return message["result"]

    def initialize(self, **options):
        result = self.ask("initialize", processId=None, rootUri=None, capabilities={}, initializationOptions=options or None)
        self.notify("initialized")
        return result

    def open(self, uri, text, language="lanewise"):
        self.versions[uri], self.texts[uri] = 1, text
        self.notify("textDocument/didOpen", textDocument={"uri": uri, "languageId": language, "version": 1, "text": text})

    def change(self, uri, text):
        self.versions[uri] += 1
        self.texts[uri] = text
        self.notify("textDocument/didChange", textDocument={"uri": uri, "version": self.versions[uri]}, contentChanges=[{"text": text}])

    def problems(self, uri):
        """The diagnostics of the newest version."""
        while self.told.get(uri, {}).get("version") != self.versions[uri] or self.notices:
            message = self.notices.pop(0) if self.notices else self.next()
            if message.get("method") == "textDocument/publishDiagnostics":
                self.told[message["params"]["uri"]] = message["params"]
                self.published.append(message["params"].get("version"))
        return self.told[uri]["diagnostics"]

    def ask_at(self, method, uri, line, character):
        return self.ask(f"textDocument/{method}", textDocument={"uri": uri}, position={"line": line, "character": character})

    def whole(self, uri):
        return {"start": {"line": 0, "character": 0}, "end": {"line": self.texts[uri].count("\n") + 1, "character": 0}}

    def finish(self):
        """Shuts the server down; its exit status."""
        self.ask("shutdown")
        self.notify("exit")
        return self.process.wait(timeout=LONGEST)


def offset(text, position):
    """Where a position, in code units of UTF-16, stands in a text."""
    lines = text.split("\n")
    line = lines[position["line"]].encode("utf-16-le")[: 2 * position["character"]].decode("utf-16-le")
    return sum(len(each) + 1 for each in lines[: position["line"]]) + len(line)


def applied(text, edits):
    """The text with TextEdits."""
    for edit in sorted(edits, key=lambda each: offset(text, each["range"]["start"]), reverse=True):
        start, end = offset(text, edit["range"]["start"]), offset(text, edit["range"]["end"])
        text = text[:start] + edit["newText"] + text[end:]
    return text
