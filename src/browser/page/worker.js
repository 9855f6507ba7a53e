// The module in a thread of its own, so that the page answers while it works. The page sends {number, request} and gets {number, answer},
// both JSON as text, or {number, error}; {cancel: number} takes back what has not begun.
"use strict";

importScripts("lanewise.js", "request.js");

const waiting = []; // requests, in their order
const cancelled = new Set();
const loading = makeLanewise();

function answer_next(module) {
  const { number, request } = waiting.shift();
  if (cancelled.delete(number)) return;
  try {
    postMessage({ number, answer: ask_lanewise(module, request) });
  } catch (error) {
    // What the module had is lost with the stack that ended.
    postMessage({ number, error: "the module has ended: " + error });
  }
}

addEventListener("message", async ({ data }) => {
  if (data.cancel !== undefined) {
    if (waiting.some((each) => each.number === data.cancel)) cancelled.add(data.cancel);
    return;
  }
  waiting.push(data);
  const module = await loading;
  // Behind the messages that have come, which may take this one back.
  setTimeout(() => answer_next(module), 0);
});
