// A game in one window, from its first turn to its last: news on top, the sea in the middle, and in the dock what there is to do
// now. It knows no game; sentences, verbs, boards and cards come from Python.
//
// All that is seen is a function of `game`. The chart and the hand stay the same elements for the whole game, and no row but the
// sea may take or give room: so the sea never changes its size. When an answer comes, what happened is played on the chart.
import { call } from "./calls.js";
import { Chart, picture } from "./chart.js";
import { ended } from "./end.js";
import { lesson } from "./lesson.js";
import { letters, pasting, stow, take } from "./mail.js";
import { play, touch } from "./motion.js";
import { ask as question, button, draw, go, guarded, h, held, hold, icon, local, now, over, plain, screen, shape, shut, tell, when } from "./page.js";
import { plan as planned } from "./plan.js";
import { rules } from "./rules.js";
import { seats } from "./seat.js";
import { address, inDraft, leaves, left, usual, ways } from "./send.js";
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
const game = { state: { stage: "none" }, ...none() };
export const current = () => game.state;
export const set = (told) => {
  game.state = told;
};
let board = null;
const chart = (made) => (board = made ?? board);

/** How the game goes out and is kept, by what it is: against the computer, by mail, a duel. */
const carriers = [];
export const carry = (given) => carriers.unshift(given);
export const carrier = () => carriers.find(({ of }) => !of || of(game.state));

// Games against the computer are kept as what was chosen and ordered, from which the engine makes them again.
let offer = null;
const kept = () => held.solo ?? [];
const keep = () => hold("solo", kept().filter(({ over: gone }) => !gone));

/** A game against the computer needs nothing to leave. */
export const alone = { of: (state) => state.alone, name: () => others().join(", "), to: () => others().join(", "), away: () => go("home"), sent: async () => {}, foot: () => [] };

/** Begin a game against the computer. */
export async function against(id, { bots, preset, options }) {
  await stow();
  const seed = Array.from(crypto.getRandomValues(new Uint8Array(32)), (one) => one.toString(16).padStart(2, "0")).join("");
  offer = { now: now(), game: id, bots, preset, options, seed };
  const told = await ask("against", offer);
  hold("solo", [...kept(), { ...offer, title: told.title, orders: [] }]);
  show(told);
}

/** Begin a lesson of a game, counted from 1. It is not kept, and costs nothing to leave. */
export async function teach(id, number) {
  await stow();
  offer = null;
  const told = await ask("lesson", { now: now(), game: id, number });
  hold("open", [id, number]);
  show(told);
}

/** Go on with a game that was left; the engine may still have it. */
async function goOn(one) {
  const { title, ...given } = one;
  await stow();
  const told = game.state.alone && offer?.seed === one.seed ? game.state : await ask("against", given);
  offer = given;
  show(told);
}

/** The games against the computer that wait, as rows of the first screen. */
export const waiting = () =>
  kept().map((one) => ({
    name: one.title, what: "against the computer", status: "Your turn", mine: true,
    open: () => goOn(one),
    forget: async () => {
      if ((await question("Forget it?", `This game of ${one.title} is lost.`, "Forget it", "Keep it")) !== "Forget it") return;
      one.over = true;
      keep();
      go("home");
    },
  }));

/** A window that was loaded anew goes on with the game that it showed. */
export const again = (before) => {
  const taught = location.hash.match(/^#learn=([\w-]+)$/)?.[1];
  if (taught) history.replaceState(history.state, "", location.pathname + location.search);
  if (taught || (before?.screen === "game" && Array.isArray(held.open))) return teach(...(taught ? [taught, 1] : held.open)).catch(tell);
  const last = before?.screen === "game" ? kept().find(({ seed }) => seed === held.open) : null;
  return last ? goOn(last).catch(tell) : null;
};

const level = () => `${offer.game} ${offer.bots[0]}`;

/** After each second win against a level: which one plays better. */
export function proposal() {
  const wins = held.wins?.[level()] ?? 0;
  const { bots } = GAMES.find(({ id }) => id === offer.game);
  const better = bots[bots.indexOf(offer.bots[0]) + 1];
  if (game.state.outcome !== `${game.state.player} won` || wins % 2 || !better) return [];
  return [`That makes ${wins} wins against the ${offer.bots[0]}. The ${better} plays better.`];
}

/** The options of a game for its rematch, in which another player goes first. */
export const anew = (options) => [...options.filter((one) => !game.state.rematch.some((other) => other.split("=")[0] === one.split("=")[0])), ...game.state.rematch];

/** The same game against the same computer once more, with seats changed; null where it is another game. */
export const rematch = () => (game.state.alone && offer ? () => against(offer.game, { ...offer, options: anew(offer.options) }) : null);

const others = () => game.state.players.filter((one) => one !== game.state.player);
const them = () => carrier().name(game.state);
/** Whether it is at its end; a lesson's end is no more than an answer to it. */
const isOver = () => game.state.stage === "over" && !game.state.lesson;
const deciding = () => game.state.mine && !isOver() && !game.state.sent?.length && game.state.stage === "play" && !answered();
/** Whether it is a lesson in which orders were given. */
const answered = () => typeof game.state.lesson?.right === "boolean";

/** Show where a game stands; `lines` and `warnings` are what came of the last act. What has happened since is played. */
export function show(told, lines = [], warnings = []) {
  const before = game.state;
  const same = before.id === told.id && before.lesson?.number === told.lesson?.number;
  const news = same && told.step > before.step;
  const fresh = { ...none(), thing: same ? game.thing : null, shading: same ? game.shading : true, known: same ? game.known : none().known };
  Object.assign(game, fresh, { state: told, said: [...warnings, ...lines] });
  if (told.alone && !told.lesson) {
    hold("open", offer.seed);
    for (const one of kept().filter(({ seed, over: gone }) => isOver() && seed === offer.seed && !gone)) {
      one.over = true;
      hold("wins", { ...held.wins, [level()]: (held.wins?.[level()] ?? 0) + (told.outcome === `${told.player} won`) });
    }
    keep();
  }
  if (!/^(play|over|opening|offered)$/.test(told.stage)) return go(carrier().screen ?? "receive");
  // What is played begins with the board that is seen now.
  if (news) replay();
  go("game");
  if (told.stage === "opening") return null;
  if (deciding()) begin();
  else if (told.ordered ?? told.sent?.length) ask("plan", { lines: told.ordered ?? told.sent.at(-1).lines }).then(({ planned: given }) => Object.assign(game, { given }) && draw(), () => {});
  ask("deduced").then((known) => game.state === told && Object.assign(game, { known }) && draw(), () => {});
  return null;
}

/** Begin to plan; what the plan asks may be answered when its turn is long over: no error of that is told. */
function begin() {
  const mine = planned(game.state.verbs, ask, () => {
    if (game.plan !== mine) return;
    game.failed = null;
    draw();
  });
  game.plan = mine;
  mine.begin().catch((error) => game.plan === mine && tell(error));
}

// The bar.

/** Whether something is sealed and ready, and has not left as far as this page knows. */
export const unsent = (state = game.state) => Boolean(outgoing(state) && !left(outgoing(state)));
const outgoing = (state) => (state.alone ? null : carriers.find(({ of }) => !of || of(state)).out?.(state) ?? null);

/** For whom one waits, and for what, as long as there is no game. */
function awaits() {
  const { state } = game;
  const who = others().length === 1 ? others()[0] : state.awaited?.[0]?.player ?? "the others";
  return state.stage === "offered" && !state.named && state.send?.what === "offer" ? `Waiting for ${who} to accept` : `Waiting for ${who}`;
}

function clock(plan) {
  const { state } = game;
  const mine = state.awaited?.find(({ you }) => you);
  const one = mine ?? state.awaited?.[0];
  const asks = plan?.verbs.find((verb) => verb.answers)?.answers ?? (plan?.verbs.length && plan.verbs.every((verb) => verb.asks) ? plan.verbs[0].asks : "Your turn");
  const head = answered() ? "Lesson" : isOver() && !unsent() ? "Finished" : state.stage === "opening" ? "Opening…" : unsent() ? "Still to send" : deciding() ? asks : awaits();
  const until = one && !isOver() && !state.alone && one.until;
  return h("p", { class: unsent() || deciding() ? "clock" : "clock wait" }, h("b", {}, head), until ? h("span", {}, h("span", { class: "full" }, `until ${when(one.until)}, `), one.left) : null);
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

function touched(name, word) {
  const says = game.state.about[word];
  game.thing = says ? { name, says } : null;
}
const touchCell = (cell) => {
  const found = (game.state.chart.pieces ?? []).filter((one) => one.cell === cell).at(-1);
  if (found) touched(spoken(found.title.split(":")[0]), found.about);
};
const spoken = (name) => name.replaceAll("-", " ").replace(/^./, (one) => one.toUpperCase());

// Since your turn.

const sentences = () => game.state.since.flatMap(({ told }) => told);
/** Of all sentences the one that matters most; of several that do, the last. */
const chief = () => sentences().reduce((best, one) => (best && best.rank > one.rank ? best : one), null);
const amiss = () => [...(game.state.amiss ?? []), ...game.said];

function say(one) {
  const words = [one.sign ? icon(one.sign) : null, h("span", {}, one.text)];
  const kind = game.lit?.text === one.text && same(game.lit.cells, one.cells) ? "say on" : "say";
  return one.cells.length ? h("button", { type: "button", class: kind, onclick: () => light(one), ref: (node) => node?.classList.contains("on") && node.scrollIntoView({ block: "nearest" }) }, words) : h("p", { class: kind }, words);
}
const same = (one, other) => one.join() === other.join();

/** A sentence frames its cells, and is heard of on the board. */
function light(one) {
  game.lit = one;
  draw();
  touch(board, one);
}

/** Play all since your turn: the boards of the time, sentence by sentence. */
function replay() {
  const { state } = game;
  if (!board) return;
  shut();
  const each = (one) => Object.assign(game, { lit: one }) && draw();
  const done = () => {
    if (state !== game.state) return;
    game.lit = null;
    draw();
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
  play(board, [{ before: as(before), told: told.map((one) => ({ ...one, chart: as(one.chart) })) }], { each: (one) => Object.assign(game, { lit: one }) && draw(), done: () => Object.assign(game, { lit: null }) && draw() });
}

const again_ = (label = "Show it again") => (game.state.since.length ? button(label, replay, { kind: "plain labelled", sign: "again", act: "replay" }) : null);

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
    h("div", { class: "told", tabindex: 0, role: "group", "aria-label": "What happened" }, h("div", { class: "head" }, h("h2", {}, "Since your turn"), again_("Show me")), since()),
    known());

/** On a phone: the one sentence that matters, or what is played; a tap opens all. */
function strip() {
  const asked = lesson.says(game.state);
  const found = asked ?? (game.lit || chief());
  const [first] = amiss();
  const text = first ? local(first) : found?.text ?? BEGINS[game.state.stage] ?? "The game begins.";
  const many = sentences().length;
  return h("button", { type: "button", class: first ? "strip amiss" : asked ? "strip asked" : "strip", "data-act": "news", onclick: () => over("Since your turn", "middle", () => [again_(), since()]) },
    icon(first ? "flag" : found?.sign || "contact"), h("span", {}, text), h("small", {}, found?.of ?? (many > 1 ? `${many}` : ""), h("span", { class: "unseen" }, " sentences")), icon("on"));
}

/** The cells to shade: where every cell is possible, shading would say nothing. */
function hidden() {
  const all = Object.keys(game.state.chart.cells ?? {});
  const found = new Set(game.known.may.flatMap(({ cells }) => (cells.length < all.length * 0.6 ? cells : [])));
  return all.filter((one) => found.has(one));
}

const known = () =>
  h("div", { class: "known" },
    h("h2", {}, "What you can work out"),
    h("dl", {}, game.known.may.map(({ name, may, many }) => h("div", {}, h("dt", {}, name), h("dd", {}, many > 6 ? `${many} possible` : plain(may))))),
    game.known.notes.slice(-3).map((one) => h("p", { class: "note" }, one)),
    !game.known.may.length && !game.known.notes.length ? h("p", { class: "dim" }, "Nothing follows from what you heard.") : null);

const shade = () =>
  h("button", { type: "button", class: "switch", role: "switch", hidden: !hidden().length, "aria-checked": String(game.shading), "aria-label": "Shade what you can work out", title: "Shade what you can work out", "data-act": "shade", onclick: () => {
    game.shading = !game.shading;
    draw();
  } }, h("i", {}));

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

// The dock: what there is to do at this stage, and nothing else.

const dock = (plan, ...inside) => h("section", { class: plan ? "next deciding" : "next", "aria-label": plan ? "Your orders" : "What now", "aria-busy": String(Boolean(plan?.waits || game.underway)) }, inside);

/** A line and one button, where nothing is to be decided. */
const stage = (sign, head, words, ...buttons) =>
  dock(null, h("div", { class: "line-of", role: "status" }, h("p", {}, icon(sign), h("b", {}, head), " ", h("span", { class: "dim" }, words))), h("div", { class: "send-row" }, buttons),
    h("div", { class: "spare" }, again_(), known()));

function docked(plan) {
  const { state } = game;
  const send = outgoing(state);
  if (state.stage === "opening") return stage("mail", "A moment.", "The sealed move is being opened.");
  if (plan) return deciding_(plan);
  const special = carrier().dock?.(state);
  if (special) return dock(null, special);
  if (send && !left(send)) {
    const [head, words] = carrier().ready(state);
    const label = usual(send) === "mailed" ? "opens your mail" : usual(send) === "shared" ? "opens what you share with" : address(send) ? "copies a link: paste it into your chat" : "copies a text: paste it into your chat";
    return stage("mail", head, words, leaving(send, `Send to ${carrier().to(state)}`, label));
  }
  const to = carrier().to(state);
  const until = state.awaited?.[0]?.until;
  const has = until && !isOver() ? `${state.awaited[0].player} has until ${when(until)}.` : "";
  const [head, words] = {
    shared: ["Sent.", has], copied: address(send ?? {}) ? ["Link copied.", `Paste it into your chat with ${to}.`] : ["Copied.", `Paste it into your chat with ${to}.`],
    mailed: ["Your mail is ready.", send ? inDraft(send) : ""], saved: ["Saved.", `Give the file to ${to}.`], "": [`${awaits()}.`, has],
  }[left(send)];
  return stage("check", head, words, waits(send));
}

/** Where an answer is awaited: what was sent may leave once more, and what came is taken in. */
export const waits = (send) => [
  send ? button("Send it again", () => ways(send), { sign: "again", act: "again" }) : null,
  go_(`Paste what ${carrier().to(game.state)} sent`, "or just open their link", paste, "take", "wait"),
];

/** What is ready leaves. */
export const leaving = (send, label, words) => [
  go_(label, words, () => leaves(Promise.resolve(send)), "send"),
  button("Other ways to send", () => ways(send), { sign: "more", act: "ways" }),
];

const go_ = (label, words, work, act, kind = "go") =>
  h("button", { type: "button", class: `button wide ${kind}`, "data-act": act, onclick: guarded(work) }, h("span", {}, label), h("small", {}, words));

/** Take in what was copied; where the browser does not let a page read it, there is a field. */
async function paste() {
  const text = await navigator.clipboard?.readText?.().catch(() => "");
  if (text?.trim()) return take(new TextEncoder().encode(text));
  return over(`Paste what ${carrier().to(game.state)} sent`, "middle", pasting);
}

/** Where orders are planned. */
function deciding_(plan) {
  const { state, text } = game;
  const named = plan.units.filter((name) => !state.hand.some((card) => card.name === name) && !state.chart.cells?.[name]);
  const placed = named.every((name) => plan.here(name));
  const written = text !== null;
  const lines = h("ol", { class: "lines", "aria-label": "Your orders" },
    plan.acts.map((one, at) => h("li", { key: `${at} ${one.text}`, class: "line" },
      h("div", {}, h("p", {}, one.says), one.warns ? h("p", { class: "error" }, icon("flag"), one.warns) : null, one.heard || one.cost ? h("small", {}, [one.heard, one.cost].filter(Boolean).join(" ")) : null),
      button(plan.acts.length > at + 1 ? "Take back from here on" : "Take it back", () => game.plan.cut(at), { sign: "close", "data-cut": at }))),
    Object.keys(game.ahead).length ? h("li", { class: "line aside" }, h("p", {}, "New standing orders."), button("Take them back", () => {
      game.ahead = {};
      draw();
    }, { sign: "close", act: "standing-back" })) : null);
  const label = game.underway === "send" ? (state.alone ? "Sending…" : "Sealing…") : plan.usual && state.alone ? "Send answer" : state.alone ? "Send orders" : `Send to ${carrier().to(state)}`;
  return dock(plan,
    h("div", { class: "acts" },
      h("h2", { class: "head" }, plan.usual?.asks || (plan.verbs.length && plan.verbs.every((one) => one.asks) ? plan.verbs[0].asks : "What will you do?")),
      carrier().panel?.(state),
      named.length > 1 ? h("div", { class: placed && plan.unit ? "units placed" : "units", role: "group", "aria-label": "Which one" }, named.map((name) => unit(name, plan))) : null,
      written ? null : h("div", { class: plan.verbs.length > 6 ? "verbs many" : "verbs", role: "group", "aria-label": "What it does" }, plan.verbs.map((one) => verb(one, plan))),
      written ? null : h("div", { class: "picks", role: "group", "aria-label": "Which" }, options(plan)),
      h("p", { class: "hint-line" }, written ? "" : tip(plan))),
    h("div", { class: "orders" },
      written ? writing() : h("div", { role: "status" }, lines),
      h("p", { class: "error", role: "alert", id: "orders-error", hidden: !game.failed }, game.failed ? [icon("flag"), h("span", {}, game.failed)] : null),
      plan.ends && !written ? check("end", plan.ends.name, plan.ends.yes, (yes) => game.plan.ending(yes)) : null,
      h("div", { class: "send-row" },
        button("Hint", hinted, { sign: "hint", act: "hint", disabled: Boolean(game.underway) }),
        h("button", { type: "button", class: "button go wide", "data-act": "send", disabled: Boolean(game.underway) || !(plan.ready || (written && text.trim())), onclick: guarded(sending) }, h("span", {}, label), h("small", {}, summary(plan))),
        button("Take it back", () => (written ? asText() : game.plan.back()), { sign: "undo", act: "undo", disabled: !written && !plan.acts.length && !plan.taps.length }))));
}

const check = (id, label, yes, turn) =>
  h("label", { class: "check" }, h("input", { type: "checkbox", checked: yes, "data-beside": id, onchange: ({ target }) => turn(target.checked) }), label);

function unit(name, plan) {
  const at = plan.here(name);
  const mine = (game.state.chart.pieces ?? []).filter(({ side, mark }) => side === "own" && mark.toLowerCase() === name);
  const piece = mine.find(({ cell }) => cell === at) ?? mine[0];
  return h("button", { key: name, type: "button", class: "unit", "aria-pressed": String(name === plan.unit), "data-unit": name, onclick: () => {
    if (piece) touched(spoken(piece.about), piece.about);
    game.plan.unit(name);
  } }, piece ? picture(piece) : null, h("span", {}, piece ? (piece.title.split(": ")[1] ?? name).replace(/^.*, /, "") : name));
}

function verb(one, plan) {
  const pressed = plan.verb === one.id || (plan.replaced?.verb === one.id && !plan.verb);
  const ear = one.heard ? "heard" : "unheard";
  return h("button", { key: one.id, type: "button", class: "verb", "aria-pressed": String(pressed), "data-verb": one.id, onclick: guarded(() => {
    touched(one.name, one.about || one.id);
    return game.plan.verb(one.id);
  }) },
    icon(one.sign), h("b", {}, one.name), h("small", {}, one.words),
    one.cost ? h("span", { class: "cost" }, one.cost.replace(/ .*/, "")) : one.heard === null ? null : h("span", { class: "ear", title: ear }, icon(ear), h("span", { class: "unseen" }, ear)));
}

/** Where lines differ only in what they name besides: that, once each; else the lines. */
function options(plan) {
  const names = [...new Set(plan.options.flatMap((one) => one.picks))];
  if (names.length > 1) return names.map((name) => button(spoken(name), () => game.plan.pick(name), { kind: "pick", "aria-pressed": String(plan.picks.includes(name)), "data-pick": name }));
  return plan.options.map((one) => button(one.says, () => game.plan.pick(one.picks[0] ?? one.text), { kind: "pick", "data-pick": one.text }));
}

function tip(plan) {
  if (plan.waits) return "";
  if (game.advice?.plan === game.plan && plan.lines.join("\n") === game.advice.orders.trim()) return game.advice.says;
  if (plan.options.length) return plan.options[0].picks.length ? "Tap what it costs, or which." : "Tap one.";
  if (plan.units.length > 1 && !plan.unit) return game.state.hand.length ? "Tap a card, or a ship of yours." : "Tap one of yours.";
  if (plan.may.size && (!plan.acts.length || plan.more)) return plan.taps.length ? "It may go on, or send it." : "Tap a lit cell.";
  return "";
}

/** What is planned, below what the wide button says; where there are lines, these say it. */
function summary(plan) {
  if (game.text !== null) return "as written";
  const aside = plan.beside.filter(({ yes }) => yes).map(({ name }) => name.toLowerCase());
  const [one] = plan.acts.slice(-1);
  const acts = !one ? (plan.ends?.yes ? plan.ends.name : plan.may.size ? "Tap a lit cell" : "") : plan.acts.length > 1 ? `${plan.acts.length} lines${plan.left ? `; ${plan.left}` : ""}` : `${one.says} ${one.heard}`;
  return [acts.trim(), ...aside].filter(Boolean).join("; ");
}

// Orders as text.

const writing = () =>
  h("textarea", { id: "orders", rows: 4, spellcheck: false, autocapitalize: "none", "aria-label": "Your orders as text", "aria-describedby": "orders-error", "aria-invalid": String(Boolean(game.failed)), value: game.text, oninput: ({ target }) => {
    Object.assign(game, { text: target.value, failed: null });
    draw();
  } });

function asText() {
  game.text = game.text === null ? game.plan.state().lines.join("\n") : null;
  shut();
  draw();
  setTimeout(() => document.getElementById("orders")?.focus());
}

// Standing orders: answers given ahead, lines of the order file.

function standing() {
  const chosen = (one) => (one.line in game.ahead ? game.ahead[one.line] : one.now);
  const choose = (one, value) => {
    // One of these lines replaces all standing orders of before.
    game.ahead = { ...Object.fromEntries(game.state.asked.map((other) => [other.line, chosen(other)])), [one.line]: value };
    draw();
  };
  const several = (one) => {
    const list = chosen(one) ?? [];
    return h("div", { class: "picks" }, one.choices.map(([value, words]) => {
      const at = list.indexOf(value);
      const rest = list.filter((other) => other !== value);
      return button(at < 0 ? words : `${at + 1} ${words}`, () => choose(one, at < 0 ? [...rest, value] : rest.length ? rest : null), { kind: "pick", "aria-pressed": String(at >= 0), "data-pick": value });
    }));
  };
  const single = (one) => h("div", { class: "tabs" }, one.choices.map(([value, words]) => button(words, () => choose(one, value), { kind: "tab", "aria-pressed": String(chosen(one) === value), "data-pick": value })));
  over("Standing orders", "middle", () => [
    h("p", { class: "dim" }, "They answer for you, so that nobody waits for you. Only you know them. They go out with your next orders, and hold until you give others."),
    game.state.asked.map((one) => h("fieldset", { class: "options", "data-asked": one.line }, h("legend", {}, one.words), one.many ? several(one) : single(one))),
  ]);
}

/** The standing orders that are new, as lines. */
const written = () => Object.entries(game.ahead).filter(([, value]) => value !== null).map(([line, value]) => `${line} ${Array.isArray(value) ? value.join(", ") || "none" : value}`);

// Hints and sending.

/** Whether a line of a hint gives a standing order, which is taken over. */
function ahead(line) {
  const one = game.state.asked?.find((other) => line.startsWith(`${other.line} `));
  if (!one) return false;
  const value = line.slice(one.line.length + 1);
  game.ahead = { ...game.ahead, [one.line]: one.many ? (value === "none" ? [] : value.split(", ")) : value };
  return true;
}

async function hinted() {
  const { plan } = game;
  game.underway = "hint";
  draw();
  try {
    const { orders, why, other, equal } = await ask("hint");
    // What is next best in the words of its first line; there may be many.
    const next = other === null ? [] : (await ask("plan", { lines: other.trim().split("\n") })).planned;
    if (game.plan !== plan) return;
    const mine = orders.split("\n").filter((line) => !ahead(line)).join("\n");
    game.advice = { plan, orders: mine, says: [why, next[0] && `${equal ? "as good" : "next best"}: ${next[0].says}${next.length > 1 ? " \u2026" : ""}`].filter(Boolean).join("; ") };
    await plan.take(mine);
    if (game.text !== null) game.text = plan.state().lines.join("\n");
  } finally {
    if (game.plan === plan) game.underway = "";
    draw();
  }
}

async function sending() {
  const plan = game.plan.state();
  const warns = game.text !== null ? [] : plan.acts.filter((one) => one.warns).map((one) => one.warns);
  const doubt = warns.length ? warns.join(" ")
    : game.text !== null || game.state.lesson ? ""
    : plan.left && plan.more ? `${plan.left[0].toUpperCase()}${plan.left.slice(1)}.`
    : !plan.acts.length && plan.units.length && plan.ends ? "Nothing is planned in this turn." : "";
  if (doubt && (await question("Send?", doubt, "Send all the same", "Keep planning")) !== "Send all the same") return;
  await send([...(game.text !== null ? game.text.split("\n") : plan.lines), ...written()]);
}

/** Seal orders and let them leave in the same tap; against the computer the answer comes at once. */
async function send(lines) {
  const { state } = game;
  const [time, text] = [now(), lines.join("\n")];
  game.underway = "send";
  draw();
  const ordering = ask("order", { now: time, text, protest: carrier().protest?.() ?? null }).then(async (told) => {
    if (offer && state.alone) kept().find(({ seed }) => seed === offer.seed)?.orders.push([time, text]);
    await carrier().sent(told);
    return { ...state, ...told };
  });
  const leaving = state.alone ? null : leaves(ordering.then(outgoing)).catch((error) => error.name === "AbortError" || tell(error));
  try {
    const told = await ordering;
    show(told, told.news && !told.since ? told.news : [], told.warnings ?? []);
    await leaving;
  } catch (error) {
    game.underway = "";
    game.failed = [error.line, error.hint].filter(Boolean).join(" ");
    draw();
    if (game.text !== null) document.getElementById("orders")?.focus();
  }
}

/** A game with many actions has a higher dock on a phone, at each of its stages. */
const wide = () => !game.state.handed && Object.values(game.state.verbs ?? {}).filter(({ role }) => !role).length > 6;

screen("game", () => {
  const plan = game.plan?.state() ?? null;
  return [bar(plan), past(), sea(plan), lesson.dock(game.state) ?? (isOver() ? ended.dock(game.state) : docked(plan))];
}, {
  data: () => ({ class: `play ${isOver() ? "ended" : ""} ${wide() ? "wide-dock" : ""}`, "data-stage": game.state.stage }),
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
