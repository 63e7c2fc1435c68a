// Games against the computer, and lessons: the host is in the page, and nothing leaves it. A game is kept as what was chosen and
// ordered, from which the engine makes it again.
import { anew, ask, current, others, show } from "./game.js";
import { stow } from "./mail.js";
import { ask as question, go, held, hold, now, tell } from "./page.js";

let offer = null;
const kept = () => held.solo ?? [];
const keep = () => hold("solo", kept().filter(({ over: gone }) => !gone));

/** A game against the computer needs nothing to leave. */
export const byComputer = { of: (state) => state.alone, name: () => others().join(", "), to: () => others().join(", "), away: () => go("home"), sent: async () => {}, foot: () => [] };

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
  const told = current().alone && offer?.seed === one.seed ? current() : await ask("against", given);
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
  if (current().outcome !== `${current().player} won` || wins % 2 || !better) return [];
  return [`That makes ${wins} wins against the ${offer.bots[0]}. The ${better} plays better.`];
}

/** The same game against the same computer once more, with seats changed; null where it is another game. */
export const rematch = () => (current().alone && offer ? () => against(offer.game, { ...offer, options: anew(offer.options) }) : null);

/** Note where a game stands: which one is open, and who has won it. */
export function noted(told) {
  hold("open", offer.seed);
  for (const one of kept().filter(({ seed, over: gone }) => told.stage === "over" && seed === offer.seed && !gone)) {
    one.over = true;
    hold("wins", { ...held.wins, [level()]: (held.wins?.[level()] ?? 0) + (told.outcome === `${told.player} won`) });
  }
  keep();
}

/** Note what was ordered, and when. */
export const ordered = (time, text) => offer && kept().find(({ seed }) => seed === offer.seed)?.orders.push([time, text]);
