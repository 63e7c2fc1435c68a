// A game in one window, from its first turn to its last: news on top, the sea in the middle, and in the dock what there is to do
// now. It knows no game; sentences, verbs, boards and cards come from Python.
//
// All that is seen is a function of `game`. The chart and the hand stay the same elements for the whole game, and no row but the
// sea may take or give room: so the sea never changes its size. When an answer comes, what happened is played on the chart.
import { noted } from "./alone.js";
import { call } from "./calls.js";
import { Chart, picture } from "./chart.js";
import { asText, check, docked, send, standing } from "./dock.js";
import { ended } from "./end.js";
import { lesson } from "./lesson.js";
import { letters } from "./mail.js";
import { play, touch } from "./motion.js";
import { ask as question, button, draw, go, guarded, h, held, icon, local, over, plain, put, screen, shape, shut, tell, when } from "./page.js";
import { plan as planned } from "./plan.js";
import { rules } from "./rules.js";
import { seats } from "./seat.js";
import { left } from "./send.js";
import { heard, sound } from "./sound.js";

/** What signs, or may: only in the tab that has the seat. */
const SIGNS = new Set(["consent", "end_duel", "go_on", "order", "request", "say", "take"]);

/** Ask the engine about the game that is open. */
export async function ask(name, given, data) {
  if (SIGNS.has(name) && game.state.player && !game.state.alone) await seats.holds();
  return call(`play.${name}`, given, data);
}

/**
 * What is known of the game that is open. `state`: as Python tells it; `said`: what came of the last act; `lit`: the sentence that
 * is touched or played; `text`: orders written by hand, or null; `ahead`: standing orders that are new; `given`: orders that wait
 * to be carried out; `thing`: what was touched last, {name, says}; `underway`: what is sent, or the hint that is asked for.
 */
const none = () => ({ said: [], lit: null, text: null, ahead: {}, given: [], thing: null, shading: true, known: { may: [], notes: [] }, underway: "", failed: null, advice: null, plan: null });
export const game = { state: /** @type {Told} */ ({ stage: "none" }), ...none() };
export const current = () => game.state;
export const set = (/** @type {Told} */ told) => {
  game.state = told;
};
let board = null;
const chart = (made) => (board = made ?? board);

/** How the game goes out and is kept, by what it is: against the computer, by mail, a duel. */
const carriers = [];
export const carry = (given) => carriers.unshift(given);
export const carrier = (state = game.state) => carriers.find(({ of }) => !of || of(state));

/** The options of a game for its rematch, in which another player goes first. */
export const anew = (options) => [...options.filter((one) => !current().rematch.some((other) => other.split("=")[0] === one.split("=")[0])), ...current().rematch];

export const others = () => game.state.players.filter((one) => one !== game.state.player);
const them = () => carrier().name(game.state);
/** Whether it is at its end; a lesson's end is no more than an answer to it. */
export const isOver = () => game.state.stage === "over" && !game.state.lesson;
const deciding = () => game.state.mine && !isOver() && !game.state.sent?.length && game.state.stage === "play" && !answered();
/** Whether it is a lesson in which orders were given. */
const answered = () => typeof game.state.lesson?.right === "boolean";

/** Show where a game stands; `lines` and `warnings` are what came of the last act. What has happened since is played. @param {Told} told */
export function show(told, lines = [], warnings = []) {
  const before = game.state;
  const same = before.id === told.id && before.lesson?.number === told.lesson?.number;
  const news = same && told.step > before.step;
  const fresh = { ...none(), thing: same ? game.thing : null, shading: same ? game.shading : true, known: same ? game.known : none().known };
  Object.assign(game, fresh, { state: told, said: [...warnings, ...lines] });
  if (told.alone && !told.lesson) noted(told);
  if (!/^(play|over|opening|offered)$/.test(told.stage)) return go(carrier().screen ?? "receive");
  // What is played begins with the board that is seen now.
  if (news) replay();
  go("game");
  if (told.stage === "opening") return null;
  if (deciding()) begin();
  else if (told.ordered ?? told.sent?.length) ask("plan", { lines: told.ordered ?? told.sent.at(-1).lines }).then(({ planned: given }) => put(game, { given }), () => {});
  ask("deduced").then((known) => game.state === told && put(game, { known }), () => {});
  return null;
}

/** Begin to plan; what the plan asks may be answered when its turn is long over: no error of that is told. */
function begin() {
  const mine = planned(game.state.verbs, ask, () => {
    if (game.plan !== mine) return;
    put(game, { failed: null });
  });
  game.plan = mine;
  mine.begin().catch((error) => game.plan === mine && tell(error));
}

// The bar.

/** Whether something is sealed and ready, and has not left as far as this page knows. */
export const unsent = (state = game.state) => Boolean(outgoing(state) && !left(outgoing(state)));
export const outgoing = (state) => (state.alone ? null : carrier(state).out?.(state) ?? null);

/** For whom one waits, and for what, as long as there is no game. */
export function awaits() {
  const { state } = game;
  const who = others().length === 1 ? others()[0] : state.awaited?.[0]?.player ?? "the others";
  return `Waiting for ${who}`;
}

function clock(plan) {
  const { state } = game;
  const mine = state.awaited?.find(({ you }) => you);
  const one = mine ?? state.awaited?.[0];
  const asks = plan?.verbs.find((verb) => verb.answers)?.answers ?? (plan?.verbs.length && plan.verbs.every((verb) => verb.asks) ? plan.verbs[0].asks : "Your turn");
  const head = answered() ? "Lesson" : isOver() && !unsent() ? "Finished" : state.stage === "opening" ? "Opening…" : unsent() ? "Still to send" : deciding() ? asks : awaits();
  const until = one && !isOver() && !state.alone && one.until;
  const asked = state.stage === "offered" && !state.named && state.send?.what === "offer" && head === awaits();
  return h("p", { class: unsent() || deciding() ? "clock" : "clock wait" }, h("b", {}, head, asked ? h("span", { class: "full" }, " to accept") : null), until ? h("span", {}, h("span", { class: "full" }, `until ${when(one.until)}, `), one.left) : null);
}

const bar = (plan) =>
  h("header", { class: "bar" },
    button("Back to the first screen", () => carrier().away(), { sign: "back", act: "home" }),
    h("div", { class: "who" }, h("h1", { tabindex: -1 }, them()), h("p", {}, game.state.heading ?? game.state.title)),
    clock(plan),
    button(sound.isOn ? "Sound off" : "Sound on", () => hush(!sound.isOn), { sign: sound.isOn ? "heard" : "unheard", act: "sound", "aria-pressed": String(sound.isOn) }),
    button("Rules, and what you touched", look, { sign: "rules", act: "rules" }),
    button("More", more, { sign: "more", act: "more" }));

const hush = (on) => {
  sound.on(on);
  draw();
};

const look = () => rules(game.state.rules.split("/")[0], game.state.title, "learn", game.thing);

async function more() {
  await game.plan?.settled();
  const plan = game.plan?.state();
  over("More", "middle", () => h("div", { class: "list" },
    button("Everything that happened", story, { kind: "plain", act: "story" }),
    (game.plan?.state().beside ?? []).map((one) => check(one.text, one.name, one.yes, (yes) => game.plan.beside(one.text, yes))),
    game.state.asked?.length && game.plan ? button("Standing orders", standing, { kind: "plain", act: "standing" }) : null,
    game.plan ? button("Orders as text", asText, { kind: "plain", act: "text" }) : null,
    game.state.alone || game.state.duel ? null : button("Messages", letters, { kind: "plain", act: "letters" }),
    carrier().foot(game.state),
    plan?.gives && !game.state.duel ? button("Resign", () => resign(plan.gives), { kind: "plain", act: "resign" }) : null,
    game.state.alone && !isOver() ? button("Leave this game", () => carrier().away(), { kind: "plain", act: "leave" }) : null));
}

async function story() {
  const told = await ask("log");
  over("Everything that happened", "side-sheet", () => told.map(({ title, news }) => [h("h3", {}, title), news.map((one) => h("p", {}, one))]));
}

async function resign(gives) {
  const answer = await question("Resign?", `${gives.says} ${others().join(" and ")} win${others().length === 1 ? "s" : ""} at once.`, "Resign", "Play on");
  if (answer === "Resign") await send([gives.text]);
}

// What is touched, for `?`: a piece, a card, an action.

export function touched(name, word) {
  const says = game.state.about[word];
  game.thing = says ? { name, says } : null;
}
const touchCell = (cell) => {
  const found = (game.state.chart.pieces ?? []).filter((one) => one.cell === cell).at(-1);
  if (found) touched(spoken(found.title.split(":")[0]), found.about);
};
export const spoken = (name) => name.replaceAll("-", " ").replace(/^./, (one) => one.toUpperCase());

// Since your turn.

const sentences = () => game.state.since.flatMap(({ told }) => told);
/** Of all sentences the one that matters most; of several that do, the last. */
const chief = () => sentences().reduce((best, one) => (best && best.rank > one.rank ? best : one), null);
const amiss = () => [...(game.state.amiss ?? []), ...game.said];

function say(one) {
  const words = [one.sign ? icon(one.sign) : null, h("span", {}, one.text)];
  const kind = game.lit?.text === one.text && same(game.lit.cells, one.cells) ? "say on" : "say";
  return one.cells.length ? h("button", { type: "button", class: kind, "data-cells": one.cells.join(" "), onclick: () => light(one), ref: (node) => node?.classList.contains("on") && node.scrollIntoView({ block: "nearest" }) }, words) : h("p", { class: kind }, words);
}
const same = (one, other) => one.join() === other.join();

/** A sentence frames its cells, and is heard of on the board. */
function light(one) {
  put(game, { lit: one });
  touch(board, one);
}

/** Play all since your turn: the boards of the time, sentence by sentence. */
function replay() {
  const { state } = game;
  if (!board) return;
  shut();
  const each = (lit) => put(game, { lit });
  const done = () => {
    if (state !== game.state) return;
    put(game, { lit: null });
    if (deciding()) heard("turn");
  };
  play(board, ask("boards").catch(() => []), { each, done });
}

const turns = () =>
  game.state.since.map(({ who, told }) => {
    const mine = who.includes(game.state.player);
    const name = who.length > 1 ? "Everybody" : mine ? "You" : who[0] || "Nobody ordered";
    return h("li", { class: "turn" },
      h("h3", { class: who.length !== 1 ? "both" : mine ? "mine" : "theirs" }, h("span", { class: "disc" }), name),
      told.length ? told.map(say) : h("p", { class: "dim" }, "Nothing was heard."));
  });

/** Play a turn of a game that is over on boards with nothing hidden. */
export async function replayed(step) {
  const { before, told } = await ask("moment", { step });
  const as = (found) => ended.seen(game.state, found);
  play(board, [{ before: as(before), told: told.map((one) => ({ ...one, chart: as(one.chart) })) }], { each: (lit) => put(game, { lit }), done: () => put(game, { lit: null }) });
}

export const replaying = (label = "Show it again") => (game.state.since.length ? button(label, replay, { kind: "plain labelled", sign: "again", act: "replay" }) : null);

const warned = () => h("div", { role: "status", class: "amiss" }, amiss().map((one) => h("p", {}, local(one))));

const BEGINS = { offered: "The game begins when both have accepted.", opening: "The last board that was seen here." };

const since = () => [warned(), hint(), h("ol", { class: "turns" }, game.state.since.length ? turns() : h("li", {}, h("p", { class: "dim" }, BEGINS[game.state.stage] ?? "The game begins.")))];

const beside = (words, ...more) => h("div", { class: "lesson", role: "status" }, h("p", {}, words), h("span", { class: "row" }, more));

/** What is said beside the news: what a lesson asks for, and once that a game can be heard. */
function hint() {
  const asked = lesson.says(game.state);
  if (asked) return beside(asked.text, h("small", {}, asked.of));
  return canBeHeard() && beside("This can be heard.", listen(), button("Stay silent", () => hush(false), { sign: "close" }));
}

const listen = () => button("Sound on", () => hush(true), { kind: "plain", act: "listen" });

/** Listening is the game: whoever hears the first contact is asked once. */
const canBeHeard = () => !sound.asked && !isOver() && !lesson.says(game.state) && sentences().some(({ play: how }) => ["contact", "ping", "echo"].includes(how));

const past = () =>
  h("section", { class: "past", "aria-label": "Since your turn" },
    h("div", { class: "top" }, strip(), canBeHeard() && listen()),
    h("div", { class: "told", tabindex: 0, role: "group", "aria-label": "What happened" }, h("div", { class: "head" }, h("h2", {}, "Since your turn"), replaying("Show me")), since()),
    known());

/** On a phone: the one sentence that matters, or what is played; a tap opens all. */
function strip() {
  const asked = lesson.says(game.state);
  const found = asked ?? (game.lit || chief());
  const [first] = amiss();
  const text = first ? local(first) : found?.text ?? BEGINS[game.state.stage] ?? "The game begins.";
  const many = sentences().length;
  return h("button", { type: "button", class: first ? "strip amiss" : asked ? "strip asked" : "strip", "data-act": "news", onclick: () => over("Since your turn", "middle", () => [replaying(), since()]) },
    icon(first ? "flag" : found?.sign || "contact"), h("span", {}, text), h("small", {}, found?.of ?? (many > 1 ? `${many}` : ""), h("span", { class: "unseen" }, " sentences")), icon("on"));
}

/** The cells to shade: where every cell is possible, shading would say nothing. */
function hidden() {
  const all = Object.keys(game.state.chart.cells ?? {});
  const found = new Set(game.known.may.flatMap(({ cells }) => (cells.length < all.length * 0.6 ? cells : [])));
  return all.filter((one) => found.has(one));
}

export const known = () =>
  h("div", { class: "known", tabindex: 0, role: "group", "aria-label": "What you can work out" },
    h("h2", {}, "What you can work out"),
    h("dl", {}, game.known.may.map(({ name, may, many }) => h("div", {}, h("dt", {}, name), h("dd", {}, many > 6 ? `${many} possible` : plain(may))))),
    game.known.notes.slice(-3).map((one) => h("p", { class: "note" }, one)),
    !game.known.may.length && !game.known.notes.length ? h("p", { class: "dim" }, "Nothing follows from what you heard.") : null);

const shade = () =>
  h("button", { type: "button", class: "switch", role: "switch", hidden: !hidden().length, "aria-checked": String(game.shading), "aria-label": "Shade what you can work out", title: "Shade what you can work out", "data-act": "shade", onclick: () => put(game, { shading: !game.shading }) }, h("i", {}));

// The sea.

function sea(plan) {
  const { state } = game;
  const side = (name) => state.sides?.[name] ?? { words: "", tally: "" };
  const piece = (whose) => state.chart.pieces?.find((one) => one.side === whose && ["hidden", "open"].includes(one.token));
  // Who is not seen has the token of who is.
  const like = (whose) => piece(whose) ?? (piece("own")?.token ? { ...piece("own"), side: whose } : null);
  const face = (whose) => (like(whose) ? picture(like(whose)) : h("span", { class: `disc ${whose}` }));
  const theirs = others().map((name) => (others().length > 1 ? `${name}: ${side(name).words}` : side(name).words)).filter(Boolean).join("; ");
  const mine = side(state.player);
  const row = (kind, whose, name, words, tally, ...more) => h("div", { class: kind }, face(whose), h("div", {}, h("b", {}, name), h("small", {}, words)), h("small", { class: "tally" }, tally), more);
  const drawn = isOver() ? ended.board(state) : state.chart;
  const acts = plan ? [...plan.acts, ...(plan.taps.length && plan.options.length ? [plan.options[0]] : [])] : game.given;
  return h("section", { class: state.handed ? "sea handed" : "sea", "aria-label": "The sea" },
    h("div", { class: "stack" },
      row("side", "foe", others().join(", "), theirs, side(others()[0]).tally, shade()),
      h(Chart, {
        key: `${state.id} ${state.player} ${state.lesson?.number}`, ref: chart, board: drawn, label: `The sea, as ${state.player || "everybody"} sees it`,
        may: plan ? plan.may : null, warns: plan?.warns, plan: isOver() ? [] : ghosts(acts), shade: game.shading && !isOver() ? hidden() : [], lit: game.lit?.cells ?? [],
        oncell: (cell) => {
          touchCell(cell);
          if (game.plan) game.plan.cell(cell).catch(tell);
        },
      }),
      row("side me", "own", `You are ${state.player}`, mine.words, mine.tally, h("small", { class: "left" }, plan?.left ?? "")),
      hand(plan)));
}

/** The planned acts with the pieces that carry them out, each from where the acts before left it. */
function ghosts(acts) {
  // Of several pieces in a cell the one on a disc is the one that goes.
  const own = (game.state.chart.pieces ?? []).filter(({ side, token: face }) => side === "own" && face !== "wreck");
  const standing = new Map([...own].sort((one, other) => Number(Boolean(one.token)) - Number(Boolean(other.token))).map((one) => [one.cell, one]));
  return acts.map((one) => {
    const card = game.state.hand.find(({ name }) => name === one.unit);
    const piece = standing.get(one.here) ?? card ?? null;
    if (one.goes) standing.set(one.to.at(-1), piece);
    if (card && one.to.length) standing.set(one.to.at(-1), card);
    return { ...one, piece };
  });
}

function hand(plan) {
  const { state } = game;
  const gone = new Set((plan?.acts ?? []).flatMap((one) => [...one.picks, one.unit]));
  return h("div", { class: "hand", role: "group", "aria-label": "Your hand", hidden: !state.hand.length },
    state.hand.map(({ name, shape: drawing, words }) => {
      const pays = plan?.options.some((one) => one.picks.includes(name));
      const plays = plan?.units.includes(name);
      const paid = plan && (plan.picks.includes(name) || plan.acts.some((one) => one.picks.includes(name)));
      const work = guarded(() => {
        touched(spoken(name), name);
        return pays ? game.plan.pick(name) : plays ? game.plan.unit(name) : draw();
      });
      return h("button", {
        key: name, type: "button", class: paid ? "card paid" : plan?.unit === name ? "card chosen" : "card", "data-card": name, "aria-pressed": String(plan?.unit === name || Boolean(paid)),
        "aria-disabled": String(!(pays || plays) && !paid), hidden: gone.has(name) && !paid, onclick: work,
      },
        h("svg", { viewBox: "4 3 52 54", class: "token", "aria-hidden": "true" }, h("g", { class: "piece own" }, shape(drawing))),
        h("b", {}, spoken(name)), h("small", {}, paid ? "paid" : words));
    }));
}

/** A game with many actions has a higher dock on a phone, at each of its stages. */
const isWide = () => !game.state.handed && Object.values(game.state.verbs ?? {}).filter(({ role }) => !role).length > 6;

screen("game", () => {
  const plan = game.plan?.state() ?? null;
  return [bar(plan), past(), sea(plan), lesson.dock(game.state) ?? (isOver() ? ended.dock(game.state) : docked(plan))];
}, {
  data: () => ({ class: `play ${isOver() ? "ended" : ""} ${isWide() ? "wide-dock" : ""}`, "data-stage": game.state.stage }),
  title: () => `${deciding() || unsent() ? "\u25cf Your turn" : answered() ? "Lesson" : isOver() ? "Finished" : `${them()}\u2019s turn`} \u2013 ${game.state.title}`,
  back: () => {
    history.pushState({ screen: "game", held }, "");
    return carrier().away();
  },
  leave: () => {
    board?.playing?.();
    board = null;
    game.plan = null;
  },
});

// The letters of a keyboard: actions by their first letter, cards by number, pieces by name.
addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (document.getElementById("main")?.dataset.screen !== "game" || target.closest("input, textarea, select, dialog")) return;
  const press = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector))?.click();
  if (event.key === "Enter" && event.ctrlKey) return press("[data-act=send]");
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (event.key === "?") {
    if (target.dataset.cell) touchCell(target.dataset.cell);
    return look().catch(tell);
  }
  if (event.key === "w") return press("[data-act=shade]");
  if (event.key === "Escape") return game.plan?.back();
  if (/^[1-9]$/.test(event.key)) return press(`.card:nth-of-type(${event.key})`);
  const plan = game.plan?.state();
  if (plan?.units.includes(event.key)) return game.plan.unit(event.key);
  const named = plan?.verbs.find(({ name }) => name[0].toLowerCase() === event.key);
  return named && game.plan.verb(named.id);
});
