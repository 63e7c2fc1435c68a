import { Page } from "./old.js";
import { plan as planned } from "./plan.js";
// A game in one window: what happened, the sea, what you will do. After the end: what was so.
// It knows no game; sentences, verbs, boards and cards come from Python.

Page.game = (() => {
  const { ask: question, button, call, el, guarded, icon, over, rules, screen, shape, svg } = Page;
  const { picture } = Page.chart;
  const ask = (name, given, data) => call(`play.${name}`, given, data);
  const now = () => `${new Date().toISOString().slice(0, 19)}Z`;

  let state = { stage: "none" };
  let offer = null;
  let board = null;
  let plan = null;
  let said = [];
  let shading = true;
  let known = { may: [], notes: [] };
  let text = false;

  /** How the game goes out and is kept: by mail, if it is with people. */
  const carriers = [];
  const carry = (given) => carriers.unshift(given);
  const carrier = () => carriers.find(({ of }) => !of || of(state));

  // Games against the computer are kept as what was chosen and ordered, from which the engine makes them again.
  const kept = () => Page.held.solo ?? [];
  const keep = () => Page.hold("solo", kept().filter(({ over: ended }) => !ended));

  async function against(game, { bots, preset, options }) {
    await Page.mail.stow();
    const seed = Array.from(crypto.getRandomValues(new Uint8Array(32)), (one) => one.toString(16).padStart(2, "0")).join("");
    offer = { now: now(), game, bots, preset, options, seed };
    const told = await ask("against", offer);
    Page.hold("solo", [...kept(), { ...offer, title: told.title, orders: [] }]);
    show(told);
  }

  /** Go on with a game that was left; the engine may still have it. */
  async function goOn(one) {
    const { title, ...given } = one;
    await Page.mail.stow();
    if (!state.alone || offer?.seed !== one.seed) state = await ask("against", given);
    offer = given;
    show(state);
  }

  Page.home.waits(() =>
    kept().map((one) => ({
      name: one.title, what: "against the computer", status: "Your turn", mine: true,
      open: () => goOn(one),
      forget: async () => {
        if ((await question("Forget it?", `This game of ${one.title} is lost.`, "Forget it", "Keep it")) !== "Forget it") return;
        one.over = true;
        keep();
        Page.go("home");
      },
    })),
  );

  // A window that was loaded anew goes on with the game that it showed.
  addEventListener("DOMContentLoaded", () => {
    const last = Page.before?.screen === "game" ? kept().find(({ seed }) => seed === Page.held.open) : null;
    if (last) goOn(last).catch(Page.tell);
  });

  const level = () => `${offer.game} ${offer.bots[0]}`;

  /** After each second win against a level: which one plays better. */
  function proposal() {
    const wins = Page.held.wins?.[level()] ?? 0;
    const { bots } = GAMES.find(({ id }) => id === offer.game);
    const better = bots[bots.indexOf(offer.bots[0]) + 1];
    if (state.outcome !== `${state.player} won` || wins % 2 || !better) return [];
    return [`That makes ${wins} wins against the ${offer.bots[0]}. The ${better} plays better.`];
  }

  /** Show where a game stands; `lines` and `warnings` are what came of the last act. */
  function show(told, lines = [], warnings = []) {
    const same = state.id === told.id;
    state = told;
    said = [...warnings, ...lines];
    text = false;
    if (!same) {
      shading = true;
      ahead = {};
      thing = null;
    }
    if (told.alone) {
      Page.hold("open", offer.seed);
      for (const one of kept().filter(({ seed, over }) => told.stage === "over" && seed === offer.seed && !over)) {
        one.over = true;
        Page.hold("wins", { ...Page.held.wins, [level()]: (Page.held.wins?.[level()] ?? 0) + (told.outcome === `${told.player} won`) });
      }
      keep();
    }
    if (told.stage === "play" || told.stage === "over") Page.go(told.stage === "over" ? "end" : "game");
    else Page.go(carrier().screen ?? "receive");
  }

  const DAY = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
  const others = () => state.players.filter((one) => one !== state.player);
  const gameId = () => state.rules.split("/")[0];

  // The frame.

  function bar(clock) {
    return el(
      "header",
      { class: "bar" },
      button("Back to the first screen", () => away(), { sign: "back", act: "home" }),
      el("div", { class: "who" }, el("h1", { tabindex: "-1" }, carrier().name(state)), el("p", {}, state.heading ?? state.title)),
      clock,
      button("Rules, and what you touched", look, { sign: "rules", act: "rules" }),
      button("More", more, { sign: "more", act: "more" }),
    );
  }

  function clock() {
    const mine = state.awaited.find(({ you }) => you);
    const one = mine ?? state.awaited[0];
    const sealed = state.sent.some(({ refused }) => !refused);
    const unsent = Page.mail.unsent(state);
    const head = unsent ? "Still to send" : !mine ? `Waiting for ${others().length === 1 ? others()[0] : one?.player}` : sealed ? "Waiting for the host" : "Your turn";
    const until = one && !state.alone ? ` ${one.left}` : "";
    const full = one && !state.alone ? `until ${new Date(one.until).toLocaleString([], DAY)},` : "";
    return el("p", { class: unsent || (mine && !sealed) ? "clock" : "clock wait" }, el("b", {}, head), el("span", {}, el("span", { class: "full" }, full), until));
  }

  /** Leave the screen; what is open stays open, and is on the first screen. */
  const away = () => Page.mail.goHome();

  async function more() {
    const asked = plan;
    await asked?.settled();
    // While the engine was asked what may be done, another screen may have come.
    if (plan !== asked) return;
    const gives = plan?.state().gives;
    over(
      "More", "middle",
      el(
        "div",
        { class: "list" },
        button("Everything that happened", story, { kind: "plain", act: "story" }),
        state.alone || state.duel ? null : button("Messages", Page.mail.letters, { kind: "plain", act: "letters" }),
        ...carrier().foot(state),
        gives && !state.duel ? button("Resign", () => resign(gives), { kind: "plain", act: "resign" }) : null,
        state.stage === "play" && state.alone ? button("Leave this game", () => away(), { kind: "plain", act: "leave" }) : null,
      ),
    );
  }

  async function story() {
    const told = await ask("log");
    over("Everything that happened", "side-sheet", told.flatMap(({ title, news }) => [el("h3", {}, title), ...news.map((one) => el("p", {}, one))]));
  }

  async function resign(gives) {
    const answer = await question("Resign?", `${gives.says} ${others().join(" and ")} win${others().length === 1 ? "s" : ""} at once.`, "Resign", "Play on");
    if (answer === "Resign") await send([gives.text]);
  }

  // What is touched, for `?`: a piece, a card, an action.

  let thing = null;
  const touch = (name, word) => {
    const says = state.about[word];
    thing = says ? { name, says } : null;
  };
  const touchCell = (cell) => {
    const found = (state.chart.pieces ?? []).filter((one) => one.cell === cell).at(-1);
    if (found) touch(spoken(found.title.split(":")[0]), found.about);
  };
  const look = () => rules(gameId(), state.title, "learn", thing);

  // Since your turn.

  let sentences = [];
  let shows = 0;

  function past() {
    sentences = [];
    const turns = state.since.map(({ who, told, step }) => {
      const mine = who.includes(state.player);
      const name = who.length > 1 ? "Everybody" : mine ? "You" : who[0] || "Nobody ordered";
      return el(
        "li",
        { class: "turn" },
        el("h3", { class: who.length !== 1 ? "both" : mine ? "mine" : "theirs" }, el("span", { class: "disc" }), el("span", { class: "label" }, name)),
        el("div", {}, told.length ? told.map((one) => sentence(one, step)) : el("p", { class: "dim" }, "Nothing was heard.")),
      );
    });
    return el(
      "section",
      { class: "past", "aria-label": "Since your turn", tabindex: "0" },
      el(
        "div",
        { class: "head" },
        el("h2", {}, "Since your turn"),
        state.since.length ? button("Show me", replay, { kind: "plain labelled", sign: "again", act: "replay" }) : null,
      ),
      warned(),
      lesson(),
      el("ol", { class: "turns" }, turns.length ? turns : el("li", {}, el("p", { class: "dim" }, "The game begins."))),
      el("div", { class: "known" }, el("div", { class: "head" }, el("h2", {}, "What you can work out")), el("dl", {})),
    );
  }

  const warned = () => el("div", { role: "status", class: "amiss" }, [...state.amiss, ...said].map((one) => el("p", {}, Page.local(one))));

  function sentence(one, step) {
    const words = [one.sign ? icon(one.sign) : null, el("span", {}, one.text)];
    const node = one.cells.length
      ? el("button", { type: "button", class: "say", "data-cells": one.cells.join(" "), onclick: () => light({ node, one }) }, words)
      : el("p", { class: "say" }, words);
    sentences.push({ node, one, step });
    return node;
  }

  /** A sentence frames its cells, and is played on the board. */
  function light({ node, one }) {
    for (const other of document.querySelectorAll(".say.on")) other.classList.remove("on");
    node.classList.add("on");
    node.scrollIntoView({ block: "nearest" });
    board.mark({ lit: one.cells });
    board.play(one);
  }

  /** Play all since your turn: the boards of the time, and their sentences one after the other. */
  async function replay() {
    const mine = (shows += 1);
    const entries = new Map((await ask("boards").catch(() => [])).map((one) => [one.step, one]));
    const on = () => mine === shows && board && sentences[0]?.node.isConnected !== false;
    for (const { step } of state.since) {
      const { before, told } = entries.get(step) ?? {};
      if (on() && before) board.show(before, {});
      for (const [number, one] of sentences.filter((found) => found.step === step).entries()) {
        if (!on()) return;
        if (told?.[number]) board.show(told[number].chart, {});
        if (!one.one.cells.length) continue;
        light(one);
        await new Promise((done) => setTimeout(done, 800 + 350 * (one.one.cells.length - 1)));
      }
    }
    if (on()) redraw();
  }

  async function work() {
    known = await ask("deduced");
    const place = document.querySelector(".known");
    if (!place) return;
    place.querySelector("dl").replaceChildren(
      ...known.may.map(({ name, may, many }) => el("div", {}, el("dt", {}, name), el("dd", {}, many > 6 ? `${many} possible` : Page.plain(may)))),
    );
    for (const old of place.querySelectorAll(".switch, p")) old.remove();
    place.append(...known.notes.slice(-3).map((one) => el("p", { class: "note" }, one)));
    if (!known.may.length && !known.notes.length) place.append(el("p", { class: "dim" }, "Nothing follows from what you heard."));
    if (hidden().length) place.append(shade("Shade it on the sea"));
    redraw();
  }

  /** The cells to shade: where every cell is possible, shading would say nothing. */
  function hidden() {
    const all = Object.keys(state.chart.cells ?? {});
    const found = new Set(known.may.flatMap(({ cells }) => (cells.length < all.length * 0.6 ? cells : [])));
    return all.filter((one) => found.has(one));
  }

  const shade = (label, kind = "") =>
    el(
      "button",
      {
        type: "button", class: `switch ${kind}`, role: "switch", "aria-checked": String(shading), "aria-label": label, "data-act": "shade",
        onclick: () => {
          shading = !shading;
          for (const one of document.querySelectorAll(".switch")) one.setAttribute("aria-checked", String(shading));
          redraw();
        },
      },
      el("i", {}),
      kind ? null : label,
    );

  // The sea.

  function sea() {
    board = Page.chart(`The sea, as ${state.player || "everybody"} sees it`);
    board.addEventListener("cell", ({ detail }) => {
      touchCell(detail);
      if (state.mine && plan) tapped(detail);
    });
    const side = (name) => state.sides?.[name] ?? { words: "", tally: "" };
    const theirs = others().map((name) => (others().length > 1 ? `${name}: ${side(name).words}` : side(name).words)).filter(Boolean).join("; ");
    const mine = side(state.player);
    const piece = (side) => state.chart.pieces?.find((one) => one.side === side && ["hidden", "open"].includes(one.token));
    // Who is not seen has the token of who is.
    const like = (side) => piece(side) ?? (piece("own")?.token ? { ...piece("own"), side } : null);
    const token = (side) => (like(side) ? picture(like(side)) : el("span", { class: `disc ${side}` }));
    return el(
      "section",
      { class: "sea", "aria-label": "The sea" },
      el(
        "div",
        { class: "stack" },
        el("div", { class: "side" }, token("foe"), el("div", {}, el("b", {}, others().join(", ")), el("small", {}, theirs)), el("small", { class: "tally" }, side(others()[0]).tally), shade("Shade what you can work out", "narrow")),
        board,
        el("div", { class: "side me" }, token("own"), el("div", {}, el("b", {}, `You are ${state.player}`), el("small", {}, mine.words)), el("small", { class: "tally" }, mine.tally), el("small", { class: "left" })),
        el("div", { class: "hand", role: "group", "aria-label": "Your hand", hidden: !state.hand.length }),
      ),
    );
  }

  function redraw() {
    if (!board || !state.chart) return;
    const now = plan && state.mine ? plan.state() : null;
    board.show(state.chart, {
      may: now ? now.may : null,
      warns: now?.warns,
      plan: ghosts(now ? [...now.acts, ...(now.taps.length && now.options.length ? [now.options[0]] : [])] : given),
      shade: shading ? hidden() : [],
      lit: (document.querySelector(".say.on")?.dataset.cells ?? "").split(" ").filter(Boolean),
    });
  }

  // What was ordered and waits to be carried out, as it was planned.
  let given = [];
  async function ordered() {
    given = (await ask("plan", { lines: state.sent.at(-1).lines })).planned;
    redraw();
  }

  /** The planned acts with the pieces that carry them out, each from where the acts before left it. */
  function ghosts(acts) {
    // Of several pieces in a cell the one on a disc is the one that goes.
    const own = (state.chart.pieces ?? []).filter(({ side }) => side === "own");
    const standing = new Map([...own].sort((one, other) => Boolean(one.token) - Boolean(other.token)).map((one) => [one.cell, one]));
    return acts.map((one) => {
      const card = state.hand.find(({ name }) => name === one.unit);
      const piece = standing.get(one.here) ?? card ?? null;
      if (one.goes) standing.set(one.to.at(-1), piece);
      if (card && one.to.length) standing.set(one.to.at(-1), card);
      return { ...one, piece };
    });
  }

  // What will you do?

  let places = {};
  // A mark of its own for what is sent last, or for the hint asked for: until that is answered
  // nothing is sent.
  let underway = null;
  // The hint that was given last, for which plan, and what speaks for it.
  let advice = null;

  function next() {
    underway = null;
    places = {
      units: el("div", { class: "units", role: "group", "aria-label": "Which one" }),
      verbs: el("div", { class: "verbs", role: "group", "aria-label": "What it does" }),
      options: el("div", { class: "picks", role: "group", "aria-label": "Which" }),
      hint: el("p", { class: "hint-line" }),
      lines: el("ol", { class: "lines", "aria-label": "Your orders" }),
      error: el("p", { class: "error", role: "alert", id: "orders-error", hidden: true }),
      apart: el("div", { class: "toggles" }),
      text: el("textarea", { id: "orders", rows: 4, spellcheck: "false", autocapitalize: "none", "aria-label": "Your orders as text", "aria-describedby": "orders-error", hidden: true }),
      send: el("button", { type: "button", class: "button go wide", "data-act": "send", onclick: guarded(() => sending()) }, el("span"), el("small")),
    };
    return el(
      "section",
      { class: "next", "aria-label": "Your orders" },
      el("div", { class: "head" }, el("h2", {}, "What will you do?")),
      places.units, places.verbs, places.options, places.hint,
      el("div", { class: "push" }),
      el("div", { role: "status" }, places.lines), places.text, places.error,
      el("div", { class: "send-row" }, places.send, button("Take it back", () => takeBack(), { sign: "undo", act: "undo" })),
      el("div", { class: "apart" }, places.apart, button("As text", asText, { kind: "plain", act: "text" }), button("Hint", hinted, { kind: "plain", act: "hint" })),
    );
  }

  const takeBack = () => plan.back();

  /** A first game explains itself, a step at each of the first turns; closed once, it is silent. */
  let learns = true;
  function lesson() {
    if (!state.alone || !state.lesson || !learns) return null;
    const made = el("div", { class: "lesson" }, el("p", {}, state.lesson), button("No more of this", () => {
      learns = false;
      made.remove();
    }, { sign: "close", act: "lesson" }));
    return made;
  }

  // Standing orders: answers given ahead, lines of the order file.

  let ahead = {};

  function standing() {
    const chosen = (one) => (one.line in ahead ? ahead[one.line] : one.now);
    const choose = (one, value) => {
      // One of these lines replaces all standing orders of before.
      ahead = { ...Object.fromEntries(state.asked.map((other) => [other.line, chosen(other)])), [one.line]: value };
      changed();
    };
    const several = (one) => {
      const place = el("div", { class: "picks" });
      const draw = () => {
        const list = chosen(one) ?? [];
        place.replaceChildren(...one.choices.map(([value, words]) => {
          const at = list.indexOf(value);
          return button(at < 0 ? words : `${at + 1} ${words}`, () => {
            const rest = list.filter((other) => other !== value);
            choose(one, at < 0 ? [...rest, value] : rest.length ? rest : null);
            draw();
            place.querySelector(`[data-pick="${CSS.escape(value)}"]`).focus();
          }, { kind: "pick", "aria-pressed": String(at >= 0), "data-pick": value });
        }));
      };
      draw();
      return place;
    };
    const single = (one) => el("div", { class: "tabs" }, one.choices.map(([value, words]) => {
      const made = button(words, () => {
        choose(one, value);
        for (const other of made.parentElement.children) other.setAttribute("aria-pressed", String(other === made));
      }, { kind: "tab", "aria-pressed": String(chosen(one) === value), "data-pick": value });
      return made;
    }));
    over(
      "Standing orders", "middle",
      el("p", { class: "dim" }, "They answer for you, so that nobody waits for you. Only you know them. They go out with your next orders, and hold until you give others."),
      ...state.asked.map((one) => el("fieldset", { class: "options", "data-asked": one.line }, el("legend", {}, one.words), one.many ? several(one) : single(one))),
    );
  }

  /** The standing orders that are new, as lines. */
  const written = () =>
    Object.entries(ahead).filter(([, value]) => value !== null).map(([line, value]) => `${line} ${Array.isArray(value) ? value.join(", ") || "none" : value}`);

  function waiting() {
    const sent = state.sent.slice(-1).map(({ text: words }) => el("p", { class: "dim" }, Page.local(`${words}.`)));
    return el(
      "section",
      { class: "next roomy", "aria-label": "Waiting" },
      el("h2", {}, `Waiting for ${state.awaited.map(({ player }) => player).join(" and ") || "the host"}`),
      ...sent,
      el("p", {}, "When a mail from the host comes, drop it here, paste it, or choose it."),
      Page.mail.pasting(),
    );
  }

  async function tapped(cell) {
    try {
      await plan.cell(cell);
    } catch (error) {
      Page.tell(error);
    }
  }

  /** Draw the panel and the sea anew after any change of the plan; the focus stays where it was. */
  function changed() {
    if (!places.send?.isConnected) return;
    shows += 1;
    const now = plan.state();
    const held = document.activeElement?.dataset ?? {};
    document.querySelector(".next").setAttribute("aria-busy", String(now.waits));
    units(now);
    places.verbs.replaceChildren(...now.verbs.map((one) => verbButton(one, now)));
    places.options.replaceChildren(...options(now));
    places.hint.textContent = hint(now);
    places.lines.replaceChildren(...now.acts.map((one, at) => line(one, at, now)), ...(Object.keys(ahead).length ? [standingLine()] : []));
    if (!underway) sendSays(now.usual ? "Send answer" : "Send orders", summary(now));
    if (now.usual) {
      document.querySelector(".clock b").textContent = now.usual.answers;
      document.querySelector(".next h2").textContent = now.usual.asks || "Your answer";
    }
    places.send.disabled = underway || !(now.ready || (text && places.text.value.trim()));
    places.apart.replaceChildren(...apart(now));
    hand(now);
    const left = document.querySelector(".side.me .left");
    if (left) left.textContent = now.left;
    document.querySelector("[data-act=undo]").disabled = !now.acts.length && !now.taps.length;
    redraw();
    for (const [name, value] of Object.entries(held)) {
      if (document.activeElement !== document.body || name === "cell") break;
      document.querySelector(`.next [data-${name}="${CSS.escape(value)}"], .hand [data-${name}="${CSS.escape(value)}"]`)?.focus();
    }
  }

  function units(now) {
    const named = now.units.filter((name) => !state.hand.some((card) => card.name === name) && !state.chart.cells?.[name]);
    places.units.hidden = named.length < 2;
    places.units.replaceChildren(
      ...named.map((name) => {
        const at = now.here(name);
        const mine = (state.chart.pieces ?? []).filter(({ side, mark }) => side === "own" && mark.toLowerCase() === name);
        const piece = mine.find(({ cell }) => cell === at) ?? mine[0];
        return el(
          "button",
          { type: "button", class: "unit", "aria-pressed": String(name === now.unit), "data-unit": name, onclick: () => {
            if (piece) touch(spoken(piece.about), piece.about);
            plan.unit(name);
          } },
          piece ? picture(piece) : null,
          el("span", {}, piece ? (piece.title.split(": ")[1] ?? name).replace(/^.*, /, "") : name),
        );
      }),
    );
  }

  function verbButton(one, now) {
    const pressed = now.verb === one.id || (now.replaced?.verb === one.id && !now.verb);
    return el(
      "button",
      { type: "button", class: "verb", "aria-pressed": String(pressed), "data-verb": one.id, onclick: guarded(() => {
        touch(one.name, one.about || one.id);
        return plan.verb(one.id);
      }) },
      icon(one.sign),
      el("b", {}, one.name),
      el("small", {}, one.words),
      one.cost ? el("span", { class: "cost" }, one.cost.replace(/ .*/, "")) : one.heard === null ? null : el("span", { class: "ear", title: one.heard ? "heard" : "unheard" }, icon(one.heard ? "heard" : "unheard"), el("span", { class: "unseen" }, one.heard ? "heard" : "unheard")),
    );
  }

  const spoken = (name) => name.replaceAll("-", " ").replace(/^./, (one) => one.toUpperCase());

  /** Where lines differ only in what they name besides: that, once each; else the lines. */
  function options(now) {
    const names = [...new Set(now.options.flatMap((one) => one.picks))];
    if (names.length > 1) {
      return names.map((name) => button(spoken(name), () => plan.pick(name), { kind: "pick", "aria-pressed": String(now.picks.includes(name)), "data-pick": name }));
    }
    return now.options.map((one) => button(one.says, () => plan.pick(one.picks[0] ?? one.text), { kind: "pick", "data-pick": one.text }));
  }

  function hint(now) {
    if (now.waits) return "";
    if (advice?.plan === plan && now.lines.join("\n") === advice.orders.trim()) return advice.says;
    if (now.options.length) return now.options[0].picks.length ? "Tap what it costs, or which." : "Tap one.";
    if (now.units.length > 1 && !now.unit) return state.hand.length ? "Tap a card, or a ship of yours." : "Tap one of yours.";
    if (now.may.size && (!now.acts.length || now.more)) return now.taps.length ? "It may go on, or send it." : "Tap a lit cell.";
    return "";
  }

  function line(one, at, now) {
    return el(
      "li",
      { class: "line" },
      el("div", {}, el("p", {}, one.says), one.warns ? el("p", { class: "error" }, icon("flag"), one.warns) : null, one.heard || one.cost ? el("small", {}, [one.heard, one.cost].filter(Boolean).join(" ")) : null),
      button(now.acts.length > at + 1 ? "Take back from here on" : "Take it back", () => plan.cut(at), { sign: "close", "data-cut": at }),
    );
  }

  const standingLine = () =>
    el("li", { class: "line aside" }, el("p", {}, "New standing orders."), button("Take them back", () => {
      ahead = {};
      changed();
    }, { sign: "close", act: "standing-back" }));

  /** What the wide button says. Its parts stay: a finger may be on them while the plan goes on. */
  function sendSays(label, words = "") {
    const [name, small] = places.send.children;
    name.textContent = label;
    small.textContent = words;
  }

  function summary(now) {
    if (text) return "as written";
    const one = now.acts.at(-1);
    if (!one) return now.ends?.yes ? now.ends.name : now.may.size ? "Tap a lit cell" : "";
    return now.acts.length > 1 ? `${now.acts.length} lines${now.left ? `; ${now.left}` : ""}` : `${one.says} ${one.heard}`;
  }

  function apart(now) {
    const box = (id, label, yes, turn) =>
      el("label", { class: "check" }, el("input", { type: "checkbox", checked: yes, "data-beside": id, onchange: (event) => turn(event.target.checked) }), label);
    return [
      ...(state.asked?.length ? [button("Standing orders", standing, { kind: "plain", act: "standing" })] : []),
      ...(now.ends ? [box("end", now.ends.name, now.ends.yes, (yes) => plan.ending(yes))] : []),
      ...now.beside.map((one) => box(one.text, one.name, one.yes, (yes) => plan.beside(one.text, yes))),
    ];
  }

  function asText() {
    text = !text;
    places.text.hidden = !text;
    places.lines.hidden = text;
    if (text) {
      places.text.value = plan.state().lines.join("\n");
      places.text.oninput = () => {
        failed(null);
        changed();
      };
      places.text.focus();
    }
    changed();
  }

  function begun() {
    places.send.disabled = true;
    underway = {};
    return underway;
  }

  function ended(mine) {
    if (underway !== mine) return;
    underway = null;
    changed();
  }

  async function hinted() {
    const asked = plan;
    const mine = begun();
    try {
      advice = { plan: asked, ...(await ask("hint")) };
      await asked.take(advice.orders);
      if (text) places.text.value = asked.state().lines.join("\n");
    } finally {
      ended(mine);
    }
  }

  /** What is wrong with the orders, beside them; gone at the next change. */
  function failed(error) {
    places.error.hidden = !error;
    places.error.replaceChildren(...(error ? [icon("flag"), el("span", {}, [error.line, error.hint].filter(Boolean).join(" "))] : []));
    places.text.setAttribute("aria-invalid", String(Boolean(error)));
    if (error && text) places.text.focus();
  }

  function hand(now) {
    const place = document.querySelector(".hand");
    if (!place) return;
    const gone = new Set(now.acts.flatMap((one) => [...one.picks, one.unit]));
    place.replaceChildren(
      ...state.hand.map(({ name, shape: drawing, words }) => {
        const pays = now.options.some((one) => one.picks.includes(name));
        const plays = now.units.includes(name);
        const paid = now.picks.includes(name) || now.acts.some((one) => one.picks.includes(name));
        const card = el(
          "button",
          {
            type: "button", class: paid ? "card paid" : now.unit === name ? "card chosen" : "card", "data-card": name, "aria-pressed": String(now.unit === name || paid),
            "aria-disabled": String(!(pays || plays) && !paid), onclick: guarded(() => {
              touch(spoken(name), name);
              return pays ? plan.pick(name) : plays ? plan.unit(name) : null;
            }),
          },
          svg("svg", { viewBox: "4 3 52 54", class: "token", "aria-hidden": "true" }, svg("g", { class: "piece own" }, ...shape(drawing))),
          el("b", {}, spoken(name)),
          el("small", {}, paid ? "paid" : words),
        );
        card.hidden = gone.has(name) && !paid;
        return card;
      }),
    );
  }

  // Sending.

  async function sending() {
    const now = plan.state();
    const warned = text ? [] : now.acts.filter((one) => one.warns).map((one) => one.warns);
    if (warned.length) {
      const answer = await question("Send?", warned.join(" "), "Send all the same", "Keep planning");
      if (answer !== "Send all the same") return;
    } else if (!text && now.left && now.more) {
      const answer = await question("Send?", `${now.left[0].toUpperCase()}${now.left.slice(1)}.`, "Send all the same", "Keep planning");
      if (answer !== "Send all the same") return;
    } else if (!text && !now.acts.length && now.units.length && now.ends) {
      const answer = await question("Send?", "Nothing is planned in this turn.", "Send all the same", "Keep planning");
      if (answer !== "Send all the same") return;
    }
    await send([...(text ? places.text.value.split("\n") : now.lines), ...written()]);
  }

  async function send(lines, protest = null) {
    const mine = begun();
    sendSays(state.alone ? "Sending…" : "Sealing…");
    try {
      const [time, written] = [now(), lines.join("\n")];
      const told = await ask("order", { now: time, text: written, protest: protest ?? document.getElementById("protest")?.value ?? null });
      if (state.alone) kept().find(({ seed }) => seed === offer.seed)?.orders.push([time, written]);
      ahead = {};
      await carrier().sent(told);
      show({ ...state, ...told }, told.news && !told.since ? told.news : [], told.warnings);
    } catch (error) {
      ended(mine);
      failed(error);
    }
  }

  screen("game", (main) => {
    main.className = "play";
    main.dataset.stage = state.stage;
    // A protest is written beside the sea that everybody sees.
    const other = state.mine ? null : carrier().panel?.(state);
    const panel = other ?? (state.sent.length && !state.alone ? Page.mail.sending(state) : state.mine ? next() : waiting());
    const before = past();
    main.append(bar(clock()), before, sea(), panel);
    // Where there is room for a few lines alone, these are the newest, if nothing else is to be said.
    const few = matchMedia("(max-width: 599px), (max-height: 519px)").matches;
    if (few && !before.querySelector(".amiss p, .lesson")) before.scrollTop = before.scrollHeight;
    plan = null;
    given = [];
    redraw();
    if (state.sent?.length) ordered().catch(() => {});
    if (panel.classList.contains("next") && places.send?.isConnected) {
      if (state.protests && state.protest) panel.prepend(Page.mail.protest(state));
      plan = planned(state.verbs, ask, () => {
        failed(null);
        changed();
      });
      // What the plan asks may be answered when its turn is long over: no error of that is told.
      const begun = plan;
      plan.begin().catch((error) => plan === begun && Page.tell(error));
    }
    work().catch(() => {});
    return () => {
      [board, plan] = [null, null];
    };
  });

  Page.back("game", () => {
    history.pushState({ screen: "game" }, "");
    return away();
  });

  // The end.

  /** The options of a game for its rematch, in which another player goes first. */
  const anew = (options) => [...options.filter((one) => !state.rematch.some((other) => other.split("=")[0] === one.split("=")[0])), ...state.rematch];

  screen("end", (main) => {
    main.className = "play ended";
    main.dataset.stage = "over";
    const won = state.outcome === `${state.player} won` ? "You won" : state.outcome === "a draw" ? "A draw" : state.outcome.endswith?.("won") || state.outcome.endsWith(" won") ? "You lost" : "It is over";
    const place = el("div", { class: "seal-place", role: "status" }, el("p", { class: "dim" }, "Everything is worked out again…"));
    const last = state.since.at(-1)?.told ?? [];
    const more = carrier().ended?.(state) ?? {};
    const heading = el("h2", { class: "won" }, more.title ?? won);
    const file = async () => ask("packed");
    const watch = async (step = null) => {
      const { name, data } = await file();
      if (step !== null) history.replaceState(history.state, "", `#step=${step}`);
      await Page.open(name, Page.mail.bytesOf(data));
    };
    const loud = el("section", { class: "loud", hidden: true }, el("h3", {}, "The loud turns"), el("ol", {}));
    ask("loud").then((turns) => {
      loud.hidden = !turns.length;
      loud.lastChild.append(...turns.map(({ step, text: words, sign }) =>
        el("li", {}, el("button", { type: "button", class: "loud-turn", "data-act": "watch-turn", onclick: guarded(() => watch(step)) }, icon(sign), el("small", {}, `entry ${step}`), el("span", {}, words), icon("on")))));
    }, () => {});
    main.append(
      bar(state.duel && Page.mail.unsent(state) ? clock() : el("p", { class: "clock wait" }, el("b", {}, "Finished"))),
      sea(),
      el(
        "section",
        { class: "next roomy", "aria-label": "The end" },
        heading,
        el("div", {}, [...(more.says ?? []), ...(offer && state.alone ? proposal() : []), ...last.slice(-3).map(({ text: words }) => words)].map((words) => el("p", {}, words))),
        warned(),
        more.send ?? null,
        place,
        loud,
        el("div", { class: "push" }),
        button("Watch it from all sides", () => watch(), { kind: "go wide", act: "watch" }),
        el(
          "div",
          { class: "row" },
          more.rematch ?? (offer && state.alone ? button("Rematch with seats changed", () => against(offer.game, { ...offer, options: anew(offer.options) }), { act: "rematch" }) : null),
          button("Keep this game", async () => Page.mail.save(await file()), { act: "keep" }),
        ),
        el("p", { class: "dim" }, "Keep: one file that anybody can open in this page and verify."),
      ),
    );
    board.show(state.chart, {});
    board.classList.add("fogged");
    ask("end").then((whole) => {
      if (!board) return;
      const second = state.players.length === 2 && state.players[1] === state.player;
      board.show({ ...(second ? Page.chart.swapped(whole) : whole), turned: state.chart.turned }, {});
      board.classList.add("lifted");
    }, () => {});
    ask("verdict").then((found) => {
      place.replaceChildren(Page.seal(found));
      more.judged?.(found, heading);
    }, (error) => place.replaceChildren(el("p", { class: "error" }, error.line)));
    return () => {
      board = null;
    };
  });

  addEventListener("keydown", (event) => {
    if (document.getElementById("main").dataset.screen !== "game" || event.target.closest("input, textarea, select, dialog")) return;
    if (event.key === "?") {
      if (event.target.dataset.cell) touchCell(event.target.dataset.cell);
      look().catch(Page.tell);
    }
    else if (event.key === "w") document.querySelector("[data-act=shade]")?.click();
    else if (event.key === "Escape" && plan) plan.back();
    else if (event.key === "Enter" && event.ctrlKey) document.querySelector("[data-act=send]")?.click();
  });

  return { against, anew, ask, carry, current: () => state, now, set: (told) => { state = told; }, show };
})();
