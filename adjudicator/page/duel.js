// A duel on the screens of every game: two people play, and nobody hosts. What leaves for the other, how it is ended, and the
// game after it. Offering and accepting are in offer.js. It knows no game.
import { ask as question, button, go, h, now, over } from "./page.js";
import { taker } from "./files.js";
import { waits } from "./dock.js";
import { anew, ask, current, set, show } from "./game.js";
import { begun, goHome, keep, keepSeat, keeping, leave, ordered, settle, stow } from "./mail.js";
import { left, onleft, save } from "./send.js";
import { call } from "./calls.js";
import { watch } from "./watch.js";

const friend = (/** @type {Told} */ { other }) => other || "your friend";

const READY = {
  offer: ["Your offer is ready.", "Send it to one friend: whoever answers first plays."],
  accept: ["You have accepted.", "Send your answer: then the game begins."],
  orders: ["Sealed.", "Now send it."],
  answer: ["Nothing to decide.", "Your side answers by itself: send it on."],
  reply: ["Send what they lack.", "It holds all that is played on."],
  request: ["Ask first.", "This seat was opened from a file: moves that you have sent since may be missing."],
};

/** A call that changes the duel, and the screen that shows what came of it. */
const act = (name, given = {}) => async () => {
  const told = await ask(name, { now: now(), ...given });
  await keep(told);
  show(told, told.lines);
};

async function stops() {
  const words = `The time for ${friend(current())}\u2019s move is over by your clock. If you end it, your side opens and nobody has won: nobody can prove that a message never came. That cannot be undone.`;
  if ((await question("End the duel?", words, "End it", "Wait")) === "End it") await act("end_duel", { gives_up: false })();
}

async function givesUp() {
  const words = `${friend(current())} wins. Your side opens: ${friend(current())} sees all that you hid, and so does everybody who has the file. That cannot be undone.`;
  if ((await question("Give up?", words, "Give up", "Play on")) === "Give up") await act("end_duel", { gives_up: true })();
}

/** The second game of a match is offered by who has accepted the first, with the same name, key and passphrase. */
const second = () => settle("second", {});

async function rematch() {
  const { player, other, rules } = current();
  const given = anew(current().given);
  await leave();
  go("friend", { game: rules.split("/")[0], given, me: player, other });
}

const COMPARE = "Compare these lines once, by phone or face to face. Somebody who carries your messages could otherwise sit between you, and play against both.";

/** Who plays, each with the fingerprint of their key. */
export const players = (members) => [
  h("dl", { class: "keys" }, members.flatMap(([name, key]) => [h("dt", {}, name), h("dd", {}, h("code", {}, key))])),
  h("p", { class: "dim" }, COMPARE),
];

onleft(() => keepSeat(Boolean(current().duel)));

export const byDuel = {
  of: (state) => state.duel,
  screen: "friend",
  name: friend,
  to: friend,
  out: (state) => state.send,
  ready: (state) => READY[state.send.what],
  away: goHome,
  stow,
  sent: async (told) => {
    if (!told.send) return;
    set({ ...current(), ...told });
    if (told.stage === "offered") Object.assign(told, await begun());
    else {
      await keepSeat();
      told.changed = current().changed;
    }
    await ordered();
  },
  foot: (state) => [
    ...keeping(state),
    state.members ? button("Who plays: their keys", () => over("Who plays", "middle", () => players(state.members)), { kind: "plain", act: "keys" }) : null,
    state.send ? button("Save the duel as a file", async () => save(await ask("packed")), { kind: "plain", act: "keep" }) : null,
    state.begun && !state.asking ? button(`Ask ${friend(state)} for what is missing`, act("request"), { kind: "plain", act: "request" }) : null,
    state.late && left(state.send) ? button(`${friend(state)} does not answer: end it`, stops, { kind: "plain", act: "end" }) : null,
    state.begun && !state.ending ? button("Give up", givesUp, { kind: "plain", act: "give-up" }) : null,
  ],
  /** Before anything else is done: whether nothing is missing. */
  dock: (state) => (state.asking && left(state.send) ? [
    h("p", { class: "line-of" }, state.other ? `If you have sent moves since it was saved, ${friend(state)} has them. To order one anew would let ${friend(state)} choose between the two.` : "Has somebody accepted already, after this file was saved? Then open the newer one."),
    h("div", { class: "send-row" }, waits(state.send), button(state.other ? "Nothing is missing: go on" : "Nobody has accepted: go on", act("go_on"), { kind: "wide", act: "go-on" })),
  ] : null),
  again: (state) => (state.second === false ? null : state.second ? button("Offer the second game of the match", second, { kind: "wide", act: "second" }) : button("Rematch", rematch, { kind: "wide", act: "rematch" })),
};

// The file of the duel that is open brings what is missing in it; any other is watched.
taker(
  (name, bytes) => bytes[0] === 0x50 && bytes[1] === 0x4b && current().duel && (/^(offered|play)$/.test(current().stage) || current().ending?.awaited) && current().id !== "setup",
  async (name, bytes) => {
    try {
      const told = await ask("take", { now: now() }, bytes);
      await keep(told);
      show(told, told.lines, told.warnings);
    } catch {
      watch(name, call("watch.open", { name }, bytes));
    }
  },
);
