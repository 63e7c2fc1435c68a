// Watching and verifying: a record step by step, by everybody's eyes, with its verdict.
import { call, progress, stop } from "./calls.js";
import { Chart, swapped } from "./chart.js";
import { folders, taker } from "./files.js";
import { touch } from "./motion.js";
import { button, draw, go, guarded, h, icon, local, plain, put, screen, tell } from "./page.js";
import { seal } from "./verdict.js";

const BEAT = 1400;
const [EVERYBODY, TRUTH, ALL] = [null, "=", "*"];

// The record that is open: its file's `name`; the `game`, once it is read, or the `fault` for which there is none; `found`, the
// verdict, or why it `failed`; whose eyes (`side`) and which step are chosen (`at`) and shown (`shown`, `known`); the sentence
// that is touched (`lit`), the fact under the finger (`fact`), and the clock of what plays by itself (`beat`).
let record = null;
const charts = new Set();

/** Open a record and show it; `opened` is the game that the engine finds in it, as a promise. */
export async function watch(name, opened) {
  still();
  const mine = { name, game: null, fault: null, found: null, failed: null, checked: null, side: EVERYBODY, at: -1, shown: null, known: null, lit: null, fact: null, beat: 0, asked: 0 };
  record = mine;
  go("watch");
  progress((done, of) => put(mine, { checked: [done, of] }));
  try {
    try {
      mine.game = await opened;
      if (mine === record) await begins(mine.game);
    } catch (error) {
      if (error.stopped) throw error;
      mine.fault = error.line ?? String(error);
    }
    draw();
    put(mine, { found: await call("watch.verify") });
  } catch (error) {
    put(mine, { failed: error.line ?? String(error) });
  }
}

taker((name, bytes) => bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5), (name, bytes) => void watch(name, call("watch.open", { name }, bytes)));

folders(async (name, files) => {
  const data = new Uint8Array(await new Blob(files.map(([, file]) => file ?? "")).arrayBuffer());
  watch(name, call("watch.open_folder", { name, files: files.map(([path, file]) => [path, file ? file.size : -1]) }, data));
});

const asked = () => new URLSearchParams(location.hash.slice(1));

/** Whose eyes there are: of a duel nobody sees a board but the two, each once it is open. */
const eyes = ({ eyes: open, players, revealed }) => [...(open ? [] : [EVERYBODY]), ...(open ?? (revealed ? players : [])), ...(revealed ? [ALL] : [])];

/** Begin where a link says, else where something happens. */
function begins(game) {
  const sides = eyes(game);
  record.side = sides.find((one) => one && one === asked().get("side")) ?? (game.revealed ? game.players[0] : sides[0]);
  const steps = game.entries.slice(0, game.last + 1);
  const loud = [3, 2, 1].map((least) => steps.findIndex(({ loud: much }) => much >= least)).find((step) => step > 0) ?? 0;
  const first = asked().get("step");
  return show(first === null ? (game.revealed ? loud : game.last) : Number(first) || 0);
}

async function show(step) {
  const mine = record;
  const { game, side } = mine;
  const at = Math.max(0, Math.min(game.last, Math.trunc(step)));
  const number = (mine.asked += 1);
  put(mine, { at });
  try {
    const shown = await call("watch.step", { step: at });
    const known = game.players.includes(side) ? await call("watch.known", { step: at, player: side }) : null;
    if (number !== mine.asked || mine !== record) return;
    put(mine, { shown, known, lit: null, fact: null });
    const to = side && side !== ALL ? `#step=${at}&side=${side}` : `#step=${at}`;
    if (location.hash !== to) history.replaceState(history.state, "", to);
  } catch (error) {
    still();
    tell(error.line ? error : { line: String(error), hint: "" });
  }
}

function still() {
  clearInterval(record?.beat);
  if (record) record.beat = 0;
}

function toggle() {
  const { beat, at, game } = record;
  if (beat) still();
  else {
    if (at === game.last) show(0);
    record.beat = setInterval(() => (record.at < game.last ? show(record.at + 1) : toggle()), BEAT);
  }
  draw();
}

// What is seen.

const called = (who) => (who === EVERYBODY ? "Everybody" : who === ALL ? "All" : who);

/** A side's board, with what was so beside it; of everybody's there is one. */
function boards({ game, side, shown, known, lit, fact }) {
  const own = game.players.includes(side);
  const found = side === ALL ? shown.boards.filter(({ who }) => who !== EVERYBODY) : [side, ...(own ? [TRUTH] : [])].flatMap((one) => shown.boards.filter(({ who }) => who === one));
  // What was so lies as the side sees it.
  const turned = (who, chart) => ({ ...(who === TRUTH && game.players.length === 2 && side === game.players[1] ? swapped(chart) : chart), turned: side === ALL ? chart.turned : found[0].chart.turned });
  const may = known?.may ?? [];
  const cells = fact ? fact.cells : [...new Set(may.flatMap((one) => one.cells))];
  // A fact that is touched shows what was so; what the side knew for sure was so in any case.
  const so = (fact ? [fact] : may.filter(({ many }) => many === 1)).map(({ truth }) => truth);
  return h("section", { class: "boards", "aria-label": "The boards", "data-many": found.length },
    found.map(({ who, chart }, at) => h("figure", { key: who ?? "" },
      h("figcaption", {}, who === EVERYBODY ? "What everybody knows" : who === TRUTH ? "What was so" : `What ${who} could know`),
      h(Chart, { label: `The board: ${who === TRUTH ? "what was so" : called(who)}`, board: made(chart, side, () => turned(who, chart)), ref: (one) => one && charts.add(one), lit: lit?.cells ?? [], ...(own && at === 0 ? { shade: cells, so } : {}) }))));
}

const turns = new WeakMap();
/** The same board for the same eyes, so that it is drawn once. */
function made(chart, side, make) {
  if (turns.get(chart)?.side !== side) turns.set(chart, { side, board: make() });
  return turns.get(chart).board;
}

/** A sentence of what happened; touched, it is framed and played on every board. */
function sentence(one) {
  const words = [one.sign ? icon(one.sign) : null, h("span", {}, local(one.text))];
  if (!one.cells.length) return h("p", { class: "say" }, words);
  return h("button", { type: "button", class: record.lit === one ? "say on" : "say", onclick: () => {
    put(record, { lit: one });
    for (const chart of charts) touch(chart, one);
  } }, words);
}

function facts({ shown, known, fault }) {
  if (fault) return h("p", {}, `There is no board to show. ${local(fault)}`);
  if (!shown) return h("p", { class: "dim" }, "The record is read…");
  const heard = (known ?? shown).told.map(sentence);
  const look = (fact) => () => put(record, { fact });
  return [
    h("h2", { "aria-live": "polite" }, `Step ${shown.step}: ${local(shown.title)}`),
    heard.length ? heard : h("p", { class: "dim" }, "Nothing was heard."),
    known && h("dl", { class: "knew" }, known.may.map((one) =>
      h("div", { class: "fact", tabindex: 0, onmouseenter: look(one), onfocus: look(one), onmouseleave: look(null), onblur: look(null) },
        h("dt", {}, one.name),
        h("dd", {}, one.many > 6 ? `${one.many} possible` : plain(one.may)),
        h("dd", { class: one.many > 1 ? "so" : "so sure" }, !one.truth ? "" : one.many > 1 ? `was ${plain(one.truth)}` : "sure")))),
    known?.notes.map((one) => h("p", { class: "dim" }, local(one))),
  ];
}

function judged({ found, failed, checked }) {
  if (found) return seal(found);
  if (failed) return h("p", { class: "error", "data-verdict": failed }, failed);
  const [done, of] = checked ?? [];
  return [h("p", {}, "Checking…"), h("progress", { "aria-label": "how far the check has come", max: of, value: done }), button("Stop", () => stop(), { act: "stop" })];
}

/** Where it was loud, as marks over the slider. */
const loud = ({ entries, last, players }) =>
  last > 99 ? null : entries.slice(0, last + 1).map(({ loud: much, who }, step) =>
    much < (last > 40 ? 3 : 2) ? null : h("svg", { viewBox: "0 0 12 12", class: who[0] === players[0] ? "own" : "foe", style: { left: `${(100 * step) / Math.max(1, last)}%` } },
      who[0] === players[0] ? h("circle", { cx: 6, cy: 6, r: 4 }) : h("path", { d: "M6 1l5 5-5 5-5-5z" })));

function transport({ game, at, beat }) {
  const step = (label, sign, to) => button(label, () => show(to()), { sign });
  return [
    h("div", { class: "controls" },
      step("First step", "first", () => 0), step("Step back", "back", () => record.at - 1),
      button(beat ? "Pause" : "Play", toggle, { sign: beat ? "pause" : "play", kind: "go", act: "play-on" }),
      step("Step on", "on", () => record.at + 1), step("Last step", "last", () => game.last)),
    h("div", { class: "track" },
      h("div", { class: "ticks", "aria-hidden": "true" }, loud(game)),
      h("input", { type: "range", min: 0, max: game.last, value: at, "aria-label": "Step", "aria-valuetext": `step ${at} of ${game.last}`, oninput: ({ target }) => show(Number(target.value)) })),
    h("output", { class: "count" }, `${at} / ${game.last}`),
  ];
}

screen("watch", () => {
  const { name, game, shown, side } = record;
  charts.clear();
  return [
    h("header", { class: "bar" },
      button("Back to the first screen", () => go("home"), { sign: "back", act: "home" }),
      h("div", { class: "who" }, h("h1", { tabindex: -1 }, game ? game.name || game.title : name), h("p", {}, game && local(`${game.title}: ${game.players.join(", ")}, ${game.standing}`))),
      h("div", { class: "tabs", role: "group", "aria-label": "Whose eyes" }, game && eyes(game).map((one) => button(called(one), () => {
        record.side = one;
        return show(record.at);
      }, { kind: "tab", "data-side": one ?? "everybody", "aria-pressed": String(one === side) })))),
    shown ? boards(record) : h("section", { class: "boards", "aria-label": "The boards" }),
    h("div", { class: "beside", role: "group", "aria-label": "What happened, and the verdict", tabindex: 0 },
      h("section", { class: "facts", "aria-label": "What happened" }, facts(record)),
      h("section", { class: "seal-place", "aria-label": "Verdict", role: "status" }, judged(record))),
    h("section", { class: "transport", "aria-label": "Steps" }, game && transport(record)),
  ];
}, {
  kind: "watch",
  title: () => (record.game ? `${record.game.name || record.game.title} – every step` : "A finished game"),
  data: () => ({ "data-step": record.shown?.step, "data-done": record.found ? record.name : undefined }),
  back: () => go("home"),
  leave: () => {
    still();
    if (location.hash) history.replaceState(history.state, "", location.pathname + location.search);
  },
});

const watching = () => record?.game && document.getElementById("main").dataset.screen === "watch";
addEventListener("keydown", (event) => {
  if (!watching() || event.ctrlKey || event.metaKey || event.altKey || /** @type {Element} */ (event.target).closest?.("input, button, a, summary, pre, dialog, .chart, [tabindex='0']")) return;
  const act = { ArrowLeft: () => show(record.at - 1), ArrowRight: () => show(record.at + 1), Home: () => show(0), End: () => show(record.game.last), " ": toggle }[event.key];
  if (act) guarded(act)(event);
});
addEventListener("hashchange", () => {
  const step = asked().get("step");
  if (watching() && step !== null && Number(step) !== record.at) show(Number(step) || 0);
});
