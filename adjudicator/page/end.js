// The end of a game, in the frame in which it was played: who won and why, the sea with nothing hidden, the verdict, and what
// one may do with it. It knows no game: why it ended, and which turn decided it, Python says.
import { swapped } from "./chart.js";
import { open } from "./files.js";
import { proposal, rematch } from "./alone.js";
import { leaving, waits } from "./dock.js";
import { ask, carrier, others, replayed } from "./game.js";
import { button, draw, guarded, h, icon, over, tell } from "./page.js";
import { claims, shared } from "./picture.js";
import { bytesOf, left, save, saveBytes } from "./send.js";
import { heard } from "./sound.js";
import { seal } from "./verdict.js";

/** Of the game that ended last: the `whole` board, the verdict (`found`, or an `error`), the `loud` turns; each once it is known. */
let known = { of: null };

/** Ask for what the end shows, once for each end of a game; of a duel anew once both sides are open. */
function learnt(state) {
  const of = [state.id, state.outcome, state.ending?.awaited].join();
  if (known.of === of) return known;
  const mine = { of };
  known = mine;
  const learn = (name, key, fault = null) => ask(name).then((value) => Object.assign(mine, { [key]: value }), (error) => Object.assign(mine, fault && { [fault]: error })).then(draw);
  learn("end", "whole");
  learn("verdict", "found", "error").then(() => mine.found?.code === 0 && heard("seal"));
  learn("loud", "loud");
  return mine;
}

/** A board with nothing hidden as this player sees it. */
const seen = (state, whole) => ({ ...(state.players.length === 2 && state.players[1] === state.player ? swapped(whole) : whole), turned: state.chart.turned });

/** What was so, once it is known. */
const board = (state) => (learnt(state).whole ? seen(state, known.whole) : state.chart);

/** Whether this player won, in two words; a lie counts more than the board. */
function title(state) {
  const lied = known.found?.verdict.match(/^false: (\S+) lied/);
  if (state.duel && lied) return `${lied[1] === state.player ? "You" : lied[1]} lied`;
  return state.ending?.title || (state.outcome === `${state.player} won` ? "You won" : state.outcome === "a draw" ? "A draw" : state.outcome.endsWith(" won") ? "You lost" : "It is over");
}

/** Watch the record, at a step. */
async function watch(step = null) {
  const { name, data } = await ask("packed");
  if (step !== null) history.replaceState(history.state, "", `#step=${step}`);
  await open(name, bytesOf(data));
}

async function picture(state) {
  const winner = state.players.find((one) => state.outcome === `${one} won`);
  const blob = await shared({
    board: board(state), why: state.why_all ?? state.why ?? "",
    title: winner ? `${winner} beat ${state.players.filter((one) => one !== winner).join(", ")}` : `${[state.player, ...others()].join(" and ")}: ${state.outcome || "no winner"}`,
    ...claims({ duel: Boolean(state.duel), code: known.found?.code, game: state.title, players: state.players }),
  });
  await sends(new File([blob], `${state.rules.split("/")[0]}.png`, { type: "image/png" }));
}

/** Share a file where the browser can; else it is saved. */
async function sends(file) {
  const given = { files: [file] };
  if (navigator.canShare?.(given)) return navigator.share(given).catch((error) => error.name === "AbortError" || tell(error));
  return saveBytes(file.name, new Uint8Array(await file.arrayBuffer()), file.type);
}

const share = (state) => () =>
  over("Share", "ask", () => h("div", { class: "row" },
    button("Picture", () => picture(state), { kind: "go wide", act: "share-picture" }),
    button("Record", async () => {
      const { name, data } = await ask("packed");
      await sends(new File([bytesOf(data)], name, { type: "application/zip" }));
    }, { kind: "wide", act: "share-record" })));

function dock(state) {
  const { found, error, loud } = learnt(state);
  const send = carrier().out?.(state);
  // What both hid is open once each has what the other sent.
  const [opens, goes] = [Boolean(state.ending?.awaited), send && !left(send)];
  const again = rematch();
  const decided = loud?.find((one) => one.decided);
  return h("section", { class: "next end", "aria-label": "The end" },
    h("h2", { class: "won" }, title(state)),
    h("p", { class: "why" }, state.why ?? ""),
    [...(state.ending?.says ?? []), ...(again ? proposal() : []), ...state.amiss].map((words) => h("p", {}, words)),
    h("div", { class: "seal-place", role: "status" }, found ? seal(found) : h("p", { class: "dim" }, error?.line ?? "Everything is worked out again…")),
    h("div", { class: "send-row" },
      goes ? leaving(send, `Send this to ${state.other}`, "then they see the same") : opens ? waits(send) : null,
      opens ? null : h("button", { type: "button", class: `button wide ${goes ? "" : "go"}`, "data-act": "share", onclick: guarded(share(state)) }, h("span", {}, icon("share"), "Share")),
      opens || goes ? null : carrier().again?.(state) ?? (again ? button("Rematch", again, { kind: "wide", act: "rematch" }) : null)),
    opens ? null : h("div", { class: "row links" },
      decided ? button("Replay the turn that decided it", () => replayed(decided.step), { kind: "plain", act: "decided" }) : null,
      button("Watch it from all sides", () => watch(), { kind: "plain", act: "watch" }),
      button("Keep the record", async () => save(await ask("packed")), { kind: "plain", act: "keep", title: "One file that anybody can open in this page and verify" })),
    loud?.length ? h("section", { class: "loud" }, h("h3", {}, "The loud turns"), h("ol", {}, loud.map(({ step, text, sign }) =>
      h("li", { key: step }, h("button", { type: "button", class: "loud-turn", "data-act": "watch-turn", onclick: guarded(() => watch(step)) }, icon(sign), h("small", {}, `entry ${step}`), h("span", {}, text), icon("on")))))) : null);
}

export const ended = { board, dock, seen };
