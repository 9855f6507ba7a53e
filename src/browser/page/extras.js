// What the page without a server has beside the workbench: the examples, files of the reader, and a command line.
"use strict";

function choose_program(name, text) {
  element("name").textContent = name;
  editor.setValue(text);
  set_clean(true);
  update_soon();
}

document.addEventListener("lanewise:linked", (event) => {
  if (typeof event.detail.name === "string") element("name").textContent = event.detail.name;
});

const tools = document.createElement("div");
tools.id = "tools";
tools.innerHTML = `
  <label>example <select id="example"></select></label>
  <label>open <input id="open" type="file" accept=".tt,.s,.S,.hex,.txt"/></label>
  <label class="wide">lanewise <input id="command" spellcheck="false" value="run program.tt --in ramp"/></label>
  <button id="execute" type="button">run</button>
  <pre id="printed"></pre>`;
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

element("open").addEventListener("change", async (event) => {
  const file = event.target.files[0];
  if (file) choose_program(file.name, await file.text());
});

// Words as a shell takes them apart, without its substitutions.
function words_of(line) {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|([^\s'"]+)/g)].map((found) => found[1] ?? found[2] ?? found[3]);
}

async function execute() {
  element("printed").textContent = "";
  element("printed").dataset.state = "busy";
  try {
    const files = { [element("name").textContent]: editor.getValue() };
    const told = await ask("command", { arguments: words_of(element("command").value), files });
    element("printed").textContent = told.messages + told.output;
  } catch (error) {
    element("printed").textContent = error.message;
  }
  element("printed").dataset.state = "ready";
}
element("execute").addEventListener("click", execute);
element("command").addEventListener("keydown", (event) => {
  if (event.key === "Enter") execute();
});

async function show_examples() {
  const examples = await (await fetch("examples.json")).json();
  for (const name of Object.keys(examples)) element("example").add(new Option(name, name));
  element("example").selectedIndex = -1;
  element("example").addEventListener("change", (event) => {
    const name = event.target.value;
    choose_program(name, examples[name]);
  });
}
show_examples();
