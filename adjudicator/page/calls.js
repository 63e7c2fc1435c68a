// The engine seen from the page: Python in a worker, which answers calls one after the other.
import { tell } from "./page.js";

const waiting = new Map();
let worker;
let number = 0;
let hears = (done, of) => {};
const parts = [];
let engine = "";
const early = [];

/** Whether the engine runs, whether it has calls to answer, and its memory in bytes. */
export const state = {
  ready: false,
  memory: 0,
  get busy() {
    return waiting.size > 0;
  },
};

/** Give the engine one of its parts, which it gets again each time it restarts. */
export function part(name, text) {
  parts.push({ part: name, text });
  worker.postMessage(parts.at(-1));
}

/** Start the engine; its source comes in the page after this script, so that words show at once. */
export function start(source = engine) {
  engine = source;
  worker = new Worker(URL.createObjectURL(new Blob([engine], { type: "text/javascript" })));
  worker.onmessage = ({ data }) => {
    if (data.ready) {
      state.ready = true;
      document.documentElement.dataset.engine = "ready";
    } else if (data.failed) fail(data.failed);
    else if (data.of) hears(data.done, data.of);
    else {
      state.memory = data.memory;
      const { resolve, reject } = waiting.get(data.id);
      waiting.delete(data.id);
      if (data.error) reject(data.error);
      else resolve(data.value);
    }
  };
  worker.onerror = (event) => fail(event.message || "the worker did not start");
  for (const one of [...parts, ...early.splice(0)]) worker.postMessage(one);
}

function fail(why) {
  document.documentElement.dataset.engine = "failed";
  const error = { line: `This browser does not run the page: ${why}.`, hint: "Try a newer one." };
  for (const { reject } of waiting.values()) reject(error);
  waiting.clear();
  tell(error);
}

/** The value of a call, `view.function` with named arguments and bytes; rejects with {line, hint}. */
export function call(name, given = {}, data = null) {
  return new Promise((resolve, reject) => {
    number += 1;
    waiting.set(number, { resolve, reject });
    const asked = { id: number, name, given, data };
    if (worker) worker.postMessage(asked);
    else early.push(asked);
  });
}

/** End the engine's work and restart it; the games and records open in it are gone. */
export function stop() {
  worker.terminate();
  state.ready = false;
  delete document.documentElement.dataset.engine;
  for (const { reject } of waiting.values()) reject({ line: "stopped", hint: "", stopped: true });
  waiting.clear();
  start();
  dispatchEvent(new Event("stopped"));
}

/** From now on report the progress of long work to this function: (done, of). */
export const progress = (hear) => {
  hears = hear;
};
