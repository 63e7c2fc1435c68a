import { Page } from "./old.js";
import { against } from "./game.js";
// The first screen: what this is, the games, and what waits for you. It needs no engine: `GAMES`
// was written while the page was built.

Page.home = (() => {
  const { button, el, guarded, icon, over, rules, screen, svg } = Page;
  const kept = [];

  /** Something that lists what waits: a function that gives rows of {name, what, status, mine, until, open, forget}. */
  const waits = (list) => kept.push(list);

  const way = (title, text, sign, work, kind, act) =>
    el(
      "button",
      { type: "button", class: `way ${kind}`, "data-act": act, onclick: guarded(work) },
      icon(sign),
      el("span", {}, el("b", {}, title), el("small", {}, text)),
      icon("on"),
    );

  const drawing = (chart, label) => {
    const made = Page.chart(label);
    made.show(chart);
    made.setAttribute("inert", "");
    return made;
  };

  const rose = () =>
    svg("svg", { class: "rose", viewBox: "-100 -100 200 200", "aria-hidden": "true" },
      svg("circle", { r: 96 }), svg("circle", { r: 60 }),
      svg("path", { d: "M0 -90L12 -12L0 0L-12 -12zM0 90L12 12L0 0L-12 12zM90 0L12 12L0 0L12 -12zM-90 0L-12 12L0 0L-12 -12z" }));

  const mark = () =>
    svg("svg", { viewBox: "0 0 40 40", class: "mark", "aria-hidden": "true" },
      svg("circle", { cx: 20, cy: 20, r: 17 }), svg("path", { d: "M20 6l5 13-5 15-5-15z" }));

  function tile(game) {
    return el(
      "article",
      { class: "tile" },
      el("div", { class: "picture" }, drawing(game.chart, `A board of ${game.title}`)),
      el("h3", {}, game.title),
      el("p", {}, game.summary),
      el(
        "div",
        { class: "row" },
        button("Play", () => choose(game), { act: "play", "data-game": game.id, "aria-label": `Play ${game.title}` }),
        button("Learn it", () => rules(game.id, game.title), { kind: "plain", act: "learn", "aria-label": `Learn it: ${game.title}` }),
      ),
    );
  }

  const LEVELS = {
    random: ["Random", "any move that is allowed"], novice: ["Novice", "for a first game"], mate: ["Mate", "errs now and then"],
    captain: ["Captain", "plays to win"], admiral: ["Admiral", "looks ahead"],
  };

  const field = (label, name, choices, usual) =>
    el("label", { class: "field" }, label, el("select", { name }, choices.map(([one, words]) => el("option", { value: one, selected: one === usual }, words))));

  /** Fields for options: those with editions to choose from come first, and in sight. `values`: other than the usual ones. */
  function options(list, values = new Map()) {
    const one = ({ name, help, choices, low, high, usual }) => {
      const label = `${help[0].toUpperCase()}${help.slice(1)}`;
      const value = values.get(name) ?? usual;
      return choices ? field(label, name, choices, value) : el("label", { class: "field" }, label, el("input", { name, type: "number", min: low, max: high, value, required: true }));
    };
    const chief = list.filter(({ kind, choices, asked }) => asked || (kind === "choice" && choices.length > 2));
    const others = list.filter((other) => !chief.includes(other));
    return [...chief.map(one), ...(others.length ? [el("details", {}, el("summary", {}, "Options"), others.map(one))] : [])];
  }

  /** The options of a filled form that are not the usual ones, as options are written. */
  const chosen = (list, given) => list.filter(({ name, usual }) => given.get(name) !== usual).map(({ name }) => `${name}=${given.get(name)}`);

  /** How to play against the computer: how strong it is, which form, which options. */
  function choose(game) {
    const level = (name) => {
      const [title, text] = LEVELS[name] ?? [name, ""];
      return el(
        "label",
        { class: "option" },
        el("input", { type: "radio", name: "level", value: name, checked: name === (fresh ? game.first : game.then) }),
        el("span", {}, el("b", {}, title), el("small", {}, text)),
      );
    };
    const fresh = !Object.keys(Page.held.wins ?? {}).some((key) => key.startsWith(`${game.id} `));
    const [least, most] = game.rivals;
    const form = el(
      "form",
      {
        class: "form",
        onsubmit: guarded(async () => {
          const given = new FormData(form);
          const changed = chosen(game.options, given);
          start.disabled = true;
          start.textContent = "Dealing…";
          try {
            const bots = Array(Number(given.get("rivals") ?? 1)).fill(given.get("level"));
            await against(game.id, { bots, preset: given.get("preset") || null, options: changed });
          } finally {
            start.disabled = false;
          }
        }),
      },
      el("fieldset", { class: "options" }, el("legend", {}, "Who plays against you?"), game.bots.map(level)),
      most > least ? field("How many of them", "rivals", Array.from({ length: most - least + 1 }, (_, at) => [String(least + at), String(least + at)]), String(least)) : null,
      game.presets.length ? field("Which form", "preset", [["", "as published"], ...game.presets.map((one) => [one, one])], "") : null,
      options(game.options),
    );
    const start = el("button", { class: "button go wide", "data-act": "begin" }, `Play ${game.title}`);
    form.append(start);
    over(game.title, "middle", form);
  }

  function about() {
    const line = (system, text) => [el("dt", {}, system), el("dd", {}, el("code", {}, text))];
    over(
      "About this page",
      "middle",
      el("p", {}, "This page is one file and contacts no server. What you open here stays here. To see that it is the one published, compare its SHA-256:"),
      el("dl", {}, line("Linux", "sha256sum page.html"), line("macOS", "shasum -a 256 page.html"), line("Windows", "Get-FileHash page.html")),
      el("p", {}, "No page can prove that itself. Save it, compare it once, and open your own copy from then on."),
    );
  }

  screen("home", (main) => {
    main.className = "home";
    // The last by name with a board: of our own games the one that is learnt first.
    const shown = GAMES.findLast(({ chart }) => chart.columns) ?? GAMES[0];
    const rows = kept.flatMap((list) => list());
    main.append(
      rose(),
      el(
        "header",
        { class: "mast" },
        mark(),
        el("span", { class: "name" }, "adjudicator"),
        button("About this page", about, { kind: "plain", act: "about" }),
      ),
      el(
        "section",
        { class: "hero" },
        el("h1", { tabindex: "-1" }, "Sealed orders, open results"),
        el("p", { class: "lead" }, "Games of hidden moves, played by mail, in a chat, or against the computer. Nothing to install, and a referee that cannot cheat unnoticed."),
        // What waits comes before what could be begun.
        rows.length ? el("section", { class: "yours" }, el("h2", {}, "Your games"), el("ul", { class: "games" }, rows.map(row))) : null,
        el(
          "div",
          { class: "ways" },
          way("Play a friend", "Nobody hosts, and nobody can cheat unnoticed. You send a link, they answer with another", "link", () => Page.go("friend"), "go", "friend"),
          way("Play against the computer", "Here and now, without a network", "play", () => choose(shown), "", "against"),
          way("Open or paste what came", "An invitation, a mail, your safe, a finished game", "open", () => Page.go("receive"), "", "receive"),
        ),
        el("figure", { class: "live" }, drawing(shown.chart, `A board of ${shown.title}`), el("figcaption", {}, `${shown.title}, as one side sees it`)),
      ),
      el("section", { class: "three" }, el("h2", {}, "The games"), el("div", { class: "tiles" }, [shown, ...GAMES.filter((one) => one !== shown)].map(tile))),
      el("footer", {}, el("p", {}, "This page is one file and contacts no server: save it, and it works without a network. What you open here stays here.")),
    );
  });

  function row({ name, what, status, mine, until, open, forget }) {
    return el(
      "li",
      { "data-game": name },
      el(
        "button",
        { type: "button", class: "game-row", "data-act": "open-game", onclick: guarded(open) },
        el("span", {}, el("b", {}, name), el("small", {}, what)),
        el("span", { class: mine ? "status mine" : "status" }, el("b", {}, status), until ? el("small", {}, Page.left(until), el("br", {}), `until ${Page.when(until)}`) : null),
      ),
      forget ? button(`Forget ${name} here`, forget, { sign: "close" }) : null,
    );
  }

  return { choose, chosen, field, options, waits };
})();
