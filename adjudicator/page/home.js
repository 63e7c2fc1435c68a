// The first screen: what this is, the games, and what waits for you. It needs no engine: `GAMES`
// was written while the page was built.
import { Chart, picture } from "./chart.js";
import { against } from "./alone.js";
import { learn } from "./lesson.js";
import { button, draw, go, guarded, h, held, icon, left, over, screen, when } from "./page.js";

const lists = [];

/** Something that lists what waits: a function that gives rows of {id, name, what, title, status, mine, until, open, forget}. */
export const waits = (list) => lists.push(list);

const way = (title, text, sign, work, kind, act) =>
  h("button", { type: "button", class: `way ${kind}`, "data-act": act, onclick: guarded(work) }, icon(sign), h("span", {}, h("b", {}, title), h("small", {}, text)), icon("on"));

const board = ({ chart, title }) => h(Chart, { board: chart, label: `A board of ${title}`, inert: true });

const rose = h("svg", { class: "rose", viewBox: "-100 -100 200 200", "aria-hidden": "true" },
  h("circle", { r: 96 }), h("circle", { r: 60 }),
  [[0, 90], [45, 56]].map(([turn, long]) => [0, 90, 180, 270].map((more) => h("path", { transform: `rotate(${turn + more})`, d: `M0 -${long}L7 -7L0 0L-7 -7z` }))));

const mark = h("svg", { viewBox: "0 0 40 40", class: "mark", "aria-hidden": "true" }, h("circle", { cx: 20, cy: 20, r: 17 }), h("path", { d: "M20 6l5 13-5 15-5-15z" }));

/** A game with its board, to be played and to be learnt. */
const tile = (game) =>
  h("article", { class: "tile" },
    h("div", { class: "picture" }, board(game)),
    h("h3", {}, game.title),
    h("p", {}, game.summary),
    h("div", { class: "row" },
      button("Play", () => choose(game), { act: "play", "data-game": game.id, "aria-label": `Play ${game.title}` }),
      button("Learn it", () => learn(game.id, game.title), { kind: "plain", act: "learn", "aria-label": `Learn it: ${game.title}` })));

/** A game that is under way: what it waits for, and how long. */
function row({ name, what, title, status, mine, until, open, forget }) {
  const piece = GAMES.find((game) => game.title === title)?.chart.pieces?.find(({ side, shape }) => side === "own" && shape);
  return h("li", { "data-game": name },
    h("button", { type: "button", class: "game-row", "data-act": "open-game", onclick: guarded(open) },
      piece ? picture(piece) : h("span", { class: "token" }),
      h("span", {}, h("b", {}, name), h("small", {}, what)),
      h("span", { class: mine ? "status mine" : "status" }, h("b", {}, status), until && h("small", { title: `until ${when(until)}` }, left(until)))),
    forget && button(`Forget ${name} here`, forget, { sign: "close" }));
}

// Forms for a game: how strong the computer is, which form of it, which options.

const LEVELS = {
  random: ["Random", "any move that is allowed"], novice: ["Novice", "for a first game"], mate: ["Mate", "errs now and then"],
  captain: ["Captain", "plays to win"], admiral: ["Admiral", "looks ahead"],
};

/** A choice of several: pairs of a value and what it is called; `given`: what the element needs besides. */
export const field = (label, name, choices, usual, given = {}) =>
  h("label", { class: "field" }, label, h("select", { name, ...given }, choices.map(([one, words]) => h("option", { value: one, selected: one === usual }, words))));

/** Fields for options: those with editions to choose from come first, and in sight. `values`: other than the usual ones. */
export function options(list, values = new Map()) {
  const one = ({ name, help, choices, low, high, usual }) => {
    const label = `${help[0].toUpperCase()}${help.slice(1)}`;
    const value = values.get(name) ?? usual;
    return choices ? field(label, name, choices, value) : h("label", { class: "field" }, label, h("input", { name, type: "number", min: low, max: high, defaultValue: value, required: true }));
  };
  const chief = list.filter(({ kind, choices, asked }) => asked || (kind === "choice" && choices.length > 2));
  const others = list.filter((other) => !chief.includes(other));
  return [chief.map(one), others.length > 0 && h("details", {}, h("summary", {}, "Options"), others.map(one))];
}

/** The options of a filled form that are not the usual ones, as options are written. */
export const chosen = (list, given) => list.filter(({ name, usual }) => given.get(name) !== usual).map(({ name }) => `${name}=${given.get(name)}`);

/** One of several in a list, each with a line of what it is. */
export const option = (name, value, title, text, given) =>
  h("label", { class: "option" }, h("input", { type: "radio", name, value, ...given }), h("span", {}, h("b", {}, title), h("small", {}, text)));

/** How to play against the computer: how strong it is, which form, which options. */
export function choose(game) {
  const fresh = !Object.keys(held.wins ?? {}).some((key) => key.startsWith(`${game.id} `));
  const [least, most] = game.rivals;
  let deals = false;
  const begin = guarded(async ({ target }) => {
    const given = new FormData(target);
    deals = true;
    draw();
    try {
      const bots = Array(Number(given.get("rivals") ?? 1)).fill(given.get("level"));
      await against(game.id, { bots, preset: given.get("preset") || null, options: chosen(game.options, given) });
    } finally {
      deals = false;
      draw();
    }
  });
  over(game.title, "middle", () => h("form", { class: "form", onsubmit: begin, inert: deals },
    h("fieldset", { class: "options" }, h("legend", {}, "Who plays against you?"),
      game.bots.map((name) => option("level", name, ...(LEVELS[name] ?? [name, ""]), { defaultChecked: name === (fresh ? game.first : game.then) }))),
    most > least && field("How many of them", "rivals", Array.from({ length: most - least + 1 }, (_, at) => [String(least + at), String(least + at)]), String(least)),
    game.presets.length > 0 && field("Which form", "preset", [["", "as published"], ...game.presets.map((one) => [one, one])], ""),
    options(game.options),
    h("button", { class: "button go wide", "data-act": "begin" }, deals ? "Dealing…" : `Play ${game.title}`)));
}

function about() {
  const line = (system, text) => [h("dt", {}, system), h("dd", {}, h("code", {}, text))];
  over("About this page", "middle", () => [
    h("p", {}, "This page is one file and contacts no server. What you open here stays here. To see that it is the one published, compare its SHA-256:"),
    h("dl", {}, line("Linux", "sha256sum page.html"), line("macOS", "shasum -a 256 page.html"), line("Windows", "Get-FileHash page.html")),
    h("p", {}, "No page can prove that itself. Save it, compare it once, and open your own copy from then on."),
  ]);
}

screen("home", () => {
  // The last by name with a board: of our own games the one that is learnt first.
  const shown = GAMES.findLast(({ chart }) => chart.columns) ?? GAMES[0];
  const rows = lists.flatMap((list) => list());
  return [
    rose,
    h("header", { class: "mast" }, mark, h("span", { class: "name" }, "adjudicator"), button("About this page", about, { kind: "plain", act: "about" })),
    h("section", { class: rows.length ? "hero busy" : "hero" },
      h("h1", { tabindex: -1 }, "Sealed orders, open results"),
      h("p", { class: "lead" }, "Games of hidden moves, played by mail, in a chat, or against the computer. Nothing to install, and a referee that cannot cheat unnoticed."),
      // What waits comes before what could be begun.
      rows.length > 0 && h("section", { class: "yours" }, h("h2", {}, "Your games"), h("ul", { class: "games" }, rows.map(row))),
      h("div", { class: "ways" },
        way("Play a friend", "Nobody hosts, and nobody can cheat unnoticed. You send a link, they answer with another", "link", () => go("friend"), "go", "friend"),
        way("Play against the computer", "Here and now, without a network", "play", () => choose(shown), "", "against"),
        way("Open or paste what came", "An invitation, a mail, your safe, a finished game", "open", () => go("receive"), "", "receive")),
      h("figure", { class: "live" }, board(shown), h("figcaption", {}, `${shown.title}, as one side sees it`))),
    h("section", { class: "three" }, h("h2", {}, "The games"), h("div", { class: "tiles" }, [shown, ...GAMES.filter((one) => one !== shown)].map(tile))),
    h("footer", {}, h("p", {}, "This page is one file and contacts no server: save it, and it works without a network. What you open here stays here.")),
  ];
}, {
  kind: "home",
  title: () => {
    const own = lists.flatMap((list) => list()).filter(({ id, mine }) => id && mine);
    return own.length ? `\u25cf ${own.length > 1 ? `${own.length} games wait` : `${own[0].name} waits`} for you` : null;
  },
});
