// The sea as a chart: a board as plain data becomes a drawing that can be looked at, tapped and
// walked over with the arrow keys. It knows no game: pieces bring their shapes, cells their words.
//
// From below: the paper rim, the water with its depth lines, grounds, the grid; shading, ways, wrecks and pieces, targets, what
// is planned, the frames of the sentence that is touched, and transparent cells; on top what moves (motion.js). Depth
// lines are always the same, so that they never tell anything of a position.
import { Component, h, shape } from "./page.js";

/** The side of a cell, in units of the drawing. */
export const CELL = 60;
const RIM = 22;

const DEPTHS = [
  ["t2", "M0 0H360V360H0z"],
  ["t1", "M66 360C40 250 70 60 120 0H192C170 80 240 230 150 242C96 250 60 160 66 360zM236 298C240 250 330 250 360 286V360H262C244 344 232 330 236 298z"],
  ["t0", "M118 90C150 44 190 90 176 160C160 212 112 204 106 160C104 130 104 112 118 90z"],
  ["t3", "M230 0C200 70 236 150 290 168C320 174 346 170 360 164V0z"],
];
const ROUND = "M30 4a26 26 0 1 1 0 52a26 26 0 1 1 0-52z";
const CUT = "M19 4h22l15 15v22l-15 15h-22l-15-15v-22z";
const BOX = "M9 3H51Q57 3 57 9V51Q57 57 51 57H9Q3 57 3 51V9Q3 3 9 3z";
const BANK = "M4 2H56Q58 2 58 4V56Q58 58 56 58H4Q2 58 2 56V4Q2 2 4 2z";
const LAND = {
  isle: "M30 5C46 3 56 14 55 30C56 46 46 57 30 55C14 57 4 46 5 30C4 14 14 3 30 5z",
  home: "M4 60C6 30 18 24 30 24C42 24 54 30 56 60z",
  away: "M4 0C6 30 18 36 30 36C42 36 54 30 56 0z",
};
const ANCHOR = "M30 14a5 5 0 1 1 0 10a5 5 0 1 1 0-10zM30 24v24M21 27h18M14 36c0 8 8 13 16 13s16-5 16-13";
const CROSSHAIR = "M30 12V48M12 30H48M30 18a12 12 0 1 1 0 24a12 12 0 1 1 0-24z";
const WARNING = "M20 20L40 40M20 40L40 20";
const CORNERS = "M10 20V10H20M40 10H50V20M50 40V50H40M20 50H10V40";
const WIDE = "M3 16V3H16M44 3H57V16M57 44V57H44M16 57H3V44";
const HATCH = Array.from({ length: 11 }, (_, at) => (at + 1) * 10)
  .map((k) => (k <= CELL ? `M0 ${k}L${k} 0` : `M${k - CELL} ${CELL}L${CELL} ${k - CELL}`))
  .join("");
/** What was heard, in a box of 60: two rings, or a diamond for an echo. */
export const DIAMOND = "M30 10L50 30L30 50L10 30z";
const RINGS = [[20, "mark dashed"], [12, "mark"]];
const HEARD = ["contact", "ping", "echo"];
const NONE = [];

const g = (given, ...inside) => h("g", given, ...inside);
const path = (kind, d) => h("path", { class: kind, d });
const dot = (kind, r, spot = [30, 30]) => h("circle", { class: kind, cx: spot[0], cy: spot[1], r });
const lettered = (kind, x, y, text) => h("text", { class: kind, x, y, "text-anchor": "middle" }, text);
const at = (spot) => `translate(${spot.join(" ")})`;
const leads = (spots) => `M${spots.map((one) => one.join(" ")).join("L")}`;

/** Something that was heard, with its player's number or a dot, and how many turns ago. */
function heard({ token: kind, mark, age = null }) {
  const [number] = mark.match(/^\d+/) ?? [];
  return [
    kind === "echo" ? path("mark", DIAMOND) : RINGS.map(([r, ring]) => dot(ring, r)),
    number ? lettered("whose", 30, 36, number) : dot("dot", 5),
    age === null ? null : g({ class: "age", transform: "translate(48 48)" }, h("circle", { r: 9 }), lettered("", 0, 5, age)),
  ];
}

/** A piece in a box of 60: on a disc, or with cut corners if it is not one's own; a wreck lies aslant. */
export function token(piece, kind = "", place = null) {
  const { side = "own", token: face } = piece;
  const edge = side === "own" ? ROUND : CUT;
  const inside = () => g({ class: ["open", "wreck"].includes(face) ? "" : "inverse", transform: "translate(7 5) scale(.77)" }, shape(piece.shape));
  const drawn = HEARD.includes(face) ? heard(piece)
    : !face ? shape(piece.shape)
    // A card has its own frame.
    : face === "wreck" ? g({ transform: "rotate(-19 30 30) translate(11.4 11.4) scale(.62)" }, piece.shape.includes('"paper"') ? shape(piece.shape) : [path("hull", edge), inside()])
    : [path(`disc ${face}`, edge), inside()];
  return g({ class: `piece ${side || "own"} ${face === "wreck" ? "wreck" : ""} ${kind}`, transform: place }, drawn);
}

/** The same as a small picture beside words. */
export const picture = (piece) => h("svg", { viewBox: "0 0 60 60", class: "token", "aria-hidden": "true" }, token(piece));

/** Where the pieces of one cell stand in it, [x, y, scale]: one on a disc above small ones, or all in rows. A wreck takes no room. */
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

/** The paper around the water: bars of half a cell, and letters on all four sides. */
function rim(names, spot, wide, high) {
  const [right, below] = [wide + RIM, high + RIM];
  const bars = [];
  for (let x = RIM; x < right; x += CELL) bars.push(`M${x} ${RIM - 4}h30v4h-30z`, `M${x + 30} ${below}h30v4h-30z`);
  for (let y = RIM; y < below; y += CELL) bars.push(`M${RIM - 4} ${y + 30}h4v30h-4z`, `M${right} ${y}h4v30h-4z`);
  const columns = new Map(names.map((name) => [name.replace(/\d+/, ""), spot(name)[0] + CELL / 2]));
  const rows = new Map(names.map((name) => [name.replace(/\D+/, ""), spot(name)[1] + CELL / 2]));
  return g({ class: "rim" },
    h("rect", { class: "sheet-of", width: right + RIM, height: below + RIM, rx: 3 }),
    path("bar", bars.join("")),
    h("rect", { class: "neat", x: RIM - 4, y: RIM - 4, width: wide + 8, height: high + 8 }),
    [...columns].map(([name, x]) => [lettered("", x, 14, name), lettered("", x, below + 17, name)]),
    [...rows].map(([name, y]) => [lettered("", 9, y + 5, name), lettered("", right + 13, y + 5, name)]));
}

function ground({ kind, mark, colours }, place, low) {
  const coast = kind === "isle" ? kind : low ? "home" : "away";
  const style = Object.fromEntries(["--day", "--night"].flatMap((name, number) => (colours[number] ? [[name, colours[number]]] : [])));
  const inside = LAND[kind] ? [g({ class: "shoal", transform: "translate(-3 -3) scale(1.1)" }, path("", LAND[coast])), path("land", LAND[coast])]
    : kind === "gone" ? [path("void", "M0 0H60V60H0z"), path("cross", "M14 14L46 46M14 46L46 14")]
    : [path("bank", BANK), h("text", { class: "points", x: 6, y: 16 }, mark)];
  return g({ class: `ground ${colours.length ? "tinted" : kind}`, transform: at(place), style }, inside);
}

/**
 * A chart to look at. `board`: what is drawn, as `shown.plain` has it, or {text}. `may`: cells that can be chosen next (null:
 * nothing can); `warns`: what is lost in some of them, by cell; `plan`: what is planned, a list of {piece, here, to, reach,
 * goes}; `lit`: cells of a sentence; `shade`: possible cells; `so`: the true ones. `oncell` is told a cell that is chosen;
 * `ref` is told this chart.
 *
 * It keeps its elements as long as it lives, so what has the focus or a finger stays. While a turn is played (motion.js) it
 * shows the boards of the time, and no plan.
 */
export class Chart extends Component {
  state = { here: "", shown: null };
  kept = {};
  /** Ends what is played on it, if something is. */
  playing = null;
  element = (made) => (this.base = made ?? this.base);

  /** The upper left corner of a cell, and its middle. */
  spot = (name) => {
    const { columns, rows, turned } = this.drawn;
    const [, letters, row] = name.match(/^([A-Z]+)(\d+)$/);
    const column = [...letters].reduce((sum, one) => sum * 26 + one.charCodeAt(0) - 64, 0);
    const [x, y] = turned ? [columns - column, row - 1] : [column - 1, rows - row];
    return [RIM + x * CELL, RIM + y * CELL];
  };
  middle = (name) => this.spot(name).map((one) => one + CELL / 2);

  /** What was made of these values before, if they are the same: the very same vnodes are skipped. */
  keep(name, values, make) {
    const old = this.kept[name];
    if (old && values.every((one, number) => one === old.values[number])) return old.made;
    return (this.kept[name] = { values, made: make() }).made;
  }

  still(wide, high) {
    const { cells, grounds, turned } = this.drawn;
    return this.keep("still", [wide, high, turned, JSON.stringify(grounds)], () => {
      const grid = [];
      for (let x = CELL; x < wide; x += CELL) grid.push(`M${RIM + x} ${RIM}v${high}`);
      for (let y = CELL; y < high; y += CELL) grid.push(`M${RIM} ${RIM + y}h${wide}`);
      return [
        rim(Object.keys(cells), this.spot, wide, high),
        g({ class: "water", transform: `${at([RIM, RIM])} scale(${wide / 360} ${high / 360})` }, DEPTHS.map(([kind, d]) => path(kind, d))),
        ...Object.entries(grounds).map(([name, one]) => ground(one, this.spot(name), this.spot(name)[1] > RIM + high / 2)),
        path("grid", grid.join("")),
      ];
    });
  }

  pieces(leaving) {
    const cells = new Map();
    const names = new Set();
    for (const one of this.drawn.pieces) cells.set(one.cell, [...(cells.get(one.cell) ?? []), one]);
    const made = [...cells].flatMap(([cell, all]) => {
      const found = all.filter((one) => one.token !== "wreck");
      const places = shared(found);
      // Of several wrecks in a cell one sees the last.
      return all.filter((one) => found.includes(one) || one === all.findLast(({ token: face }) => face === "wreck")).map((piece) => {
        const [dx, dy, scale] = places[found.indexOf(piece)] ?? [0, 0, 1];
        const [x, y] = this.spot(cell);
        let key = piece.id || `${cell} ${piece.mark}`;
        while (names.has(key)) key += "'";
        names.add(key);
        const goes = leaving.has(cell) && (piece.token || !found.some((other) => other.token));
        return [piece.token === "wreck", g({ key, "data-piece": piece.id || piece.mark, "data-at": cell }, token(piece, goes ? "leaving" : "", `${at([x + dx * CELL, y + dy * CELL])} scale(${scale})`))];
      });
    });
    return made.sort(([low], [other]) => Number(other) - Number(low)).map(([, one]) => one);
  }

  /** What is planned: a dotted way, a dot at each stop, a ghost at the end, numbers if there are several. */
  planned(plan) {
    const left = new Set(plan.filter((one) => one.goes).map((one) => one.here));
    const ways = plan.map(({ here: from, to, reach, goes }) => [from, ...to, ...(goes ? [] : reach)].filter(Boolean)).filter((way) => way.length > 1);
    const ends = plan.map(({ piece, here: from, to, goes }, number) => {
      const end = to.at(-1) ?? from;
      if (!end) return null;
      const place = at(this.spot(end));
      const made = [];
      if (plan.some((one, later) => later > number && one.goes && one.here === end)) made.push(dot("stop", 6, this.middle(end)));
      else if (goes || !from) {
        const inside = piece ? shape(piece.shape) : path("anchor", ANCHOR);
        // A card has its own frame.
        const framed = piece && !piece.token ? [inside, path("disc over", BOX)] : [path("disc", ROUND), g({ transform: "translate(7 5) scale(.77)" }, inside)];
        made.push(g({ class: left.has(end) ? "ghost leaving" : "ghost", transform: place }, framed));
      } else made.push(g({ class: to.length ? "aim" : "aim here", transform: place }, to.length ? path("", CROSSHAIR) : dot("", 28)));
      if (plan.length > 1) made.push(g({ class: "number", transform: `${place} translate(11 11)` }, h("circle", { r: 10 }), lettered("", 0, 5, number + 1)));
      return made;
    });
    // A new way draws the eye once.
    return [ways.map((way, number) => h("path", { key: `${number} ${way}`, class: "route", d: leads(way.map(this.middle)) })), ends];
  }

  /** A broken line joins the cells of one run, with a ring where it came through. */
  ways() {
    return this.drawn.ways.map(({ cells: way, side }) => {
      const last = this.drawn.pieces.find(({ cell, token: kind }) => cell === way.at(-1) && kind);
      return g({ class: `way-of ${side || last?.side || "foe"}` }, path("", leads(way.map(this.middle))), side ? [] : way.slice(0, -1).map((cell) => dot("", 12, this.middle(cell))));
    });
  }

  arrows() {
    return this.drawn.arrows.map(([from, to]) => {
      const [[x, y], [u, v]] = [this.middle(from), this.middle(to)];
      const [dx, dy] = [Math.sign(u - x), Math.sign(v - y)];
      const [cx, cy] = [(x + u) / 2, (y + v) / 2];
      const d = `M${cx - 14 * dx} ${cy - 14 * dy}L${cx} ${cy}M${cx + 14 * dx} ${cy + 14 * dy}L${cx - 9 * dy} ${cy + 9 * dx}L${cx + 9 * dy} ${cy - 9 * dx}z`;
      return g({ class: "arrow" }, path("halo", d), path("shaft", d));
    });
  }

  /** The cell to which Tab comes: where one was last, else one's own piece, else what can be chosen, else the middle. */
  stop({ board, may }) {
    if (this.state.here in board.cells) return this.state.here;
    const own = board.pieces.filter(({ side, token: face }) => side === "own" && face !== "wreck" && !HEARD.includes(face));
    const names = Object.keys(board.cells);
    return (own.find((one) => one.token) ?? own[0])?.cell ?? [...(may ?? [])][0] ?? names[names.length >> 1];
  }

  cells({ board, may = null, warns, shade = NONE }, ghost) {
    const here = this.stop(this.props);
    return this.keep("cells", [board, may, warns, shade, ghost, here], () => Object.entries(board.cells).map(([name, words]) => {
      const [x, y] = this.spot(name);
      const planned = name === ghost;
      const parts = [words, shade.includes(name) && "possible", planned ? "planned: choose it to take that back" : may?.has(name) && "can be chosen", warns?.get(name)];
      return h("rect", {
        key: name, class: planned ? "cell planned" : may?.has(name) ? "cell may" : "cell", x, y, width: CELL, height: CELL, "data-cell": name,
        role: may ? "button" : "img", tabindex: name === here ? 0 : -1, "aria-label": parts.filter(Boolean).join(", "),
      });
    }));
  }

  render({ label = "The sea", board, may, warns, plan = [], lit = [], shade = [], so = [], inert = false }, { shown }) {
    this.drawn = shown ?? board;
    if (!board || board.text) return h("div", { class: "chart", ref: this.element }, board && h("pre", { tabindex: 0 }, board.text));
    if (shown) [plan, shade, so] = [[], [], []];
    const { cells, columns, rows, pieces } = this.drawn;
    const [wide, high] = [columns * CELL, rows * CELL];
    const box = { viewBox: `0 0 ${wide + 2 * RIM} ${high + 2 * RIM}` };
    const last = plan.at(-1);
    const ghost = last && (last.to.at(-1) ?? last.here);
    const taken = new Set(pieces.map((one) => one.cell));
    const here = (names) => [...names].filter((name) => cells[name]);
    const frames = (kind, names) => here(names).map((name) => h("rect", { class: kind, x: this.spot(name)[0] + 1, y: this.spot(name)[1] + 1, width: CELL - 2, height: CELL - 2 }));
    const target = (name) => g({ key: name, class: "target", transform: at(this.spot(name)) }, path("", taken.has(name) ? WIDE : CORNERS),
      warns?.has(name) ? path("warning", WARNING) : taken.has(name) ? null : dot("", 3));
    return h("div", { ref: this.element, class: shown ? "chart playing" : "chart", inert, onclick: this.onclick, onkeydown: this.onkeydown, onfocusin: this.onfocus },
      h("svg", { ...box, class: "sea-of", "aria-hidden": "true" }, this.still(wide, high)),
      h("svg", { ...box, role: "group", "aria-label": label },
        g({}, here(shade).map((name) => g({ key: name, class: so.includes(name) ? "hatch so" : "hatch", transform: at(this.spot(name)) }, path("", HATCH)))),
        g({}, this.ways()),
        g({}, this.pieces(new Set(plan.filter((one) => one.goes).map((one) => one.here)))),
        g({}, this.arrows()),
        g({}, shown ? [] : here(may ?? []).filter((name) => name !== ghost).map(target)),
        g({}, this.planned(plan)),
        g({}, frames("so-frame", so), frames("lit", lit)),
        h("rect", { class: "edge", x: RIM, y: RIM, width: wide, height: high }),
        g({}, this.cells(this.props, ghost))),
      // What moves: motion.js fills it.
      h("svg", { ...box, class: "above", "aria-hidden": "true" }));
  }

  componentDidMount() {
    this.props.ref?.(this);
    this.componentDidUpdate();
  }
  componentWillUnmount() {
    this.playing?.();
    this.props.ref?.(null);
  }
  componentDidUpdate() {
    // For whoever makes room for it.
    const { columns, rows } = this.drawn ?? {};
    if (columns) this.base.parentElement?.style.setProperty("--ratio", String((columns * CELL + 2 * RIM) / (rows * CELL + 2 * RIM)));
  }

  choose(name) {
    this.setState({ here: name });
    this.props.oncell?.(name);
  }
  onclick = ({ target }) => target.dataset.cell && this.choose(target.dataset.cell);
  onfocus = ({ target }) => target.dataset.cell && this.setState({ here: target.dataset.cell });
  onkeydown = (event) => {
    const name = event.target.dataset?.cell;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const chosen = event.key === "Enter" || event.key === " ";
    if (!name || !(step || chosen) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (chosen) return this.choose(name);
    const [x, y] = this.spot(name);
    const next = Object.keys(this.drawn.cells).find((one) => this.spot(one).join() === [x + step[0] * CELL, y + step[1] * CELL].join());
    if (next) this.base.querySelector(`[data-cell="${next}"]`).focus();
  };
}

const OTHER = { own: "foe", foe: "own", home: "away", away: "home" };
const turnedOver = (side) => OTHER[side] ?? side;

/** A whole position as the second of two players sees it: own is who else is foe. */
export const swapped = (found) =>
  !found.cells ? found : {
    ...found,
    pieces: found.pieces.map((one) => ({ ...one, side: turnedOver(one.side) })),
    ways: found.ways.map((one) => ({ ...one, side: turnedOver(one.side) })),
    grounds: Object.fromEntries(Object.entries(found.grounds).map(([cell, one]) => [cell, { ...one, kind: turnedOver(one.kind) }])),
  };
