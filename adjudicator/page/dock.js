// The dock of a game: what there is to do at this stage, and nothing else. Where orders are planned: actions, lines, hints and
// sending; elsewhere one line and one button.
import { ordered } from "./alone.js";
import { picture } from "./chart.js";
import { ask, awaits, carrier, game, isOver, known, outgoing, replaying, show, spoken, touched } from "./game.js";
import { pasting, take } from "./mail.js";
import { ask as question, button, draw, guarded, h, icon, now, over, put, shut, tell, when } from "./page.js";
import { address, inDraft, leaves, left, usual, ways } from "./send.js";

const dock = (plan, ...inside) => h("section", { class: plan ? "next deciding" : "next", "aria-label": plan ? "Your orders" : "What now", "aria-busy": String(Boolean(plan?.waits || game.underway)) }, inside);

/** A line and one button, where nothing is to be decided. */
const stage = (sign, head, words, ...buttons) =>
  dock(null, h("div", { class: "line-of", role: "status" }, h("p", {}, icon(sign), h("b", {}, head), " ", h("span", { class: "dim" }, words))), h("div", { class: "send-row" }, buttons),
    h("div", { class: "spare" }, replaying(), known()));

export function docked(plan) {
  const { state } = game;
  const send = outgoing(state);
  if (state.stage === "opening") return stage("mail", "A moment.", "The sealed move is being opened.");
  if (plan) return planning(plan);
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
  wide(`Paste what ${carrier().to(game.state)} sent`, "or just open their link", paste, "take", "wait"),
];

/** What is ready leaves. */
export const leaving = (send, label, words) => [
  wide(label, words, () => leaves(Promise.resolve(send)), "send"),
  button("Other ways to send", () => ways(send), { sign: "more", act: "ways" }),
];

const wide = (label, words, work, act, kind = "go") =>
  h("button", { type: "button", class: `button wide ${kind}`, "data-act": act, onclick: guarded(work) }, h("span", {}, label), h("small", {}, words));

/** Take in what was copied; where the browser does not let a page read it, there is a field. */
async function paste() {
  const text = await navigator.clipboard?.readText?.().catch(() => "");
  if (text?.trim()) return take(new TextEncoder().encode(text));
  return over(`Paste what ${carrier().to(game.state)} sent`, "middle", pasting);
}

/** Where orders are planned. */
function planning(plan) {
  const { state, text } = game;
  const named = plan.units.filter((name) => !state.hand.some((card) => card.name === name) && !state.chart.cells?.[name]);
  // Whoever stands where a tap means something else has to be chosen by name.
  const meant = (cell) => plan.may.has(cell) || cell === plan.acts.at(-1)?.to.at(-1);
  const placed = named.every((name) => plan.here(name) && (name === plan.unit || !meant(plan.here(name))));
  const written = text !== null;
  const lines = h("ol", { class: "lines", "aria-label": "Your orders" },
    plan.acts.map((one, at) => h("li", { key: `${at} ${one.text}`, class: "line" },
      h("div", {}, h("p", {}, one.says), one.warns ? h("p", { class: "error" }, icon("flag"), one.warns) : null, one.heard || one.cost ? h("small", {}, [one.heard, one.cost].filter(Boolean).join(" ")) : null),
      button(plan.acts.length > at + 1 ? "Take back from here on" : "Take it back", () => game.plan.cut(at), { sign: "close", "data-cut": at }))),
    Object.keys(game.ahead).length ? h("li", { class: "line aside" }, h("p", {}, "New standing orders."), button("Take them back", () => put(game, { ahead: {} }), { sign: "close", act: "standing-back" })) : null);
  const label = game.underway === "send" ? (state.alone ? "Sending…" : "Sealing…") : plan.usual && state.alone ? "Send answer" : state.alone ? "Send orders" : `Send to ${carrier().to(state)}`;
  return dock(plan,
    h("div", { class: "acts" },
      h("h2", { class: "head" }, plan.usual?.asks || (plan.verbs.length && plan.verbs.every((one) => one.asks) ? plan.verbs[0].asks : "What will you do?")),
      carrier().panel?.(state),
      named.length > 1 ? h("div", { class: placed && plan.unit ? "units placed" : "units", role: "group", "aria-label": "Which one" }, named.map((name) => unit(name, plan))) : null,
      written ? null : h("div", { class: plan.verbs.length > 6 ? "verbs many" : "verbs", role: "group", "aria-label": "What it does" }, plan.verbs.map((one) => verb(one, plan))),
      written ? null : h("div", { class: plan.options.every((one) => one.picks.length && one.picks.every((pick) => state.hand.some(({ name }) => name === pick))) ? "picks held" : "picks", role: "group", "aria-label": "Which" }, options(plan)),
      h("p", { class: !written && advised(plan) ? "hint-line advised" : "hint-line" }, written ? "" : tip(plan))),
    h("div", { class: "orders" },
      written ? writing() : h("div", { role: "status" }, lines),
      h("p", { class: "error", role: "alert", id: "orders-error", hidden: !game.failed }, game.failed ? [icon("flag"), h("span", {}, game.failed)] : null),
      plan.ends && !written ? check("end", plan.ends.name, plan.ends.yes, (yes) => game.plan.ending(yes)) : null,
      h("div", { class: "send-row" },
        button("Hint", hinted, { sign: "hint", act: "hint", disabled: Boolean(game.underway) }),
        h("button", { type: "button", class: "button go wide", "data-act": "send", disabled: Boolean(game.underway) || !(plan.ready || (written && text.trim())), onclick: guarded(sending) }, h("span", {}, label), h("small", {}, summary(plan))),
        button("Take it back", () => (written ? asText() : game.plan.back()), { sign: "undo", act: "undo", disabled: !written && !plan.acts.length && !plan.taps.length }))));
}

export const check = (id, label, yes, turn) =>
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

/** Whether what is planned is what the hint said. */
const advised = (plan) => !plan.waits && game.advice?.plan === game.plan && plan.lines.join("\n") === game.advice.orders.trim();

function tip(plan) {
  if (plan.waits) return "";
  if (advised(plan)) return game.advice.says;
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
  h("textarea", { id: "orders", rows: 4, spellcheck: false, autocapitalize: "none", "aria-label": "Your orders as text", "aria-describedby": "orders-error", "aria-invalid": String(Boolean(game.failed)), value: game.text, oninput: ({ target }) => put(game, { text: target.value, failed: null }) });

export function asText() {
  Object.assign(game, game.text === null ? { text: game.plan.state().lines.join("\n") } : { text: null, failed: null });
  shut();
  draw();
  setTimeout(() => document.getElementById("orders")?.focus());
}

// Standing orders: answers given ahead, lines of the order file.

export function standing() {
  const chosen = (one) => (one.line in game.ahead ? game.ahead[one.line] : one.now);
  // One of these lines replaces all standing orders of before.
  const choose = (one, value) => put(game, { ahead: { ...Object.fromEntries(game.state.asked.map((other) => [other.line, chosen(other)])), [one.line]: value } });
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
  put(game, { underway: "hint" });
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

/** Seal orders and let them leave in the same tap; against the computer the answer comes at once. What is refused leaves nothing, and is told beside the orders alone. */
export async function send(lines) {
  const { state } = game;
  const [time, text] = [now(), lines.join("\n")];
  put(game, { underway: "send" });
  const ordering = ask("order", { now: time, text, protest: carrier().protest?.() ?? null }).then(async (told) => {
    if (state.alone) ordered(time, text);
    await carrier().sent(told);
    return { ...state, ...told };
  });
  const leaving = state.alone ? null : leaves(ordering.then(outgoing, () => null)).catch((error) => error.name === "AbortError" || tell(error));
  try {
    const told = await ordering;
    show(told, told.news && !told.since ? told.news : [], told.warnings ?? []);
    await leaving;
  } catch (error) {
    put(game, { underway: "", failed: [error.line, error.hint].filter(Boolean).join(" ") });
    if (game.text !== null) document.getElementById("orders")?.focus();
  }
}
