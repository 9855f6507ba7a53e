// What stands behind the page where no server does: the module in its worker (worker.js). Nothing leaves the page.
"use strict";

let module_worker = null;
const asked = new Map(); // what is to be done with the answer to a request, by its number
let last_asked = 0;

function start_worker() {
  module_worker = new Worker("worker.js");
  module_worker.addEventListener("message", ({ data }) => {
    const { resolve, reject } = asked.get(data.number) ?? {};
    asked.delete(data.number);
    const answer = data.answer === undefined ? data : JSON.parse(data.answer);
    if (answer.ended) restart_worker(answer.error);
    if (!resolve) return; // nobody waits any more
    if (answer.error === undefined) resolve(answer);
    else reject(new Error(answer.error));
  });
  module_worker.addEventListener("error", (event) => fail_all("the module cannot be loaded: " + event.message));
}

function fail_all(why) {
  for (const { reject } of asked.values()) reject(new Error(why));
  asked.clear();
}

// A module that has ended is not asked again: what it had is lost. The next one starts from nothing, as every request brings its files.
function restart_worker(why) {
  module_worker.terminate();
  fail_all(why);
  start_worker();
}

start_worker();

// As the page asks 'lanewise serve' (script.js of the workbench). A new page begins with the first example.
async function ask_module(what, body, signal) {
  const answer = await ask_worker(what, body, signal);
  if (what === "kernel") {
    const [first] = await (await fetch("examples.json")).json();
    [answer.name, answer.initial] = [first.name, first.text];
  }
  return answer;
}

const recordings = {}; // of kernels in C++, by their names

function ask_worker(what, body, signal) {
  const number = ++last_asked;
  return new Promise((resolve, reject) => {
    asked.set(number, { resolve, reject });
    signal?.addEventListener("abort", () => {
      module_worker.postMessage({ cancel: number });
      asked.delete(number);
      reject(new Error("something newer has been asked"));
    });
    module_worker.postMessage({ number, request: JSON.stringify({ recording: recordings[body?.name], ...body, ask: what }) });
  });
}
