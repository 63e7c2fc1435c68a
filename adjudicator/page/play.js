"use strict";
// Playing: open a seat or join, take in mails, write orders by tapping or typing, seal, send.
// It knows no game: choices, cells, boards and sentences come from Python.

(() => {
  const { call, el } = Page;
  const ask = (name, given, data) => call(`play.${name}`, given, data);
  const now = () => `${new Date().toISOString().slice(0, 19)}Z`;
  const bytesOf = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  const MOST = 48;

  let state = { stage: "none" };
  let sent = null;
  let news = [];
  let early = [];
  let board = null;

  // Files out.

  function save(name, bytes, type = "application/octet-stream") {
    const link = el("a", { download: name, href: URL.createObjectURL(new Blob([bytes], { type })) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  const mailOf = (send) =>
    send.mail
      ? [`${send.name}.eml`, bytesOf(send.mail), "message/rfc822"]
      : [`${send.name}.txt`, new TextEncoder().encode(send.text), "text/plain"];

  function saveSafe(safe) {
    save(safe.name, bytesOf(safe.data));
    if (memory.wanted()) memory.keep(safe);
  }

  // What the browser remembers: nothing for a page from disk, because other files share its storage.

  const memory = (() => {
    // A browser that blocks a site's data throws at the mere name of its storage.
    const store = (() => {
      try {
        return location.protocol.startsWith("http") ? localStorage : null;
      } catch {
        return null;
      }
    })();
    const web = store !== null;
    const guarded = (act, otherwise) => {
      try {
        return act();
      } catch {
        return otherwise;
      }
    };
    const PREFIX = "adjudicator-safe ";
    let wanted = false;
    const all = () => guarded(() => (web ? Object.keys(store).filter((key) => key.startsWith(PREFIX)) : []), []);
    return {
      web,
      wanted: () => web && wanted,
      want: (yes) => {
        wanted = yes;
      },
      seats: () => all().map((key) => ({ id: key.slice(PREFIX.length), data: store[key] })),
      has: (id) => web && guarded(() => store.getItem(PREFIX + id), null) !== null,
      get: (id) => guarded(() => store.getItem(PREFIX + id), null),
      forget: (id) => guarded(() => store.removeItem(PREFIX + id)),
      keep({ id, data }) {
        try {
          store.setItem(PREFIX + id, data);
        } catch {
          Page.tell({ line: "the browser does not keep your seat", hint: "keep the saved file" });
        }
      },
    };
  })();

  // One tab for each seat, if the browser can tell.

  const NOBODY = { id: "", release: () => {} };
  let seat = NOBODY;

  /** A seat kept from other tabs, until it is released; null where another tab has it. */
  async function alone(id) {
    if (id === seat.id) return seat;
    if (!navigator.locks) return { ...NOBODY, id };
    try {
      return await new Promise((resolve, reject) => {
        navigator.locks
          .request(`adjudicator ${id}`, { ifAvailable: true }, (lock) => {
            if (!lock) return resolve(null);
            return new Promise((release) => resolve({ id, release }));
          })
          .catch(reject);
      });
    } catch {
      return { ...NOBODY, id };
    }
  }

  /** Sit there from now on, and leave the previous seat. */
  function sit(next) {
    if (next !== seat) seat.release();
    seat = next;
  }

  // Files in.

  const starts = (bytes, text) => new TextDecoder("latin1").decode(bytes.subarray(0, text.length)) === text;

  Page.taker(() => true, (name, bytes) => take(bytes));
  Page.taker(
    (name, bytes) => starts(bytes, "adjudicator-safe/"),
    (name, bytes) => openSafe(bytes),
  );

  /** Take in a mail or text, show what it brought, and keep it where no seat is open yet. */
  async function take(bytes) {
    if (document.getElementById("main").dataset.screen === "passphrase") {
      early.push(bytes);
      return;
    }
    try {
      const told = await ask("take", { now: now() }, bytes);
      if (told.stage === "none") early.push(bytes);
      show(told, told.lines, told.warnings);
    } catch (error) {
      Page.tell(error);
    }
  }

  async function openSafe(bytes) {
    try {
      const head = await ask("head", {}, bytes);
      Page.go("passphrase", { head, bytes });
    } catch (error) {
      Page.tell(error);
    }
  }

  Page.screen("passphrase", (main, { head, bytes }) => {
    const word = el("input", { type: "password", id: "word", autocomplete: "current-password", required: true });
    const form = el(
      "form",
      {
        class: "panel part form",
        onsubmit: async (event) => {
          event.preventDefault();
          form.inert = true;
          const known = memory.has(head.id) ? await ask("head", {}, bytesOf(memory.get(head.id))) : head;
          let next = null;
          try {
            next = await alone(head.id);
            if (!next) {
              throw { line: `${head.name} is open in another tab`, hint: "close it there first" };
            }
            const told = await ask("open", { now: now(), passphrase: word.value, newest: known.saved }, bytes);
            sit(next);
            memory.want(memory.has(head.id));
            const waiting = early;
            early = [];
            show(told);
            for (const one of waiting) await take(one);
          } catch (error) {
            // The seat that was open stays open, and stays this tab's.
            if (next !== seat) next?.release();
            form.inert = false;
            word.value = "";
            word.focus();
            Page.tell(error);
          }
        },
      },
      el("label", { for: "word" }, "Passphrase"),
      word,
      el("button", { class: "primary" }, "Open"),
    );
    main.append(el("h1", { tabindex: "-1" }, `${head.name}, ${head.player}`), form);
    word.focus();
  });

  Page.card(
    "Play at once",
    "A whole game against the computer, here and now: sealed orders, receipts, and at the end a verdict.",
    () => button("Choose a game", () => show(state), "primary"),
  );
  Page.card(
    "Play with people",
    "By mail: open an invitation or your seat, tap your orders, send them. Nothing to install.",
    () => button("Open or join", () => show(state)),
  );

  // The screen.

  /** Show where the game stands; `lines` and `warnings` are what came of the last act. */
  function show(told, lines = [], warnings = []) {
    state = told;
    news = [...warnings.map((text) => ["warning", text]), ...lines.map((text) => ["line", text])];
    Page.go("play");
  }

  const act = (work) => async (event) => {
    event?.preventDefault();
    Page.tell(null);
    try {
      await work(event);
    } catch (error) {
      Page.tell(error);
    }
  };
  const button = (label, work, kind = "") => el("button", { type: "button", class: kind, onclick: act(work) }, label);
  const folded = (label, ...inside) => el("details", { class: "panel part" }, el("summary", {}, label), ...inside);

  Page.screen("play", (main) => {
    const told = state.stage === "none" ? [] : [el("p", { class: "hint" }, state.title)];
    const early = { none: "Play", invited: "An invitation", joined: "You have joined" }[state.stage];
    const mine = state.sent?.some(({ refused }) => !refused) ? "Your orders are sealed" : "Your turn";
    const running = state.mine ? mine : "Others are awaited";
    const name = early || (state.stage === "over" ? `The game is over: ${state.outcome}` : running);
    main.dataset.stage = state.stage;
    const bar = el("div", { class: "bar" }, button("Start", () => Page.go("home"), "small"));
    main.append(bar, el("header", { class: "title" }, el("h1", { tabindex: "-1" }, name), ...told), newsOf());
    main.append(...sections[state.stage](), foot());
  });

  const newsOf = () =>
    el(
      "div",
      { role: "status" },
      el("ul", { class: "news" }, news.map(([kind, text]) => el("li", { class: kind }, text))),
    );

  const sections = {
    none: () => [begin(), openOne(), pasting("Or paste your invitation")],
    invited: () => [offer(), joining()],
    joined: () => [...state.amiss.map((text) => el("p", { class: "warning" }, text)), el("p", {}, "The game begins when all have joined."), sending(), pasting("The host's mail")],
    play: () => playing(),
    over: () => [over(), ...playing()],
  };

  const foot = () =>
    el(
      "footer",
      { class: "row foot" },
      state.kept ? button(state.changed ? "Save your seat (changed)" : "Save your seat", saveNow, "small") : null,
      state.kept && memory.web ? remember() : null,
      state.stage === "none" ? null : button("Leave this game", leave, "small"),
    );

  function remember() {
    const box = el("input", { type: "checkbox", id: "remember", onchange: () => memory.want(box.checked) });
    box.checked = memory.wanted();
    return el("label", { for: "remember" }, box, " remember it in this browser, behind the passphrase");
  }

  const saveNow = async () => {
    saveSafe(await ask("save"));
    show(await ask("state", { now: now() }));
  };

  const leave = async () => {
    if (state.changed && !confirm("Your seat has changed since it was saved. Leave it?")) return;
    sent = null;
    sit(NOBODY);
    show(await ask("close"));
  };

  // The start.

  function begin() {
    const place = el("div", { class: "cards games" });
    ask("games").then((games) => place.append(...games.map(gameOf)), Page.tell);
    return el("section", { class: "part" }, el("h2", {}, "Against the computer, at once"), place);
  }

  function gameOf(game) {
    const id = `level-${game.id}`;
    const level = el("select", { id }, game.bots.map((bot) => el("option", { selected: bot === game.usual }, bot)));
    const preset = el(
      "select",
      { id: `form-${game.id}` },
      el("option", { value: "" }, "usual"),
      game.presets.map((one) => el("option", {}, one)),
    );
    return el(
      "article",
      { class: "card" },
      el("h2", {}, game.title),
      el("p", {}, game.summary),
      el("label", { for: id }, "against ", level),
      game.presets.length ? el("label", { for: `form-${game.id}` }, "form ", preset) : null,
      button(`Play ${game.title}`, () => against(game.id, level.value, preset.value || null), "primary"),
    );
  }

  async function against(game, bot, preset) {
    sent = null;
    const told = await ask("against", { now: now(), game, bots: [bot], preset });
    show(told, told.news, told.warnings);
  }

  const openOne = () =>
    el(
      "section",
      { class: "panel part" },
      el("h2", {}, "With people"),
      el("p", {}, "Drop your seat (a file that ends in .safe) and the host's mails anywhere on this page, or choose them."),
      Page.chooser("Choose a file", "small"),
      memory.seats().map(({ id, data }) =>
        el(
          "p",
          {},
          button(`Go on as ${id.split("/")[1]}`, () => openSafe(bytesOf(data))),
          button("Forget it here", () => {
            memory.forget(id);
            show(state);
          }, "small"),
        ),
      ),
    );

  function pasting(label) {
    const text = el("textarea", { id: "paste", rows: 4, spellcheck: "false" });
    return el(
      "section",
      { class: "panel part form" },
      el("label", { for: "paste" }, label),
      text,
      el(
        "div",
        { class: "row" },
        button("Take it in", () => take(new TextEncoder().encode(text.value)), "small"),
        state.stage === "none" ? null : Page.chooser("Choose a file", "small"),
      ),
    );
  }

  const offer = () =>
    el(
      "section",
      { class: "panel part" },
      el("p", {}, state.summary),
      el("dl", {}, Object.entries(state.options).flatMap(([key, value]) => [el("dt", {}, key), el("dd", {}, value)])),
    );

  function joining() {
    const field = (id, label, given = {}) => [el("label", { for: id }, label), el("input", { id, ...given })];
    const value = (id) => document.getElementById(id).value.trim();
    return el(
      "form",
      {
        class: "panel part form",
        onsubmit: act(async () => {
          const given = { name: value("name"), address: value("address"), token: value("token") };
          const passphrase = document.getElementById("word").value;
          const told = await ask("join", { now: now(), passphrase, ...given });
          sit((await alone(told.safe.id)) ?? NOBODY);
          await sendOut(told);
          show(await ask("state", { now: now() }));
        }),
      },
      field("name", "Your name in the game", { required: true, autocapitalize: "none", autocomplete: "off" }),
      field("address", "Your mail address: only the host can read it", { type: "email", autocomplete: "email" }),
      field("token", "Token of your invitation, if seats are reserved", { value: state.token || "" }),
      field("word", "A passphrase for your seat, 8 characters or more", {
        type: "password",
        required: true,
        minlength: "8",
        autocomplete: "new-password",
      }),
      el("button", { class: "primary" }, "Join: save seat and mail"),
    );
  }

  // Sending: saving the seat is a part of it.

  async function sendOut(told) {
    saveSafe(told.safe);
    sent = told.send;
    save(...mailOf(told.send));
  }

  function sending() {
    if (!sent) return el("p", {}, button("Show what you sent", async () => {
      sent = (await ask("again", { now: now() })).send;
      show(state);
    }));
    const [name, bytes, type] = mailOf(sent);
    const file = new File([bytes], name, { type });
    return el(
      "section",
      { class: "panel part" },
      el("p", {}, sent.mail ? `Send ${name} to ${sent.to}.` : `Send ${name} to the host.`),
      el(
        "div",
        { class: "row" },
        button("Save it again", () => save(name, bytes, type), "small"),
        button("Copy the block", async () => {
          await navigator.clipboard.writeText(sent.text);
          Page.tell({ line: "copied: paste it into a mail to the host", hint: "" });
        }, "small"),
        navigator.canShare?.({ files: [file] })
          ? button("Share", () => navigator.share({ files: [file], title: sent.subject || name }), "small")
          : null,
      ),
    );
  }

  // A game under way.

  function playing() {
    board = Page.board();
    board.addEventListener("cell", ({ detail }) => tapped(detail));
    queueMicrotask(() => {
      board.show(state.svg);
      mark();
    });
    return [
      el("ul", { class: "clocks" }, clocks()),
      sent && !state.alone && state.sent.length ? sending() : null,
      el(
        "div",
        { class: "columns" },
        el("div", { class: "stage" }, board),
        el("div", { class: "beside" }, ...(state.mine ? [ordering()] : []), pendings()),
      ),
      state.alone ? null : pasting("Paste what came from the host, or drop it anywhere"),
      later("The story so far", async () => {
        const told = await ask("log");
        return told.flatMap((one) => [el("h3", {}, `${one.step}: ${one.title}`), ...one.news.map((text) => el("p", {}, text))]);
      }),
      later("What you can work out", async () => [el("pre", {}, (await ask("deduced")).join("\n"))]),
      state.alone ? null : later("Messages", async () => [el("pre", {}, (await ask("letters")).join("\n") || "none")]),
    ].filter(Boolean);
  }

  /** Fetched when it is opened: a long game's story is long. */
  function later(label, fetch) {
    const one = folded(label);
    one.addEventListener("toggle", act(async () => {
      if (one.open && one.children.length === 1) one.append(...(await fetch()));
    }));
    return one;
  }

  const DAY = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };

  /** Who is awaited, oneself first; alone on a machine all others answer at once. */
  const clocks = () =>
    state.awaited
      .filter(({ you }) => you || !state.alone)
      .sort((one, other) => other.you - one.you)
      .map(({ player, you, what, until, left }) => {
        const by = state.alone ? "" : ` until ${new Date(until).toLocaleString([], DAY)}, ${left}`;
        return el("li", { class: you ? "mine" : "others" }, `${you ? "You" : player}: ${what}${by}`);
      });

  const pendings = () =>
    el(
      "section",
      { class: "panel" },
      el("h2", {}, "News"),
      el("ul", { class: "news" }, state.news.map((text) => el("li", {}, text))),
      state.news.length ? null : el("p", { class: "hint" }, "(no news)"),
      state.amiss.map((text) => el("p", { class: "warning" }, text)),
      state.sent.map(({ text }) => el("p", { class: "sent" }, text)),
      state.alone || sent || !state.sent.length ? null : sending(),
    );

  // Orders: only the text counts; tapping writes into it.

  let text = null;
  let after = { choices: [], complete: false };
  let taps = [];
  let places = {};

  function ordering() {
    text = el("textarea", { id: "orders", rows: 2, spellcheck: "false", autocapitalize: "none", oninput: () => look() });
    places = {
      choices: el("div", { class: "choices", role: "group", "aria-label": "What you may write" }),
      said: el("p", { class: "hint", role: "status" }),
      seal: el("button", { class: "primary" }, state.alone ? "Play it" : "Seal, sign, save to send"),
    };
    const protest = el(
      "select",
      { id: "protest" },
      el("option", { value: "" }, "none"),
      state.protests.map((one) => el("option", { selected: one === state.protest }, one)),
    );
    const form = el(
      "form",
      {
        class: "panel form",
        onsubmit: act(async () => {
          form.inert = true;
          try {
            const told = await ask("order", { now: now(), text: text.value, protest: protest.value || null });
            if (told.send) await sendOut(told);
            show(told, told.news, told.warnings);
          } finally {
            form.inert = false;
          }
        }),
      },
      el("h2", {}, "Your orders"),
      places.choices,
      places.said,
      el("label", { for: "orders" }, "Your lines, one each: tap above or on the board, or type"),
      text,
      el(
        "div",
        { class: "row" },
        places.seal,
        button("Take the last line back", () => {
          text.value = lines().slice(0, -1).join("\n");
          return look();
        }, "small"),
        button("Hint", async () => {
          text.value = (await ask("hint")).text.trim();
          return look();
        }, "small"),
      ),
      state.alone ? null : folded("Protest", el("label", { for: "protest" }, "What is wrong with the last entry "), protest),
    );
    look();
    return form;
  }

  const lines = () => text.value.split("\n").map((line) => line.trim()).filter(Boolean);

  /** Ask what may come after the lines that stand there, and offer it. */
  async function look() {
    taps = [];
    const given = lines();
    try {
      after = await ask("after", { lines: given });
    } catch {
      after = { choices: [], complete: true };
    }
    if (given.join("\n") === lines().join("\n")) offerChoices();
  }

  const matching = () => after.choices.filter(({ cells }) => taps.every((cell, at) => cells[at] === cell));

  function offerChoices() {
    const found = matching();
    const few = found.slice(0, MOST);
    places.choices.replaceChildren(
      ...few.map((one) => {
        const label = one.label && one.label !== one.text ? el("small", {}, ` ${one.label}`) : null;
        return el("button", { type: "button", class: "small", onclick: () => choose(one) }, one.text, ...(label ? [label] : []));
      }),
    );
    const more = found.length - few.length;
    const next = found.length ? "Tap what you write, or a cell." : after.complete ? "" : "Nothing can follow: take a line back.";
    places.said.textContent = more > 0 ? `… and ${more} more: tap a cell first.` : taps.length ? `${taps.join(", ")}: and then?` : next;
    places.seal.disabled = !after.complete;
    mark();
  }

  function choose(one) {
    text.value = [...lines(), one.text].join("\n");
    return look();
  }

  function tapped(cell) {
    if (!state.mine) return;
    taps.push(cell);
    if (!matching().length) taps = [cell];
    const found = matching();
    if (!found.length) {
      taps = [];
      offerChoices();
      places.said.textContent = `No line that you may write now names ${cell}.`;
    } else if (found.length === 1) choose(found[0]);
    else offerChoices();
  }

  const MARKS = new CSSStyleSheet();
  MARKS.replaceSync("[data-may] { cursor: pointer; stroke: #0b7a75; stroke-width: 2.5px; }");

  /** Mark the cells that may be tapped next. */
  function mark() {
    const root = board?.shadowRoot;
    if (!root) return;
    if (!root.adoptedStyleSheets.includes(MARKS)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, MARKS];
    const may = new Set(state.mine ? matching().map(({ cells }) => cells[taps.length]) : []);
    for (const cell of root.querySelectorAll("[data-cell]:not(g)")) cell.toggleAttribute("data-may", may.has(cell.dataset.cell));
  }

  // The end.

  function over() {
    const place = el("p", { class: "verdict wait" }, "…");
    ask("verdict").then((found) => {
      place.className = `verdict ${found.code ? "bad" : "good"}`;
      place.textContent = `A stranger verifies it: ${found.verdict}.`;
    }, Page.tell);
    return el(
      "section",
      { class: "panel part", "aria-label": "The verdict" },
      place,
      el(
        "div",
        { class: "row" },
        button("Watch it from all sides", async () => {
          const { name, data } = await ask("packed");
          await Page.open(name, bytesOf(data));
        }, "primary"),
        button("Save the game", async () => {
          const { name, data } = await ask("packed");
          save(name, bytesOf(data), "application/zip");
        }, "small"),
      ),
    );
  }

  addEventListener("paste", (event) => {
    if (/^(TEXTAREA|INPUT)$/.test(event.target.tagName)) return;
    const given = event.clipboardData.getData("text");
    if (given) take(new TextEncoder().encode(given));
  });
  addEventListener("stopped", () => {
    sit(NOBODY);
    state = { stage: "none" };
    sent = null;
  });
  addEventListener("beforeunload", (event) => {
    if (state.changed && state.kept) event.preventDefault();
  });
})();
