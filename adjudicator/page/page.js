"use strict";
// The shell of the page: starts the engine, shows one screen at a time, hands files to the views.
// A view is a script of its own, which calls `Page.screen` and `Page.taker`. No script knows a
// game: boards, lines and sentences come from Python through `Page.call`.

const Page = (() => {
  // The engine: Python in a worker, which answers calls one after the other.

  const waiting = new Map();
  let worker;
  let number = 0;
  let hears = () => {};
  /** Whether the engine runs, whether it has calls to answer, and its memory in bytes. */
  const state = {
    ready: false,
    memory: 0,
    get busy() {
      return waiting.size > 0;
    },
  };

  const parts = [];
  let engine = "";
  const early = [];

  /** Give the engine one of its parts, which it gets again each time it restarts. */
  function part(name, text) {
    parts.push({ part: name, text });
    worker.postMessage(parts.at(-1));
  }

  /** Start the engine; its source comes in the page after this script, so that words show at once. */
  function start(source = engine) {
    engine = source;
    const address = URL.createObjectURL(new Blob([engine], { type: "text/javascript" }));
    worker = new Worker(address);
    worker.onmessage = ({ data }) => {
      if (data.ready) {
        state.ready = true;
        document.documentElement.dataset.engine = "ready";
      } else if (data.failed) {
        fail(data.failed);
      } else if (data.of) {
        hears(data.done, data.of);
      } else {
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
  function call(name, given = {}, data = null) {
    return new Promise((resolve, reject) => {
      number += 1;
      waiting.set(number, { resolve, reject });
      const asked = { id: number, name, given, data };
      if (worker) worker.postMessage(asked);
      else early.push(asked);
    });
  }

  /** End the engine's work and restart it; the games and records open in it are gone. */
  function stop() {
    worker.terminate();
    state.ready = false;
    delete document.documentElement.dataset.engine;
    for (const { reject } of waiting.values()) reject({ line: "stopped", hint: "", stopped: true });
    waiting.clear();
    start();
    dispatchEvent(new Event("stopped"));
  }

  /** From now on report the progress of long work to this function: (done, of). */
  const progress = (hear) => {
    hears = hear;
  };

  // Elements.

  /** An element: attributes by name, listeners as functions (`onclick`), children or texts. */
  function el(tag, given = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(given)) {
      if (typeof value === "function") made.addEventListener(name.slice(2), value);
      else if (value === true) made.setAttribute(name, "");
      else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
    }
    made.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return made;
  }

  /** An element of a drawing. */
  function svg(tag, given = {}, ...children) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(given)) made.setAttribute(name, value);
    made.append(...children.flat());
    return made;
  }

  // Signs on buttons: lines in a square of 24 by 24.
  const SIGNS = {
    back: "M15 5l-7 7 7 7",
    on: "M9 5l7 7-7 7",
    rules: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.500 1.200-1.500 2.400M12 17.500v.01",
    more: "M5 12v.01M12 12v.01M19 12v.01",
    close: "M6 6l12 12M18 6L6 18",
    undo: "M9 6L4 11l5 5M4 11h10a5 5 0 0 1 0 10h-2",
    again: "M5 5v5h5M5.500 10A7.500 7.500 0 1 1 5 14",
    play: "M8 5v14l11-7z",
    pause: "M8 5v14M16 5v14",
    first: "M6 5v14M19 5L9 12l10 7z",
    last: "M18 5v14M5 5l10 7-10 7z",
    open: "M12 4v11M7 11l5 5 5-5M4 20h16",
    link: "M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.700-5.700L12 7M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.700 5.700L12 17",
    flag: "M6 21V4M6 5h11l-3 4 3 4H6",
    heard: "M4 10v4h3l4 3.500v-11L7 10zM15 9a4 4 0 0 1 0 6M17.500 6.500a8 8 0 0 1 0 11",
    unheard: "M4 10v4h3l4 3.500v-11L7 10zM15.500 9.500l5 5M20.500 9.500l-5 5",
    step: "M4 12v.01M8.500 12v.01M13 12v.01M16 7.500l4.500 4.500-4.500 4.500",
    run: "M4 6l6 6-6 6M12 6l6 6-6 6",
    torpedo: "M7 8.500h8c3.500 0 6 1.500 6.500 3.500-.5 2-3 3.500-6.500 3.500H7l-3.500 2.500v-3M7 8.500L3.500 6v3M2.500 12h3",
    mine: "M12 3v3M12 18v3M3 12h3M18 12h3M5.600 5.600l2.200 2.200M16.200 16.200l2.200 2.200M5.600 18.400l2.200-2.200M16.200 7.800l2.200-2.200M12 6.500a5.500 5.500 0 1 1 0 11a5.500 5.500 0 1 1 0-11z",
    sonar: "M12 12v.01M8.600 15.400a4.800 4.800 0 0 1 0-6.800M15.400 8.600a4.800 4.800 0 0 1 0 6.800M5.600 18.400a9 9 0 0 1 0-12.800M18.400 5.600a9 9 0 0 1 0 12.800",
    anchor: "M12 3.500a2 2 0 1 1 0 4a2 2 0 1 1 0-4zM12 7.500v13M8 11h8M4 13.500c0 4.500 4 7 8 7s8-2.500 8-7",
    card: "M6 3h12v18H6zM9 8h6",
    fight: "M4 12h12M12 7l5 5-5 5M20 5v14",
    flip: "M4 9a8 5 0 0 1 16 0M20 4v5h-5M20 15a8 5 0 0 1-16 0M4 20v-5h5",
    swap: "M4 8h14M14 4l4 4-4 4M20 16H6M10 12l-4 4 4 4",
    mail: "M3 6h18v12H3zM3 7l9 7 9-7",
    share: "M12 15V4M8 8l4-4 4 4M5 12v8h14v-8",
    copy: "M8 8h12v12H8zM16 8V4H4v12h4",
    check: "M4 13l5 5L20 6",
    up: "M12 15V4M8 8l4-4 4 4M3 19q3-2 6 0t6 0t6 0",
    down: "M12 8v11M8 15l4 4 4-4M3 5q3-2 6 0t6 0t6 0",
    heal: "M12 5v14M5 12h14",
    burst: "M12 2l2.500 6 6-2.500-2.500 6 4 .5-4 2.500 2.500 5.500-6-2.500-2.500 4-2.500-4-6 2.500 2.500-5.500-4-2.500 4-.5-2.500-6 6 2.500z",
    contact: "M12 12v.01M12 7.500a4.500 4.500 0 1 1 0 9a4.500 4.500 0 1 1 0-9zM12 3.500a8.500 8.500 0 1 1 0 17a8.500 8.500 0 1 1 0-17z",
    echo: "M12 12v.01M12 4l8 8-8 8-8-8z",
  };

  /** A sign by its name; an unknown one is a dot. */
  const icon = (name) =>
    svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: SIGNS[name] ?? "M12 12v.01" }));

  // The elements of a drawing that go into the page. Python writes no others; this is a safeguard.
  const SHAPES = new Set("g path rect circle ellipse line polyline polygon text tspan".split(" "));
  const BARRED = /^on|href$|^style$|^xmlns|^src/i;

  function copied(node) {
    if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE || !SHAPES.has(node.localName)) return null;
    const made = document.createElementNS("http://www.w3.org/2000/svg", node.localName);
    for (const { name, value } of node.attributes) {
      if (!BARRED.test(name) && !name.includes(":") && !/url\(/i.test(value)) made.setAttribute(name, value);
    }
    for (const child of node.childNodes) {
      const inside = copied(child);
      if (inside) made.append(inside);
    }
    return made;
  }

  const drawn = new Map();

  /** The elements of a piece of SVG that Python wrote, to be put into a drawing. */
  function shape(text) {
    if (!drawn.has(text)) {
      const whole = `<svg xmlns="http://www.w3.org/2000/svg">${text}</svg>`;
      const root = new DOMParser().parseFromString(whole, "image/svg+xml").documentElement;
      drawn.set(text, [...root.childNodes].map(copied).filter(Boolean));
    }
    return drawn.get(text).map((one) => one.cloneNode(true));
  }

  // Times.

  /** A time by the reader's own clock: "Thu 26 Nov, 21:44". */
  const when = (time) => new Date(time).toLocaleString([], { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

  /** Words from Python, which knows no zone, with their times by the reader's own clock. */
  const local = (words) => words.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, when);

  /** Names as orders have them, in words: "flag ship". */
  const plain = (names) => names.replace(/([a-z])-(?=[a-z])/g, "$1 ");

  /** How long it is until a time: "2 d 3 h left", or that it is past. */
  function left(time) {
    const minutes = Math.round((new Date(time) - Date.now()) / 60_000);
    const [size, far] = [Math.abs(minutes), minutes < 0];
    const words = size >= 1440 ? `${Math.floor(size / 1440)} d ${Math.floor((size % 1440) / 60)} h` : size >= 60 ? `${Math.floor(size / 60)} h ${size % 60} min` : `${size} min`;
    return far ? `${words} late` : `${words} left`;
  }

  // Screens and files.

  // What the window remembers over a reload and over Back: values by name, in each entry of its history.
  const before = history.state;
  const held = { ...before?.held };
  function hold(name, value) {
    held[name] = value;
    history.replaceState({ ...history.state, held }, "");
  }

  const screens = new Map();
  const takers = [];
  let openFolder = null;
  let shown = null;

  /** A screen by its name: `show(main, given)` fills the page, and may return a function to call on leaving. */
  const screen = (name, show) => screens.set(name, show);

  /** Show a screen instead of the present one. */
  function go(name, given = {}) {
    if (shown) shown();
    const main = document.getElementById("main");
    main.replaceChildren();
    main.className = "";
    main.dataset.screen = name;
    delete main.dataset.stage;
    shut();
    if (!lasting) tell(null);
    if (!shown && !history.state) history.replaceState({ screen: name, held }, "");
    else if (history.state?.screen !== name) history.pushState({ screen: name, held }, "");
    shown = screens.get(name)(main, given) || null;
    main.querySelector("h1")?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }

  /** Where Back leads from a screen: a function that shows what was before it. */
  const backs = new Map();
  const back = (name, to) => backs.set(name, to);
  addEventListener("popstate", (event) => {
    // A new hash is no step back: it has no state.
    if (!event.state) return;
    history.replaceState({ ...event.state, held }, "");
    if (sheet) return shut();
    const to = backs.get(document.getElementById("main").dataset.screen);
    if (to) to();
    else if (document.getElementById("main").dataset.screen !== "home") go("home");
  });

  // Sheets: what lies over a screen until it is closed.

  let sheet = null;

  /** Show something over the screen; the focus goes there, and back when it is closed. */
  function over(title, kind, ...inside) {
    shut();
    const before = document.activeElement;
    const made = el("dialog", { class: `sheet ${kind}`, "aria-label": title });
    made.append(
      el("div", { class: "head" }, el("h2", { tabindex: "-1" }, title), button("Close", () => shut(), { sign: "close" })),
      ...inside.flat(),
    );
    made.addEventListener("close", () => {
      document.body.append(...made.querySelectorAll("#told"));
      made.remove();
      if (sheet === made) sheet = null;
      if (before?.isConnected) before.focus();
    });
    made.addEventListener("click", (event) => {
      if (event.target === made) made.close();
    });
    document.body.append(made);
    sheet = made;
    made.showModal();
    made.querySelector("h2").focus();
    return made;
  }

  const shut = () => sheet?.close();

  /** Ask before something that cannot be undone: resolves with the label that was chosen, or null. */
  function ask(question, text, ...labels) {
    return new Promise((done) => {
      let chosen = null;
      const made = over(question, "ask", el("p", {}, text));
      const choose = (label) => () => {
        chosen = label;
        made.close();
      };
      made.append(el("div", { class: "row" }, labels.map((label, at) => button(label, choose(label), { kind: at ? "go" : "" }))));
      made.addEventListener("close", () => done(chosen));
    });
  }

  /** A button. `sign`: it has that sign, and its label is for those who do not see it; `act`: its name for scripts. */
  function button(label, work, { kind = "", sign = "", act = null, ...given } = {}) {
    const face = sign && !kind.includes("labelled") ? { class: `round ${kind}`, "aria-label": label, title: label } : { class: `button ${kind}` };
    return el("button", { type: "button", ...face, "data-act": act, onclick: guarded(work), ...given }, sign ? icon(sign) : null, face.title ? null : label);
  }

  /** The work of a control; what it cannot do is told. */
  const guarded = (work) => async (event) => {
    event?.preventDefault();
    tell(null);
    try {
      await work(event);
    } catch (error) {
      tell(error);
    }
  };

  /** Takers of files: `takes(name, bytes)` says whether it opens such a file, `open(name, bytes)` opens it. The last is asked first. */
  const taker = (takes, open) => takers.unshift({ takes, open });

  /** Hand a file to the first taker that takes it. */
  async function open(name, bytes) {
    tell(null);
    const found = takers.find((one) => one.takes(name, bytes));
    if (found) await found.open(name, bytes);
    else {
      tell({ line: `This page cannot open ${name}.`, hint: "Drop a finished game as one file, or its folder." });
    }
  }

  /** Takers of folders: `open(name, files)`; each file is [path, File or null for a folder]. */
  const folders = (open) => {
    openFolder = open;
  };

  // As many files and bytes as a pack may have: a larger folder is no game and is not read.
  const MOST_FILES = 65_535;
  const MOST_BYTES = 2 ** 28;

  /** Counts files of a folder, and throws once they are more than a pack may hold. */
  function counter(name) {
    let [files, bytes] = [0, 0];
    return (file) => {
      files += 1;
      bytes += file?.size ?? 0;
      if (files <= MOST_FILES && bytes <= MOST_BYTES) return;
      throw { line: `${name} is too large: a game has at most ${MOST_FILES.toLocaleString("en")} files and ${MOST_BYTES / 2 ** 20} MiB.`, hint: "Drop the folder of one game." };
    };
  }

  const come = (ask) => new Promise((resolve, reject) => ask(resolve, reject));

  /** The files in a dropped folder and in its folders; deeper ones are only named. */
  async function inside(folder, count = counter(folder.name), prefix = "", found = []) {
    const reader = folder.createReader();
    const add = (path, file) => {
      count(file);
      found.push([path, file]);
    };
    for (;;) {
      const some = await come((done, fail) => reader.readEntries(done, fail));
      if (!some.length) return found;
      for (const one of some) {
        const path = prefix + one.name;
        if (!one.isDirectory) add(path, await come((done, fail) => one.file(done, fail)));
        else if (prefix) add(path, null);
        else if (!one.name.startsWith(".")) await inside(one, count, `${path}/`, found);
      }
    }
  }

  /** Open dropped files and folders. */
  async function dropped(given) {
    dispatchEvent(new Event("dropping"));
    for (const one of given) {
      try {
        if (one.createReader) await openFolder(one.name, await inside(one));
        else await open(one.name, new Uint8Array(await one.arrayBuffer()));
      } catch (error) {
        tell(error.line ? error : { line: `${one.name}: ${error.message}`, hint: "" });
      }
    }
  }

  let lasting = false;

  /** Tell a refusal, {line, hint}, where it was caused: at the bottom of the window, over everything; null takes it away.
   * `lasts`: it stays until the next act, whatever screen comes. */
  function tell(error, lasts = false) {
    const place = document.getElementById("told");
    lasting = lasts;
    // What lies outside of an open sheet is behind it.
    if (place.parentElement !== (sheet ?? document.body)) (sheet ?? document.body).append(place);
    place.replaceChildren();
    place.hidden = error === null;
    if (!error) return;
    place.append(
      icon("flag"),
      el("div", {}, el("p", {}, error.line ?? String(error)), error.hint ? el("p", { class: "hint" }, error.hint) : null),
      button("Close", () => tell(null), { sign: "close" }),
    );
  }

  /** A button to choose files. */
  function chooser(label, kind = "") {
    const input = el("input", {
      type: "file",
      multiple: true,
      class: "unseen",
      "aria-label": label,
      onchange: async () => {
        await dropped(input.files);
        input.value = "";
      },
    });
    return el("label", { class: `button ${kind}` }, input, icon("open"), label);
  }

  /** A button to choose a folder. */
  function folderChooser(label) {
    const input = el("input", {
      type: "file",
      webkitdirectory: true,
      class: "unseen",
      "aria-label": label,
      onchange: async () => {
        const [name] = input.files[0]?.webkitRelativePath.split("/") ?? [];
        const files = [...input.files].map((file) => [file.webkitRelativePath.slice(name.length + 1), file]);
        input.value = "";
        try {
          const count = counter(name);
          for (const [, file] of files) count(file);
          if (name) await openFolder(name, files.filter(([path]) => !/^\.[^/]*\//.test(path)));
        } catch (error) {
          tell(error);
        }
      },
    });
    return el("label", { class: "button plain" }, input, label);
  }

  /** The content of the page's data island: bytes by kind. */
  function carried() {
    const held = {};
    for (const line of document.getElementById("data").textContent.split("\n")) {
      const [kind, text] = line.split(" ");
      if (text) held[kind] = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
    }
    return held;
  }

  function begin() {
    addEventListener("dragover", (event) => {
      event.preventDefault();
      document.documentElement.classList.add("dragging");
    });
    addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) document.documentElement.classList.remove("dragging");
    });
    addEventListener("drop", (event) => {
      event.preventDefault();
      document.documentElement.classList.remove("dragging");
      const files = [...event.dataTransfer.items].filter(({ kind }) => kind === "file");
      const folder = (one) => [one.webkitGetAsEntry?.()].find((entry) => entry?.isDirectory);
      dropped(files.map((one) => folder(one) || one.getAsFile()));
    });
    const held = carried();
    if (held.record) open("record.zip", held.record);
    else if (held.invite) open("invite.txt", held.invite);
    else {
      // Playing needs more modules: they are loaded while the person reads.
      call("play.state").catch(tell);
    }
  }

  addEventListener("DOMContentLoaded", begin);
  return { ask, back, before, button, call, chooser, el, folderChooser, folders, go, guarded, held, hold, icon, left, local, open, over, part, plain, progress, screen, shape, shut, start, state, stop, svg, taker, tell, when };
})();
