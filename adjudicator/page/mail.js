// Games with people: take in what came, join, keep the seat, write to the others. It knows no game.
import { chooser, folderChooser, taker } from "./files.js";
import { Field, folded, Form, guarded_, guarding, nameField, note, passphraseOf, presented, seatField, seatOf, wordField, wrong } from "./fields.js";
import { ask, current, others, set, show, unsent } from "./game.js";
import { ask as question, before, button, draw, go, guarded, h, held, hold, icon, local, now, over, screen, shut, tell, when } from "./page.js";
import { NEWER, seats } from "./seat.js";
import { bytesOf, left, note as noted, saveBytes, Ways } from "./send.js";

// The block that the host has not answered yet; what came, to be told; what came before its seat was open.
let sent = null;
let news = [];
const early = [];

/** Forget what came for seats that are not open: nothing else of this page is in this tab alone. */
export const forgetTab = () => early.splice(0);

// The seat that is open: what is new of it is kept before anything of it may leave.

/** Save the seat as a file; one without a passphrase stays in this browser, which alone opens it. */
async function saveSafe(safe) {
  if (!safe.bare) saveBytes(safe.name, bytesOf(safe.data));
  await kept(safe, { filed: !safe.bare });
}

const kept = (safe, given) => seats.keep(safe.id, { data: bytesOf(safe.data), rev: safe.saved, key: bytesOf(safe.key), bare: safe.bare, filed: false, ...given });

/** What is shown of a game while its seat is opened the next time. */
const boardOf = (state) => (/^(play|over|offered)$/.test(state.stage) ? { ...state, stage: "opening", kept: false, ending: null, send: null, sent: [] } : null);

/** Keep the open seat as it stands. Throws if it has gone on in a newer tab. */
export async function keep(state = current()) {
  if (!state.player || !state.kept || state.alone) return;
  const id = seats.at();
  // What was signed while the seat was taken does not leave.
  if (!id) throw NEWER;
  const row = { told: rowOf(state), shown: boardOf(state) };
  if (!state.changed) return void (await seats.keep(id, row));
  await kept(await ask("save"), row);
  state.changed = false;
}

/** After a change: keep the seat; `asFile`: as a file too, where no browser keeps it. */
export async function keepSeat(asFile = false) {
  await keep();
  if (asFile && seats.at() && seats.loose(seats.at())) await saveSafe(await ask("save"));
}

/** A seat that was made here: this tab's from now on. */
export async function begun() {
  const safe = await ask("save");
  sit(await seats.take(safe.id));
  await saveSafe(safe);
  unlink();
  const state = await ask("state", { now: now() });
  await keep(state);
  return state;
}

/** Leave what is open for a seat of a duel, which this call makes. */
export async function settle(name, given) {
  await stow();
  const told = await ask(name, { now: now(), ...given });
  set(told);
  show(told.id === "setup" ? told : await begun());
}

/** Sit there; a window that is loaded anew opens it again. */
function sit(place) {
  seats.sit(place);
  hold("seat", place.id);
}

function stand() {
  seats.stand();
  sent = null;
  hold("seat", null);
}

/** Before another game is opened: what is new in this one is kept, and another tab may open its seat. */
export async function stow() {
  await keep();
  stand();
}

/** Leave the game that is open here; its seat stays in the list of games. */
export async function leave() {
  await stow();
  set(await ask("close"));
}

/** Back to the first screen. A seat stays open; an invitation that nobody has taken does not. */
export async function goHome() {
  if (!current().player && current().stage !== "none") await leave();
  news = [];
  go("home");
}

seats.hears({
  asked: () => keep(),
  changed: draw,
  left: async (id) => {
    const { name, other, title } = current();
    seats.stand();
    sent = null;
    set(await ask("close"));
    go("gone", { id, game: other ? `with ${other}` : name ? `\u201c${name}\u201d` : `of ${title}` });
  },
  full: (id) => tell({ line: `This browser has no room for your seat in ${nameOf(current())}: it is not kept here.`, hint: "Keep its newest file. To save it now: More, Save your seat." }, true),
});

export const top = (title) => h("header", { class: "bar" }, button("Back to the first screen", goHome, { sign: "back", act: "home" }), h("h1", { tabindex: -1 }, title));

screen("gone", ({ id, game }) => [
  top("It went on elsewhere"),
  h("section", { class: "paper" }, h("p", {}, `Your game ${game} went on in a newer tab.`), button("Bring it back here", () => openSeat(id), { kind: "go", act: "bring-back" })),
], { kind: "page" });

// Files in.

const starts = (bytes, text) => new TextDecoder("latin1").decode(bytes.subarray(0, text.length)) === text;
const isShown = (name) => document.getElementById("main").dataset.screen === name;

taker(() => true, (name, bytes) => take(bytes));
taker((name, bytes) => starts(bytes, "adjudicator-safe/"), (name, bytes) => openSafe(bytes));

const EARLY = "Kept. Now open your seat, and it is taken in.";
const SEAT = "Your seat is the file that ends in .safe: this page saved it when you joined.";
const mine = (ids) => current().stage !== "opening" && ids.some((id) => current().ids?.some((one) => one.startsWith(id)));

/** What a game is called: a duel by who plays it with you. */
const nameOf = (state) => state.name || state.other || state.title;

/** Whether the game that is open may be left for another. */
async function moves(why, label) {
  if (current().alone || !current().player || current().stage === "opening") return true;
  return (await question(why, `${nameOf(current())} stays as it is.`, "Stay here", label)) === label;
}

/** Take in a mail, a text or a link, and show what it brought; keep it where its seat is not open yet. */
export async function take(bytes) {
  if (isShown("passphrase")) {
    early.push(bytes);
    return note("word", EARLY);
  }
  const { kinds, ids, begins } = await ask("brings", {}, bytes);
  if (kinds.length && !mine(ids)) {
    await seats.ready;
    const owner = seats.seats().find(({ told }) => told?.ids.some((id) => ids.includes(id)));
    if (owner) {
      if (!(await moves(`This belongs to another game, ${owner.told.name}.`, "Open that"))) return;
      early.push(bytes);
      return openSeat(owner.id);
    }
    if (begins || current().alone) {
      if (!(await moves("This begins another game.", "Open it"))) return;
      await leave();
    } else if (ids.length && /^(play|over)$/.test(current().stage)) {
      early.push(bytes);
      return wrong("paste", "This belongs to another game, which is not open here.", EARLY, SEAT);
    }
  }
  const told = await ask("take", { now: now() }, bytes);
  if (told.stage === "none") {
    set(told);
    if (!isShown("receive")) go("receive");
    if (!told.warnings.includes(EARLY)) return wrong("paste", ...told.warnings);
    early.push(bytes);
    return note("paste", `${EARLY} ${SEAT}`);
  }
  // Where it was pasted, there it is told that nothing in it is of use.
  if (!told.lines.length && told.warnings.length && document.getElementById("paste")) return wrong("paste", ...told.warnings);
  // That an invitation came, its own screen says.
  news.push(...told.warnings, ...(told.stage === "invited" ? [] : told.lines));
  await keep(told);
  show(told, news);
  // An invitation and an offer stay until somebody sits.
  if (!early.length && told.player) unlink();
  if (told.heir) await handOn(told.heir, bytes);
}

/** Somebody has joined to take this seat over, and its player is asked whether they agree. */
async function handOn(heir, bytes) {
  const { name, player } = current();
  const text = `Somebody has joined \u201c${name}\u201d as ${player}, by the key ${heir}. If you agree, the host may give them your seat: from then on they play it, and you cannot. Orders of yours that count after that take your consent back.`;
  if ((await question("Hand on your seat?", text, "Keep my seat", "I agree")) !== "I agree") return;
  const { send } = await ask("consent", {}, bytes);
  send.note = "Send it to whoever hosts, as a person, in a mail of your own or a chat: the mailbox of the game does not read it. The seat is yours until the host has ruled.";
  over("Your consent", "middle", () => [h("h3", {}, "Signed. Now send it."), h(Ways, { send })]);
}

// A link that brings a block with it has it after `take=`, which the browser sends to nobody. It
// stays in the address until the block is taken in: so the page may be loaded again before.

const linked = () => /^#(g=\w+&)?take=/.test(location.hash);

function unlink() {
  if (linked()) history.replaceState(history.state, "", location.pathname + location.search);
}

async function takeLink() {
  if (!linked()) return;
  news = [];
  const game = location.hash.match(/^#g=(\w+)/)?.[1];
  const last = game && !mine([game]) ? await seats.last(game) : null;
  if (last) show(last.shown);
  await take(new TextEncoder().encode(location.hash));
}

/** A window that was loaded anew opens the seat again that it had; a link leads to its own. */
async function goOn() {
  await seats.ready;
  const id = held.seat;
  if (linked()) return takeLink();
  if (!before || before.screen === "home" || !seats.seats().some((one) => one.id === id)) return null;
  const last = await seats.last(id);
  if (last) show(last.shown);
  return openSeat(id);
}

// What the list of games tells of a seat.

function rowOf(state) {
  const others = (state.players ?? []).filter((one) => one !== state.player);
  const awaited = state.awaited ?? [];
  const own = awaited.find(({ you }) => you);
  const ready = unsent(state);
  const out = outOf(state);
  const done = own && (out || state.sent?.some(({ answered, refused }) => answered && !refused));
  const waits = own && done ? awaited.filter(({ you }) => !you) : awaited;
  const status = ready ? "Still to send" : {
    joined: "Waiting for the others to join",
    offered: `Waiting for ${state.other || "an answer"}`,
    over: "Finished",
    left: "Handed on",
    play: own && !done ? "Your turn" : `Waiting for ${waits.map(({ player }) => player).join(", ") || "the host"}`,
  }[state.stage];
  return {
    ids: state.ids, name: nameOf(state), title: state.title, player: state.player, others, status,
    duel: Boolean(state.duel), gone: out && !ready ? out.id : "", how: left(out),
    mine: Boolean(ready || (own && !done)), until: state.stage === "play" ? (own && !done ? own : waits[0])?.until ?? "" : "",
  };
}

/** The games with people that are kept here, as rows of the first screen: what waits for you first. */
export const rows = () =>
  seats.seats().map(({ id, told, head }) => ({
    id,
    name: told?.name ?? head.name,
    title: told?.title,
    what: !told ? `your seat as ${head.player}` : told.duel ? `${told.title}, nobody hosts` : [told.title, told.others.length ? `with ${told.others.join(", ")}` : ""].filter(Boolean).join(" "),
    status: told?.status ?? "Open",
    mine: told?.mine ?? true,
    until: told?.until ?? "",
    open: () => openSeat(id),
    forget: async () => {
      if ((await question(`Forget ${told?.name ?? head.name} here?`, "Without its saved file nobody can play your seat then.", "Forget it", "Keep it")) !== "Forget it") return;
      if (id === seats.at()) await leave();
      await seats.forget(id);
      go("home");
    },
  })).sort((one, other) => Number(other.mine) - Number(one.mine) || (one.until || "9").localeCompare(other.until || "9"));

// Opening a seat.

/** Ask for the passphrase of a safe; if a newer one of that seat is kept here, that is opened. */
async function openSafe(bytes) {
  const head = await ask("head", {}, bytes);
  await seats.ready;
  const row = seats.seats().find(({ id }) => id === head.id);
  if (row?.rev > head.saved) return openSeat(head.id);
  if (!row) seats.note(head.id, bytes, { head, filed: true });
  return locked({ id: head.id, head, bytes, told: row?.told });
}

const UNKEPT = { line: "This seat is not kept here any more.", hint: "Open its newest file." };

/** Go on in a seat that is kept here: at once, if it is open, or if this device opens it. */
export async function openSeat(id) {
  if (id === seats.at() && current().player) {
    show(current());
    return takeEarly();
  }
  const row = seats.seats().find((one) => one.id === id);
  if (!row) throw UNKEPT;
  const key = await seats.key(id);
  if (key) return unlock(row, { key: btoa(String.fromCharCode(...key)) });
  if (row.bare) throw { line: `This browser has lost the key to your seat in ${row.told.name}, and no passphrase was chosen for it.`, hint: "It cannot be opened any more. Tell who plays with you." };
  return locked({ id, head: row.head, told: row.told });
}

const takeEarly = async () => {
  for (const one of early.splice(0)) await take(one);
};

/** Open a seat by its passphrase or its key: the newest safe of it, as another tab may have saved since; or one from a file. */
async function unlock({ id, told = null }, given, file = null, row = {}) {
  const place = await seats.take(id);
  try {
    if (!file && !place.data) throw UNKEPT;
    if (id !== seats.at()) await keep();
    let state = await ask("open", { now: now(), ...given }, file ?? place.data);
    // A file of which nothing is known here may be an older one.
    if (state.duel && !told) state = await ask("request", { now: now(), opened: true });
    sit(place);
    sent = null;
    news = [];
    // Only the engine knows whether something waits for the host.
    if (!state.duel) await ask("again", { now: now() }).then(({ send }) => waitsFor(send), () => {});
    if (told?.gone) noted(told.gone, told.how ?? "copied");
    if (file) await seats.keep(id, { data: file, rev: state.saved, filed: true, ...row });
    else if (row.opens !== undefined) await seats.keep(id, row);
    // The key of a safe comes with the next.
    if (row.opens && !seats.opens(id)) state.changed = true;
    await keep(state);
    show(state);
  } catch (error) {
    // The seat that was open stays open, and stays this tab's.
    if (place.id !== seats.at()) place.release();
    throw error;
  }
  await takeEarly();
}

const PASSPHRASE = {
  "bad-safe": "That is not the passphrase. Try again: capitals and blanks count.",
  stale: "A newer safe of this seat was here. Open that one: orders of an older one may contradict what you have sent.",
};

function locked(given) {
  go("passphrase", given);
  document.getElementById("word").focus();
  if (early.length) note("word", EARLY);
}

screen("passphrase", ({ id, head, bytes = null, told }) => {
  const { name, player } = told ?? head;
  const work = async (given) => {
    try {
      await unlock({ id, told }, { passphrase: given.get("word") }, bytes, seats.able() ? { opens: given.has("opens") } : {});
    } catch (error) {
      /** @type {HTMLInputElement} */ (document.getElementById("word")).value = "";
      throw PASSPHRASE[error.word] ? { line: PASSPHRASE[error.word] } : error;
    }
  };
  return [
    top(`Open \u201c${name}\u201d as ${player}`),
    h(Form, { key: id, label: "Open", act: "open", kind: "paper", work, at: () => "word", below: [
      h("details", {}, h("summary", {}, "I have lost my passphrase"),
        h("p", { class: "note" }, "Nobody can open your seat without it, not even the host. You can still play on: ask the host to hand your seat to a new key. The record will say that you did not sign it.")),
      h("div", { class: "row" }, chooser(bytes ? "Another file" : "Open a file instead")),
    ] },
      told ? h("p", {}, h("b", {}, `You are ${player}`), ` in ${told.title}${told.others.length ? ` with ${told.others.join(", ")}` : ""}.`, h("br", {}),
        h("span", { class: "dim" }, `${told.status}${told.mine && told.until ? ` until ${when(told.until)}` : ""}.`)) : null,
      username(`${name}-${player}`),
      h(Field, { id: "word", label: "Your passphrase", type: "password", autocomplete: "current-password", required: true }),
      seats.able() ? h("label", { class: "check", for: "opens" }, h("input", { type: "checkbox", id: "opens", name: "opens", defaultChecked: true }), "Open my seat on this device without the passphrase") : null),
  ];
}, { kind: "page", title: () => "Open your seat", back: () => go("home") });

// What came, and joining.

const TITLES = {
  invited: ({ name }) => `Join \u201c${name}\u201d`,
  joined: ({ name }) => `You have joined \u201c${name}\u201d`,
  left: ({ name }) => `Another has your seat in \u201c${name}\u201d`,
};

screen("receive", () => {
  // A game against the computer that was left is on the first screen.
  const state = current().alone ? { stage: "none" } : current();
  return [
    top(TITLES[state.stage]?.(state) ?? "Open what came"),
    news.length ? h("div", { role: "status" }, h("h2", {}, "What came"), h("ul", { class: "got" }, news.map((one) => h("li", {}, local(one))))) : null,
    state.stage === "invited" ? joining(state) : null,
    /^(joined|left)$/.test(state.stage) ? state.amiss.map((one) => h("p", { class: "error" }, one)) : null,
    state.stage === "joined" ? h("section", { class: "paper" }, h("h2", {}, "Now send it"), sent ? h(Ways, { send: sent }) : null, assured(state), h("p", { class: "dim" }, "The game begins when all have joined.")) : null,
    h("section", { class: "paper" },
      pasting(folderChooser("Choose a folder")),
      h("p", { class: "dim" }, "It can be an invitation, a mail from the host, a link, your safe, or a finished game to watch. In any order, twice, quoted: it does not matter.")),
    state.player ? h("div", { class: "row" }, keeping(state)) : null,
  ];
}, {
  kind: "page",
  data: () => ({ "data-stage": current().alone ? "none" : current().stage }),
  title: () => TITLES[current().stage]?.(current()) ?? "Open what came",
  back: () => goHome().catch(tell),
});

/** Where text is pasted, and files are chosen. */
export function pasting(...more) {
  const work = guarded(async () => {
    const input = /** @type {HTMLTextAreaElement} */ (document.getElementById("paste"));
    // A browser asks before a page may read what was copied; if it may not, there is the field.
    if (!input.value.trim()) input.value = (await navigator.clipboard?.readText?.().catch(() => "")) ?? "";
    if (!input.value.trim()) return input.focus();
    news = [];
    return take(new TextEncoder().encode(input.value));
  });
  return h("div", { class: "form" },
    h(Field, { id: "paste", label: "Paste it, or drop any files here", area: true, rows: 3, spellcheck: "false", autocapitalize: "none", placeholder: "The whole mail, or the link", onpaste: () => setTimeout(work) }),
    h("div", { class: "row" }, button("Paste", work, { kind: "go", act: "take" }), chooser("Choose files"), more));
}

function joining(state) {
  const work = async (given) => {
    const told = await ask("join", { now: now(), ...seatOf(given), address: given.get("address").trim(), token: given.get("token").trim() });
    sit(await seats.take(told.safe.id));
    const joined = await ask("state", { now: now() });
    await sendOut(told, joined);
    unlink();
    news = [];
    show(joined);
  };
  const at = (error) => (error.word === "no-seat" ? "token" : /address/.test([error.line, error.hint].join()) ? "address" : seatField(error));
  const say = (error) => {
    throw error.word === "no-seat" ? { ...error, line: "This seat needs the token from your invitation. Paste the whole mail and it is filled in.", hint: "" } : error;
  };
  return h(Form, { key: state.id, label: "Join", act: "join", kind: "paper", work: (given) => work(given).catch(say), at, below: [h("p", { class: "dim" }, "Next you send one mail to the host. The game begins when all have joined."), guarded_(), folded(Object.entries(state.options))] },
    presented(state, state.host ? `${state.host} hosts it, and sends each of you what you may know.` : ""),
    nameField(),
    h(Field, { id: "address", label: "Your mail address", type: "email", autocomplete: "email", note: "Only the host can read it." }),
    h(Field, { id: "token", label: "Token of your invitation, if seats are reserved", defaultValue: state.token || "", autocomplete: "off" }),
    guarding());
}

// What goes to the host.

function waitsFor(send) {
  sent = send && { id: send.name, ...send };
}

async function sendOut(told, state) {
  waitsFor(told.send);
  await saveSafe(told.safe);
  await keep(state);
}

/** The block of a game that waits for an answer: of a duel for the other's, of a hosted game for the host's. */
const outOf = (state) => (state.duel ? state.send : state.stage === "joined" || state.sent?.some(({ answered, refused }) => !answered && !refused) ? sent : null) ?? null;

/** Where the seat is kept, and what of it to keep. */
function assured(state) {
  const here = !seats.loose(seats.at());
  const browser = here
    ? state.bare ? "Your seat is kept in this browser, and nowhere else yet." : "Your seat is kept in this browser."
    : location.protocol.startsWith("http") ? "This browser keeps nothing for this page. Keep the saved file." : "This page is opened from disk and keeps nothing. Keep the saved file.";
  const line = (sign, text) => h("li", { class: sign === "check" ? "kept" : "kept loose" }, icon(sign), h("span", {}, text));
  return h("ul", { class: "assured" },
    line(here ? "check" : "flag", browser),
    state.bare ? h("li", {}, button("Save it with a passphrase", () => firstWords(), { kind: "plain", act: "words" })) : line("check", `A copy, ${fileOf(state)}, went to your downloads. Keep the newest one: it opens on any machine.`));
}

const fileOf = (state) => `${state.name}-${state.player}.safe`;

export const byMail = {
  name: (state) => state.name,
  to: () => "the host",
  out: outOf,
  ready: (state) => ["Sealed.", seats.loose(seats.at()) ? `Now send it, and keep ${fileOf(state)}: nothing is kept here.` : "Now send it. Your seat is kept in this browser."],
  away: goHome,
  stow,
  screen: "receive",
  sent: async (told) => {
    if (told.send) await sendOut(told, { ...current(), ...told });
    await ordered();
  },
  foot: (state) => [
    state.sent?.length && state.mine && state.stage === "play" ? button("Change your orders", () => {
      shut();
      show({ ...current(), sent: [] });
    }, { kind: "plain", act: "change" }) : null,
    keeping(state),
  ],
  panel: (state) => (state.protests && state.protest ? h("div", { class: "field" },
    h("label", { for: "protest" }, "Protest: what is wrong with the last entry"),
    h("select", { id: "protest" }, h("option", { value: "" }, "none"), state.protests.map((one) => h("option", { selected: one === state.protest }, one)))) : null),
  protest: () => /** @type {HTMLSelectElement} */ (document.getElementById("protest"))?.value ?? null,
};

/** Messages: what was written, and a form for one more. */
export async function letters() {
  const state = current();
  const lines = await ask("letters");
  const press = state.options.press ?? "none";
  const readers = [...(press === "none" ? [] : [["all", "everybody"]]), ...(/private|anonymous/.test(press) ? others().map((one) => [one, one]) : []), ["host", "the host"]];
  let send = null;
  const work = async (given) => {
    const told = await ask("say", { now: now(), to: given.get("to"), text: given.get("say").trim(), anonymous: given.has("unnamed") });
    await saveSafe(told.safe);
    set({ ...current(), ...told });
    send = told.send;
    draw();
  };
  over("Messages", "middle", () => (send ? [h("h3", {}, "Sealed. Now send it."), h(Ways, { send }), assured(state)] : [
    h("pre", { tabindex: 0 }, lines.join("\n") || "No messages."),
    h(Form, { label: "Seal it", act: "say", work, at: () => "say" },
      h("div", { class: "field" }, h("label", { for: "to" }, "To"), h("select", { id: "to", name: "to" }, readers.map(([value, label]) => h("option", { value }, label)))),
      h(Field, { id: "say", label: "Your message", area: true, rows: 4, required: true }),
      press === "anonymous" ? h("label", { class: "check", for: "unnamed" }, h("input", { type: "checkbox", id: "unnamed", name: "unnamed" }), "Without my name") : null),
  ]));
}

// What is kept.

/** After an order: a seat that is in this browser alone is worth a passphrase once there is something to lose. */
export async function ordered() {
  const row = seats.seats().find(({ id }) => id === seats.at());
  if (!row) return;
  const orders = (row.orders ?? 0) + 1;
  await seats.keep(row.id, { orders });
  if (row.bare && orders === 3) setTimeout(() => firstWords("Keep your seat"));
}

/** A browser that keeps passphrases tells seats apart by this. */
const username = (value) => h("input", { type: "text", autocomplete: "username", value, hidden: true });

/** Choose a passphrase for a seat that has none yet: only then it may leave this browser, as a file. */
export function firstWords(title = "Save your seat") {
  const work = async (given) => {
    const safe = await ask("set_passphrase", { passphrase: passphraseOf(given) });
    await saveSafe(safe);
    shut();
    show(await ask("state", { now: now() }), [`${safe.name} is saved.`]);
  };
  over(title, "middle", () => h(Form, { label: "Save it", act: "words", work, at: () => "word" },
    h("p", {}, "This browser may forget it. With a passphrase your seat is saved as a file too, which opens on any machine."), username(nameOf(current())), wordField()));
}

async function saveNow() {
  if (current().bare) return firstWords();
  const safe = await ask("save");
  await saveSafe(safe);
  return show(await ask("state", { now: now() }), [`${safe.name} is saved.`]);
}

/** What can be done with the seat of a game that is open. */
export const keeping = (state) => [
  state.kept ? button(state.changed || seats.loose(seats.at() ?? "") ? "Save your seat (changed)" : "Save your seat", saveNow, { kind: "plain", act: "save" }) : null,
  state.kept && !state.bare && seats.opens(seats.at()) ? button("Lock this device", async () => {
    await seats.lock(seats.at());
    show(current(), ["From now on your passphrase is asked here too."]);
  }, { kind: "plain", act: "lock" }) : null,
  button("Leave this game", async () => {
    await leave();
    go("home");
  }, { kind: "plain", act: "leave" }),
];

addEventListener("paste", (event) => {
  if (/^(TEXTAREA|INPUT)$/.test(/** @type {Element} */ (event.target).tagName)) return;
  const given = event.clipboardData.getData("text");
  news = [];
  if (given) take(new TextEncoder().encode(given)).catch(tell);
});
addEventListener("stopped", () => {
  stand();
  set({ stage: "none" });
});
addEventListener("beforeunload", (event) => {
  if (seats.loose() || (early.length && !linked())) event.preventDefault();
});
addEventListener("dropping", () => {
  news = [];
});
// At once: the last board is there long before the engine.
Promise.resolve().then(goOn).catch(tell);
addEventListener("hashchange", () => takeLink().catch(tell));
