// What happened, played on the chart that is kept: the board before, then sentence by sentence what moves, each followed by the
// board as it stood then. What plays of which sentence Python says (`PLAYS` in games/news.py); here is how it looks and sounds.
//
// One clock: each sentence lasts as long as an animation without frames, on the layer above the chart; where there is much to
// play, all animations run faster by one factor. Pieces move themselves until the next board is drawn; rings, drops and what
// stands on no board are drawn into that layer, and are gone when their motion is over.
import { CELL, DIAMOND, token } from "./chart.js";
import { h } from "./page.js";
import { render } from "preact";
import { heard } from "./sound.js";

/** The longest that is played of a turn, in milliseconds. */
export const LONGEST = 5200;

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const BURST = `M${Array.from({ length: 20 }, (_, k) => {
  const [r, turn] = [k % 2 ? 17 : 30, (k * Math.PI) / 10];
  return `${(30 + r * Math.cos(turn)).toFixed(1)} ${(30 + r * Math.sin(turn)).toFixed(1)}`;
}).join("L")}z`;
const GLIDE = "cubic-bezier(.4, .05, .3, 1)";
const RUSH = "cubic-bezier(.5, 0, .9, .6)";

const far = ([x, y], [u, v]) => Math.hypot(u - x, v - y) / CELL;
const pairs = (way) => way.slice(1).map((to, number) => [way[number], to]);
const long = (way) => pairs(way).reduce((sum, [from, to]) => sum + far(from, to), 0);
const by = ([x, y], more = "") => ({ transform: `translate(${x}px, ${y}px) ${more}` });

/** Where something is as it goes along this way at one speed, as frames relative to `from`. */
function along(way, from = way[0]) {
  let gone = 0;
  return way.map((spot, number) => {
    if (number) gone += far(way[number - 1], spot);
    return { ...by([spot[0] - from[0], spot[1] - from[1]]), offset: gone / (long(way) || 1) || (number ? 1 : 0) };
  });
}

/** One sentence on the boards before and after it, and all that is drawn of it. */
class Scene {
  constructor(chart, said, before, after, rate = 1) {
    Object.assign(this, { chart, said, before, after, rate, moves: [] });
    this.above = chart.base.querySelector(".above");
    this.was = this.piece(before);
    const own = this.was ?? this.piece(after);
    this.cells = said.cells.filter((one) => one in after.cells);
    // Of two torpedoes in one lane it may be the other that stands there.
    if (this.was && said.play === "torpedo" && this.cells.length && far(this.spot(this.was.cell), this.spot(this.cells[0])) > 1) this.was = null;
    if (!this.cells.length && own && !["", "sink"].includes(said.play)) this.cells = [own.cell];
    this.side = said.shape ? said.side : own?.side || said.side || "foe";
    this.struck = before.pieces.filter(({ id }) => id && said.struck?.includes(id)).map(({ cell }) => cell);
  }

  piece = (board) => board.pieces.find(({ id }) => id && id === this.said.piece);
  spot = (cell) => this.chart.spot(cell);

  /** Of this sentence on the chart as it is drawn now: the piece with that id, else the last in that cell. */
  standing(id, cell) {
    const find = (key, value) => value && [...this.chart.base.querySelectorAll(`[data-${key}="${CSS.escape(value)}"]`)].findLast((one) => !one.querySelector(".wreck"));
    return find("piece", id) || find("at", cell);
  }

  animate(element, frames, duration, given = {}) {
    const made = element.animate(frames, { duration, fill: "both", ...given });
    made.playbackRate = this.rate;
    return made;
  }

  /** A piece of the board moves until the next one is drawn; `cell`: around the middle of which. */
  move(element, frames, duration, cell, given = {}) {
    if (cell) element.style.transformOrigin = this.chart.middle(cell).map((one) => `${one}px`).join(" ");
    this.moves.push(this.animate(element, frames, duration, given));
  }

  /** Something in the layer above, gone when its motion is over. */
  mark(drawing, frames, duration, given = {}, [x, y] = [0, 0]) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", "g");
    render(drawing, made);
    made.style.transformOrigin = `${x}px ${y}px`;
    this.above.append(made);
    this.animate(made, frames, duration, given).finished.then(() => made.remove(), () => made.remove());
  }

  ring(cell, size, duration, delay = 0, easing = "ease-out") {
    const [cx, cy] = this.chart.middle(cell);
    const frames = [{ transform: "scale(.05)", opacity: 0 }, { opacity: 1, offset: 0.04 }, { opacity: 0.85, offset: 0.6 }, { transform: "scale(1)", opacity: 0 }];
    this.mark(h("circle", { class: `ring ${this.side}`, cx, cy, r: CELL * size }), frames, duration, { delay, easing }, [cx, cy]);
  }

  burst(cell, size = 1, delay = 0) {
    const [x, y] = this.chart.middle(cell);
    const star = h("path", { class: "burst", d: BURST, transform: `translate(${x - 30} ${y - 30})` });
    const grows = [{ transform: `scale(${0.2 * size})`, opacity: 1 }, { transform: `scale(${1.25 * size})`, opacity: 1, offset: 0.244 }, { opacity: 1, offset: 0.75 }, { transform: `scale(${1.3 * size})`, opacity: 0 }];
    this.mark(star, grows, 820, { delay }, [x, y]);
    if (size < 1) return;
    this.ring(cell, 1.7, 820, delay);
    for (let k = 0; k < 9; k += 1) {
      const [turn, out] = [(k * 2 * Math.PI) / 9 + 0.3, CELL * (0.75 + 0.3 * (k % 3))];
      const flies = [{ ...by([0, 0]), opacity: 1 }, { opacity: 1, offset: 0.5 }, { ...by([out * Math.cos(turn), out * Math.sin(turn)]), opacity: 0 }];
      this.mark(h("circle", { class: "drop", cx: x, cy: y, r: 3 + (k % 3) }), flies, 760, { delay: delay + 40, easing: "cubic-bezier(.1, .7, .4, 1)" });
    }
    const shakes = [0, 4, -4, 3, -3, 2, -1, 0].map((dx, k) => by([dx, k % 2 ? -dx / 2 : dx / 2]));
    this.animate(this.chart.base, shakes, 320, { delay, fill: "none" });
  }

  /** What goes along: the piece where it stands on the board, or `shape`, drawn into the layer above at the beginning of its way. */
  goes(way, duration, easing) {
    const found = this.was && this.standing(this.said.piece);
    if (found) return this.move(found, along(way), duration, "", { easing });
    const drawn = this.said.shape ? { side: this.side, token: "", mark: "", shape: this.said.shape } : this.piece(this.after);
    if (drawn) this.mark(token(drawn, "", `translate(${way[0].join(" ")})`), along(way), duration, { easing });
  }

  /** A voice when the motion has played for so long, from where that cell is. */
  sounds(voice, cell, delay = 0) {
    const wide = this.after.columns * CELL;
    heard(voice, cell ? (this.chart.middle(cell)[0] - this.chart.spot(Object.keys(this.after.cells)[0])[0]) / wide : 0.5, delay / this.rate);
  }
}

/** The way of a piece or a torpedo: from where it stood through its cells, and on to what it struck. */
function way({ was, cells, struck, spot, said, before }) {
  const names = was ? [was.cell, ...cells.filter((one) => one !== was.cell)] : cells;
  const spots = [...names, ...struck].map(spot);
  if (said.play !== "torpedo" || was || struck.length) return spots;
  // It came from the cell before the first: straight back, or from beside it.
  const [[x, y], next] = spots;
  const beside = before.pieces.find(({ side, token: face, cell }) => side === "own" && face && far(spot(cell), [x, y]) === 1);
  const back = next ? [2 * x - next[0], 2 * y - next[1]] : beside ? spot(beside.cell) : null;
  return back ? [back, ...spots] : spots;
}

// How each way of playing a sentence looks: for how many milliseconds, and what plays on the board before it; then the same of the board after it.
const nothing = () => {};
const MOTIONS = {
  "": [({ cells }) => (cells.length ? 420 : 260), (one) => one.cells.forEach((cell) => one.ring(cell, 0.7, 700))],
  run: [(one) => 280 * long(way(one)) || 280, (one) => {
    const path = way(one);
    if (path.length > 1) one.goes(path, 280 * long(path), GLIDE);
    one.sounds("creep", one.cells.at(-1));
  }],
  contact: [({ cells }) => 360 * cells.length, (one) => one.cells.forEach((cell, k) => {
    one.ring(cell, 0.62, 700, 360 * k);
    one.ring(cell, 0.95, 900, 360 * k);
    one.sounds("contact", cell, 360 * k);
  })],
  ping: [() => 1250, (one) => {
    for (const k of [0, 1, 2]) one.ring(one.cells[0], 3.4, 1500, 240 * k, "linear");
    one.sounds("ping", one.cells[0]);
  }],
  echo: [({ cells }) => 500 + 160 * cells.length, (one) => one.cells.forEach((cell, k) => {
    const [x, y] = one.chart.middle(cell);
    const diamond = h("path", { class: `ring ${one.side}`, d: DIAMOND, transform: `translate(${x - 30} ${y - 30})` });
    one.mark(diamond, [{ transform: "scale(.6)", opacity: 0 }, { opacity: 1, offset: 0.06 }, { opacity: 0.9, offset: 0.6 }, { transform: "scale(1.8)", opacity: 0 }], 500, { delay: 160 * k, easing: "ease-out" }, [x, y]);
    one.sounds("echo", cell, 160 * k);
  })],
  torpedo: [(one) => 170 * long(way(one)) || 170, (one) => {
    const path = way(one);
    const lasts = 170 * long(path) || 170;
    one.sounds("torpedo", one.cells[0]);
    const frames = along(path).map((frame, k, all) => ({ ...frame, opacity: k && k === all.length - 1 ? 0 : 0.75 }));
    for (let k = 0; k < 7; k += 1) {
      const [cx, cy] = path[0].map((one) => one + CELL / 2);
      one.mark(h("circle", { class: `wake ${one.side}`, cx, cy, r: 6 - 0.7 * k }), frames, lasts, { delay: 18 + 14 * k, easing: RUSH });
    }
    one.goes(path, lasts, RUSH);
  }],
  burst: [() => 820, (one) => {
    one.cells.forEach((cell) => one.burst(cell));
    one.sounds("impact", one.cells[0]);
  }],
  sink: [({ cells }) => (cells.length ? 1450 : 260), (one) => {
    const [cell] = one.cells;
    if (!cell) return;
    const [x, y] = one.chart.middle(cell);
    const found = one.was && one.standing(one.said.piece);
    const frames = [
      { transform: "none", opacity: found ? 1 : 0 }, { transform: "rotate(-2deg)", opacity: 1, offset: found ? 0 : 0.12 }, { transform: "rotate(-7deg)", offset: 0.3 },
      { transform: "translate(0, 8px) rotate(-26deg) scale(.9)", opacity: 1, offset: 0.6 }, { transform: "translate(0, 26px) rotate(-26deg) scale(.72)", opacity: 0 },
    ];
    if (found) one.move(found, frames, 1450, cell, { easing: "ease-in-out" });
    else if (one.said.shape) one.mark(token({ side: one.said.side, token: "open", mark: "", shape: one.said.shape }, "", `translate(${x - 30} ${y - 30})`), frames, 1450, { easing: "ease-in-out" }, [x, y]);
    for (let k = 0; k < 7; k += 1) {
      const drift = (k % 2 ? 1 : -1) * (4 + 2 * (k % 3));
      const rises = [{ ...by([0, 0]), opacity: 0 }, { opacity: 1, offset: 0.2 }, { ...by([drift, -CELL * (0.55 + 0.1 * (k % 3))]), opacity: 0 }];
      one.mark(h("circle", { class: `bubble ${one.side}`, cx: x - 12 + 4 * k, cy: y + 6, r: 2 + (k % 3) }), rises, 700, { delay: 350 + 110 * k, easing: "ease-out" });
    }
    one.sounds("sink", cell);
  }, () => 0, (one) => {
    for (const wreck of one.chart.base.querySelectorAll(`[data-at="${one.cells[0]}"] .wreck`)) one.animate(wreck, [{ opacity: 0 }, {}], 300, { fill: "none" });
  }],
  fight: [() => 620, (one) => {
    const [from, to] = one.cells;
    const found = to && one.standing(one.was && one.said.piece, from);
    if (!found) return;
    const [[x, y], [u, v]] = [one.spot(from), one.spot(to)];
    const part = (share, offset, easing) => ({ ...by([(u - x) * share, (v - y) * share]), offset, easing });
    one.move(found, [part(0, 0, "ease-out"), part(-0.12, 0.3, "cubic-bezier(.6, 0, 1, .6)"), part(0.42, 0.52, "ease-out"), part(0, 1)], 620);
    one.sounds("impact", to, 300);
  }],
  lay: [() => 0, nothing, () => 260, (one) => {
    const old = new Set(one.before.pieces.map(({ id, cell }) => `${id} ${cell}`));
    const fresh = one.after.pieces.filter(({ id, cell }) => one.cells.includes(cell) && !old.has(`${id} ${cell}`));
    for (const { id, cell } of fresh) one.move(one.standing(id, cell), [{ transform: "translate(0, -16px)", opacity: 0 }, { opacity: 1, offset: 0.5 }, { transform: "none", opacity: 1 }], 260, "", { easing: "cubic-bezier(.3, 0, .6, 1)" });
    one.sounds("card", one.cells[0]);
  }],
  turn: [() => 130, (one) => {
    const found = one.standing(one.was && one.said.piece, one.cells[0]);
    if (found) one.move(found, [{ transform: "none" }, { transform: "scale(0, 1)" }], 130, one.cells[0], { easing: "ease-in" });
    one.sounds("card", one.cells[0]);
  }, () => 190, (one) => {
    const found = one.standing(one.piece(one.after) && one.said.piece, one.cells[0]);
    if (found) one.move(found, [{ transform: "scale(0, 1)" }, { transform: "scale(1.08, 1)", offset: 0.7 }, { transform: "none" }], 190, one.cells[0], { easing: "ease-out" });
  }],
};
const motion = ({ said }) => MOTIONS[said.play] ?? MOTIONS[""];
const lasting = (scene) => motion(scene)[0](scene) + (motion(scene)[2]?.(scene) ?? 0);

/** Play one sentence on the board as it is: what was heard, else a ring in each of its cells. */
export function touch(chart, said) {
  if (calm.matches || !chart.drawn?.cells) return;
  const heardOf = ["contact", "ping", "echo", "burst"].includes(said.play);
  const scene = new Scene(chart, heardOf ? said : { ...said, play: "" }, chart.drawn, chart.drawn);
  if (scene.cells.length) motion(scene)[1](scene);
}

/**
 * Play a turn, `entries` of {before, told: [{...sentence, chart}]} as `play.boards` gives them. `each` is told each sentence as it
 * begins, and `done` is called once the chart shows its own board again: at the end, or at once on any tap or key, which does
 * what it was meant for. With reduced motion that is so from the beginning. Returns the function that ends it.
 */
export function play(chart, entries, { each = nothing, done = nothing } = {}) {
  const off = new AbortController();
  chart.playing?.();
  let [scene, clock] = [null, null];
  const stop = (skipped = true) => {
    if (off.signal.aborted) return;
    off.abort();
    clock?.cancel();
    scene?.moves.forEach((one) => one.cancel());
    if (skipped) for (const one of chart.base.getAnimations({ subtree: true })) if (one.effect.target.closest(".above, .chart.playing")) one.cancel();
    chart.playing = null;
    chart.setState({ shown: null }, done);
  };
  chart.playing = stop;
  const boards = entries.flatMap(({ before, told }) => told.map((said, number) => [said, number ? told[number - 1].chart : before, said.chart]));
  if (calm.matches || !boards.length || boards.some(([, before, after]) => before.text || after.text)) {
    stop();
    return stop;
  }
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => stop(), { capture: true, signal: off.signal });
  const show = (board) => new Promise((shown) => chart.setState({ shown: board }, shown));
  /** One part of a sentence: what plays, and until the next may begin. */
  const part = async (one, lasts, plays) => {
    if (off.signal.aborted || !plays) return;
    plays(one);
    if (!lasts(one)) return;
    clock = one.animate(one.above, [], lasts(one), { fill: "none" });
    await clock.finished;
  };
  (async () => {
    await show(boards[0][1]);
    const all = boards.map(([said, before, after]) => new Scene(chart, said, before, after));
    const rate = Math.max(1, all.reduce((sum, one) => sum + lasting(one), 0) / LONGEST);
    for (const [said, before, after] of boards) {
      if (off.signal.aborted) return;
      scene = new Scene(chart, said, before, after, rate);
      const [lasts, plays, lastsAfter, playsAfter] = motion(scene);
      each(said);
      await part(scene, lasts, plays);
      const over = scene.moves.splice(0);
      if (off.signal.aborted) return;
      for (const cell of scene.struck) scene.burst(cell, 0.6);
      await show(after);
      for (const one of over) one.cancel();
      await part(scene, lastsAfter, playsAfter);
      for (const one of scene.moves.splice(0)) one.cancel();
    }
    stop(false);
  })().catch((error) => {
    stop();
    // The clock of a turn that was ended.
    if (error.name !== "AbortError") throw error;
  });
  return stop;
}
