// Orders being planned: what may be done next, what is planned, what is left. It knows neither page nor engine. Only
// lines count in the end; every line comes from the game, which says in parts what it does and along which cells.
//
// A plan is a list of acts. For each length of it the engine was asked once what may follow. Where nothing but an offer
// of a draw may follow, the last act can still be replaced: so a turn of one command is a tap, and another tap is
// another command.

/**
 * One line, as `games.game.Choice`.
 * @typedef {{text: string, to: string[], says: string, verb: string, unit: string, here: string, reach: string[], picks: string[],
 *   heard: string, cost: string, goes: boolean, warns: string}} Act
 *
 * A kind of line, as `games.orders.Verb`.
 * @typedef {{name: string, words: string, sign: string, heard: boolean | null, role: string, about: string, answers: string, asks: string}} Verb
 *
 * The lines that may follow those so far, as `play.plan` says it.
 * @typedef {{acts: Act[], planned: Act[], complete: boolean, left: string}} After
 */

/** @type {Verb} */
const UNTOLD = { name: "", words: "", sign: "", heard: null, role: "", about: "", answers: "", asks: "" };

/**
 * A plan for one turn.
 * @param {Record<string, Verb>} verbs the kinds of lines, in the order in which they are shown
 * @param {(name: "plan" | "check", given: object) => Promise<any>} ask the engine: `plan` of {lines, known}, `check` of {text}
 * @param {() => void} changed is called whenever `state()` is another
 */
export function plan(verbs, ask, changed) {
  /** What may follow none, one, two ... of the acts. @type {After[]} */
  let levels = [];
  /** @type {Act[]} */
  let acts = [];
  /** Lines beside the acts, as an offer of a draw, that are chosen. @type {Set<string>} */
  let beside = new Set();
  // Whether the turn is ended where it may go on.
  let ending = true;
  let [unit, verb] = ["", ""];
  /** The cells so far of an act that is not whole, or may go on, and what else it names. @type {string[][]} */
  let [taps, picks] = [[], []];

  const told = (name) => verbs[name] ?? { ...UNTOLD, name: name[0].toUpperCase() + name.slice(1) };
  const place = (name) => Object.keys(verbs).indexOf(name) + 1 || 99;
  const ofRole = (list, role = "") => (list ?? []).filter((one) => told(one.verb).role === role);

  const last = () => levels.at(-1) ?? { acts: [], planned: [], complete: false, left: "" };
  const goesOn = () => ofRole(last().acts).length > 0;
  /** How many acts stand before the one that is chosen now. */
  const depth = () => Math.max(levels.length - (goesOn() ? 1 : 2), 0);

  /** Another answer than the one that is planned, where more may follow it. */
  function others() {
    const asked = ofRole(levels[acts.length - 1]?.acts);
    if (depth() < acts.length || !asked.some((one) => told(one.verb).answers)) return [];
    const after = new Set(last().acts.map(({ text }) => text));
    return asked.filter((one) => !after.has(one.text));
  }

  const offered = () => [...ofRole(levels[depth()]?.acts), ...others()];
  const units = () => [...new Set(offered().map((one) => one.unit).filter(Boolean))];
  const ofUnit = () => offered().filter((one) => !one.unit || one.unit === unit);
  const names = () => [...new Set(ofUnit().map((one) => one.verb))].sort((one, other) => place(one) - place(other));
  const matching = () => ofUnit().filter((one) => (!verb || one.verb === verb) && taps.every((cell, at) => one.to[at] === cell));
  const exact = () => matching().filter((one) => one.to.length === taps.length);
  /** The lines that may be meant by each cell that is tapped next. */
  const next = () => byCell(matching(), taps.length);

  /** The cells that can be tapped next; also those of the units, while one is to be chosen. */
  const may = () => new Set([...next().keys(), ...(units().length > 1 && !taps.length && !unit ? offered().map((one) => one.here).filter(Boolean) : [])]);

  /** What is lost by going there, for each next cell where nothing else can be meant. */
  const warnings = () => new Map([...next()].filter(([, list]) => list.every((one) => one.warns)).map(([cell, [{ warns }]]) => [cell, warns]));

  /** The verb to begin with: none, where each cell says what is meant. */
  function first() {
    const having = (what) => names().find((name) => ofUnit().some((one) => one.verb === name && what(one)));
    if (!units().length) return having((one) => one.goes || one.to.length) ?? names()[0] ?? "";
    return [...byCell(ofUnit(), 0).values()].every(oneVerb) ? "" : (having((one) => one.to.length) ?? "");
  }

  /** Begin anew at the end of the plan: the unit stays chosen as long as it can do something. */
  function settle() {
    [taps, picks] = [[], []];
    const found = units();
    // The unit that went last has another name where a unit is called by its cell.
    if (!found.includes(unit)) unit = found.length === 1 ? found[0] : (found.find((one) => one === acts.at(-1)?.to.at(-1)) ?? "");
    if (!names().includes(verb)) verb = first();
    changed();
  }

  const texts = () => acts.map((one) => one.text);
  const ends = () => ofRole(last().acts, "end")[0];
  const aside = () => ofRole(last().acts, "beside").map((one) => ({ ...one, name: told(one.verb).name, yes: beside.has(one.text) }));

  async function extend() {
    changed();
    levels = [...levels.slice(0, acts.length), await ask("plan", { lines: texts(), known: acts.length })];
    settle();
  }

  /** Plan this act: at the end, or instead of the one that can still be replaced. */
  function choose(found) {
    acts = [...acts.slice(0, others().includes(found) ? -1 : depth()), found];
    return extend();
  }

  /** After a choice of verb, cells or picks: plan what is meant, if only one act is. */
  async function meant() {
    const found = exact().filter((one) => picks.every((pick) => one.picks.includes(pick)));
    if (found.length !== 1 || !(taps.length || verb)) return changed();
    const longer = taps.length && matching().some((one) => one.to.length > taps.length);
    await choose(found[0]);
    // A way that can go on is planned, and may still be drawn longer.
    if (!longer || depth() >= acts.length) return;
    [taps, verb] = [found[0].to, found[0].verb];
    changed();
  }

  async function begin() {
    [levels, acts, beside, ending, unit, verb] = [[], [], new Set(), true, "", ""];
    await extend();
    // Where there is only one thing to do, or a usual answer, it is planned.
    const usual = offered().length === 1 ? offered()[0] : offered().find((one) => told(one.verb).answers);
    if (usual && !usual.to.length) await choose(usual);
  }

  /** Take over written lines; rejects with what is wrong with them. */
  async function take(text) {
    const { lines } = await ask("check", { text });
    const { planned } = await ask("plan", { lines, known: 0 });
    beside = new Set(ofRole(planned, "beside").map((one) => one.text));
    ending = ofRole(planned, "end").length > 0;
    acts = planned.filter((one) => !["beside", "end"].includes(told(one.verb).role));
    levels = await Promise.all(acts.map((_, known) => ask("plan", { lines: texts().slice(0, known), known })));
    await extend();
  }

  function chooseUnit(name) {
    [unit, verb, taps, picks] = [name, "", [], []];
    verb = first();
    changed();
  }

  function chooseVerb(name) {
    [verb, taps, picks] = [name, [], []];
    return matching().some((one) => one.to.length) ? changed() : meant();
  }

  function pick(name) {
    picks = picks.includes(name) ? picks.filter((one) => one !== name) : [...picks, name];
    return meant();
  }

  /** A cell was tapped: the ghost of a plan, a target, or a unit. */
  function cell(name) {
    const end = acts.at(-1);
    if (end && (end.to.at(-1) ?? end.here) === name && !picks.length) return back();
    const found = next().get(name);
    if (found) {
      taps = [...taps, name];
      if (oneVerb(found)) verb = found[0].verb;
      return meant();
    }
    // A cell beyond the first, as where a torpedo goes on, means the same.
    const beyond = matching().find((one) => one.reach.includes(name) && one.to.length === taps.length + 1);
    if (beyond) return choose(beyond);
    const other = offered().find((one) => one.here === name && one.unit !== unit);
    if (other) return chooseUnit(other.unit);
    if (taps.length) {
      [taps, picks] = [[], []];
      if (next().has(name)) return cell(name);
    }
    changed();
  }

  const back = () => cut(taps.length && exact().length !== 1 ? acts.length : Math.max(acts.length - 1, 0));

  /** Keep so many acts, and take back those after them. */
  function cut(count) {
    [acts, levels] = [acts.slice(0, count), levels.slice(0, count + 1)];
    settle();
  }

  /** All that a screen shows. */
  function state() {
    const [chosen, asked] = [exact(), levels[0]?.acts ?? []];
    const [whole, waits] = [Boolean(ends()) && ending, levels.length <= acts.length];
    return {
      acts, unit, verb, taps, picks, waits, units: units(), may: may(), warns: warnings(),
      lines: [...texts(), ...aside().flatMap((one) => (one.yes ? one.text : [])), ...(whole ? [ends().text] : [])],
      verbs: names().map((id) => ({ id, ...told(id), cost: ofUnit().filter((one) => one.verb === id).map((one) => one.cost).sort()[0] })),
      // Lines that differ only in what they name besides, or that have no cells to tell them apart.
      options: chosen.length > 1 && (taps.length ? chosen.every((one) => one.picks.length) : verb) ? chosen : [],
      here: (name) => offered().find((one) => one.unit === name)?.here ?? "",
      beside: aside(),
      ends: ends() ? { ...ends(), name: told(ends().verb).name, yes: ending } : null,
      usual: asked.map((one) => told(one.verb)).find((one) => one.answers) ?? null,
      gives: ofRole(asked, "give-up")[0] ?? null,
      ready: !waits && (last().complete || whole),
      left: whole ? "" : last().left, more: goesOn(),
      replaced: acts[depth()] ?? (others().length ? acts.at(-1) : null),
    };
  }

  // A tap that comes while the engine is still asked what may follow waits for the answer.
  let busy = Promise.resolve();
  const inTurn = (work) => (given) => (busy = busy.catch(() => {}).then(() => work(given)));

  return {
    state,
    /** Once all that was tapped so far is planned. */
    settled: () => busy.catch(() => {}),
    begin: inTurn(begin), take: inTurn(take), unit: inTurn(chooseUnit), verb: inTurn(chooseVerb), pick: inTurn(pick),
    cell: inTurn(cell), back: inTurn(back), cut: inTurn(cut),
    beside(text, yes) {
      beside[yes ? "add" : "delete"](text);
      changed();
    },
    ending(yes) {
      ending = yes;
      changed();
    },
  };
}

const oneVerb = (list) => list.every((one) => one.verb === list[0].verb);

/** Lines by the cell that they name at this place. */
function byCell(list, at) {
  /** @type {Map<string, Act[]>} */
  const found = new Map();
  for (const one of list) if (one.to[at]) found.set(one.to[at], [...(found.get(one.to[at]) ?? []), one]);
  return found;
}
