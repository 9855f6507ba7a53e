"use strict";

const key = new URLSearchParams(location.search).get("key");
const element = (id) => document.getElementById(id);
const choices = ["arch", "format", "reference", "inputs"];
const pause = 120; // milliseconds without a further key before the server is asked
const betweenLooks = 1000; // at the file on the disk

const editor = CodeMirror.fromTextArea(element("text"), { lineNumbers: true, matchBrackets: true, indentUnit: 2 });
let file = null; // the file, if there is one, as the editor last took it from the disk or wrote it
let disk = null; // what the server told last of it: something else where others have written it
let clean = true; // whether the editor has `file`
let running = null;

// A page without a server has the module (src/browser/page/backend.js).
const ask = typeof ask_module === "function" ? ask_module : ask_server;

async function ask_server(path, body, signal) {
  const response = await fetch(path, {
    method: body === undefined ? "GET" : "POST",
    headers: { "X-Lanewise-Key": key, "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal,
  });
  const answer = await response.json();
  if (response.status === 409) update_soon(); // another page has asked in between
  if (!response.ok) throw Object.assign(new Error(answer.error), { status: response.status });
  return answer;
}

let linkFault = ""; // stays until the text changes
function say(text) {
  element("status").textContent = linkFault + text;
}

// Problems: a list, and marks in the editor. Those of the errors come after those of the program.
let marks = [];
function show_problems(problems) {
  for (const mark of marks) editor.removeLineClass(mark.handle, "background", mark.name);
  marks = [];
  element("problems").replaceChildren(...problems.map((problem) => {
    const item = document.createElement("li");
    item.className = problem.kind;
    const place = problem.line === 0 ? "" : "line " + problem.line + ": ";
    item.append(problem.kind + ": " + place + problem.text);
    if (problem.detail !== "") {
      const detail = document.createElement("small");
      detail.textContent = problem.detail;
      item.append(detail);
    }
    if (problem.line !== 0 && problem.line <= editor.lineCount()) {
      item.dataset.at = problem.line;
      item.addEventListener("click", () => {
        editor.setCursor(problem.line - 1, Math.max(0, problem.column - 1));
        editor.focus();
      });
      const name = "at-" + problem.kind;
      marks.push({ handle: editor.addLineClass(problem.line - 1, "background", name), name });
    }
    return item;
  }));
}

// Keeps what stands there until something new does, so that the page does not jump.
function show(part, html) {
  if (html !== undefined) element(part).innerHTML = html;
}

function current_request() {
  const request = { name: element("name").textContent, text: editor.getValue() };
  for (const choice of choices) request[choice] = element(choice).value;
  return request;
}

// What a link carries; a page without a server adds to it.
let linked_request = current_request;

// Links: text and choices as JSON, compressed, in the fragment of the address, which is sent to nobody.
const linkMark = "#program=";

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

async function packed(request) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(request)));
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpacked(text) {
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes)));
}

async function show_link() {
  history.replaceState(null, "", linkMark + await packed(linked_request()));
  try {
    await navigator.clipboard.writeText(location.href);
    say("the address, which has the program now, is copied");
  } catch (error) {
    say("the address has the program now");
  }
}

// What the address has, if it is a link.
async function follow_link() {
  if (!location.hash.startsWith(linkMark)) return;
  try {
    const request = await unpacked(location.hash.slice(linkMark.length));
    for (const choice of choices) {
      if (typeof request[choice] === "string") element(choice).value = request[choice];
    }
    if (typeof request.text === "string") editor.setValue(request.text);
    document.dispatchEvent(new CustomEvent("lanewise:linked", { detail: request }));
  } catch (error) {
    linkFault = "the link is damaged, copied in part perhaps; ";
  }
}

async function update() {
  if (running) running.abort();
  const mine = running = new AbortController();
  const request = current_request();
  document.body.dataset.state = "busy";
  const start = performance.now();
  const seconds = () => ((performance.now() - start) / 1000).toFixed(2) + " s";
  try {
    const program = await ask("program", request, mine.signal);
    const works = program.listing !== undefined;
    element("results").classList.toggle("old", !works);
    show_problems(program.problems);
    show("time", program.time);
    show("listing", program.listing);
    document.dispatchEvent(new Event("lanewise:changed"));
    let told = (works ? "program " : "no program ") + seconds();
    say(told);
    if (works && request.reference !== "") {
      const errors = await ask("errors", request, mine.signal);
      if (errors.problems.length !== 0) show_problems(program.problems.concat(errors.problems));
      show("errors", errors.errors);
      if (errors.inputs !== undefined)
        told += ", " + errors.inputs.toLocaleString("en") + " inputs " + seconds();
      say(told);
    } else if (works) {
      element("errors").replaceChildren();
    }
    document.body.dataset.state = "ready";
  } catch (error) {
    if (mine.signal.aborted) return;
    say(error instanceof TypeError ? "lanewise serve does not answer: has it ended?" : error.message);
    document.body.dataset.state = "failed";
  }
}

let waiting = 0;
function update_soon() {
  document.body.dataset.state = "busy";
  say("compiling");
  clearTimeout(waiting);
  waiting = setTimeout(update, pause);
}

// The file: saved from here, and followed where another editor writes it.
function set_clean(is_clean) {
  clean = is_clean;
  element("save").disabled = is_clean;
  document.title = (is_clean ? "" : "* ") + element("name").textContent + " - Lanewise";
}

async function save() {
  if (file === null) return;
  const text = editor.getValue();
  try {
    await ask("save", { text, before: file });
  } catch (error) {
    if (error.status !== 412 || !confirm(error.message + " since it was opened here. Overwrite that?")) {
      say(error.message);
      return;
    }
    await ask("save", { text });
  }
  file = disk = text;
  set_clean(editor.getValue() === text);
  say("saved");
}

async function look_at_file() {
  if (file === null || document.hidden) return;
  try {
    const kernel = await ask("kernel");
    if (kernel.text === null || kernel.text === disk) return;
    disk = kernel.text;
    if (clean) {
      file = disk;
      const place = editor.getCursor();
      editor.setValue(file);
      editor.setCursor(place);
      set_clean(true);
    } else {
      say(element("name").textContent + " has changed on the disk, too");
    }
  } catch (error) {
    say("lanewise serve does not answer: has it ended?");
  }
}

// What belongs to a line lights up in the editor, and what belongs to the cursor's line on the right.
let pointed = null;
document.addEventListener("mouseover", (event) => {
  if (pointed) editor.removeLineClass(pointed, "background", "pointed");
  const at = event.target.closest("#results [data-line]");
  const line = at ? Number(at.dataset.line) : 0;
  pointed = line >= 1 && line <= editor.lineCount() ? editor.addLineClass(line - 1, "background", "pointed") : null;
});
editor.on("cursorActivity", () => {
  const line = editor.getCursor().line + 1;
  for (const each of document.querySelectorAll("#results .hit")) each.classList.remove("hit");
  for (const each of document.querySelectorAll('#results [data-line="' + line + '"]')) each.classList.add("hit");
});

element("splitter").addEventListener("pointerdown", (event) => {
  const splitter = element("splitter");
  splitter.setPointerCapture(event.pointerId);
  splitter.onpointermove = (moved) => {
    element("editor").style.flexBasis = moved.clientX + "px";
    editor.refresh();
  };
  splitter.onpointerup = () => splitter.onpointermove = null;
});

function add_options(id, names, chosen) {
  for (const { value, label } of names) element(id).add(new Option(label, value, false, value === chosen));
}

async function start() {
  const kernel = await ask("kernel");
  element("name").textContent = kernel.name;
  add_options("arch", kernel.chips, kernel.arch);
  add_options("format", kernel.formats, kernel.format);
  element("reference").value = kernel.reference;
  element("inputs").value = kernel.inputs;
  editor.setOption("mode", kernel.is_cpp ? "text/x-c++src" : "text/plain");
  editor.setOption("extraKeys", { "Ctrl-S": save, "Cmd-S": save, Tab: (e) => e.execCommand(e.somethingSelected() ? "indentMore" : "insertSoftTab") });
  file = disk = kernel.text;
  element("save").hidden = file === null;
  editor.setValue(kernel.text ?? kernel.initial);
  set_clean(true);
  editor.on("change", () => {
    linkFault = "";
    set_clean(file === null || editor.getValue() === file);
    update_soon();
  });
  for (const choice of choices) {
    for (const event of ["input", "change"]) element(choice).addEventListener(event, update_soon);
  }
  element("save").addEventListener("click", save);
  element("link").addEventListener("click", show_link);
  window.addEventListener("hashchange", follow_link);
  await follow_link();
  window.addEventListener("beforeunload", (event) => {
    if (!clean) event.preventDefault();
  });
  setInterval(look_at_file, betweenLooks);
  update();
}

start().catch((error) => say(error.message));
