// The shell of the page: one screen at a time, what lies over it, and what all views are made of. A
// screen is a function from what is known to what is seen; after a change it is drawn anew by
// `draw`. No script knows a game: boards, lines and sentences come from Python through `call`.
import { Component, h, render } from "preact";
import SIGNS from "./signs.json";

export { Component, h };

/** A sign on buttons and sentences by its name, lines in a square of 24 by 24; an unknown one is a dot. */
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
let pending = false;

/** A screen by its name: `view(given)` says what is seen; `back` shows what was before it, `leave` is called when it is left; `title()` is
 * the tab's; `kind` is its class, and `data()` what its element tells scripts. */
export const screen = (name, view, { back = null, leave = null, title = null, kind = null, data = () => ({}) } = {}) => screens.set(name, { name, view, back, leave, title, kind, data });

function App() {
  const alert = h("div", { id: "told", role: "alert", hidden: !told, key: "told" },
    told && [icon("flag"), h("div", {}, h("p", {}, told.line ?? String(told)), told.hint ? h("p", { class: "hint" }, told.hint) : null), button("Close", () => tell(null), { sign: "close" })]);
  return [
    shown && h("main", { id: "main", key: shown.name, class: shown.kind, "data-screen": shown.name, ...shown.data() }, shown.view(shown.given)),
    // What lies outside of an open sheet is behind it.
    sheet && h(Sheet, { key: sheet.number, ...sheet }, alert),
    sheet ? null : alert,
  ];
}

const paint = () => {
  pending = false;
  render(h(App, {}), document.getElementById("page"));
  document.title = shown?.title?.() || "adjudicator";
  const waits = document.title.startsWith("\u25cf");
  if (icons.length && ICON.href !== icons[Number(waits)]) ICON.href = icons[Number(waits)];
};

// The tab's icon, and the same with a dot where somebody is waited for.
const ICON = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]"));
const DOT = '<circle cx="49" cy="15" r="12" fill="#cd3886" stroke="#fdf9ee" stroke-width="4"/></svg>';
const icons = ICON?.href.includes(";base64,") ? [ICON.href, `data:image/svg+xml,${encodeURIComponent(atob(ICON.href.split(",")[1]).replace("</svg>", DOT))}`] : [];

/** Draw what is shown anew, once for all changes that come together. */
export function draw() {
  if (!pending) queueMicrotask(() => pending && paint());
  pending = true;
}

/** Change something that is known, and draw it anew. */
export function put(thing, given) {
  Object.assign(thing, given);
  draw();
}

/** Draw at once, for what must be on the screen before the next line. */
export const drawNow = paint;

/** Show a screen instead of the present one. */
export function go(name, given = {}) {
  const next = screens.get(name);
  const stays = shown?.name === name;
  if (!stays) leaving();
  visit += 1;
  sheet = null;
  if (!lasting) told = null;
  if (!shown && !history.state) history.replaceState({ screen: name, held }, "");
  else if (history.state?.screen !== name) history.pushState({ screen: name, held }, "");
  shown = { ...next, given };
  paint();
  if (stays) return;
  /** @type {HTMLElement} */ (document.querySelector("#main h1"))?.focus({ preventScroll: true });
  scrollTo(0, 0);
}

const leaving = () => shown?.leave?.();

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
