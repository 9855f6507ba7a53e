// Asks the module of a folder, as its worker does: a JSON request per line of standard input, an answer per line of standard output.
"use strict";
const fs = require("fs");
const path = require("path");
const readline = require("readline");

const folder = path.resolve(process.argv[2]);
const { ask_lanewise } = require(path.join(folder, "request.js"));
const make = require(path.join(folder, "lanewise.js"));
make({ wasmBinary: fs.readFileSync(path.join(folder, "lanewise.wasm")) }).then((module) => {
  readline.createInterface({ input: process.stdin }).on("line", (line) => {
    process.stdout.write(ask_lanewise(module, line) + "\n");
  });
});
