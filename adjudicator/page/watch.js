import { Page } from "./old.js";
// Watching and verifying: a record step by step, by everybody's eyes, with its verdict.

(() => {
  const { back, button, call, el, icon, screen, svg } = Page;

  const isPack = (name, bytes) =>
    bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);

  Page.taker(isPack, (name, bytes) => {
    Page.go("watch", { name, opened: call("watch.open", { name }, bytes) });
  });

  Page.folders(async (name, files) => {
    const data = new Uint8Array(await new Blob(files.map(([, file]) => file ?? "")).arrayBuffer());
    const sizes = files.map(([path, file]) => [path, file ? file.size : -1]);
    Page.go("watch", { name, opened: call("watch.open_folder", { name, files: sizes }, data) });
  });

  const BEAT = 1400;
  const [TRUTH, ALL] = ["=", "*"];

  /** The verdict as a seal, with all checks on demand. */
  function verdict() {
    const bar = el("progress", { "aria-label": "how far the check has come" });
    const place = el("section", { class: "seal-place", "aria-label": "Verdict", role: "status" }, el("p", {}, "Checking…"), bar, button("Stop", () => Page.stop(), { act: "stop" }));
    place.progress = (done, of) => {
      [bar.max, bar.value] = [of, done];
    };
    place.show = (found) => place.replaceChildren(Page.game.seal(found));
    place.fail = (error) => place.replaceChildren(el("p", { class: "error", "data-verdict": error.line }, error.line));
    return place;
  }

  screen("watch", (main, { name, opened }) => {
    main.className = "watch";
    const judged = verdict();
    const h1 = el("h1", { tabindex: "-1" }, name);
    const tabs = el("div", { class: "tabs", role: "group", "aria-label": "Whose eyes" });
    const boards = el("section", { class: "boards", "aria-label": "The boards" });
    const facts = el("section", { class: "facts", "aria-label": "What happened" });
    const run = el("section", { class: "transport", "aria-label": "Steps" });
    const under = el("p", {});
    main.append(
      el("header", { class: "bar" }, button("Back to the first screen", () => Page.go("home"), { sign: "back", act: "home" }), el("div", { class: "who" }, h1, under), tabs),
      boards,
      el("div", { class: "beside", role: "group", "aria-label": "What happened, and the verdict", tabindex: "0" }, facts, judged),
      run,
    );
    let leave = () => {};
    let gone = false;
    Page.progress(judged.progress);
    opened
      .then(
        (game) => {
          if (gone) return;
          h1.textContent = game.name || game.title;
          under.textContent = `${game.title}: ${game.players.join(", ")}, ${game.standing}`;
          leave = watch({ main, tabs, boards, facts, run }, game);
        },
        (error) => {
          if (error.stopped) throw error;
          facts.append(el("p", {}, `There is no board to show. ${error.line}`));
        },
      )
      .then(() => call("watch.verify"))
      .then(
        (found) => {
          judged.show(found);
          main.dataset.done = name;
        },
        (error) => judged.fail(error),
      );
    return () => {
      gone = true;
      leave();
    };
  });

  back("watch", () => Page.go("home"));

  /** The game itself; returns the function that ends it. */
  function watch({ main, tabs, boards, facts, run }, game) {
    // Of a duel nobody sees a board but the two, each once it is open.
    const sides = [...(game.eyes ? [] : [null]), ...(game.eyes ?? (game.revealed ? game.players : [])), ...(game.revealed ? [ALL] : [])];
    const asked = () => new URLSearchParams(location.hash.slice(1));
    let side = sides.find((one) => one && one === asked().get("side")) ?? (game.revealed ? game.players[0] : sides[0]);
    let now = -1;
    let playing = 0;

    // Sides.
    const names = new Map([[null, "Everybody"], [TRUTH, "What was so"], [ALL, "All"], ...game.players.map((one) => [one, one])]);
    const choices = sides.map((one) =>
      button(names.get(one), () => {
        side = one;
        boards.replaceChildren();
        return show(now);
      }, { kind: "tab", "data-side": one ?? "everybody" }),
    );
    tabs.append(...choices);

    // Steps.
    const slider = el("input", { type: "range", min: 0, max: game.last, "aria-label": "Step", oninput: () => show(Number(slider.value)) });
    const count = el("output", { class: "count" });
    const play = button("Play", () => toggle(), { sign: "play", kind: "go", act: "play-on" });
    const ticks = el("div", { class: "ticks", "aria-hidden": "true" });
    game.entries.slice(0, game.last + 1).forEach(({ loud, who }, step) => {
      if (loud < (game.last > 40 ? 3 : 2) || game.last > 99) return;
      const mine = who[0] === game.players[0];
      const tick = svg("svg", { viewBox: "0 0 12 12", class: mine ? "own" : "foe" }, mine ? svg("circle", { cx: 6, cy: 6, r: 4 }) : svg("path", { d: "M6 1l5 5-5 5-5-5z" }));
      tick.style.left = `${(100 * step) / Math.max(1, game.last)}%`;
      ticks.append(tick);
    });
    run.append(
      el(
        "div",
        { class: "controls" },
        button("First step", () => show(0), { sign: "first" }),
        button("Step back", () => show(now - 1), { sign: "back" }),
        play,
        button("Step on", () => show(now + 1), { sign: "on" }),
        button("Last step", () => show(game.last), { sign: "last" }),
      ),
      el("div", { class: "track" }, ticks, slider),
      count,
    );

    function toggle() {
      if (playing) {
        clearInterval(playing);
        playing = 0;
      } else {
        if (now === game.last) show(0);
        playing = setInterval(() => (now < game.last ? show(now + 1) : toggle()), BEAT);
      }
      play.replaceChildren(icon(playing ? "pause" : "play"));
      play.setAttribute("aria-label", playing ? "Pause" : "Play");
      play.title = playing ? "Pause" : "Play";
    }

    /** A side's board, with what was so beside it; of everybody's there is one. */
    function wanted(shown) {
      if (side === ALL) return shown.boards.filter(({ who }) => who !== null);
      const mine = shown.boards.filter(({ who }) => who === side);
      return game.players.includes(side) ? [...mine, ...shown.boards.filter(({ who }) => who === TRUTH)] : mine;
    }

    function drawn(shown) {
      const found = wanted(shown);
      while (boards.children.length > found.length) boards.lastChild.remove();
      found.forEach(({ who, chart }, at) => {
        let figure = boards.children[at];
        if (!figure) {
          figure = el("figure", {}, el("figcaption", {}), Page.chart(`The board: ${names.get(who)}`));
          boards.append(figure);
        }
        figure.firstChild.textContent = who === null ? "What everybody knows" : who === TRUTH ? "What was so" : `What ${who} could know`;
        // What was so lies as the side sees it.
        const second = who === TRUTH && game.players.length === 2 && side === game.players[1];
        figure.lastChild.show({ ...(second ? Page.chart.swapped(chart) : chart), turned: side === ALL ? chart.turned : found[0].chart.turned });
      });
      boards.dataset.many = found.length;
    }

    /** A sentence of what happened; touched, it is framed and played on every board. */
    function sentence(one) {
      const words = [one.sign ? icon(one.sign) : null, el("span", {}, one.text)];
      if (!one.cells.length) return el("p", { class: "say" }, words);
      const made = el("button", { type: "button", class: "say", onclick: () => {
        for (const other of facts.querySelectorAll(".say.on")) other.classList.remove("on");
        made.classList.add("on");
        for (const board of boards.querySelectorAll(".chart")) {
          board.mark({ lit: one.cells });
          board.play(one);
        }
      } }, words);
      return made;
    }

    function told(shown, known = null) {
      const heard = (known ?? shown).told.map(sentence);
      facts.replaceChildren(
        el("h2", { "aria-live": "polite" }, `Step ${shown.step}: ${shown.title}`),
        ...(heard.length ? heard : [el("p", { class: "dim" }, "Nothing was heard.")]),
      );
      if (!known) return;
      const board = boards.querySelector(".chart");
      const shade = (cells, so = []) => board?.mark({ shade: cells, so });
      const rows = known.may.map(({ name, may, many, truth, cells }) =>
        el(
          "div",
          { class: "fact", tabindex: "0", onmouseenter: () => shade(cells, [truth]), onfocus: () => shade(cells, [truth]), onmouseleave: () => shade(hidden(known)), onblur: () => shade(hidden(known)) },
          el("dt", {}, name),
          el("dd", {}, many > 6 ? `${many} possible` : Page.plain(may)),
          el("dd", { class: many > 1 ? "so" : "so sure" }, !truth ? "" : many > 1 ? `was ${Page.plain(truth)}` : "sure"),
        ),
      );
      facts.append(el("dl", { class: "knew" }, rows), ...known.notes.map((one) => el("p", { class: "dim" }, one)));
      shade(hidden(known));
    }

    const hidden = ({ may }) => [...new Set(may.filter(({ many }) => many > 1).flatMap(({ cells }) => cells))];

    let last = 0;
    async function show(step) {
      const chosen = Math.max(0, Math.min(game.last, Math.trunc(step)));
      now = chosen;
      slider.value = chosen;
      slider.setAttribute("aria-valuetext", `step ${chosen} of ${game.last}`);
      count.textContent = `${chosen} / ${game.last}`;
      for (const one of choices) one.setAttribute("aria-pressed", String(one.dataset.side === (side ?? "everybody")));
      const mine = (last += 1);
      try {
        const shown = await call("watch.step", { step: chosen });
        const known = game.players.includes(side) ? await call("watch.known", { step: chosen, player: side }) : null;
        if (mine !== last) return;
        drawn(shown);
        told(shown, known);
        main.dataset.step = chosen;
        const to = side && side !== ALL ? `#step=${chosen}&side=${side}` : `#step=${chosen}`;
        if (location.hash !== to) history.replaceState(history.state, "", to);
      } catch (error) {
        if (playing) toggle();
        Page.tell(error.line ? error : { line: String(error), hint: "" });
      }
    }

    const onkey = (event) => {
      const free = !event.target.closest?.("input, button, a, summary, pre, dialog, .chart, [tabindex='0']");
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const act = {
        ArrowLeft: () => show(now - 1),
        ArrowRight: () => show(now + 1),
        Home: () => show(0),
        End: () => show(game.last),
        " ": () => toggle(),
      }[event.key];
      if (act && free) {
        event.preventDefault();
        act();
      }
    };
    const onhash = () => {
      const step = asked().get("step");
      if (step !== null && Number(step) !== now) show(Number(step) || 0);
    };
    addEventListener("keydown", onkey);
    addEventListener("hashchange", onhash);
    // Where something happens, if no link leads elsewhere.
    const steps = game.entries.slice(0, game.last + 1);
    const loud = Math.max(0, ...[3, 2, 1].map((least) => steps.findIndex(({ loud: much }) => much >= least)).filter((step) => step > 0).slice(0, 1));
    const first = asked().get("step");
    show(first === null ? (game.revealed ? loud : game.last) : Number(first) || 0);
    return () => {
      if (playing) toggle();
      removeEventListener("keydown", onkey);
      removeEventListener("hashchange", onhash);
      if (location.hash) history.replaceState(history.state, "", location.pathname + location.search);
    };
  }
})();
