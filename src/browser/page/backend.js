// What stands behind the page where no server does: the module in its worker (worker.js). Nothing leaves the page.
"use strict";

const module_worker = new Worker("worker.js");
const asked = new Map(); // what is to be done with the answer to a request, by its number
let last_asked = 0;

module_worker.addEventListener("message", ({ data }) => {
  const { resolve, reject } = asked.get(data.number) ?? {};
  asked.delete(data.number);
  if (!resolve) return; // nobody waits any more
  const answer = data.error === undefined ? JSON.parse(data.answer) : { error: data.error };
  if (answer.error === undefined) resolve(answer);
  else reject(new Error(answer.error));
});
module_worker.addEventListener("error", (event) => {
  for (const { reject } of asked.values()) reject(new Error("the module cannot be loaded: " + event.message));
  asked.clear();
});

// As the page asks 'lanewise serve' (script.js of the workbench). A new page begins with the first example.
async function ask_module(what, body, signal) {
  const answer = await ask_worker(what, body, signal);
  if (what === "kernel") {
    const examples = await (await fetch("examples.json")).json();
    [answer.name, answer.initial] = Object.entries(examples)[0];
  }
  return answer;
}

function ask_worker(what, body, signal) {
  const number = ++last_asked;
  return new Promise((resolve, reject) => {
    asked.set(number, { resolve, reject });
    signal?.addEventListener("abort", () => {
      module_worker.postMessage({ cancel: number });
      asked.delete(number);
      reject(new Error("something newer has been asked"));
    });
    module_worker.postMessage({ number, request: JSON.stringify({ ...body, ask: what }) });
  });
}
