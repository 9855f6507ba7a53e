// What the page without a server has beside the workbench: the examples, files of the reader, and a command line.
"use strict";

function show_name(name) {
  element("name").textContent = name;
  editor.setOption("mode", /\.(cpp|cc|cxx|h|hpp|hh)$/.test(name) ? "text/x-c++src" : "text/plain");
}

function choose_program(name, text) {
  show_name(name);
  editor.setValue(text);
  set_clean(true);
  update_soon();
}

// Of kernels in C++ the recording (docs/recordings.md), by the kernel's name; backend.js sends it along.
function choose_recording(text) {
  let recorded = null;
  try {
    recorded = JSON.parse(text);
  } catch (error) {
    say("this is no recording: " + error.message);
    return;
  }
  if (typeof recorded?.file !== "string" || typeof recorded.source !== "string") {
    say("this is no recording of a kernel");
    return;
  }
  const name = recorded.file.split("/").pop();
  recordings[name] = text;
  choose_program(name, recorded.source);
}

linked_request = () => {
  const request = current_request();
  return { ...request, recording: recordings[request.name] };
};

document.addEventListener("lanewise:linked", (event) => {
  const { name, recording } = event.detail;
  if (typeof name !== "string") return;
  if (typeof recording === "string") recordings[name] = recording;
  show_name(name);
});

const tools = document.createElement("div");
tools.id = "tools";
tools.innerHTML = `
  <button id="examples" type="button">examples</button>
  <label>open <input id="open" type="file" accept=".tt,.s,.S,.hex,.txt,.elf,.recording"/></label>
  <label class="wide">lanewise <input id="command" spellcheck="false" value="run program.tt --in ramp"/></label>
  <button id="execute" type="button">run</button>
  <button id="stop" type="button" hidden="hidden">stop</button>
  <pre id="printed"></pre>
  <div id="written"></div>`;
element("editor").append(tools);

// The command line is about the program that the page shows.
let named = "program.tt";
function follow_name() {
  const name = element("name").textContent;
  if (name === "") return; // it is on its way
  element("command").value = element("command").value.replaceAll(named, name);
  named = name;
}
new MutationObserver(follow_name).observe(element("name"), { childList: true });
follow_name();

// ELF files, which no editor shows: commands have them beside the program. By name, a character for each byte.
const elf_files = {};

function is_elf(bytes) {
  return [0x7f, 0x45, 0x4c, 0x46].every((byte, i) => bytes[i] === byte);
}

// A hundred thousand at a time, since all of them are too many arguments.
function characters_of(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 100000) text += String.fromCharCode(...bytes.subarray(i, i + 100000));
  return text;
}

function choose_elf(name, bytes) {
  elf_files[name] = { bytes: characters_of(bytes) };
  element("command").value = "elf '" + name + "'";
  execute();
}

element("open").addEventListener("change", async (event) => {
  const file = event.target.files[0];
  if (!file) return;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = is_elf(bytes) ? "" : new TextDecoder().decode(bytes);
  if (is_elf(bytes)) choose_elf(file.name, bytes);
  else if (file.name.endsWith(".recording")) choose_recording(text);
  else choose_program(file.name, text);
});

// Words as a shell takes them apart, without its substitutions.
function words_of(line) {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|([^\s'"]+)/g)].map((found) => found[1] ?? found[2] ?? found[3]);
}

// What a command has written: pictures are shown, and all of it can be saved.
function show_files(files) {
  element("written").replaceChildren(...Object.entries(files).map(([name, text]) => {
    const figure = document.createElement("figure");
    const is_picture = name.endsWith(".svg");
    const address = (is_picture ? "data:image/svg+xml," : "data:text/plain;charset=utf-8,") + encodeURIComponent(text);
    if (is_picture) figure.append(Object.assign(new Image(), { src: address, alt: name }));
    figure.append(Object.assign(document.createElement("a"), { href: address, download: name, textContent: "save " + name }));
    return figure;
  }));
}

async function execute() {
  element("printed").textContent = "";
  show_files({});
  element("printed").dataset.state = "busy";
  element("stop").hidden = false;
  try {
    const name = element("name").textContent;
    const files = { ...elf_files, [name]: editor.getValue() };
    if (recordings[name] !== undefined) files[name + ".recording"] = recordings[name];
    const told = await ask("command", { arguments: words_of(element("command").value), files });
    element("printed").textContent = told.messages + told.output;
    show_files(told.files);
  } catch (error) {
    element("printed").textContent = error.message;
  }
  element("stop").hidden = true;
  element("printed").dataset.state = "ready";
}
element("stop").addEventListener("click", () => restart_worker("stopped"));
element("execute").addEventListener("click", execute);
element("command").addEventListener("keydown", (event) => {
  if (event.key === "Enter") execute();
});

// The gallery: each example with the picture that the program made of it.
const gallery = document.createElement("dialog");
gallery.id = "gallery";
document.body.append(gallery);

async function choose_example(example) {
  gallery.close();
  if (example.is_recorded)
    recordings[example.name] = await (await fetch("recordings/" + example.name + ".recording")).text();
  choose_program(example.name, example.text);
  element("reference").value = example.reference;
  if (example.command !== "") element("command").value = example.command;
}

async function show_gallery() {
  if (gallery.childElementCount === 0) {
    const examples = await (await fetch("examples.json")).json();
    gallery.append(...examples.map((example) => {
      const card = document.createElement("button");
      card.type = "button";
      card.dataset.name = example.name;
      const picture = Object.assign(new Image(), { src: "pictures/" + example.name + ".svg", alt: "", loading: "lazy" });
      const title = Object.assign(document.createElement("b"), { textContent: example.name });
      card.append(picture, title, example.title);
      card.addEventListener("click", () => choose_example(example));
      return card;
    }));
  }
  gallery.showModal();
}
element("examples").addEventListener("click", show_gallery);
gallery.addEventListener("click", (event) => {
  if (event.target === gallery) gallery.close(); // beside the cards
});
