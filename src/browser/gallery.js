// node gallery.js FOLDER EXAMPLES [PROGRAM]: the gallery of the page in FOLDER, examples.json and pictures/, by the module that lies there:
// each example for one thread with its first command, and a picture that a command has made of it. Kernels in C++ stand there if PROGRAM, a
// lanewise of this machine, records them (docs/recordings.md): recordings/.
"use strict";
const child_process = require("child_process");
const fs = require("fs");
const path = require("path");

const [folder, examples, program] = process.argv.slice(2).map((each) => path.resolve(each));
const { ask_lanewise } = require(path.join(folder, "request.js"));

// What examples are held against; the others have a picture of their cycles.
const references = {
  "abs.tt": "abs(x)",
  "clamp.tt": "clamp(x, -1, 1)",
  "exp.tt": "exp(x)",
  "exp_approximate.cpp": "exp(x)",
  "macros.tt": "1 - abs(x)",
  "reciprocal.cpp": "1 / x",
  "softplus.tt": "softplus(x)",
  "tanh.cpp": "tanh(x)",
  "words.hex": "-abs(x)",
};

function fail(why) {
  console.error("gallery: " + why);
  process.exit(1);
}

// A command over one example: what it answers.
function run(module, example, words) {
  const files = { [example.name]: example.text };
  if (example.recording !== undefined) files[example.name + ".recording"] = example.recording;
  const request = { ask: "command", arguments: words, files };
  const told = JSON.parse(ask_lanewise(module, JSON.stringify(request)));
  if (told.status !== 0) fail(words.join(" ") + ": " + (told.error ?? told.messages));
  return told;
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

// Cycles of each unit in a pass, stalls, and all of it, as bars.
function cycle_picture(total) {
  const busy = Object.entries({ ...total.busy, ...total.other_units }).filter(([, cycles]) => cycles !== 0);
  const stalls = Object.values(total.stalls).reduce((sum, cycles) => sum + cycles, 0);
  const rows = [["all cycles", total.cycles, "#5b6570"], ...busy.map(([unit, cycles]) => [unit, cycles, "#2f6fb7"])];
  if (stalls !== 0) rows.push(["stalls", stalls, "#c2452d"]);
  const [width, height, left, wide] = [460, 20 + 30 * rows.length, 120, 250];
  const bars = rows.map(([name, cycles, colour], row) => {
    const y = 14 + 30 * row;
    return `<text x="${left - 8}" y="${y + 15}" text-anchor="end">${escaped(name)}</text>` +
      `<rect x="${left}" y="${y}" width="${((wide * cycles) / total.cycles).toFixed(1)}" height="20" fill="${colour}"/>` +
      `<text x="${(left + 6 + (wide * cycles) / total.cycles).toFixed(1)}" y="${y + 15}">${cycles}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<style>text { font: 14px system-ui, "DejaVu Sans", sans-serif; fill: #1c2024; }</style>` +
    `<rect width="${width}" height="${height}" fill="#ffffff"/>${bars.join("")}</svg>\n`;
}

function picture_of(module, example) {
  if (example.reference !== "")
    return run(module, example, ["sweep", example.name, "--ref", example.reference, "--svg", "errors.svg"]).files["errors.svg"];
  const arch = /^\.arch +(\w+)/m.exec(example.text)?.[1] ?? "bh";
  return cycle_picture(JSON.parse(run(module, example, ["time", example.name, "--arch", arch, "--json"]).output).chips[0].total);
}

// The first command of the comments, without the folder.
function command_of({ name, text, reference }) {
  if (reference !== "") return `sweep ${name} --ref '${reference}' --svg errors.svg`;
  const found = /^\/\/ +\.\/lanewise ((?:run|time) examples\/.*?)(?: {2,}| *\||$)/m.exec(text);
  if (found === null) fail(name + " names no command in its comments");
  return found[1].replaceAll("examples/", "");
}

function example_of(name) {
  const text = fs.readFileSync(path.join(examples, name), "utf8");
  const title = /^\/\/ (.*?)[.:]?$/m.exec(text)[1];
  const example = { name, title, text, reference: references[name] ?? "" };
  return { ...example, command: command_of(example) };
}

// Of kernels in C++ those that are not there in assembly, too.
function chosen(names) {
  const assembly = names.filter((name) => /\.(tt|hex)$/.test(name));
  const kernels = names.filter((name) => name.endsWith(".cpp") && !names.includes(name.replace(/cpp$/, "tt")));
  return program === undefined ? assembly : assembly.concat(kernels);
}

// What is beside a kernel in C++.
function recorded(name) {
  const words = ["run", name, "--arch", "bh,wh", "--emit", "recording"];
  return child_process.execFileSync(program, words, { cwd: examples, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

function with_recording(example) {
  return example.name.endsWith(".cpp") ? { ...example, recording: recorded(example.name) } : example;
}

// The page asks for a recording when somebody chooses the example.
function write_recording({ recording, ...example }) {
  if (recording === undefined) return example;
  fs.writeFileSync(path.join(folder, "recordings", example.name + ".recording"), recording);
  return { ...example, is_recorded: true };
}

const make = require(path.join(folder, "lanewise.js"));
make({ wasmBinary: fs.readFileSync(path.join(folder, "lanewise.wasm")) }).then((module) => {
  const all = chosen(fs.readdirSync(examples)).sort().map(example_of).map(with_recording);
  for (const each of ["pictures", "recordings"]) fs.mkdirSync(path.join(folder, each), { recursive: true });
  for (const example of all) fs.writeFileSync(path.join(folder, "pictures", example.name + ".svg"), picture_of(module, example));
  fs.writeFileSync(path.join(folder, "examples.json"), JSON.stringify(all.map(write_recording), null, 1) + "\n");
}).catch((error) => fail(error.message));
