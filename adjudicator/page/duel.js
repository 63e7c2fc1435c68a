import { Page } from "./old.js";
// A duel: two people play, and nobody hosts. The offer, what leaves for the other, the end. A turn
// is the same screen as in every game. It knows no game.

Page.duel = (() => {
  const { button, el, guarded, icon, screen } = Page;
  const { ask, carry, current, now, set, show } = Page.game;
  const { begun, gone: sent, keepSeat, keeping, nameField, newSeat, pasting, remember, save, saveBytes, top, wordField, wrong } = Page.mail;

  // What leaves.

  /** A link that brings a block to this page, after the `#`, which no browser sends; null for a page on a disk. */
  const link = (end) => (location.protocol.startsWith("http") ? location.href.split("#")[0] + end : null);

  const friend = ({ other }) => other || "your friend";

  /** The ways out of the page for a block: each tap sends, and keeps the seat. */
  function ways(state) {
    const { id, name, text, subject } = state.send;
    const address = link(state.send.link);
    const gone = (work) => async (event) => {
      const place = event?.target.closest("button");
      await work(place);
      sent.add(id);
      const after = current().stage === "over" ? "Sent." : waits(current());
      for (const one of document.querySelectorAll("[data-heading=send]")) one.textContent = after;
      for (const one of document.querySelectorAll(".clock:not(.wait)")) {
        one.classList.add("wait");
        one.querySelector("b").textContent = after;
      }
      await keepSeat(true);
    };
    const copy = (what, said) => async (place) => {
      await navigator.clipboard.writeText(what);
      place.replaceChildren(icon("check"), said);
    };
    // A draft with the whole block in its address is more than many mail programs take.
    const draft = async (place) => {
      await copy(address ?? text, "Copied. Paste it into the mail.")(place);
      el("a", { href: `mailto:?subject=${encodeURIComponent(subject)}` }).click();
    };
    return el(
      "div",
      { class: "row" },
      navigator.share ? button("Share", gone(() => navigator.share({ title: subject, text: address ?? text })), { kind: "go labelled", sign: "share", act: "share" }) : null,
      address ? button("Copy the link", gone(copy(address, "Copied. Paste it into your chat.")), { kind: navigator.share ? "labelled" : "go labelled", sign: "link", act: "copy-link" }) : null,
      button("Copy as text", gone(copy(text, "Copied. Paste it into your chat.")), { kind: navigator.share || address ? "labelled" : "go labelled", sign: "copy", act: "copy" }),
      button("Mail", gone(draft), { kind: "labelled", sign: "mail", act: "mail" }),
      button("Save as a file", gone(() => saveBytes(`${name}.txt`, new TextEncoder().encode(text), "text/plain")), { kind: "labelled", sign: "open", act: "save-block" }),
    );
  }

  const READY = {
    offer: "Your offer is ready: send it",
    accept: "You have accepted: send your answer",
    orders: "Sealed. Now send it.",
    answer: "Your answer is ready: send it",
    reply: "Send what they lack",
    request: "Ask first: send this question",
  };
  const waits = (state) => `Waiting for ${friend(state)}`;

  /** What leaves now, how, and where the answer is taken in. */
  function sending(state) {
    const { id, what } = state.send;
    const why = {
      offer: "Send it to one friend: whoever answers first plays.",
      answer: `${friend(state)} asked for what only you know. There was nothing to decide.`,
      reply: `${friend(state)} lacks moves that are here, or shows others. This holds all that is played on.`,
      request: `This seat ends with move ${state.step}. If you have sent moves since it was saved, ${friend(state)} has them. To order one anew would let ${friend(state)} choose between the two.`,
    }[what];
    return [
      el("h2", { "data-heading": "send" }, sent.has(id) ? waits(state) : READY[what]),
      why ? el("p", { class: "dim" }, why) : null,
      ways(state),
      state.asking
        ? el("div", {}, state.other ? null : el("p", {}, "Has somebody accepted already, after this file was saved? Then open the newer one."), button(state.other ? "Nothing is missing: go on" : "Nobody has accepted: go on", act("go_on"), { kind: "wide", act: "go-on" }))
        : null,
      state.late ? button(`${friend(state)} does not answer: end it`, stops, { kind: "wide", act: "end" }) : null,
      el("p", { class: "note" }, "When the answer comes, open its link, paste it here, or drop it."),
      pasting(),
    ];
  }

  const panel = (state) => el("section", { class: "next roomy", "aria-label": "Send" }, ...sending(state));

  /** A call that changes the duel, and the screen that shows what came of it. */
  const act = (name, given = {}) => async () => {
    const told = await ask(name, { now: now(), ...given });
    show(told, told.lines);
    await keepSeat();
  };

  async function stops() {
    const words = `The time for ${friend(current())}\u2019s move is over by your clock. If you end it, your side opens and nobody has won: nobody can prove that a message never came. That cannot be undone.`;
    if ((await Page.ask("End the duel?", words, "End it", "Wait")) === "End it") await act("end_duel", { gives_up: false })();
  }

  async function givesUp() {
    const words = `${friend(current())} wins. Your side opens: ${friend(current())} sees all that you hid, and so does everybody who has the file. That cannot be undone.`;
    if ((await Page.ask("Give up?", words, "Give up", "Play on")) === "Give up") await act("end_duel", { gives_up: true })();
  }

  /** The second game of a match is offered by who has accepted the first, with the same name, key and passphrase. */
  async function second() {
    await Page.mail.stow();
    const told = await ask("second", { now: now() });
    set(told);
    show(told.id === "setup" ? told : await begun());
  }

  // Offering and accepting.

  const PROMISE = "Nobody hosts this game. Each of you keeps your own secrets, and at the end both open theirs: a lie shows, and shows who told it. It shows at the end, and only sometimes at once.";
  const COMPARE = "Compare these lines once, by phone or face to face. Somebody who carries your messages could otherwise sit between you, and play against both.";

  const players = (members) => [
    el("dl", { class: "keys" }, members.flatMap(([name, key]) => [el("dt", {}, name), el("dd", {}, el("code", {}, key))])),
    el("p", { class: "dim" }, COMPARE),
  ];

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
            await Page.mail.stow();
            const told = await work({ now: now(), ...chosen });
            set(told);
            show(told.id === "setup" ? told : await begun());
          } catch (error) {
            form.inert = false;
            wrong(/passphrase/.test(error.line) ? "word" : "name", [error.line, error.hint].filter(Boolean).join(" "));
          }
        },
      },
      ...inside, nameField(), wordField(), remember(), el("button", { class: "button go wide", "data-act": act }, label),
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
      button("Learn it", () => Page.rules(state.rules.split("/")[0], state.title), { kind: "plain", act: "learn" }),
      ...players(state.members),
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
      main.append(el("section", { class: "paper" }, ...sending(state)), el("section", { class: "paper" }, ...players(state.members)), el("div", { class: "row" }, ...keeping(state)));
    } else main.append(offering(given));
  });

  Page.back("friend", () => Page.mail.goHome().catch(Page.tell));

  // A duel on the screens of every game.

  carry({
    of: (state) => state.duel,
    screen: "friend",
    name: friend,
    panel,
    sent: async (told) => {
      if (!told.send) return;
      set(told);
      if (told.stage === "offered") Object.assign(told, await begun());
      else {
        await keepSeat();
        told.changed = current().changed;
      }
    },
    foot: (state) => [
      ...keeping(state),
      state.members ? button("Who plays: their keys", () => Page.over("Who plays", "middle", ...players(state.members)), { kind: "plain", act: "keys" }) : null,
      state.send ? button("Save the duel as a file", async () => save(await ask("packed")), { kind: "plain", act: "keep" }) : null,
      state.begun && !state.asking ? button(`Ask ${friend(state)} for what is missing`, act("request"), { kind: "plain", act: "request" }) : null,
      state.begun && !state.ending ? button("Give up", givesUp, { kind: "plain", act: "give-up" }) : null,
    ].filter(Boolean),
    ended: (state) => ({
      title: state.ending.title || null,
      says: state.ending.says,
      judged: ({ verdict }, heading) => {
        const lied = verdict.match(/^false: (\S+) lied/);
        if (lied) heading.textContent = `${lied[1] === state.player ? "You" : lied[1]} lied`;
      },
      send: el("div", { class: "outgoing" },
        sent.has(state.send.id) ? null : el("h3", { "data-heading": "send" }, READY[state.send.what] ?? `Send this to ${friend(state)}: then they see the same`),
        state.ending.awaited || !sent.has(state.send.id) ? ways(state) : null,
        state.ending.awaited ? pasting() : null),
      rematch: state.second === false ? null : state.second ? button("Offer the second game of the match", second, { act: "second" }) : button("Rematch with seats changed", async () => {
        const given = Page.game.anew(state.given);
        await Page.mail.leave();
        Page.go("friend", { game: state.rules.split("/")[0], given, me: state.player, other: state.other });
      }, { act: "rematch" }),
    }),
  });

  // The file of the duel that is open brings what is missing in it; any other is watched.
  Page.taker(
    (name, bytes) => bytes[0] === 0x50 && bytes[1] === 0x4b && current().duel && (/^(offered|play)$/.test(current().stage) || current().ending?.awaited) && current().id !== "setup",
    async (name, bytes) => {
      try {
        const told = await ask("take", { now: now() }, bytes);
        show(told, told.lines, told.warnings);
        await keepSeat();
      } catch {
        Page.watch(name, Page.call("watch.open", { name }, bytes));
      }
    },
  );

  return { link };
})();
