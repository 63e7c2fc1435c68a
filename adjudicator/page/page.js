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
  const state = { ready: false, memory: 0 };

  const parts = [];

  /** Give the engine one of its parts, which it gets again each time it restarts. */
  function part(name, text) {
    parts.push({ part: name, text });
    worker.postMessage(parts.at(-1));
  }

  function start() {
    const address = URL.createObjectURL(new Blob([ENGINE], { type: "text/javascript" }));
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
    for (const one of parts) worker.postMessage(one);
  }

  function fail(why) {
    document.documentElement.dataset.engine = "failed";
    const error = { line: `this browser does not run the page: ${why}`, hint: "try a newer one" };
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    tell(error);
  }

  /** The value of a call, `view.function` with named arguments and bytes; rejects with {line, hint}. */
  function call(name, given = {}, data = null) {
    return new Promise((resolve, reject) => {
      number += 1;
      waiting.set(number, { resolve, reject });
      worker.postMessage({ id: number, name, given, data });
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

  /** A small picture in a button: the path of a square of 24 by 24. */
  function icon(path) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
    made.setAttribute("viewBox", "0 0 24 24");
    made.setAttribute("class", "icon");
    made.setAttribute("aria-hidden", "true");
    line.setAttribute("d", path);
    made.append(line);
    return made;
  }

  // The elements of a drawing that go into the page. Python writes no others; this is a safeguard.
  const SHAPES = new Set(
    "svg g path rect circle ellipse line polyline polygon text tspan title desc".split(" "),
  );
  const BARRED = /^on|href$|^style$|^xmlns|^src/i;

  function copied(node) {
    if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE) return null;
    if (!SHAPES.has(node.localName)) return null;
    const made = document.createElementNS("http://www.w3.org/2000/svg", node.localName);
    for (const { name, value } of node.attributes) {
      if (!BARRED.test(name) && !name.includes(":") && !/url\(\s*[^#]/i.test(value)) {
        made.setAttribute(name, value);
      }
    }
    for (const child of node.childNodes) {
      const inside = copied(child);
      if (inside) made.append(inside);
    }
    return made;
  }

  /**
   * A board to look at: an element whose `show(svg)` draws, and moves pieces from where
   * they were. Arrow keys go from cell to cell. It sends `cell` events with the cell's name as
   * `detail`: on a click, on Enter, on Space.
   */
  function board() {
    const host = el("div", { class: "board" });
    const root = host.attachShadow({ mode: "open" });
    const own = new CSSStyleSheet();
    own.replaceSync(BOARD_STYLE);
    let here = "";

    const cells = () => [...root.querySelectorAll("[data-cell]:not(g)")];

    function focus(cell) {
      for (const one of cells()) one.setAttribute("tabindex", one === cell ? "0" : "-1");
      here = cell.dataset.cell;
      cell.focus();
    }

    function beside(cell, key) {
      const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[
        key
      ] || [0, 0];
      const from = cell.getBoundingClientRect();
      let best = null;
      let least = Infinity;
      for (const one of cells()) {
        const to = one.getBoundingClientRect();
        const along = (to.x - from.x) * dx + (to.y - from.y) * dy;
        const aside = Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx);
        if (along > 1 && along + 4 * aside < least) [best, least] = [one, along + 4 * aside];
      }
      return best;
    }

    root.addEventListener("keydown", (event) => {
      const cell = event.target.closest("[data-cell]");
      if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        event.stopPropagation();
        choose(cell.dataset.cell);
      } else if (event.key.startsWith("Arrow")) {
        event.preventDefault();
        event.stopPropagation();
        const next = beside(cell, event.key);
        if (next) focus(next);
      }
    });
    root.addEventListener("click", (event) => {
      const cell = event.target.closest("[data-cell]");
      if (cell) choose(cell.dataset.cell);
    });
    const choose = (name) => host.dispatchEvent(new CustomEvent("cell", { detail: name }));

    const places = () =>
      new Map([...root.querySelectorAll("g[id]")].map((one) => [one.id, one.getBoundingClientRect()]));

    host.show = (text) => {
      const styles = [];
      // The page's policy would refuse a style in markup; an adopted style sheet is allowed.
      const bare = text.replace(/<style>([^<]*)<\/style>/g, (_, style) => {
        styles.push(style);
        return "";
      });
      const drawing = copied(new DOMParser().parseFromString(bare, "image/svg+xml").documentElement);
      if (!drawing) return;
      const had = root.activeElement !== null;
      const before = places();
      const sheets = styles.map((style) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(style);
        return sheet;
      });
      root.adoptedStyleSheets = [own, ...sheets];
      // As large as its place, but not higher than the window.
      const { width, height } = drawing.viewBox.baseVal;
      drawing.style.width = `min(100%, ${(84 * width) / height}vh)`;
      drawing.setAttribute("role", "group");
      drawing.setAttribute("aria-label", drawing.querySelector("title")?.textContent ?? "board");
      root.replaceChildren(drawing);
      for (const cell of cells()) {
        cell.setAttribute("role", "img");
        cell.setAttribute("aria-label", cell.querySelector("title")?.textContent || cell.dataset.cell);
        cell.setAttribute("tabindex", "-1");
      }
      const first = cells().find((one) => one.dataset.cell === here) || cells()[0];
      first?.setAttribute("tabindex", "0");
      if (had && first) first.focus();
      if (calm.matches) return;
      for (const [id, to] of places()) {
        const piece = root.getElementById(id);
        const from = before.get(id);
        const zoom = drawing.getBoundingClientRect().width / (width || 1) || 1;
        const moved = from && [(from.x - to.x) / zoom, (from.y - to.y) / zoom];
        if (moved && Math.abs(moved[0]) + Math.abs(moved[1]) > 1) {
          piece.animate([{ transform: `translate(${moved[0]}px, ${moved[1]}px)` }, { transform: "none" }], {
            duration: 350,
            easing: "ease-in-out",
          });
        } else if (!from && before.size) {
          piece.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 350 });
        }
      }
    };
    /** Shade these cells, and ring the true ones; a game without such cells shades none. */
    host.shade = (may, so = []) => {
      for (const one of root.querySelectorAll(".may")) one.remove();
      const named = new Map(cells().map((one) => [one.dataset.cell, one]));
      for (const name of may) {
        const over = named.get(name)?.cloneNode(false);
        if (!over) continue;
        for (const { name: other } of [...over.attributes]) if (other !== "d") over.removeAttribute(other);
        over.setAttribute("class", so.includes(name) ? "may so" : "may");
        over.setAttribute("aria-hidden", "true");
        named.get(name).parentNode.append(over);
      }
    };
    /** A cell in words: its title. */
    root.addEventListener("focusin", (event) => say(event.target));
    root.addEventListener("mouseover", (event) => say(event.target));
    const say = (target) => {
      const cell = target.closest?.("[data-cell]");
      if (cell) {
        const label = cell.querySelector("title")?.textContent || cell.dataset.cell;
        host.dispatchEvent(new CustomEvent("look", { detail: label }));
      }
    };
    return host;
  }

  const BOARD_STYLE = `
    :host { display: block; }
    svg[role=group] { display: block; margin: 0 auto; height: auto; }
    .may { fill: #d97706; fill-opacity: .38; pointer-events: none; }
    .so { stroke: #b91c1c; stroke-width: 5px; }
    [data-cell] { outline: none; }
    [data-cell]:focus-visible { stroke: #d97706; stroke-width: 5px; paint-order: stroke; }
    g { pointer-events: auto; }
  `;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  // Screens and files.

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
    main.dataset.screen = name;
    delete main.dataset.stage;
    shown = screens.get(name)(main, given) || null;
    main.querySelector("h1")?.focus();
    scrollTo(0, 0);
  }

  /** Takers of files: `takes(name, bytes)` says whether it opens such a file, `open(name, bytes)` opens it. The last is asked first. */
  const taker = (takes, open) => takers.unshift({ takes, open });

  /** Hand a file to the first taker that takes it. */
  async function open(name, bytes) {
    tell(null);
    const found = takers.find((one) => one.takes(name, bytes));
    if (found) await found.open(name, bytes);
    else {
      tell({ line: `${name}: the page cannot open this file`, hint: "drop a packed game, or its folder" });
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
      throw { line: `too-big: ${name}: a game has at most ${MOST_FILES} files and ${MOST_BYTES} bytes`, hint: "drop the folder of one game" };
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
    for (const one of given) {
      try {
        if (one.createReader) await openFolder(one.name, await inside(one));
        else await open(one.name, new Uint8Array(await one.arrayBuffer()));
      } catch (error) {
        tell(error.line ? error : { line: `${one.name}: ${error.message}`, hint: "" });
      }
    }
  }

  /** Show a refusal, {line, hint}, over the screen; null takes it away. */
  function tell(error) {
    const place = document.getElementById("told");
    place.replaceChildren();
    place.hidden = error === null;
    if (error) {
      place.append(el("p", {}, error.line ?? String(error)), ...(error.hint ? [el("p", { class: "hint" }, error.hint)] : []));
    }
  }

  /** A button to choose a file. */
  function chooser(label, kind = "primary") {
    const input = el("input", {
      type: "file",
      class: "unseen",
      "aria-label": label,
      onchange: async () => {
        await dropped(input.files);
        input.value = "";
      },
    });
    return el("label", { class: `button ${kind}` }, input, label);
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
    return el("label", { class: "button small" }, input, label);
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

  const cards = [];

  /** The offers of the first screen: a title, a sentence or two, and a function that makes the button. */
  const card = (title, text, action) => cards.push({ title, text, action });

  screen("home", (main) => {
    main.append(
      el(
        "header",
        { class: "hero" },
        el("h1", { tabindex: "-1" }, "Sealed orders, open results"),
        el("p", {}, "Games with hidden moves, and a referee that cannot cheat unnoticed."),
      ),
      el(
        "div",
        { class: "cards" },
        cards.map(({ title, text, action }) =>
          el("section", { class: "card" }, el("h2", {}, title), el("p", {}, text), action()),
        ),
      ),
      el(
        "footer",
        { class: "fine" },
        el("p", {}, "This page is one file and contacts no server: save it, and it works without a network. Opened from disk it remembers nothing."),
        el("p", {}, "What you open here stays here. No page can prove that it is the one that its makers published: compare its digest, which `adjudicator page --check` prints."),
      ),
    );
  });

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
      go("home");
      // Playing needs more modules: they are loaded while the person reads.
      call("play.state").catch(tell);
    }
  }

  start();
  addEventListener("DOMContentLoaded", begin);
  return { board, call, card, chooser, el, folderChooser, folders, go, icon, open, part, progress, screen, state, stop, taker, tell };
})();
