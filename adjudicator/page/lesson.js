// A lesson: a position to be played in the frame of a game. It knows no game: what is so, what is to be done in it, and whether
// that was right, Python says.
import { against, teach } from "./alone.js";
import { current } from "./game.js";
import { button, guarded, h, icon } from "./page.js";
import { rules } from "./rules.js";

/** Learn a game by its first lesson or, where it has none, by its page. `beside`: in a tab of its own, because here something waits. */
export function learn(game, title, beside = false) {
  if (!GAMES.find((one) => one.id === game)?.lessons) return rules(game, title);
  return beside ? open(`#learn=${game}`) && null : teach(game, 1);
}

/** The sentence that stands for the news until orders are given; null when it is no lesson, or they were. */
const says = (/** @type {Told} */ { lesson: one }) => (one && one.right === null ? { text: one.says, sign: "hint", of: `${one.number}/${one.of}` } : null);

// The way on is the one thing to do: it gets the focus once, when it comes.
const focused = (node) => node?.focus({ preventScroll: true });

const id = () => current().rules.split("/")[0];

/** After the last lesson: a whole game, against whoever is right for a first one. */
function whole() {
  const { first, rivals } = GAMES.find((one) => one.id === id());
  return against(id(), { bots: Array(Math.max(1, rivals[0])).fill(first), preset: null, options: [] });
}

/** What may be done once orders were given; null before, and where it is no lesson. */
function dock(/** @type {Told} */ { lesson: one }) {
  if (!one || one.right === null) return null;
  // The button that was pressed is gone: who plays by keyboard goes on from the head of the game.
  const at = async (number) => {
    await teach(id(), number);
    /** @type {HTMLElement} */ (document.querySelector("main h1"))?.focus({ preventScroll: true });
  };
  const again = () => at(one.number);
  const [label, words, work, act] = !one.right ? ["Try again", "nothing is lost", again, "try"]
    : one.number < one.of ? ["Next position", `${one.number + 1} of ${one.of}`, () => at(one.number + 1), "next"]
    : ["Play a whole game", "against the computer", whole, "whole"];
  return h("section", { class: "next", "aria-label": "What now" },
    h("div", { class: "line-of", role: "status" }, h("p", {}, icon(one.right ? "check" : "again"), h("b", {}, one.right ? "Right." : "Not yet."), " ", h("span", {}, one.says))),
    h("div", { class: "send-row" },
      h("button", { type: "button", class: "button go wide", "data-act": act, ref: focused, onclick: guarded(work) }, h("span", {}, label), h("small", {}, words)),
      one.right ? button("Play it again", again, { sign: "again", act: "try" }) : null));
}

export const lesson = { says, dock };
