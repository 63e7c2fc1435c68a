import { Page } from "./old.js";
// Orders being planned: what may be done next, what is planned, what is left. Only lines count in
// the end; every line comes from the game, which says in parts what it does and along which cells.
//
// A plan is a list of acts. For each length of it the engine was asked once what may follow. Where
// nothing but an offer of a draw may follow, the last act can still be replaced: so a turn of one
// command is a tap, and another tap is another command.

Page.plan = (() => {
  const { call } = Page;

  /** A plan for the view that is open now. `verbs` by name; `changed()` is called when it has changed. */
  function plan(verbs, changed) {
    const told = (verb) => verbs[verb] ?? { name: verb[0].toUpperCase() + verb.slice(1), words: "", sign: "", heard: null, role: "" };
    const order = (verb) => (Object.keys(verbs).indexOf(verb) + 1 || 99);
    const plays = (one) => told(one.verb).role === "";
    let levels = [];
    let acts = [];
    let beside = new Set();
    let ending = null;
    let unit = "";
    let verb = "";
    let taps = [];
    let picks = [];
    let asked = 0;

    const last = () => levels.at(-1) ?? { acts: [], complete: false, left: "" };

    /** How many acts stand before the one that is chosen now. */
    function depth() {
      for (let at = levels.length - 1; at > 0; at -= 1) if (levels[at].acts.some(plays)) return at;
      return 0;
    }
    /** Another answer than the one that is planned, where more may follow it. */
    function others() {
      const asked = levels[acts.length - 1]?.acts ?? [];
      if (depth() < acts.length || !asked.some((one) => told(one.verb).answers)) return [];
      const after = new Set(last().acts.map(({ text }) => text));
      return asked.filter((one) => plays(one) && !after.has(one.text));
    }
    const offered = () => [...(levels[depth()]?.acts ?? []).filter(plays), ...others()];
    const replaced = () => acts[depth()] ?? (others().length ? acts.at(-1) : null);

    const units = () => [...new Set(offered().map((one) => one.unit).filter(Boolean))];
    const ofUnit = () => offered().filter((one) => !one.unit || one.unit === unit);
    const byVerb = () => Object.groupBy?.(ofUnit(), (one) => one.verb) ?? grouped(ofUnit());
    function grouped(list) {
      const found = {};
      for (const one of list) (found[one.verb] ??= []).push(one);
      return found;
    }

    const starts = (one) => taps.every((cell, at) => one.to[at] === cell);
    const matching = () => ofUnit().filter((one) => (!verb || one.verb === verb) && starts(one));
    const exact = () => matching().filter((one) => one.to.length === taps.length);

    /** The cells that can be tapped next. */
    function may() {
      const cells = matching().map((one) => one.to[taps.length]).filter(Boolean);
      const others = units().length > 1 && !taps.length ? offered().filter((one) => one.unit !== unit).map((one) => one.here) : [];
      return new Set([...cells, ...(taps.length || unit ? [] : others)]);
    }

    /** What is lost by going there, for each next cell where nothing else can be meant. */
    function warnings() {
      const found = grouped(matching().filter((one) => one.to[taps.length]).map((one) => ({ ...one, verb: one.to[taps.length] })));
      return new Map(Object.entries(found).filter(([, list]) => list.every((one) => one.warns)).map(([cell, list]) => [cell, list[0].warns]));
    }

    /** Begin anew at the end of the plan: the unit stays chosen as long as it can do something. */
    function settle() {
      taps = [];
      picks = [];
      const found = units();
      if (!found.includes(unit)) unit = found.length === 1 ? found[0] : moved(found);
      const names = Object.keys(byVerb()).sort((one, other) => order(one) - order(other));
      if (!names.includes(verb)) verb = first(names);
    }

    /** The unit that went last has another name where a unit is called by its cell. */
    const moved = (found) => (found.includes(acts.at(-1)?.to.at(-1)) ? acts.at(-1).to.at(-1) : "");

    /** The verb to begin with: none, where each cell says what is meant. */
    function first(names) {
      const meant = new Map();
      for (const one of ofUnit()) if (one.to[0]) meant.set(one.to[0], (meant.get(one.to[0]) ?? new Set()).add(one.verb));
      const clear = [...meant.values()].every((found) => found.size === 1);
      if (!units().length) return names.find((name) => byVerb()[name].some((one) => one.goes || one.to.length)) ?? names[0] ?? "";
      return clear ? "" : (names.find((name) => byVerb()[name].some((one) => one.to.length)) ?? "");
    }

    const lines = () => {
      const moves = acts.map((one) => one.text);
      const offers = last().acts.filter((one) => told(one.verb).role === "beside" && beside.has(one.text)).map((one) => one.text);
      return [...moves, ...offers, ...(ends() && ending !== false ? [ends().text] : [])];
    };
    const ends = () => last().acts.find((one) => told(one.verb).role === "end") ?? null;

    async function extend(found) {
      const mine = (asked += 1);
      changed();
      const next = await call("play.plan", { lines: acts.map((one) => one.text), known: acts.length });
      if (mine !== asked) return;
      levels = [...levels.slice(0, acts.length), next];
      settle();
      // A unit that has just moved is the one to go on with.
      if (found?.unit && units().includes(found.unit)) unit = found.unit;
      if (!Object.keys(byVerb()).includes(verb)) verb = first(Object.keys(byVerb()));
      changed();
    }

    /** Plan this act: at the end, or instead of the one that can still be replaced. */
    function choose(found) {
      acts = [...acts.slice(0, others().includes(found) ? -1 : depth()), found];
      return extend(found);
    }

    /** After a choice of verb, cells or picks: plan what is meant, if only one act is. */
    function meant() {
      const found = exact().filter((one) => picks.every((pick) => one.picks.includes(pick)));
      const longer = matching().some((one) => one.to.length > taps.length);
      if (found.length === 1 && (taps.length || verb)) return choose(found[0]).then(() => longer && keep(found[0]));
      changed();
      return null;
    }

    /** A way that can go on is planned, and may still be drawn longer. */
    function keep(found) {
      if (depth() >= acts.length || !found.to.length) return;
      taps = [...found.to];
      verb = found.verb;
      changed();
    }

    // A tap that comes while the engine is still asked what may follow waits for the answer.
    let busy = Promise.resolve();
    const inTurn = (work) => (...given) => (busy = busy.then(() => work.apply(acting, given), () => work.apply(acting, given)));

    const acting = {
      async begin() {
        [levels, acts, beside, ending, unit, verb] = [[], [], new Set(), null, "", ""];
        await extend(null);
        // Where there is only one thing to do, or a usual answer, it is planned.
        const usual = offered().length === 1 ? offered()[0] : offered().find((one) => told(one.verb).answers);
        if (usual && !usual.to.length) await choose(usual);
      },
      /** Take over written lines, or raise what is wrong with them. */
      async take(text) {
        const { lines: given } = await call("play.check", { text });
        const found = await call("play.plan", { lines: given });
        acts = found.planned.filter(plays);
        beside = new Set(found.planned.filter((one) => told(one.verb).role === "beside").map((one) => one.text));
        ending = found.planned.some((one) => told(one.verb).role === "end") ? null : false;
        levels = await Promise.all(acts.map((_, at) => call("play.plan", { lines: given.slice(0, at), known: at })));
        await extend(null);
      },
      unit(name) {
        [unit, verb, taps, picks] = [name, "", [], []];
        verb = first(Object.keys(byVerb()));
        changed();
      },
      verb(name) {
        [verb, taps, picks] = [name, [], []];
        const found = matching();
        if (found.length && found.every((one) => !one.to.length)) return meant();
        changed();
        return null;
      },
      pick(name) {
        picks = picks.includes(name) ? picks.filter((one) => one !== name) : [...picks, name];
        return meant();
      },
      /** A cell was tapped: a target, the ghost of a plan, or a unit. */
      cell(name) {
        const end = acts.at(-1) && (acts.at(-1).to.at(-1) ?? acts.at(-1).here);
        if (end === name && !picks.length) return this.back();
        const targets = new Set(matching().map((one) => one.to[taps.length]));
        if (targets.has(name)) {
          taps = [...taps, name];
          if (!verb && new Set(matching().map((one) => one.verb)).size === 1) verb = matching()[0].verb;
          return meant();
        }
        // A cell beyond the first, as where a torpedo goes on, means the same.
        const beyond = matching().find((one) => one.reach.includes(name) && one.to.length === taps.length + 1);
        if (beyond) return choose(beyond);
        const other = offered().find((one) => one.here === name && one.unit !== unit)?.unit;
        if (other) return this.unit(other);
        if (taps.length) {
          [taps, picks] = [[], []];
          if (new Set(matching().map((one) => one.to[0])).has(name)) return this.cell(name);
        }
        changed();
        return null;
      },
      back() {
        if (taps.length && exact().length !== 1) [taps, picks] = [[], []];
        else acts = acts.slice(0, -1);
        levels = levels.slice(0, acts.length + 1);
        settle();
        changed();
        return null;
      },
      cut(at) {
        acts = acts.slice(0, at);
        levels = levels.slice(0, at + 1);
        settle();
        changed();
      },
      beside(text, yes) {
        if (yes) beside.add(text);
        else beside.delete(text);
        changed();
      },
      ending(yes) {
        ending = yes;
        changed();
      },
      /** All that a screen shows. */
      state() {
        const now = last();
        const chosen = exact();
        const waiting = taps.length || verb ? chosen.filter((one) => one.picks.length || !one.to.length) : [];
        return {
          acts, lines: lines(), unit, verb, taps, units: units(), may: may(), warns: warnings(), picks,
          verbs: Object.entries(byVerb()).sort(([one], [other]) => order(one) - order(other)).map(([name, found]) => ({ id: name, ...told(name), cost: cheapest(found) })),
          options: chosen.length > 1 && waiting.length === chosen.length && (taps.length || chosen.every((one) => !one.to.length)) ? chosen : [],
          here: (name) => offered().find((one) => one.unit === name)?.here ?? "",
          beside: now.acts.filter((one) => told(one.verb).role === "beside").map((one) => ({ ...one, name: told(one.verb).name, yes: beside.has(one.text) })),
          ends: ends() && { ...ends(), name: told(ends().verb).name, yes: ending !== false },
          usual: (levels[0]?.acts ?? []).map((one) => told(one.verb)).find((one) => one.answers) ?? null,
          gives: (levels[0]?.acts ?? []).find((one) => told(one.verb).role === "give-up") ?? null,
          ready: levels.length > acts.length && (now.complete || Boolean(ends() && ending !== false)),
          left: ends() && ending !== false ? "" : now.left, replaced: replaced(), more: now.acts.some(plays), waits: levels.length <= acts.length,
        };
      },
    };
    const waits = ["begin", "take", "unit", "verb", "pick", "cell", "back", "cut"];
    /** Once all that was tapped so far is planned. */
    const settled = () => busy.catch(() => {});
    return { ...acting, settled, ...Object.fromEntries(waits.map((name) => [name, inTurn(acting[name])])) };
  }

  const cheapest = (found) => found.map((one) => one.cost).sort()[0];

  return plan;
})();
