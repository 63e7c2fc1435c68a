// The shell of the page: one screen at a time, what lies over it, and what all views are made of. A
// screen is a function from what is known to what is seen; after a change it is drawn anew by
// `draw`. No script knows a game: boards, lines and sentences come from Python through `call`.
import { Component, Fragment, h, render } from "preact";

export { Component, Fragment, h };

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
  hint: "M9 18h6M10 21h4M8.500 15c-2-1.500-3-3.500-3-5.500a6.500 6.500 0 0 1 13 0c0 2-1 4-3 5.500z",
  check: "M4 13l5 5L20 6",
  up: "M12 15V4M8 8l4-4 4 4M3 19q3-2 6 0t6 0t6 0",
  down: "M12 8v11M8 15l4 4 4-4M3 5q3-2 6 0t6 0t6 0",
  heal: "M12 5v14M5 12h14",
  burst: "M12 2l2.500 6 6-2.500-2.500 6 4 .5-4 2.500 2.500 5.500-6-2.500-2.500 4-2.500-4-6 2.500 2.500-5.500-4-2.500 4-.5-2.500-6 6 2.500z",
  contact: "M12 12v.01M12 7.500a4.500 4.500 0 1 1 0 9a4.500 4.500 0 1 1 0-9zM12 3.500a8.500 8.500 0 1 1 0 17a8.500 8.500 0 1 1 0-17z",
  echo: "M12 12v.01M12 4l8 8-8 8-8-8z",
};

/** A sign by its name; an unknown one is a dot. */
export const icon = (name) => h("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, h("path", { d: SIGNS[name] ?? "M12 12v.01" }));

// The elements of a drawing that go into the page. Python writes no others; this is a safeguard.
const SHAPES = new Set("g path rect circle ellipse line polyline polygon text tspan".split(" "));
const BARRED = /^on|href$|^style$|^xmlns|^src/i;
const drawn = new Map();

function copied(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data;
  if (node.nodeType !== Node.ELEMENT_NODE || !SHAPES.has(node.localName)) return null;
  const given = [...node.attributes].filter(({ name, value }) => !BARRED.test(name) && !name.includes(":") && !/url\(/i.test(value));
  return h(node.localName, Object.fromEntries(given.map(({ name, value }) => [name, value])), [...node.childNodes].map(copied));
}

/** A piece of SVG that Python wrote, to be put into a drawing. */
export function shape(text) {
  if (!drawn.has(text)) {
    const whole = `<svg xmlns="http://www.w3.org/2000/svg">${text}</svg>`;
    const root = new DOMParser().parseFromString(whole, "image/svg+xml").documentElement;
    drawn.set(text, () => [...root.childNodes].map(copied));
  }
  return drawn.get(text)();
}

/** A button. `sign`: it has that sign, and its label is for those who do not see it, but of kind `labelled`; `act`: its name for scripts; others are attributes.
 * @param {string} label @param {(event?: any) => any} work @param {{ kind?: string, sign?: string, act?: string, [name: string]: any }} given */
export function button(label, work, { kind = "", sign = "", act = null, ...given } = {}) {
  const bare = sign && !kind.includes("labelled");
  const face = bare ? { class: `round ${kind}`, "aria-label": label, title: label } : { class: `button ${kind}` };
  return h("button", { type: "button", ...face, "data-act": act, onclick: guarded(work), ...given }, sign ? icon(sign) : null, bare ? null : label);
}

/** The work of a control; what it cannot do is told. */
export const guarded = (work) => async (event) => {
  event?.preventDefault();
  tell(null);
  try {
    await work(event);
  } catch (error) {
    tell(error);
  }
};

// Times and words.

/** A time by the reader's own clock: "Thu 26 Nov, 21:44". */
export const when = (time) => new Date(time).toLocaleString([], { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

/** Words from Python, which knows no zone, with their times by the reader's own clock. */
export const local = (words) => words.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, when);

/** Names as orders have them, in words: "flag ship". */
export const plain = (names) => names.replace(/([a-z])-(?=[a-z])/g, "$1 ");

/** How long it is until a time: "2 d 3 h left", or that it is past. */
export function left(time) {
  const minutes = Math.round((+new Date(time) - Date.now()) / 60_000);
  const [size, far] = [Math.abs(minutes), minutes < 0];
  const [days, hours] = [Math.floor(size / 1440), Math.floor((size % 1440) / 60)];
  const words = days ? `${days} d ${hours} h` : hours > 9 ? `${hours} h` : hours ? `${hours} h ${size % 60} min` : `${size} min`;
  return far ? `${words} late` : `${words} left`;
}

/** The time now, as the engine takes it. */
export const now = () => `${new Date().toISOString().slice(0, 19)}Z`;

// What the window remembers over a reload and over Back: values by name, in each entry of its history.

export const before = history.state;
export const held = { ...before?.held };
export function hold(name, value) {
  held[name] = value;
  history.replaceState({ ...history.state, held }, "");
}

// Screens.

const screens = new Map();
let shown = null;
let visit = 0;
let sheet = null;
let told = null;
let lasting = false;
let waits = false;

/** A screen by its name: `view(given)` says what is seen; `back` shows what was before it, `leave` is called when it is left; `title()` is
 * the tab's; `kind` is its class, and `data()` what its element tells scripts. */
export const screen = (name, view, { back = null, leave = null, title = null, kind = null, data = () => ({}) } = {}) => screens.set(name, { name, view, back, leave, title, kind, data });

/** Where Back leads from a screen. */
export const back = (name, to) => (screens.get(name).back = to);

function App() {
  const alert = h("div", { id: "told", role: "alert", hidden: !told, key: "told" },
    told && [icon("flag"), h("div", {}, h("p", {}, told.line ?? String(told)), told.hint ? h("p", { class: "hint" }, told.hint) : null), button("Close", () => tell(null), { sign: "close" })]);
  return [
    shown && h("main", { id: "main", key: shown.key, class: shown.kind, "data-screen": shown.name, ...shown.data() }, shown.view?.(shown.given)),
    // What lies outside of an open sheet is behind it.
    sheet && h(Sheet, { key: sheet.number, ...sheet }, alert),
    sheet ? null : alert,
  ];
}

const paint = () => {
  waits = false;
  render(h(App, {}), document.getElementById("page"));
  document.title = shown?.title?.() || "adjudicator";
};

/** Draw what is shown anew, once for all changes that come together. */
export function draw() {
  if (!waits) queueMicrotask(() => waits && paint());
  waits = true;
}

/** Draw at once, for what must be on the screen before the next line. */
export const drawNow = paint;

/** Show a screen instead of the present one. */
export function go(name, given = {}) {
  const next = screens.get(name);
  const stays = shown?.name === name && next.view;
  if (!stays) leaving();
  visit += 1;
  sheet = null;
  if (!lasting) told = null;
  if (!shown && !history.state) history.replaceState({ screen: name, held }, "");
  else if (history.state?.screen !== name) history.pushState({ screen: name, held }, "");
  shown = { ...next, given, key: next.view ? name : `${name} ${visit}` };
  paint();
  const main = document.getElementById("main");
  if (next.fill) shown.left = next.fill(main, given);
  if (stays) return;
  /** @type {HTMLElement} */ (main.querySelector("h1"))?.focus({ preventScroll: true });
  scrollTo(0, 0);
}

const leaving = () => (shown?.leave ?? shown?.left)?.();

addEventListener("popstate", (event) => {
  // A new hash is no step back: it has no state.
  if (!event.state) return;
  history.replaceState({ ...event.state, held }, "");
  if (sheet) return shut();
  if (shown.back) shown.back();
  else if (shown.name !== "home") go("home");
});

// Sheets: what lies over a screen until it is closed.

class Sheet extends Component {
  /** @type {any} The dialog. */ node = null;
  componentDidMount() {
    this.before = document.activeElement;
    this.node.showModal();
    this.node.querySelector("h2").focus();
  }
  componentWillUnmount() {
    this.props.onshut?.();
    const before = /** @type {HTMLElement} */ (this.before);
    setTimeout(() => document.activeElement === document.body && before?.isConnected && before.focus());
  }
  render({ title, kind, view, children }) {
    return h("dialog", { ref: (node) => node && (this.node = node), class: `sheet ${kind}`, "aria-label": title, onclose: shut, onclick: ({ target }) => target === this.node && shut() },
      h("div", { class: "head" }, h("h2", { tabindex: -1 }, title), button("Close", shut, { sign: "close" })),
      view(), children);
  }
}

/** Show something over the screen; the focus goes there, and back when it is closed. */
export function over(title, kind, view, onshut = null) {
  sheet = { title, kind, view, onshut, number: (visit += 1) };
  paint();
}

export function shut() {
  if (!sheet) return;
  sheet = null;
  paint();
}

/** Ask before something that cannot be undone: resolves with the label that was chosen, or null. */
export function ask(question, text, ...labels) {
  return new Promise((done) => {
    let chosen = null;
    const choose = (label) => () => {
      chosen = label;
      shut();
    };
    over(question, "ask", () => [h("p", {}, text), h("div", { class: "row" }, labels.map((label, at) => button(label, choose(label), { kind: at ? "go" : "" })))], () => done(chosen));
  });
}

/** Tell a refusal, {line, hint}, where it was caused: at the bottom of the window, over everything; null takes it away.
 * `lasts`: it stays until the next act, whatever screen comes. */
export function tell(error, lasts = false) {
  // What went on in a newer tab is told by a screen of its own.
  if (error?.word === "newer") return;
  lasting = lasts;
  if (told === null && error === null) return;
  told = error;
  draw();
}

/** A screen that fills its element by hand. */
export const fill = (name, work) => (screens.get(name).fill = work);
