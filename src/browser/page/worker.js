// The module in a thread of its own, so that the page answers while it works. The page sends {number, request} and gets {number, answer},
// both JSON as text, or {number, error}, with `ended` where the module has ended; {cancel: number} takes back what has not begun.
"use strict";

importScripts("lanewise.js", "request.js");

const waiting = []; // requests, in their order
const cancelled = new Set();
const loading = makeLanewise();

// Why the module has ended. Its stack is gone, so that it is not to be asked again.
function end_of(error) {
  const text = String(error.message ?? error).split(". ", 1)[0]; // without Emscripten's advice
  let why = text;
  if (/call stack/i.test(text)) why = "what it was asked is nested too deeply";
  else if (/memory|OOM/i.test(text)) why = "there is no memory left for what it was asked";
  else if (/unreachable|abort/i.test(text)) why = "it met what it cannot do (" + text + ")";
  return "the module has ended, since " + why + "; it starts again";
}

function answer_next(module) {
  const { number, request } = waiting.shift();
  if (cancelled.delete(number)) return;
  try {
    postMessage({ number, answer: ask_lanewise(module, request) });
  } catch (error) {
    postMessage({ number, error: end_of(error), ended: true });
  }
}

addEventListener("message", async ({ data }) => {
  if (data.cancel !== undefined) {
    if (waiting.some((each) => each.number === data.cancel)) cancelled.add(data.cancel);
    return;
  }
  waiting.push(data);
  let module;
  try {
    module = await loading;
  } catch (error) {
    postMessage({ number: data.number, error: "the module cannot be loaded: " + error });
    return;
  }
  // Behind the messages that have come, which may take this one back.
  setTimeout(() => answer_next(module), 0);
});
