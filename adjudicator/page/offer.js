// Offering and accepting a duel: the offer's screen, and the form that makes one. It knows no game.
import { render } from "preact";
import { Page } from "./old.js";
import { players } from "./duel.js";
import { learn } from "./lesson.js";
import { Ways } from "./send.js";
import { h } from "./page.js";
import { ask, current, set, show } from "./game.js";
import { begun, goHome, guarding, keeping, nameField, newSeat, pasting, stow, top, wrong } from "./mail.js";
import { now } from "./page.js";
const { button, el, screen } = Page;
const h2 = (view) => {
  const box = document.createElement("div");
  render(view, box);
  return box;
};

// Offering and accepting.

const PROMISE = "Nobody hosts this game. Each of you keeps your own secrets, and at the end both open theirs: a lie shows, and shows who told it. It shows at the end, and only sometimes at once.";

/** A form that makes a seat: with the name and the passphrase of it, `work` calls the engine. */
function seatForm(label, act, work, ...inside) {
  const form = el(
    "form",
    {
      class: "paper form",
      novalidate: true,
      onsubmit: async (event) => {
        event.preventDefault();
        const chosen = newSeat();
        if (!chosen) return;
        form.inert = true;
        try {
          await stow();
          const told = await work({ now: now(), ...chosen });
          set(told);
          show(told.id === "setup" ? told : await begun());
        } catch (error) {
          form.inert = false;
          wrong(/passphrase/.test(error.line) ? "word" : "name", [error.line, error.hint].filter(Boolean).join(" "));
        }
      },
    },
    ...inside, nameField(), guarding(), el("button", { class: "button go wide", "data-act": act }, label),
  );
  return form;
}

const TIMES = [["1h", "1 hour"], ["1d", "1 day"], ["3d", "3 days"], ["7d", "7 days"]];

/** An option that names a player, as a field: there is nobody to name yet but oneself, and in a rematch the other. */
const whose = ({ help, ...rest }, other) => ({ ...rest, asked: true, help: help.split(";")[0], choices: [["", "Drawn by lot"], [ME, "I do"], ...(other ? [[other, `${other} does`]] : [])] });
const ME = "=me";

function offering({ game: chosen, given = [], me = "", other = "" }) {
  const games = GAMES.filter(({ duel }) => duel);
  const values = new Map(given.map((one) => one.split("=")).map(([name, value]) => [name, me && value === me ? ME : value]));
  const place = el("div", { class: "form" });
  const of = (id) => games.find((one) => one.id === id) ?? games[0];
  // In a match whoever offers goes first, and in its second game the other.
  const many = Page.home.field("How many games?", "match", [["", "One"], ["first", "A match of two, seats changed"]], "");
  const isMatch = () => many.querySelector("select").value !== "";
  const own = (game) => game.options.filter(({ name, kind }) => !game.duel.includes(name) && !(isMatch() && kind === "player")).map((one) => (one.kind === "player" ? whose(one, other) : one));
  const pick = (game) => place.replaceChildren(...Page.home.options(own(game), values));
  const radio = (game) =>
    el("label", { class: "option" },
      el("input", { type: "radio", name: "game", value: game.id, checked: game === of(chosen), onchange: () => pick(game) }),
      el("span", {}, el("b", {}, game.title), el("small", {}, game.summary)));
  const form = seatForm(
    "Make the offer", "offer",
    (seat) => {
      const filled = new FormData(form);
      const game = of(filled.get("game"));
      const options = [...Page.home.chosen(own(game), filled), `turn_time=${filled.get("turn_time")}`, ...(isMatch() ? ["match=first"] : [])];
      return ask("offer", { ...seat, game: game.id, options: options.map((one) => one.replace(`=${ME}`, `=${seat.name}`)) });
    },
    el("p", {}, PROMISE),
    el("fieldset", { class: "options" }, el("legend", {}, "Which game?"), games.map(radio)),
    many,
    place,
    Page.home.field("Time for each move", "turn_time", TIMES, values.get("turn_time") ?? "3d"),
  );
  pick(of(chosen));
  many.onchange = () => pick(of(new FormData(form).get("game")));
  form.querySelector("#name").value = me;
  return form;
}

function accepting(state) {
  const [[name]] = state.members;
  const form = seatForm(
    "Accept and play", "accept", (seat) => ask("accept", seat),
    el("p", {}, el("b", {}, `${name} offers you ${state.title}.`), ` ${state.summary}`),
    state.match ? el("p", {}, `It is ${state.match}.`) : null,
    el("p", {}, PROMISE),
    el("details", {}, el("summary", {}, "Its options"), el("dl", {}, state.options.flatMap(([key, value]) => [el("dt", {}, key), el("dd", {}, value)]))),
    button("Learn it", () => learn(state.rules.split("/")[0], state.title, true), { kind: "plain", act: "learn" }),
    h2(players(state.members)),
  );
  form.querySelector("#name").value = state.named;
  return form;
}

screen("friend", (main, given) => {
  const state = current();
  const stage = state.duel ? state.stage : "none";
  main.className = "page";
  main.dataset.stage = stage;
  const title = { offer: `${state.members?.[0][0]} wants to play you`, offered: `${state.title}: ${state.other || "an offer"}` }[stage] ?? "Play a friend";
  const news = [...(state.warnings ?? []), ...(state.lines ?? [])];
  const told = news.length ? [el("div", { role: "status", class: "amiss" }, news.map((one) => el("p", {}, one)))] : [];
  main.append(top(title), ...told);
  if (stage === "offer") main.append(accepting(state));
  else if (stage === "offered") {
    main.append(el("section", { class: "paper" }, h2(h(Ways, { send: state.send })), h2(pasting())), el("section", { class: "paper" }, h2(players(state.members))), el("div", { class: "row" }, ...keeping(state)));
  } else main.append(offering(given));
});

Page.back("friend", () => goHome().catch(Page.tell));

