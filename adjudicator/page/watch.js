"use strict";
// Watching and verifying: a record step by step, by everybody's eyes, with its verdict.

(() => {
  const { el, call } = Page;

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

  Page.card(
    "Watch and verify",
    "Open a packed game, or its folder. See it step by step, after its end from every side, and have all of it adjudicated again.",
    () => el("div", { class: "row" }, Page.chooser("Open a game"), Page.folderChooser("Open a folder")),
  );

  const BEAT = 1400;
  const PLAY = "M6 3v18l15-9z";
  const PAUSE = "M6 4h4v16H6zM14 4h4v16h-4z";
  const MARKS = { true: "✓", false: "✗", look: "!", unknown: "–" };
  const KINDS = ["good", "bad", "bad", "look", "wait"];

  /** The verdict in a sentence, with all checks on demand. */
  function verdict() {
    const summary = el("p", { class: "verdict wait", role: "status" }, "Checking…");
    const bar = el("progress", { "aria-label": "how far the check has come" });
    const stop = el("button", { class: "small", onclick: () => Page.stop() }, "Stop");
    const more = el("div", {});
    const place = el("section", { class: "panel", "aria-label": "Verdict" }, summary, bar, stop, more);
    place.progress = (done, of) => {
      [bar.max, bar.value] = [of, done];
    };
    place.show = (found) => {
      bar.remove();
      stop.remove();
      summary.className = `verdict ${KINDS[found.code]}`;
      summary.textContent = found.verdict;
      const claims = found.claims.map(({ name, status, text, details }) =>
        el(
          "li",
          { class: `claim ${status}` },
          el("span", { class: "mark", "aria-label": status }, MARKS[status]),
          el("div", {}, el("b", {}, name), ` ${text}`, details.map((one) => el("p", { class: "fine" }, one))),
        ),
      );
      more.replaceChildren(
        el("details", {}, el("summary", {}, "What was checked"), el("ul", { class: "claims" }, claims)),
        el(
          "details",
          {},
          el("summary", {}, "What no record can prove"),
          el("ul", {}, found.not_proved.map((one) => el("li", {}, one))),
        ),
        el("details", {}, el("summary", {}, "As the command prints it"), el("pre", { tabindex: "0" }, found.text)),
      );
    };
    place.fail = (error) => {
      bar.remove();
      stop.remove();
      summary.className = "verdict bad";
      summary.textContent = error.line;
    };
    return place;
  }

  Page.screen("watch", (main, { name, opened }) => {
    const judged = verdict();
    const head = el("div", { class: "title" }, el("h1", { tabindex: "-1" }, name));
    const stage = el("div", { class: "stage" });
    const beside = el("div", { class: "beside" }, judged);
    main.append(
      el(
        "nav",
        { class: "bar", "aria-label": "Page" },
        el("button", { class: "small", onclick: () => Page.go("home") }, "Home"),
        Page.chooser("Open another", "small"),
      ),
      head,
      el("div", { class: "columns" }, stage, beside),
    );
    let leave = () => {};
    let gone = false;
    Page.progress(judged.progress);
    opened
      .then(
        (game) => {
          if (!gone) leave = watch(head, stage, beside, game);
        },
        (error) => {
          if (error.stopped) throw error;
          stage.append(el("p", { class: "panel" }, `There is no board to show. ${error.line}`));
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

  /** The game itself; returns the function that ends it. */
  function watch(head, stage, beside, game) {
    const [truth, all] = ["=", "*"];
    const sides = [null, ...(game.revealed ? [truth, ...game.players] : [])];
    const asked = () => new URLSearchParams(location.hash.slice(1));
    let side = sides.find((one) => one && one === asked().get("side")) ?? null;
    let now = -1;
    let playing = 0;

    head.append(el("p", { class: "sub" }, `${game.players.join(", ")} · ${game.standing}`));
    head.querySelector("h1").textContent = game.title;

    const boards = el("div", { class: "boards" });
    const caption = el("p", { class: "caption", "aria-hidden": "true" }, "\u00a0");
    const news = el("ul", { class: "news" });
    const title = el("h2", { "aria-live": "polite" });
    const known = el("section", { class: "panel", "aria-label": "What they knew", hidden: true });

    // Sides.
    const names = new Map([
      [null, "Everybody"],
      [truth, "As it was"],
      [all, "All sides"],
      ...game.players.map((one) => [one, one]),
    ]);
    const choices = [...sides, ...(game.revealed ? [all] : [])];
    const radios = choices.map((one) =>
      el(
        "label",
        {},
        el("input", {
          type: "radio",
          name: "side",
          checked: one === side,
          onchange: () => {
            side = one;
            boards.replaceChildren();
            show(now);
          },
        }),
        el("span", {}, names.get(one)),
      ),
    );
    const chooser = el("fieldset", { class: "sides" }, el("legend", { class: "unseen" }, "Whose eyes"), radios);

    // Steps.
    const slider = el("input", {
      type: "range",
      min: 0,
      max: game.last,
      "aria-label": "Step",
      oninput: () => show(Number(slider.value)),
    });
    const count = el("output", { class: "count" });
    const button = (label, sign, act) =>
      el("button", { class: "round", "aria-label": label, title: label, onclick: act }, Page.icon(sign));
    const play = button("Play", PLAY, () => toggle());
    const transport = el(
      "div",
      { class: "transport", role: "group", "aria-label": "Steps" },
      button("First step", "M5 5h3v14H5zM20 5v14L9 12z", () => show(0)),
      button("Step back", "M15 5l-8 7 8 7 1.500-1.700L10.300 12l6.200-5.300z", () => show(now - 1)),
      play,
      button("Step on", "M9 5l8 7-8 7-1.500-1.700L13.700 12 7.500 6.700z", () => show(now + 1)),
      button("Last step", "M16 5h3v14h-3zM4 5v14l11-7z", () => show(game.last)),
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
      play.replaceChildren(Page.icon(playing ? PAUSE : PLAY));
      play.setAttribute("aria-label", playing ? "Pause" : "Play");
      play.title = playing ? "Pause" : "Play";
    }

    // The story: every entry, each a link to its step.
    const links = game.entries.map(({ title: said, time }, step) =>
      el(
        "li",
        {},
        el(
          "a",
          { href: `#step=${Math.min(step, game.last)}` },
          el("span", { class: "number" }, String(step)),
          el("span", {}, said),
          el("time", { datetime: time }, time.replace("T", " ").replace("Z", "")),
        ),
      ),
    );
    const story = el("details", { class: "panel story" }, el("summary", {}, "The whole story"), el("ol", {}, links));

    stage.append(chooser, boards, caption, slider, transport);
    beside.prepend(el("section", { class: "panel", "aria-label": "News" }, title, news), known);
    beside.append(story);

    function drawn(shown) {
      const wanted = shown.boards.filter(({ who }) => (side === all ? who !== null : who === side));
      while (boards.children.length > wanted.length) boards.lastChild.remove();
      wanted.forEach(({ who, svg }, at) => {
        let figure = boards.children[at];
        if (!figure) {
          const board = Page.board();
          board.addEventListener("look", ({ detail }) => {
            caption.textContent = detail;
          });
          figure = el("figure", {}, board, el("figcaption", {}));
          boards.append(figure);
        }
        figure.lastChild.textContent = names.get(who);
        figure.lastChild.hidden = wanted.length === 1;
        figure.firstChild.show(svg);
      });
      boards.dataset.many = wanted.length;
    }

    function tellKnown(player, { news: heard, may, notes }) {
      const board = boards.querySelector(".board");
      const lines = may.map(({ name, may: words, many, truth, cells }) =>
        el(
          "li",
          {
            tabindex: "0",
            onmouseenter: () => board?.shade(cells, [truth]),
            onfocus: () => board?.shade(cells, [truth]),
            onmouseleave: () => board?.shade([]),
            onblur: () => board?.shade([]),
          },
          el("b", {}, name),
          el("span", { class: "believed" }, many > 1 ? `${many} possible: ${words}` : words),
          el("span", { class: many > 1 ? "so" : "so sure" }, truth ? `was ${truth}` : ""),
        ),
      );
      news.replaceChildren(...(heard.length ? heard : ["(no news)"]).map((one) => el("li", {}, one)));
      known.hidden = false;
      known.replaceChildren(
        el("h2", {}, `What ${player} could know, and what was so`),
        lines.length || notes.length ? el("ul", { class: "known" }, lines) : el("p", {}, "Nothing yet."),
        ...notes.map((one) => el("p", { class: "fine" }, one)),
      );
    }

    let last = 0;
    async function show(step) {
      const chosen = Math.max(0, Math.min(game.last, Math.trunc(step)));
      now = chosen;
      slider.value = chosen;
      slider.setAttribute("aria-valuetext", `step ${chosen} of ${game.last}`);
      count.textContent = `${chosen} / ${game.last}`;
      const mine = (last += 1);
      try {
        const shown = await call("watch.step", { step: chosen });
        if (mine !== last) return;
        drawn(shown);
        title.textContent = `Step ${chosen}: ${shown.title}`;
        news.replaceChildren(...(shown.news.length ? shown.news : ["(no news)"]).map((one) => el("li", {}, one)));
        links.forEach((one, at) => one.firstChild.setAttribute("aria-current", at === chosen ? "step" : "false"));
        stage.dataset.step = chosen;
        const to = side && side !== all ? `#step=${chosen}&side=${side}` : `#step=${chosen}`;
        if (location.hash !== to) history.replaceState(null, "", to);
        known.hidden = !game.players.includes(side);
        if (known.hidden) return;
        const told = await call("watch.known", { step: chosen, player: side });
        if (mine === last) tellKnown(side, told);
      } catch (error) {
        if (playing) toggle();
        Page.tell(error.line ? error : { line: String(error), hint: "" });
      }
    }

    const onkey = (event) => {
      const free = !event.target.closest?.("input, button, a, summary, pre, .board, [tabindex='0']");
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
    const first = asked().get("step");
    show(first === null ? (game.revealed ? 0 : game.last) : Number(first) || 0);
    return () => {
      if (playing) toggle();
      removeEventListener("keydown", onkey);
      removeEventListener("hashchange", onhash);
    };
  }
})();
