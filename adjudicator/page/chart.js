import { Page } from "./old.js";
// The sea as a chart: a board as plain data becomes a drawing that can be looked at, tapped and
// walked over with the arrow keys. It knows no game: pieces bring their shapes, cells their words.
//
// From below: the paper rim, the water with its depth lines, grounds, the grid, shading, pieces,
// what is planned, targets, the frames of the sentence that is touched, and on top transparent
// cells. Depth lines are always the same, so that they never tell anything of a position.

Page.chart = (() => {
  const { el, svg, shape } = Page;
  const CELL = 60;
  const RIM = 22;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  const DEPTHS = [
    ["t2", "M0 0H360V360H0z"],
    ["t1", "M66 360C40 250 70 60 120 0H192C170 80 240 230 150 242C96 250 60 160 66 360zM236 298C240 250 330 250 360 286V360H262C244 344 232 330 236 298z"],
    ["t0", "M118 90C150 44 190 90 176 160C160 212 112 204 106 160C104 130 104 112 118 90z"],
    ["t3", "M230 0C200 70 236 150 290 168C320 174 346 170 360 164V0z"],
  ];
  const ROUND = "M30 4a26 26 0 1 1 0 52a26 26 0 1 1 0-52z";
  const CUT = "M19 4h22l15 15v22l-15 15h-22l-15-15v-22z";
  const BOX = "M9 3H51Q57 3 57 9V51Q57 57 51 57H9Q3 57 3 51V9Q3 3 9 3z";
  const WARNING = "M20 20L40 40M20 40L40 20";
  const CORNERS = "M10 20V10H20M40 10H50V20M50 40V50H40M20 50H10V40";
  const WIDE = "M3 16V3H16M44 3H57V16M57 44V57H44M16 57H3V44";
  const HATCH = Array.from({ length: 11 }, (_, at) => (at + 1) * 10)
    .map((k) => (k <= CELL ? `M0 ${k}L${k} 0` : `M${k - CELL} ${CELL}L${CELL} ${k - CELL}`))
    .join("");

  const g = (given, ...inside) => svg("g", given, ...inside);
  const path = (kind, d) => svg("path", { class: kind, d });
  const at = ([x, y]) => `translate(${x} ${y})`;

  const RINGS = [[20, " dashed"], [12, ""]];
  const BURST = `M${Array.from({ length: 20 }, (_, k) => {
    const [r, turn] = [k % 2 ? 17 : 30, (k * Math.PI) / 10];
    return `${(30 + r * Math.cos(turn)).toFixed(1)} ${(30 + r * Math.sin(turn)).toFixed(1)}`;
  }).join("L")}z`;
  const DIAMOND = "M30 10L50 30L30 50L10 30z";

  /** Something that was heard: two rings, or a diamond for an echo, with its player's number or a dot. */
  function heard(piece) {
    const made = piece.token === "echo" ? [path("mark", DIAMOND)] : RINGS.map(([r, kind]) => svg("circle", { class: `mark${kind}`, cx: 30, cy: 30, r }));
    const [number] = piece.mark.match(/^\d+/) ?? [];
    made.push(number ? svg("text", { class: "whose", x: 30, y: 36, "text-anchor": "middle" }, number) : svg("circle", { class: "dot", cx: 30, cy: 30, r: 5 }));
    return made;
  }

  /** How many turns ago, in the corner of a cell. */
  const aged = (age) =>
    age === null || age === undefined ? [] : [g({ class: "age", transform: "translate(48 48)" }, svg("circle", { r: 9 }), svg("text", { y: 5, "text-anchor": "middle" }, String(age)))];

  /** A piece in a box of 60: on a disc, or with cut corners if it is not one's own. */
  function token(piece, kind = "") {
    const side = piece.side || "own";
    const made = g({ class: `piece ${side} ${kind}` });
    if (["contact", "ping", "echo"].includes(piece.token)) made.append(...heard(piece), ...aged(piece.age));
    else if (!piece.token) made.append(...shape(piece.shape));
    else {
      const edge = side === "own" ? ROUND : CUT;
      const inside = g({ class: piece.token === "open" ? "" : "inverse", transform: "translate(7 5) scale(.77)" }, ...shape(piece.shape));
      made.append(path(`disc ${piece.token}`, edge), inside);
    }
    return made;
  }

  /** The same as a small picture beside words. */
  const picture = (piece, kind = "") => svg("svg", { viewBox: "0 0 60 60", class: `token ${kind}`, "aria-hidden": "true" }, token(piece));

  /** The paper around the water: bars of half a cell, and letters on all four sides. */
  function rim(chart, place, wide, high) {
    const [right, below] = [wide + RIM, high + RIM];
    const made = g({ class: "rim" }, svg("rect", { class: "sheet-of", width: right + RIM, height: below + RIM, rx: 3 }));
    const bars = [];
    for (let x = RIM; x < right; x += CELL) bars.push(`M${x} ${RIM - 4}h30v4h-30z`, `M${x + 30} ${below}h30v4h-30z`);
    for (let y = RIM; y < below; y += CELL) bars.push(`M${RIM - 4} ${y + 30}h4v30h-4z`, `M${right} ${y}h4v30h-4z`);
    made.append(path("bar", bars.join("")), svg("rect", { class: "neat", x: RIM - 4, y: RIM - 4, width: wide + 8, height: high + 8 }));
    const said = (x, y, text) => svg("text", { x, y, "text-anchor": "middle" }, text);
    const columns = new Map();
    const rows = new Map();
    for (const name of Object.keys(chart.cells)) {
      const [x, y] = place(name);
      columns.set(name.replace(/\d+/, ""), x + CELL / 2);
      rows.set(name.replace(/\D+/, ""), y + CELL / 2);
    }
    for (const [name, x] of columns) made.append(said(x, 14, name), said(x, below + 17, name));
    for (const [name, y] of rows) made.append(said(9, y + 5, name), said(right + 13, y + 5, name));
    return made;
  }

  function water(wide, high) {
    const zoom = `translate(${RIM} ${RIM}) scale(${wide / 360} ${high / 360})`;
    return g({ class: "water", transform: zoom }, DEPTHS.map(([kind, d]) => path(kind, d)));
  }

  const LAND = {
    isle: "M30 5C46 3 56 14 55 30C56 46 46 57 30 55C14 57 4 46 5 30C4 14 14 3 30 5z",
    home: "M4 60C6 30 18 24 30 24C42 24 54 30 56 60z",
    away: "M4 0C6 30 18 36 30 36C42 36 54 30 56 0z",
  };
  const BANK = "M4 2H56Q58 2 58 4V56Q58 58 56 58H4Q2 58 2 56V4Q2 2 4 2z";

  function ground({ kind, mark, colours }, [x, y], low) {
    const made = g({ class: `ground ${colours.length ? "tinted" : kind}`, transform: at([x, y]) });
    ["--day", "--night"].forEach((name, number) => colours[number] && made.style.setProperty(name, colours[number]));
    if (LAND[kind]) {
      const coast = kind === "isle" ? kind : low ? "home" : "away";
      made.append(g({ class: "shoal", transform: "translate(-3 -3) scale(1.1)" }, path("", LAND[coast])), path("land", LAND[coast]));
    } else if (kind === "gone") made.append(path("void", "M0 0H60V60H0z"), path("cross", "M14 14L46 46M14 46L46 14"));
    else made.append(path("bank", BANK), svg("text", { class: "points", x: 6, y: 16 }, mark));
    return made;
  }

  /**
   * A chart to look at: an element whose `show(chart, extra)` draws; pieces go from where they
   * were to where they are. It sends `cell` events, with the cell's name as `detail`, on a click,
   * on Enter, on Space; and `look` events with a cell in words.
   *
   * `extra`: `may`, cells that can be chosen next; `warns`, what is lost in some of them, by cell; `plan`, what is planned, a list of {piece, here,
   * to, reach, goes}; `lit`, cells of a sentence; `shade`, possible cells; `so`, the true ones.
   */
  function chart(label = "The sea") {
    const host = el("div", { class: "chart" });
    let here = "";
    let drawn = null;
    let extra = {};
    let spots = new Map();

    const spot = (name) => {
      const [, letters, row] = name.match(/^([A-Z]+)(\d+)$/);
      const column = [...letters].reduce((sum, one) => sum * 26 + one.charCodeAt(0) - 64, 0);
      const [x, y] = drawn.turned ? [drawn.columns - column, row - 1] : [column - 1, drawn.rows - row];
      return [RIM + x * CELL, RIM + y * CELL];
    };
    const middle = (name) => spot(name).map((one) => one + CELL / 2);

    /** Where the pieces of one cell stand in it, [x, y, scale]: one on a disc above small ones, or all in rows. */
    function shared(found) {
      const chief = found.findIndex((one) => one.token);
      if (chief >= 0 && found.length > 1 && found.length < 4) {
        let small = 0;
        return found.map((_, number) => (number === chief ? [0.02, 0.02, 0.72] : [0.6 - 0.42 * small++, 0.58, 0.4]));
      }
      const across = Math.ceil(Math.sqrt(found.length));
      const above = (1 - Math.ceil(found.length / across) / across) / 2;
      return found.map((_, number) => [(number % across) / across, above + Math.floor(number / across) / across, 1 / across]);
    }

    function pieces(gone) {
      const groups = Map.groupBy ? Map.groupBy(drawn.pieces, (one) => one.cell) : grouped(drawn.pieces);
      const now = new Map();
      const made = [];
      for (const [cell, found] of groups) {
        const places = shared(found);
        found.forEach((piece, number) => {
          const [x, y] = spot(cell);
          const [dx, dy, scale] = places[number];
          const place = [x + dx * CELL, y + dy * CELL];
          const goes = gone.has(cell) && (piece.token || !found.some((other) => other.token));
          const one = g({ transform: `${at(place)} scale(${scale})`, "data-piece": piece.id || piece.mark }, token(piece, goes ? "leaving" : ""));
          if (piece.id) now.set(piece.id, place);
          if (piece.id && spots.has(piece.id) && !calm.matches) glide(one, spots.get(piece.id), place);
          made.push(one);
        });
      }
      spots = now;
      return made;
    }

    function grouped(list) {
      const found = new Map();
      for (const one of list) found.set(one.cell, [...(found.get(one.cell) ?? []), one]);
      return found;
    }

    function glide(one, from, to) {
      const [x, y] = [from[0] - to[0], from[1] - to[1]];
      if (!x && !y) return;
      const inner = one.firstChild;
      inner.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: 300, easing: "ease-in-out" });
    }

    /** What is planned: a dotted way, a ghost at its end, a number if there are several. */
    function planned(plan) {
      const made = [];
      const left = new Set(plan.filter((one) => one.goes).map((one) => one.here));
      plan.forEach(({ piece, here: from, to, reach, goes }, number) => {
        const way = [from, ...to, ...(goes ? [] : reach)].filter(Boolean);
        if (way.length > 1) made.push(path("route", `M${way.map((cell) => middle(cell).join(" ")).join("L")}`));
        const end = to.at(-1) ?? from;
        if (!end) return;
        const [x, y] = spot(end);
        if (goes || !from) {
          const inside = piece ? shape(piece.shape) : [path("anchor", "M30 14a5 5 0 1 1 0 10a5 5 0 1 1 0-10zM30 24v24M21 27h18M14 36c0 8 8 13 16 13s16-5 16-13")];
          // A card has its own frame.
          const drawing = piece && !piece.token ? [g({}, ...inside), path("disc over", BOX)] : [path("disc", ROUND), g({ transform: "translate(7 5) scale(.77)" }, ...inside)];
          made.push(g({ class: left.has(end) ? "ghost leaving" : "ghost", transform: at([x, y]) }, ...drawing));
        } else if (to.length) made.push(g({ class: "aim", transform: at([x, y]) }, path("", "M30 12V48M12 30H48M30 18a12 12 0 1 1 0 24a12 12 0 1 1 0-24z")));
        else made.push(g({ class: "aim here", transform: at([x, y]) }, svg("circle", { cx: 30, cy: 30, r: 28 })));
        if (plan.length > 1) {
          made.push(g({ class: "number", transform: at([x + 11, y + 11]) }, svg("circle", { r: 10 }), svg("text", { y: 5, "text-anchor": "middle" }, String(number + 1))));
        }
      });
      return made;
    }

    /** A broken line joins the cells of one run, with a ring where it came through. */
    function ways() {
      return drawn.ways.map(({ cells: way, side }) => {
        const last = drawn.pieces.find(({ cell, token: kind }) => cell === way.at(-1) && kind);
        const rings = side ? [] : way.slice(0, -1);
        return g(
          { class: `way-of ${side || last?.side || "foe"}` },
          path("", `M${way.map((cell) => middle(cell).join(" ")).join("L")}`),
          ...rings.map((cell) => {
            const [cx, cy] = middle(cell);
            return svg("circle", { cx, cy, r: 12 });
          }),
        );
      });
    }

    function arrows() {
      return drawn.arrows.map(([from, to]) => {
        const [[x, y], [u, v]] = [middle(from), middle(to)];
        const [dx, dy] = [Math.sign(u - x), Math.sign(v - y)];
        const [cx, cy] = [(x + u) / 2, (y + v) / 2];
        const d = `M${cx - 14 * dx} ${cy - 14 * dy}L${cx} ${cy}M${cx + 14 * dx} ${cy + 14 * dy}L${cx - 9 * dy} ${cy + 9 * dx}L${cx + 9 * dy} ${cy - 9 * dx}z`;
        return g({ class: "arrow" }, path("halo", d), path("shaft", d));
      });
    }

    function described(name) {
      const parts = [drawn.cells[name]];
      if (extra.shade?.includes(name)) parts.push("possible");
      if (ghosts().has(name)) parts.push("planned: choose it to take that back");
      else if (extra.may?.has(name)) parts.push("can be chosen");
      if (extra.warns?.has(name)) parts.push(extra.warns.get(name));
      return parts.join(", ");
    }

    /** Where the last line of the plan ends: there it is taken back. */
    const ghosts = () => new Set((extra.plan ?? []).slice(-1).map(({ to, here: from }) => to.at(-1) ?? from));

    function cells() {
      const names = Object.keys(drawn.cells);
      if (!names.includes(here)) here = [...(extra.may ?? [])][0] ?? names[0] ?? "";
      return names.map((name) => {
        const [x, y] = spot(name);
        const kind = ghosts().has(name) ? "cell planned" : extra.may?.has(name) ? "cell may" : "cell";
        return svg("rect", {
          class: kind, x, y, width: CELL, height: CELL, "data-cell": name,
          role: extra.may ? "button" : "img", tabindex: name === here ? "0" : "-1", "aria-label": described(name),
        });
      });
    }

    function frames(kind, names) {
      return [...names].filter((name) => drawn.cells[name]).map((name) => {
        const [x, y] = spot(name);
        return svg("rect", { class: kind, x: x + 1, y: y + 1, width: CELL - 2, height: CELL - 2 });
      });
    }

    // Drawn anew under a finger the board would lose its tap: it waits until the finger is off.
    let [pressed, waits] = [false, false];
    host.addEventListener("pointerdown", () => {
      pressed = true;
      const off = new AbortController();
      const end = () => {
        off.abort();
        // The click comes first.
        setTimeout(() => {
          pressed = false;
          if (waits) redraw();
        });
      };
      for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, end, { signal: off.signal });
    });

    function redraw() {
      waits = pressed;
      if (waits) return;
      const [wide, high] = [drawn.columns * CELL, drawn.rows * CELL];
      const plan = extra.plan ?? [];
      const leaving = new Set(plan.filter((one) => one.goes).map((one) => one.here));
      const held = host.contains(document.activeElement) ? document.activeElement.dataset?.cell : null;
      const hatched = (extra.shade ?? []).filter((name) => drawn.cells[name]);
      const targets = [...(extra.may ?? [])].filter((name) => drawn.cells[name] && !ghosts().has(name));
      const taken = new Set(drawn.pieces.map((one) => one.cell));
      const grid = [];
      for (let x = 1; x < drawn.columns; x += 1) grid.push(`M${RIM + x * CELL} ${RIM}v${high}`);
      for (let y = 1; y < drawn.rows; y += 1) grid.push(`M${RIM} ${RIM + y * CELL}h${wide}`);
      const whole = svg("svg", { viewBox: `0 0 ${wide + 2 * RIM} ${high + 2 * RIM}`, role: "group", "aria-label": label });
      whole.append(
        rim(drawn, spot, wide, high),
        water(wide, high),
        ...Object.entries(drawn.grounds).map(([name, one]) => ground(one, spot(name), spot(name)[1] > RIM + high / 2)),
        path("grid", grid.join("")),
        ...hatched.map((name) => g({ class: extra.so?.includes(name) ? "hatch so" : "hatch", transform: at(spot(name)) }, path("", HATCH))),
        ...ways(),
        ...pieces(leaving),
        ...arrows(),
        ...planned(plan),
        ...targets.map((name) => g({ class: "target", transform: at(spot(name)) }, path("", taken.has(name) ? WIDE : CORNERS), ...(extra.warns?.has(name) ? [path("warning", WARNING)] : taken.has(name) ? [] : [svg("circle", { cx: 30, cy: 30, r: 3 })]))),
        ...frames("so-frame", extra.so ?? []),
        ...frames("lit", extra.lit ?? []),
        svg("rect", { class: "edge", x: RIM, y: RIM, width: wide, height: high }),
        ...cells(),
      );
      host.replaceChildren(whole);
      // For whoever makes room for it.
      (host.parentElement ?? host).style.setProperty("--ratio", String((wide + 2 * RIM) / (high + 2 * RIM)));
      if (held) host.querySelector(`[data-cell="${held}"]`)?.focus({ preventScroll: true });
    }

    host.show = (found, more = {}) => {
      if (found.text) {
        waits = false;
        host.replaceChildren(el("pre", { tabindex: "0" }, found.text));
        return;
      }
      [drawn, extra] = [found, more];
      redraw();
    };
    /** Draw the same board with something else about it. */
    host.mark = (more) => {
      if (!drawn) return;
      extra = { ...extra, ...more };
      redraw();
    };
    /** Something that is gone when its motion is over; the last one ends at once where another begins. */
    let playing = [];
    function moves(one, frames, duration, delay = 0) {
      host.firstChild.append(one);
      playing.push(one);
      one.animate(frames, { duration, delay, easing: "ease-out", fill: "both" }).finished.then(() => one.remove(), () => {});
    }

    function ring(name, wide, delay = 0) {
      const [cx, cy] = middle(name);
      const one = svg("circle", { class: "ring", cx, cy, r: CELL * wide });
      one.style.transformOrigin = `${cx}px ${cy}px`;
      moves(one, [{ transform: "scale(.15)", opacity: 1 }, { transform: "scale(1)", opacity: 0 }], 900, delay);
    }

    function burst(name) {
      const [x, y] = spot(name);
      const one = g({ class: "burst", transform: at([x, y]) }, path("", BURST));
      const inner = one.firstChild;
      inner.style.transformOrigin = "30px 30px";
      host.firstChild.append(one);
      playing.push(one);
      inner.animate([{ transform: "scale(.2)", opacity: 1 }, { transform: "scale(1.15)", opacity: 1, offset: 0.5 }, { transform: "scale(1.2)", opacity: 0 }], { duration: 1100, easing: "ease-out", fill: "both" }).finished.then(() => one.remove(), () => {});
    }

    /** Something goes along these cells, with a ring in each as it comes there. */
    function run(cells, { shape: drawing, side }) {
      const standing = drawn.pieces.find(({ cell }) => cell === cells.at(-1));
      const piece = drawing ? { shape: drawing, side, token: "", mark: "" } : standing ?? { side: "foe", token: "contact", mark: "", age: null };
      const one = g({ class: "runner" }, token(piece));
      const steps = cells.map((cell) => ({ transform: `translate(${spot(cell)[0]}px, ${spot(cell)[1]}px)` }));
      cells.forEach((cell, number) => ring(cell, 0.7, number * 350));
      if (steps[1]) moves(one, steps, 350 * (steps.length - 1));
    }

    /** Play a sentence, {cells, play, shape, side}, on the board: see `PLAYS` in games/news.py. */
    host.play = ({ cells, ...how }) => {
      for (const one of playing.splice(0)) one.remove();
      const names = cells.filter((one) => drawn?.cells[one]);
      if (calm.matches || !names.length) return;
      if (["run", "contact", "torpedo"].includes(how.play)) run(names, how);
      else if (how.play === "ping") [0, 250, 500].forEach((delay) => ring(names[0], 3, delay));
      else if (["burst", "sink"].includes(how.play)) names.forEach(burst);
      else names.forEach((name, number) => ring(name, 1, how.play === "fight" ? number * 300 : 0));
    };

    const choose = (name) => host.dispatchEvent(new CustomEvent("cell", { detail: name }));
    const look = (event) => {
      const name = event.target.dataset?.cell;
      if (name) host.dispatchEvent(new CustomEvent("look", { detail: name }));
    };
    host.addEventListener("click", (event) => {
      const name = event.target.dataset?.cell;
      if (!name) return;
      here = name;
      choose(name);
    });
    host.addEventListener("focusin", look);
    host.addEventListener("mouseover", look);
    host.addEventListener("keydown", (event) => {
      const name = event.target.dataset?.cell;
      if (!name || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        event.stopPropagation();
        here = name;
        choose(name);
        return;
      }
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      const [x, y] = spot(name);
      const [u, v] = [x + step[0] * CELL, y + step[1] * CELL];
      const next = Object.keys(drawn.cells).find((one) => spot(one)[0] === u && spot(one)[1] === v);
      if (!next) return;
      host.querySelector(`[data-cell="${here}"]`)?.setAttribute("tabindex", "-1");
      here = next;
      const cell = host.querySelector(`[data-cell="${here}"]`);
      cell.setAttribute("tabindex", "0");
      cell.focus();
    });
    return host;
  }

  const OTHER = { own: "foe", foe: "own", home: "away", away: "home" };
  const turnedOver = (side) => OTHER[side] ?? side;
  /** A whole position as the second of two players sees it: own is who else is foe. */
  chart.swapped = (found) =>
    !found.cells ? found : {
      ...found,
      pieces: found.pieces.map((one) => ({ ...one, side: turnedOver(one.side) })),
      ways: found.ways.map((one) => ({ ...one, side: turnedOver(one.side) })),
      grounds: Object.fromEntries(Object.entries(found.grounds).map(([cell, one]) => [cell, { ...one, kind: turnedOver(one.kind) }])),
    };
  chart.picture = picture;
  return chart;
})();
