import { Page } from "./old.js";
import { ask, current, set, show } from "./game.js";
import { learn } from "./lesson.js";
import { left, note as noted } from "./send.js";
import { h, now } from "./page.js";
import { NEWER, seats } from "./seat.js";
// Games with people: take in what came, join, send what goes out, keep the seat. It knows no game.

Page.mail = (() => {
  const { back, button, call, chooser, el, folderChooser, guarded, icon, screen } = Page;
  const bytesOf = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));

  let sent = null;
  let posted = false;
  let news = [];
  const early = [];

  // Files out.

  function saveBytes(name, bytes, type = "application/octet-stream") {
    const link = el("a", { download: name, href: URL.createObjectURL(new Blob([bytes], { type })) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }
  const save = ({ name, data }) => saveBytes(name, bytesOf(data), "application/zip");

  const mailOf = (send) =>
    send.mail
      ? [`${send.name}.eml`, bytesOf(send.mail), "message/rfc822"]
      : [`${send.name}.txt`, new TextEncoder().encode(send.text), "text/plain"];

  /** Save the seat as a file; one without a passphrase stays in this browser, which alone opens it. */
  async function saveSafe(safe) {
    if (!safe.bare) saveBytes(safe.name, bytesOf(safe.data));
    await kept(safe, { filed: !safe.bare });
  }

  // The seat that is open: what is new of it is kept before anything of it may leave.

  const kept = (safe, given) => seats.keep(safe.id, { data: bytesOf(safe.data), rev: safe.saved, key: bytesOf(safe.key), bare: safe.bare, filed: false, ...given });

  /** What is shown of a game while its seat is opened the next time. */
  const boardOf = (state) => (/^(play|over)$/.test(state.stage) ? { ...state, stage: "opening", kept: false, ending: null, send: null, sent: [] } : null);

  /** Keep the open seat as it stands. Throws if it has gone on in a newer tab. */
  async function keep(state = current()) {
    if (!state.player || !state.kept || state.alone) return;
    const id = seats.at();
    // What was signed while the seat was taken does not leave.
    if (!id) throw NEWER;
    const row = { told: rowOf(state), shown: boardOf(state) };
    if (!state.changed) return seats.keep(id, row);
    await kept(await ask("save"), row);
    state.changed = false;
  }

  /** A seat that was made here: this tab's from now on. */
  async function begun() {
    const safe = await ask("save");
    sit(await seats.take(safe.id));
    await saveSafe(safe);
    unlink();
    const state = await ask("state", { now: now() });
    await keep(state);
    return state;
  }

  /** Sit there; a window that is loaded anew opens it again. */
  function sit(place) {
    seats.sit(place);
    Page.hold("seat", place.id);
  }

  function stand() {
    seats.stand();
    Page.hold("seat", null);
  }

  seats.hears({
    asked: () => keep(),
    changed: () => Page.draw(),
    left: async (id) => {
      const { name, other, title } = current();
      seats.stand();
      sent = null;
      posted = false;
      set(await ask("close"));
      Page.go("gone", { id, game: other ? `with ${other}` : name ? `\u201c${name}\u201d` : `of ${title}` });
    },
    full: (id) => Page.tell({ line: `This browser has no room for your seat in ${nameOf(current())}: it is not kept here.`, hint: "Keep its newest file. To save it now: More, Save your seat." }, true),
  });

  screen("gone", (main, { id, game }) => {
    main.className = "page";
    main.append(
      top("It went on elsewhere"),
      el("section", { class: "paper" }, el("p", {}, `Your game ${game} went on in a newer tab.`), button("Bring it back here", () => openSeat(id), { kind: "go", act: "bring-back" })),
    );
  });

  // Files in.

  const starts = (bytes, text) => new TextDecoder("latin1").decode(bytes.subarray(0, text.length)) === text;

  Page.taker(() => true, (name, bytes) => take(bytes));
  Page.taker(
    (name, bytes) => starts(bytes, "adjudicator-safe/"),
    (name, bytes) => openSafe(bytes),
  );

  /** Take in a mail, a text or a link, and show what it brought; keep it where its seat is not open yet. */
  async function take(bytes) {
    if (document.getElementById("main").dataset.screen === "passphrase") {
      early.push(bytes);
      note("word", EARLY);
      return;
    }
    const { kinds, ids, begins } = await ask("brings", {}, bytes);
    if (kinds.length && !mine(ids)) {
      await seats.ready;
      const owner = seats.seats().find(({ told }) => told?.ids.some((id) => ids.includes(id)));
      if (owner) {
        if (!(await moves(`This belongs to another game, ${owner.told.name}.`, "Open that"))) return;
        early.push(bytes);
        return openSeat(owner.id);
      }
      if (begins || current().alone) {
        if (!(await moves("This begins another game.", "Open it"))) return;
        await leave();
      } else if (ids.length && /^(play|over)$/.test(current().stage)) {
        early.push(bytes);
        wrong("paste", "This belongs to another game, which is not open here.", EARLY, SEAT);
        return;
      }
    }
    const told = await ask("take", { now: now() }, bytes);
    if (told.stage === "none") {
      set(told);
      if (document.getElementById("main").dataset.screen !== "receive") Page.go("receive");
      if (told.warnings.includes(EARLY)) {
        early.push(bytes);
        note("paste", `${EARLY} ${SEAT}`);
      } else wrong("paste", ...told.warnings);
      return;
    }
    // Where it was pasted, there it is told that nothing in it is of use.
    if (!told.lines.length && told.warnings.length && document.getElementById("paste")) {
      wrong("paste", ...told.warnings);
      return;
    }
    news.push(...told.warnings, ...told.lines);
    await keep(told);
    show(told, news);
    // An invitation and an offer stay until somebody sits.
    if (!early.length && told.player) unlink();
    if (told.heir) await handOn(told.heir, bytes);
  }

  /** Somebody has joined to take this seat over, and its player is asked whether they agree. */
  async function handOn(heir, bytes) {
    const { name, player } = current();
    const text = `Somebody has joined \u201c${name}\u201d as ${player}, by the key ${heir}. If you agree, the host may give them your seat: from then on they play it, and you cannot. Orders of yours that count after that take your consent back.`;
    if ((await Page.ask("Hand on your seat?", text, "Keep my seat", "I agree")) !== "I agree") return;
    const { send } = await ask("consent", {}, bytes);
    Page.over("Your consent", "middle", el("h3", {}, "Signed. Now send it."), outgoing({ ...send, note: "Send it to whoever hosts, as a person, in a mail of your own or a chat: the mailbox of the game does not read it. The seat is yours until the host has ruled." }));
  }

  const EARLY = "Kept. Now open your seat, and it is taken in.";
  const SEAT = "Your seat is the file that ends in .safe: this page saved it when you joined.";
  const mine = (ids) => current().stage !== "opening" && ids.some((id) => current().ids?.some((one) => one.startsWith(id)));

  /** Whether the game that is open may be left for another. */
  async function moves(why, label) {
    if (current().alone || !current().player || current().stage === "opening") return true;
    return (await Page.ask(why, `${nameOf(current())} stays as it is.`, "Stay here", label)) === label;
  }

  /** What a game is called: a duel by who plays it with you. */
  const nameOf = (state) => state.name || state.other || state.title;

  // A link that brings a block with it has it after `take=`, which the browser sends to nobody. It
  // stays in the address until the block is taken in: so the page may be loaded again before.

  const linked = () => /^#(g=\w+&)?take=/.test(location.hash);

  function unlink() {
    if (linked()) history.replaceState(history.state, "", location.pathname + location.search);
  }

  async function takeLink() {
    if (!linked()) return;
    news = [];
    const game = location.hash.match(/^#g=(\w+)/)?.[1];
    const last = game && !mine([game]) ? await seats.last(game) : null;
    if (last) show(last.shown);
    await take(new TextEncoder().encode(location.hash));
  }

  /** A window that was loaded anew opens the seat again that it had; a link leads to its own. */
  async function goOn() {
    await seats.ready;
    const id = Page.held.seat;
    if (linked()) return takeLink();
    if (!Page.before || Page.before.screen === "home" || !seats.seats().some((one) => one.id === id)) return;
    const last = await seats.last(id);
    if (last) show(last.shown);
    await openSeat(id);
  }

  /** Whether something is sealed and ready, and has not left as far as this page knows. */
  const unsent = (state) =>
    state.duel ? Boolean(state.send && !left(state.send)) : !posted && Boolean(state.sent?.some(({ answered, refused }) => !answered && !refused));

  // What the list of games tells of a seat.

  function rowOf(state) {
    const others = (state.players ?? []).filter((one) => one !== state.player);
    const awaited = state.awaited ?? [];
    const own = awaited.find(({ you }) => you);
    const sealed = state.sent?.some(({ answered, refused }) => !answered && !refused);
    const ready = state.duel && unsent(state);
    const done = own && state.sent?.some(({ answered, refused }) => answered && !refused);
    const waits = own && done ? awaited.filter(({ you }) => !you) : awaited;
    const status = ready ? "Still to send" : {
      joined: "Waiting for the others to join",
      offered: `Waiting for ${state.other || "an answer"}`,
      over: "Finished",
      left: "Handed on",
      play: own && sealed ? "Still to send" : own && !done ? "Your turn" : `Waiting for ${waits.map(({ player }) => player).join(", ") || "the host"}`,
    }[state.stage];
    return {
      ids: state.ids, name: nameOf(state), title: state.title, player: state.player, others, status,
      duel: Boolean(state.duel), gone: state.duel && state.send && !ready ? state.send.id : "",
      mine: Boolean(ready || (own && !done)), until: (own && !done ? own : waits[0])?.until ?? "",
    };
  }

  /** Before another game is opened: what is new in this one is kept, and another tab may open its seat. */
  async function stow() {
    await keep();
    stand();
  }

  /** Ask for the passphrase of a safe; if a newer one of that seat is kept here, that is opened. */
  async function openSafe(bytes) {
    const head = await ask("head", {}, bytes);
    await seats.ready;
    const row = seats.seats().find(({ id }) => id === head.id);
    if (row?.rev > head.saved) return openSeat(head.id);
    if (!row) seats.note(head.id, bytes, { head, filed: true });
    Page.go("passphrase", { head, bytes, told: row?.told });
    return null;
  }

  const UNKEPT = { line: "This seat is not kept here any more.", hint: "Open its newest file." };

  /** Go on in a seat that is kept here: at once, if it is open, or if this device opens it. */
  async function openSeat(id) {
    if (id === seats.at() && current().player) {
      show(current());
      return takeEarly();
    }
    const row = seats.seats().find((one) => one.id === id);
    if (!row) throw UNKEPT;
    const key = await seats.key(id);
    if (key) return unlock(row, { key: textOf(key) });
    if (row.bare) throw { line: `This browser has lost the key to your seat in ${row.told.name}, and no passphrase was chosen for it.`, hint: "It cannot be opened any more. Tell who plays with you." };
    Page.go("passphrase", { head: row.head, told: row.told, id });
  }

  const textOf = (bytes) => btoa(String.fromCharCode(...bytes));

  const takeEarly = async () => {
    for (const one of early.splice(0)) await take(one);
  };

  /** Open a seat by its passphrase or its key: the newest safe of it, as another tab may have saved since; or one from a file. */
  async function unlock({ id, told }, given, file = null, row = {}) {
    const place = await seats.take(id);
    try {
      if (!file && !place.data) throw UNKEPT;
      if (id !== seats.at()) await keep();
      let state = await ask("open", { now: now(), ...given }, file ?? place.data);
      // A file of which nothing is known here may be an older one.
      if (state.duel && !told) state = await ask("request", { now: now(), opened: true });
      sit(place);
      posted = false;
      sent = null;
      news = [];
      if (told?.gone) noted(told.gone, "copied");
      if (file) await seats.keep(id, { data: file, rev: state.saved, filed: true, ...row });
      else if (row.opens !== undefined) await seats.keep(id, row);
      // The key of a safe comes with the next.
      if (row.opens && !seats.opens(id)) state.changed = true;
      await keep(state);
      show(state);
    } catch (error) {
      // The seat that was open stays open, and stays this tab's.
      if (place.id !== seats.at()) place.release();
      throw error;
    }
    await takeEarly();
  }

  const field = (id, label, given = {}, note = "") =>
    el("div", { class: "field" }, el("label", { for: id }, label), el("input", { id, ...given, "aria-describedby": `${id}-error` }), note ? el("small", {}, note) : null, el("p", { class: "error", id: `${id}-error`, role: "alert", hidden: true }));

  /** Say beside a field what is wrong with it; gone at the next key. Without the field: over everything. */
  function wrong(id, ...words) {
    const [input, place] = [document.getElementById(id), document.getElementById(`${id}-error`)];
    if (!input) return Page.tell({ line: words.join(" "), hint: "" });
    note(id, icon("flag"), el("span", {}, ...words.flatMap((one) => [one, " "])));
    place.className = "error";
    input.setAttribute("aria-invalid", "true");
    input.focus();
    return null;
  }

  /** Say something beside a field that is not wrong; gone at the next key. */
  function note(id, ...words) {
    const [input, place] = [document.getElementById(id), document.getElementById(`${id}-error`)];
    place.hidden = false;
    place.className = "dim";
    place.replaceChildren(...words);
    input.removeAttribute("aria-invalid");
    input.addEventListener("input", () => {
      place.hidden = true;
      input.removeAttribute("aria-invalid");
    }, { once: true });
  }

  const PASSPHRASE = {
    "bad-safe": "That is not the passphrase. Try again: capitals and blanks count.",
    stale: "A newer safe of this seat was here. Open that one: orders of an older one may contradict what you have sent.",
  };

  const clockOf = ({ status, mine: own, until }) => (own && until ? `${status} until ${Page.when(until)}` : status);

  screen("passphrase", (main, { id = null, head, bytes = null, told }) => {
    const who = told ? { name: told.name, player: told.player } : head;
    main.className = "page";
    const word = field("word", "Your passphrase", { type: "password", autocomplete: "current-password", required: true });
    const form = el(
      "form",
      {
        class: "paper form",
        onsubmit: async (event) => {
          event.preventDefault();
          const input = document.getElementById("word");
          form.inert = true;
          try {
            const opens = document.getElementById("opens")?.checked;
            await unlock({ id: id ?? head.id, told }, { passphrase: input.value }, bytes, { opens });
          } catch (error) {
            form.inert = false;
            input.value = "";
            wrong("word", PASSPHRASE[error.word] ?? [error.line, error.hint].filter(Boolean).join(" "));
          }
        },
      },
      told ? el("p", {}, el("b", {}, `You are ${told.player}`), ` in ${told.title}${told.others.length ? ` with ${told.others.join(", ")}` : ""}.`, el("br", {}), el("span", { class: "dim" }, `${clockOf(told)}.`)) : null,
      username(`${who.name}-${who.player}`),
      word,
      opening(),
      el("button", { class: "button go wide", "data-act": "open" }, "Open"),
      el(
        "details",
        {},
        el("summary", {}, "I have lost my passphrase"),
        el("p", { class: "note" }, "Nobody can open your seat without it, not even the host. You can still play on: ask the host to hand your seat to a new key. The record will say that you did not sign it."),
      ),
      el("div", { class: "row" }, chooser(bytes ? "Another file" : "Open a file instead")),
    );
    main.append(top(`Open \u201c${who.name}\u201d as ${who.player}`), form);
    document.getElementById("word").focus();
    if (early.length) note("word", EARLY);
  });

  back("passphrase", () => Page.go("home"));

  const top = (title) =>
    el("header", { class: "bar" }, button("Back to the first screen", () => goHome(), { sign: "back", act: "home" }), el("h1", { tabindex: "-1" }, title));

  /** Back to the first screen. A seat stays open; an invitation that nobody has taken does not. */
  async function goHome() {
    if (!current().player && current().stage !== "none") await leave();
    news = [];
    Page.go("home");
  }

  /** Leave the game that is open here; its seat stays in the list of games, locked. */
  async function leave() {
    await stow();
    sent = null;
    posted = false;
    set(await ask("close"));
  }

  // What came.

  screen("receive", (main) => {
    // A game against the computer that was left is on the first screen.
    const state = current().alone ? { stage: "none" } : current();
    main.className = "page";
    main.dataset.stage = state.stage;
    const title = { none: "Open what came", invited: `Join \u201c${state.name}\u201d`, joined: `You have joined \u201c${state.name}\u201d`, left: `Another has your seat in \u201c${state.name}\u201d` }[state.stage] ?? "Open what came";
    const came = news.length ? el("div", { role: "status" }, el("h2", {}, "What came"), el("ul", { class: "got" }, news.map((one) => el("li", {}, Page.local(one))))) : null;
    main.append(...[top(title), came].filter(Boolean));
    if (state.stage === "invited") main.append(invited(state), joining(state));
    if (/^(joined|left)$/.test(state.stage)) main.append(...state.amiss.map((one) => el("p", { class: "error" }, one)));
    if (state.stage === "joined") {
      main.append(el("section", { class: "paper" }, el("h2", {}, "Now send it"), outgoing(sent), ...assured(state), el("p", { class: "dim" }, "The game begins when all have joined.")));
    }
    main.append(
      el(
        "section",
        { class: "paper" },
        pasting(folderChooser("Choose a folder")),
        el("p", { class: "dim" }, "It can be an invitation, a mail from the host, a link, your safe, or a finished game to watch. In any order, twice, quoted: it does not matter."),
      ),
    );
    if (state.player) main.append(el("div", { class: "row" }, ...keeping(state)));
  });

  back("receive", () => goHome().catch(Page.tell));

  /** Where text is pasted, and files are chosen. */
  function pasting(...more) {
    const input = el("textarea", { id: "paste", rows: 3, spellcheck: "false", autocapitalize: "none", "aria-describedby": "paste-error", placeholder: "The whole mail, or the link" });
    const work = guarded(async () => {
      // A browser asks before a page may read what was copied; if it may not, there is the field.
      if (!input.value.trim()) input.value = (await navigator.clipboard?.readText?.().catch(() => "")) ?? "";
      if (!input.value.trim()) return input.focus();
      news = [];
      return take(new TextEncoder().encode(input.value));
    });
    input.addEventListener("paste", () => setTimeout(work));
    return el(
      "div",
      { class: "form" },
      el("div", { class: "field" }, el("label", { for: "paste" }, "Paste it, or drop any files here"), input, el("p", { class: "error", id: "paste-error", role: "alert", hidden: true })),
      el("div", { class: "row" }, button("Paste", work, { kind: "go", act: "take" }), chooser("Choose files"), ...more),
    );
  }

  const invited = (state) =>
    el(
      "section",
      { class: "paper" },
      el("p", {}, el("b", {}, state.title), ` ${state.summary}`),
      el("details", {}, el("summary", {}, "Its options"), el("dl", {}, Object.entries(state.options).flatMap(([key, value]) => [el("dt", {}, key), el("dd", {}, value)]))),
      button("Learn it", () => learn(state.rules.split("/")[0], state.title, true), { kind: "plain", act: "learn" }),
    );

  /** The name that is allowed and comes closest. */
  const allowed = (name) => name.toLowerCase().normalize("NFD").replace(/ä|a\u0308/g, "ae").replace(/o\u0308/g, "oe").replace(/u\u0308/g, "ue").replace(/ß/g, "ss").replace(/[^a-z0-9]+/g, "-").replace(/^[^a-z]+|-+$/g, "").slice(0, 32);

  /** The name of a new seat, and its passphrase where one is asked, from its form; null if they cannot be, which is said beside them. */
  function newSeat() {
    const name = document.getElementById("name").value;
    const passphrase = document.getElementById("word")?.value ?? "";
    const plain = name.trim();
    if (!plain || allowed(plain) !== plain) {
      const better = allowed(plain);
      wrong("name", "Names here have small letters a to z, digits and hyphens.", better ? button(`Use \u201c${better}\u201d`, () => {
        document.getElementById("name").value = better;
        document.getElementById("name").dispatchEvent(new Event("input"));
      }) : "");
      return null;
    }
    if (document.getElementById("word") && passphrase.length < 8) {
      wrong("word", SHORT);
      return null;
    }
    return { name: plain, passphrase };
  }

  const nameField = () => field("name", "Your name in the game", { required: true, autocapitalize: "none", autocomplete: "username" });
  const SHORT = "A passphrase has 8 characters or more: four or five words are good.";
  const wordField = () => field("word", "A passphrase for your seat", { type: "password", required: true, autocomplete: "new-password" }, "8 characters or more. Nobody can open your seat without it.");

  /** What guards a new seat: this device alone, until its player wants a file; where it cannot, a passphrase. */
  const guarding = () => (seats.able() ? el("p", { class: "dim" }, "This browser keeps your seat and opens it. Until you save it with a passphrase, clearing the browser\u2019s data loses the game.") : wordField());

  /** Whether this device may open a seat from now on. */
  const opening = () =>
    seats.able() ? el("label", { class: "check", for: "opens" }, el("input", { type: "checkbox", id: "opens", checked: true }), "Open my seat on this device without the passphrase") : null;

  function joining(state) {
    const value = (id) => document.getElementById(id).value.trim();
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
            const told = await ask("join", { now: now(), ...chosen, address: value("address"), token: value("token") });
            sit(await seats.take(told.safe.id));
            const state = await ask("state", { now: now() });
            await sendOut(told, state);
            unlink();
            news = [];
            show(state);
          } catch (error) {
            form.inert = false;
            const words = [error.line, error.hint].filter(Boolean).join(" ");
            if (error.word === "no-seat") wrong("token", "This seat needs the token from your invitation. Paste the whole mail and it is filled in.");
            else wrong(/address/.test(words) ? "address" : "name", words);
          }
        },
      },
      nameField(),
      field("address", "Your mail address", { type: "email", autocomplete: "email" }, "Only the host can read it."),
      field("token", "Token of your invitation, if seats are reserved", { value: state.token || "", autocomplete: "off" }),
      guarding(),
      el("button", { class: "button go wide", "data-act": "join" }, "Join"),
      el("p", { class: "dim" }, "Next you send one mail to the host. The game begins when all have joined."),
    );
    return form;
  }

  // Sending: saving the seat is a part of it.

  async function sendOut(told, state) {
    sent = told.send;
    posted = false;
    await saveSafe(told.safe);
    await keep(state);
  }

  /** The ways on which something can go to the host. Without it: what was sent last. */
  function outgoing(send) {
    const place = el("div", { class: "outgoing" });
    if (send) place.append(...ways(send));
    else ask("again", { now: now() }).then(({ send: last }) => {
      sent = last;
      place.append(...ways(last));
    }, () => {});
    return place;
  }

  function ways(send) {
    const [name, bytes, type] = mailOf(send);
    const copy = () => navigator.clipboard.writeText(send.text);
    // A longer draft does not reach every mail program: then the block is pasted into it.
    const body = send.text.length < 1500 ? send.text : "";
    const link = `mailto:${encodeURIComponent(send.to ?? "")}?subject=${encodeURIComponent(send.subject ?? "")}&body=${encodeURIComponent(body)}`;
    const copied = async (event) => {
      const place = event.target.closest("button");
      await copy();
      place.replaceChildren(icon("check"), "Copied");
    };
    const labelled = (sign, label, work, act, kind = "") => {
      const made = button(label, work, { kind, act });
      made.prepend(icon(sign));
      return made;
    };
    return [
      send.to ? el("a", { class: "button go wide", href: link, "data-act": "mail", onclick: () => void copy().catch(() => {}) }, el("span", {}, icon("mail"), "Send by mail")) : null,
      el(
        "div",
        { class: "row" },
        navigator.share ? labelled("share", "Share", () => navigator.share({ title: send.subject || name, text: send.text }), "share", send.to ? "" : "go") : null,
        labelled("copy", "Copy the block", copied, "copy", send.to || navigator.share ? "" : "go"),
        labelled("open", "Save it", () => saveBytes(name, bytes, type), "save-mail"),
      ),
      el("p", { class: "dim" }, send.note ?? (send.to ? `To ${send.to}, subject \u201c${send.subject}\u201d. ${body ? "All is filled in: you only press Send there." : "Address and subject are filled in; the block is copied with it: paste it as the text."}` : "Send the block to the host, in a mail or a chat. Only the host can open it.")),
    ].filter(Boolean);
  }

  /** What is kept, and where. */
  function assured(state) {
    const file = `${state.name}-${state.player}.safe`;
    const here = !seats.loose(seats.at());
    const browser = here
      ? state.bare ? "Your seat is kept in this browser, and nowhere else yet." : "Your seat is kept in this browser."
      : location.protocol.startsWith("http")
        ? "This browser keeps nothing for this page. Keep the saved file."
        : "This page is opened from disk and keeps nothing. Keep the saved file.";
    const line = (sign, text) => el("li", { class: sign === "check" ? "kept" : "kept loose" }, icon(sign), el("span", {}, text));
    const copy = state.bare
      ? button("Save it with a passphrase", () => firstWords(), { kind: "plain", act: "words" })
      : line("check", `A copy, ${file}, went to your downloads. Keep the newest one: it opens on any machine.`);
    return [el("ul", { class: "assured" }, line(here ? "check" : "flag", browser), copy)];
  }

  /** The panel after sealing: what is sent, to whom, what is kept. */
  function sending(state) {
    const answered = state.sent.some(({ answered: yes }) => yes);
    const waiting = answered || posted;
    const out = answered ? null : posted ? el("details", {}, el("summary", {}, "Send it again"), outgoing(sent)) : outgoing(sent);
    return el(
      "section",
      { class: "next roomy", "aria-label": "Send" },
      el("h2", {}, answered ? "Your orders are in" : posted ? "Waiting for the host" : "Sealed. Now send it."),
      ...state.sent.slice(-1).map(({ text }) => el("p", { class: "sent" }, Page.local(`${text}.`))),
      out,
      ...(state.kept && !answered ? assured(state) : []),
      waiting ? el("p", {}, "When a mail from the host comes, open its link, paste it, or drop it here.") : null,
      waiting ? pasting() : button("I have sent it", () => {
        posted = true;
        Page.go("game");
      }, { kind: "wide", act: "posted" }),
      button("Change your orders", () => {
        set({ ...state, sent: [] });
        Page.go("game");
      }, { kind: "plain", act: "change" }),
    );
  }

  // Messages.

  async function letters() {
    const state = current();
    const lines = await ask("letters");
    const press = state.options.press ?? "none";
    const others = state.players.filter((one) => one !== state.player);
    const readers = [...(press === "none" ? [] : [["all", "everybody"]]), ...(/private|anonymous/.test(press) ? others.map((one) => [one, one]) : []), ["host", "the host"]];
    const to = el("select", { id: "to" }, readers.map(([value, label]) => el("option", { value }, label)));
    const text = el("textarea", { id: "say", rows: 4, required: true, "aria-describedby": "say-error" });
    const unnamed = press === "anonymous" ? el("input", { type: "checkbox", id: "unnamed" }) : null;
    const form = el(
      "form",
      {
        class: "form",
        onsubmit: async (event) => {
          event.preventDefault();
          form.inert = true;
          try {
            const told = await ask("say", { now: now(), to: to.value, text: text.value.trim(), anonymous: Boolean(unnamed?.checked) });
            await saveSafe(told.safe);
            set({ ...current(), ...told });
            Page.over("Messages", "middle", el("h3", {}, "Sealed. Now send it."), outgoing(told.send), ...assured(state));
          } catch (error) {
            form.inert = false;
            wrong("say", [error.line, error.hint].filter(Boolean).join(" "));
          }
        },
      },
      el("div", { class: "field" }, el("label", { for: "to" }, "To"), to),
      el("div", { class: "field" }, el("label", { for: "say" }, "Your message"), text, el("p", { class: "error", id: "say-error", role: "alert", hidden: true })),
      unnamed ? el("label", { class: "check", for: "unnamed" }, unnamed, "Without my name") : null,
      el("button", { class: "button go wide", "data-act": "say" }, "Seal it"),
    );
    Page.over("Messages", "middle", el("pre", { tabindex: "0" }, lines.join("\n") || "No messages."), form);
  }

  function protest(state) {
    return el(
      "div",
      { class: "field" },
      el("label", { for: "protest" }, "Protest: what is wrong with the last entry"),
      el("select", { id: "protest" }, el("option", { value: "" }, "none"), state.protests.map((one) => el("option", { selected: one === state.protest }, one))),
    );
  }

  // What is kept.

  /** After a change: keep the seat; `asFile`: as a file too, where no browser keeps it. */
  async function keepSeat(asFile = false) {
    await keep();
    if (asFile && seats.at() && seats.loose(seats.at())) await saveSafe(await ask("save"));
  }

  /** After an order: a seat that is in this browser alone is worth a passphrase once there is something to lose. */
  async function ordered() {
    const row = seats.seats().find(({ id }) => id === seats.at());
    if (!row) return;
    const orders = (row.orders ?? 0) + 1;
    await seats.keep(row.id, { orders });
    if (row.bare && orders === 3) setTimeout(() => firstWords("Keep your seat"));
  }

  /** A browser that keeps passphrases tells seats apart by this. */
  const username = (value) => el("input", { type: "text", autocomplete: "username", value, hidden: true });

  /** Choose a passphrase for a seat that has none yet: only then it may leave this browser, as a file. */
  function firstWords(title = "Save your seat") {
    const form = el(
      "form",
      {
        class: "form",
        novalidate: true,
        onsubmit: guarded(async () => {
          const passphrase = document.getElementById("word").value;
          if (passphrase.length < 8) return wrong("word", SHORT);
          const safe = await ask("set_passphrase", { passphrase });
          await saveSafe(safe);
          Page.shut();
          show(await ask("state", { now: now() }), [`${safe.name} is saved.`]);
        }),
      },
      el("p", {}, "This browser may forget it. With a passphrase your seat is saved as a file too, which opens on any machine."),
      username(nameOf(current())),
      wordField(),
      el("button", { class: "button go wide", "data-act": "words" }, "Save it"),
    );
    Page.over(title, "middle", form);
  }

  const saveNow = async () => {
    if (current().bare) return firstWords();
    const safe = await ask("save");
    await saveSafe(safe);
    show(await ask("state", { now: now() }), [`${safe.name} is saved.`]);
  };

  const keeping = (state) => [
    state.kept ? button(state.changed || seats.loose(seats.at() ?? "") ? "Save your seat (changed)" : "Save your seat", saveNow, { kind: "plain", act: "save" }) : null,
    state.kept && !state.bare && seats.opens(seats.at()) ? button("Lock this device", async () => {
      await seats.lock(seats.at());
      show(current(), ["From now on your passphrase is asked here too."]);
    }, { kind: "plain", act: "lock" }) : null,
    button("Leave this game", async () => {
      await leave();
      Page.go("home");
    }, { kind: "plain", act: "leave" }),
  ].filter(Boolean);

  const byMail = {
    name: (state) => state.name,
    to: () => "the host",
    out: () => null,
    ready: () => ["Sealed.", "Now send it."],
    away: () => goHome(),
    stow,
    screen: "receive",
    sent: async (told) => {
      if (told.send) await sendOut(told, { ...current(), ...told });
      await ordered();
    },
    foot: (state) => keeping(state).map(foreign),
    dock: (state) => (state.sent?.length ? foreign(sending(state)) : null),
    panel: (state) => (state.protests && state.protest ? foreign(protest(state)) : null),
    protest: () => document.getElementById("protest")?.value ?? null,
  };

  const rows = () => {
    const rows = seats.seats().map(({ id, told, head }) => ({
      id,
      name: told?.name ?? head.name,
      what: !told ? `your seat as ${head.player}` : told.duel ? `${told.title}, nobody hosts` : [told.title, told.others.length ? `with ${told.others.join(", ")}` : ""].filter(Boolean).join(" "),
      status: told?.status ?? "Open",
      mine: told?.mine ?? true,
      until: told?.until ?? "",
      open: () => openSeat(id),
      forget: async () => {
        const name = told?.name ?? head.name;
        if ((await Page.ask(`Forget ${name} here?`, "Without its saved file nobody can play your seat then.", "Forget it", "Keep it")) !== "Forget it") return;
        if (id === seats.at()) await leave();
        await seats.forget(id);
        Page.go("home");
      },
    }));
    return rows.sort((one, other) => other.mine - one.mine || (one.until || "9").localeCompare(other.until || "9"));
  };

  addEventListener("paste", (event) => {
    if (/^(TEXTAREA|INPUT)$/.test(event.target.tagName)) return;
    const given = event.clipboardData.getData("text");
    news = [];
    if (given) take(new TextEncoder().encode(given)).catch(Page.tell);
  });
  addEventListener("stopped", () => {
    stand();
    set({ stage: "none" });
    sent = null;
  });
  addEventListener("beforeunload", (event) => {
    if (seats.loose() || (early.length && !linked())) event.preventDefault();
  });
  addEventListener("dropping", () => {
    news = [];
  });
  // At once: the last board is there long before the engine.
  Promise.resolve().then(goOn).catch(Page.tell);
  addEventListener("hashchange", () => takeLink().catch(Page.tell));

  Page.seats = seats;
  return { rows, byMail, openSeat, takeLink, joining, begun, bytesOf, firstWords, forgetTab: () => early.splice(0), goHome, guarding, keep, keepSeat, keeping, leave, letters, nameField, newSeat, ordered, outgoing, pasting, protest, save, saveBytes, sending, stow, take, top, unsent, wrong };
})();

const foreign = (node) => h(Page.Foreign, { nodes: [node] });
export const { rows, begun, byMail, letters, goHome, guarding, keep, keepSeat, leave, nameField, newSeat, ordered, stow, take, top, wrong } = Page.mail;
export const keeping = (state) => Page.mail.keeping(state).map(foreign);
export const pasting = () => foreign(Page.mail.pasting());
