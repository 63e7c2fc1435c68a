// What happened, played on the chart that is kept: the board before, then sentence by sentence what moves, each followed by the
// board as it stood then. What plays of which sentence Python says (`PLAYS` in games/news.py); here is how it looks and sounds.
//
// One clock: each sentence lasts as long as an animation without frames, on the layer above the chart; where there is much to
// play, all animations run faster by one factor. Pieces move themselves until the next board is drawn; rings, drops and what
// stands on no board are drawn into that layer, and are gone when their motion is over.
import { CELL, DIAMOND, token } from "./chart.js";
import { h } from "./page.js";
import { heard } from "./sound.js";
import { render } from "preact";

/** The longest that is played of a turn, in milliseconds. */
const LONGEST = 5200;

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const nothing = (..._) => {};
const BURST = `M${Array.from({ length: 20 }, (_, k) => {
  const [r, turn] = [k % 2 ? 17 : 30, (k * Math.PI) / 10];
  return `${(30 + r * Math.cos(turn)).toFixed(1)} ${(30 + r * Math.sin(turn)).toFixed(1)}`;
}).join("L")}z`;
const GLIDE = "cubic-bezier(.4, .05, .3, 1)";
const RUSH = "cubic-bezier(.5, 0, .9, .6)";

const far = ([x, y], [u, v]) => Math.hypot(u - x, v - y) / CELL;
const long = (way) => way.slice(1).reduce((sum, to, number) => sum + far(way[number], to), 0);
const by = ([x, y]) => ({ transform: `translate(${x}px, ${y}px)` });

/** Where something is as it goes along this way at one speed: frames from its beginning. */
const along = (way) => way.map(([x, y], number) => ({ ...by([x - way[0][0], y - way[0][1]]), offset: number ? long(way.slice(0, number + 1)) / long(way) : 0 }));

/** One sentence on the boards before and after it, and all that is drawn of it. */
class Scene {
  moves = [];

  constructor(chart, said, before, after, rate = 1) {
    this.chart = chart;
    this.said = said;
    this.before = before;
    this.after = after;
    this.rate = rate;
    this.above = chart.base.querySelector(".above");
    this.was = this.piece(before);
    const own = this.was ?? this.piece(after);
    this.cells = said.cells.filter((one) => one in after.cells);
    // Of two torpedoes in one lane it may be the other that stands there.
    if (this.was && said.play === "torpedo" && this.cells.length && far(this.spot(this.was.cell), this.spot(this.cells[0])) > 1) this.was = null;
    if (!this.cells.length && own && !["", "sink"].includes(said.play)) this.cells = [own.cell];
    this.side = said.shape ? said.side : own?.side || said.side || "foe";
    this.struck = before.pieces.filter(({ id }) => id && said.struck.includes(id)).map(({ cell }) => cell);
  }

  piece = (board) => board.pieces.find(({ id }) => id && id === this.said.piece);
  spot = (cell) => this.chart.spot(cell);

  /** On the chart as it is drawn now: the piece with that id, else the last in that cell. */
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
  move(element, frames, duration, cell, easing = "linear") {
    if (cell) element.style.transformOrigin = this.chart.middle(cell).map((one) => `${one}px`).join(" ");
    this.moves.push(this.animate(element, frames, duration, { easing }));
  }

  /** Something in the layer above, gone when its motion is over; it turns and grows around that point. */
  mark(drawing, frames, duration, given = {}, [x, y] = [0, 0]) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", "g");
    render(drawing, made);
    made.style.transformOrigin = `${x}px ${y}px`;
    this.above.append(made);
    const gone = () => made.remove();
    this.animate(made, frames, duration, given).finished.then(gone, gone);
  }

  ring(cell, size, duration, delay = 0, easing = "ease-out") {
    const [cx, cy] = this.chart.middle(cell);
    const frames = [{ transform: "scale(.05)", opacity: 0 }, { opacity: 1, offset: 0.04 }, { opacity: 0.85, offset: 0.6 }, { transform: "scale(1)", opacity: 0 }];
    this.mark(h("circle", { class: `ring ${this.side}`, cx, cy, r: CELL * size }), frames, duration, { delay, easing }, [cx, cy]);
  }

  burst(cell, size = 1) {
    const [x, y] = this.chart.middle(cell);
    const star = h("path", { class: "burst", d: BURST, transform: `translate(${x - 30} ${y - 30})` });
    const grows = [{ transform: `scale(${0.2 * size})`, opacity: 1 }, { transform: `scale(${1.25 * size})`, offset: 0.244 }, { opacity: 1, offset: 0.75 }, { transform: `scale(${1.3 * size})`, opacity: 0 }];
    this.mark(star, grows, 820, {}, [x, y]);
    if (size < 1) return;
    this.ring(cell, 1.7, 820);
    for (let k = 0; k < 9; k += 1) {
      const [turn, out] = [(k * 2 * Math.PI) / 9 + 0.3, CELL * (0.75 + 0.3 * (k % 3))];
      const flies = [{ ...by([0, 0]), opacity: 1 }, { opacity: 1, offset: 0.5 }, { ...by([out * Math.cos(turn), out * Math.sin(turn)]), opacity: 0 }];
      this.mark(h("circle", { class: "drop", cx: x, cy: y, r: 3 + (k % 3) }), flies, 760, { delay: 40, easing: "cubic-bezier(.1, .7, .4, 1)" });
    }
    this.animate(this.chart.base, [0, 4, -4, 3, -3, 2, -1, 0].map((dx, k) => by([dx, k % 2 ? -dx / 2 : dx / 2])), 320, { fill: "none" });
  }

  /** The way of a piece or a torpedo: from where it stood through its cells, and on to what it struck. */
  way() {
    const names = this.was ? [this.was.cell, ...this.cells.filter((one) => one !== this.was.cell)] : this.cells;
    const spots = [...names, ...this.struck].map(this.spot);
    if (this.said.play !== "torpedo" || this.was || this.struck.length) return spots;
    // It came from the cell before the first: straight back, or out of the submarine beside it.
    const [[x, y], next] = spots;
    const beside = this.before.pieces.find(({ side, token: face, cell }) => side === "own" && face && far(this.spot(cell), [x, y]) === 1);
    const back = next ? [2 * x - next[0], 2 * y - next[1]] : beside && this.spot(beside.cell);
    return back ? [back, ...spots] : spots;
  }

  /** What goes along its way: the piece where it stands on the board, or `shape`, drawn into the layer above at the beginning. */
  goes(pace, easing) {
    const way = this.way();
    const found = this.was && this.standing(this.said.piece);
    const drawn = this.said.shape ? { side: this.side, token: "", mark: "", shape: this.said.shape } : this.piece(this.after);
    if (found) this.move(found, along(way), pace * long(way), "", easing);
    else if (drawn && way[1]) this.mark(token(drawn, "", `translate(${way[0].join(" ")})`), along(way), pace * long(way), { easing });
  }

  /** A voice when the motion has played for so long, from where that cell is. */
  sounds(voice, cell, delay = 0) {
    heard(voice, (this.spot(cell)[0] / CELL) / this.after.columns, delay / this.rate);
  }
}

// How each way of playing a sentence looks: for how many milliseconds, and what plays on the board before it; then the same of the board after it.
const MOTIONS = {
  "": [({ cells }) => (cells.length ? 420 : 260), (one) => one.cells.forEach((cell) => one.ring(cell, 0.7, 700))],
  run: [(one) => 280 * long(one.way()) || 280, (one) => {
    one.goes(280, GLIDE);
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
    const grows = [{ transform: "scale(.6)", opacity: 0 }, { opacity: 1, offset: 0.06 }, { opacity: 0.9, offset: 0.6 }, { transform: "scale(1.8)", opacity: 0 }];
    one.mark(diamond, grows, 500, { delay: 160 * k, easing: "ease-out" }, [x, y]);
    one.sounds("echo", cell, 160 * k);
  })],
  torpedo: [(one) => 170 * long(one.way()) || 170, (one) => {
    const way = one.way();
    const frames = along(way).map((frame, k) => ({ ...frame, opacity: k === way.length - 1 ? 0 : 0.75 }));
    const [cx, cy] = way[0].map((one) => one + CELL / 2);
    for (let k = 0; k < 7; k += 1) one.mark(h("circle", { class: `wake ${one.side}`, cx, cy, r: 6 - 0.7 * k }), frames, 170 * long(way), { delay: 18 + 14 * k, easing: RUSH });
    one.goes(170, RUSH);
    one.sounds("torpedo", one.cells[0]);
  }],
  burst: [() => 820, (one) => {
    one.cells.forEach((cell) => one.burst(cell));
    one.sounds("impact", one.cells[0]);
  }],
  sink: [() => 1450, (one) => {
    const [cell] = one.cells;
    const [x, y] = one.chart.middle(cell);
    const found = one.was && one.standing(one.said.piece);
    const frames = [
      { transform: "none", opacity: found ? 1 : 0 }, { opacity: 1, offset: 0.12 }, { transform: "rotate(-7deg)", offset: 0.3 },
      { transform: "translate(0, 8px) rotate(-26deg) scale(.9)", opacity: 1, offset: 0.6 }, { transform: "translate(0, 26px) rotate(-26deg) scale(.72)", opacity: 0 },
    ];
    if (found) one.move(found, frames, 1450, cell, "ease-in-out");
    else if (one.said.shape) one.mark(token({ ...one.said, token: "open" }, "", `translate(${x - 30} ${y - 30})`), frames, 1450, { easing: "ease-in-out" }, [x, y]);
    for (let k = 0; k < 7; k += 1) {
      const rises = [{ ...by([0, 0]), opacity: 0 }, { opacity: 1, offset: 0.2 }, { ...by([(k % 2 ? 1 : -1) * (4 + 2 * (k % 3)), -CELL * (0.55 + 0.1 * (k % 3))]), opacity: 0 }];
      one.mark(h("circle", { class: "bubble", cx: x - 12 + 4 * k, cy: y + 6, r: 2 + (k % 3) }), rises, 700, { delay: 350 + 110 * k, easing: "ease-out" });
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
    const part = (share, offset, easing = "ease-out") => ({ ...by([(u - x) * share, (v - y) * share]), offset, easing });
    one.move(found, [part(0, 0), part(-0.12, 0.3, "cubic-bezier(.6, 0, 1, .6)"), part(0.42, 0.52), part(0, 1)], 620);
    one.sounds("impact", to, 300);
  }],
  lay: [() => 0, nothing, () => 260, (one) => {
    const old = new Set(one.before.pieces.map(({ id, cell }) => `${id} ${cell}`));
    const drops = [{ transform: "translate(0, -16px)", opacity: 0 }, { opacity: 1, offset: 0.5 }, { transform: "none", opacity: 1 }];
    for (const { id, cell } of one.after.pieces) if (one.cells.includes(cell) && !old.has(`${id} ${cell}`)) one.move(one.standing(id, cell), drops, 260, "", "cubic-bezier(.3, 0, .6, 1)");
    one.sounds("card", one.cells[0]);
  }],
  turn: [() => 130, (one) => {
    const found = one.standing(one.was && one.said.piece, one.cells[0]);
    if (found) one.move(found, [{ transform: "none" }, { transform: "scale(0, 1)" }], 130, one.cells[0], "ease-in");
    one.sounds("card", one.cells[0]);
  }, () => 190, (one) => {
    const found = one.standing(one.piece(one.after) && one.said.piece, one.cells[0]);
    if (found) one.move(found, [{ transform: "scale(0, 1)" }, { transform: "scale(1.08, 1)", offset: 0.7 }, { transform: "none" }], 190, one.cells[0], "ease-out");
  }],
};
/** Of a sentence that tells no place nothing can be shown. */
const motion = ({ said, cells }) => MOTIONS[cells.length ? said.play : ""] ?? MOTIONS[""];

/** Play one sentence on the board as it is: what was heard, else a ring in each of its cells. */
export function touch(chart, said) {
  if (calm.matches || !chart.drawn?.cells) return;
  const play = ["contact", "ping", "echo", "burst"].includes(said.play) ? said.play : "";
  const scene = new Scene(chart, { ...said, play }, chart.drawn, chart.drawn);
  motion(scene)[1](scene);
}

/**
 * Play a turn, `entries` of {before, told: [{...sentence, chart}]} as `play.boards` gives them, or a promise of them: until they
 * are there the chart stays as it is drawn now. `each` is told each sentence as it begins, and `done` is called once the chart
 * shows its own board again: at the end, or at once on any tap or key, which does what it was meant for. With reduced motion that
 * is so from the beginning. Returns the function that ends it.
 */
export function play(chart, entries, { each = nothing, done = nothing } = {}) {
  const off = new AbortController();
  let scene = /** @type {Scene} */ (null);
  chart.playing?.();
  const end = () => {
    off.abort();
    scene?.moves.forEach((one) => one.cancel());
    chart.playing = null;
    chart.setState({ shown: null }, done);
  };
  const stop = () => {
    if (off.signal.aborted) return;
    for (const one of document.getAnimations()) if (chart.base.contains(/** @type {KeyframeEffect} */ (one.effect).target) && !(one instanceof CSSAnimation)) one.cancel();
    end();
  };
  chart.playing = stop;
  if (calm.matches) {
    end();
    return stop;
  }
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, stop, { capture: true, signal: off.signal });
  const show = (board) => new Promise((shown) => chart.setState({ shown: board }, () => shown(null)));
  /** What plays on one board, until the next may be drawn. */
  const part = async (lasts, plays) => {
    off.signal.throwIfAborted();
    plays(scene);
    if (lasts(scene)) await scene.animate(scene.above, [], lasts(scene), { fill: "none" }).finished;
  };
  (async () => {
    await show(chart.drawn);
    const boards = (await entries).flatMap(({ before, told }) => told.map((said, number) => [said, number ? told[number - 1].chart : before, said.chart]));
    if (!boards.length || boards.some((one) => one[1].text || one[2].text)) return stop();
    off.signal.throwIfAborted();
    await show(boards[0][1]);
    const all = boards.map(([said, before, after]) => new Scene(chart, said, before, after));
    const rate = Math.max(1, all.reduce((sum, one) => sum + motion(one)[0](one) + (motion(one)[2]?.(one) ?? 0), 0) / LONGEST);
    for (const [said, before, after] of boards) {
      scene = new Scene(chart, said, before, after, rate);
      const [lasts, plays, lastsAfter = () => 0, playsAfter = nothing] = motion(scene);
      off.signal.throwIfAborted();
      each(said);
      await part(lasts, plays);
      for (const cell of scene.struck) scene.burst(cell, 0.6);
      const moved = scene.moves.splice(0);
      await show(after);
      moved.forEach((one) => one.cancel());
      await part(lastsAfter, playsAfter);
      scene.moves.splice(0).forEach((one) => one.cancel());
    }
    return end();
  })().catch((error) => {
    stop();
    // The clock of a turn that was ended.
    if (error.name !== "AbortError") throw error;
  });
  return stop;
}
