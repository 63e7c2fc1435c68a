// Tabs of one browser that open, order, send, load again and crash in any order, with the page's own
// seat.js over a store, locks, messages and clocks that do one thing at a time, drawn from a seed.
// Arguments: the page's seat.js, and the number of seeds. Standard output: {"found": [...], "sent": n, ...}.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [path, seeds, from = "", to = ""] = process.argv.slice(2);
const source = readFileSync(path, "utf8");
if (!source.includes(from)) throw new Error(`not in seat.js: ${from}`);
const copy = join(mkdtempSync(join(tmpdir(), "seats-")), "seat.mjs");
writeFileSync(copy, source.replace(from, to));
const { keeper } = await import(copy);

const ID = "0123456789abcdef/ann";
const clone = (value) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

function random(seed) {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

/** What the tabs of a browser share. What happens next is drawn among all that may. */
class Browser {
  constructor(seed) {
    this.draw = random(seed);
    this.due = [];
    this.stored = { seats: new Map(), safes: new Map(), device: new Map() };
    this.writing = [];
    this.locks = new Map();
    this.tabs = [];
    this.full = false;
    this.sent = [];
    this.faults = [];
  }

  /** Do that later, if the tab lives then; what has the same `line` happens in its order. */
  later(tab, work, line = null) {
    this.due.push({ tab, work, line });
  }

  async settles() {
    await new Promise((done) => setImmediate(done));
  }

  async happens() {
    const may = this.due.filter((one, at) => !one.tab.rests && (one.line === null || this.due.findIndex(({ line }) => line === one.line) === at));
    if (!may.length) return this.settles().then(() => false);
    const one = may[this.draw(may.length)];
    this.due.splice(this.due.indexOf(one), 1);
    if (one.tab.alive) one.work();
    await this.settles();
    return true;
  }

  async all() {
    for (let at = 0, quiet = 0; at < 9000; at += 1) {
      quiet = (await this.happens()) ? 0 : quiet + 1;
      if (quiet === 3) return;
    }
    this.faults.push("it never comes to rest");
  }

  // One change of the store at a time, seen whole or not at all.

  transaction(tab, mode) {
    const world = this;
    const all = { changes: [], open: 0, begun: false, done: false, error: null, tab, mode };
    const begins = () => {
      if (all.begun || all.done) return;
      const before = world.writing.slice(0, world.writing.indexOf(all));
      if (before.some((one) => one.tab.alive && !one.tab.rests && !one.done)) return world.later(tab, begins);
      all.begun = true;
      for (const one of all.early) one();
    };
    all.early = [];
    world.writing.push(all);
    const ends = () => {
      if (all.done || all.open) return;
      all.done = true;
      if (all.changes.some(([kind, , , value]) => kind === "put" && world.full && value?.length > 0)) all.error = new Error("QuotaExceededError");
      if (all.error) return all.onabort?.();
      for (const [kind, name, key, value] of all.changes) {
        if (kind === "put") world.stored[name].set(key, value);
        else world.stored[name].delete(key);
      }
      all.oncomplete?.();
    };
    const asks = (work) => {
      const request = {};
      all.open += 1;
      const runs = () => world.later(tab, () => {
        if (all.done) return;
        request.result = work();
        request.onsuccess?.();
        // It goes on as long as it is asked for more at once.
        world.settles().then(() => {
          all.open -= 1;
          world.later(tab, ends, all);
        });
      }, all);
      if (all.begun) runs();
      else all.early.push(runs);
      return request;
    };
    world.later(tab, begins);
    const seen = (name, key) => {
      const [last] = all.changes.filter((one) => one[1] === name && one[2] === key).slice(-1);
      return last ? last[3] : world.stored[name].get(key);
    };
    all.objectStore = (name) => ({
      get: (key) => asks(() => clone(seen(name, key))),
      getAll: () => asks(() => clone([...world.stored[name].values()])),
      put: (value, key) => {
        const held = clone(value);
        return asks(() => all.changes.push(["put", name, key, held]));
      },
      delete: (key) => asks(() => all.changes.push(["delete", name, key, undefined])),
    });
    all.abort = () => {
      if (all.done) throw new Error("InvalidStateError");
      all.done = true;
      all.onabort?.();
    };
    return all;
  }

  world(tab) {
    const world = this;
    const key = { type: "secret" };
    return {
      location: { protocol: "https:" },
      indexedDB: {
        open: () => {
          const request = { result: { transaction: (_, mode) => world.transaction(tab, mode) } };
          world.later(tab, () => request.onsuccess());
          return request;
        },
      },
      crypto: {
        getRandomValues: (given) => given,
        subtle: {
          generateKey: () => world.answers(tab, key),
          encrypt: ({ additionalData }, _, data) => world.answers(tab, [...additionalData, 0, ...data]),
          decrypt: ({ additionalData }, _, data) => world.answers(tab, data.slice(additionalData.length + 1)),
        },
      },
      setTimeout: (work) => world.later(tab, work),
      navigator: { locks: { request: (name, given, held) => world.locked(tab, name, given, held) } },
      BroadcastChannel: class {
        constructor() {
          tab.channel = this;
        }
        postMessage(data) {
          for (const one of world.tabs.filter((other) => other !== tab)) world.later(one, () => one.channel?.onmessage?.({ data: clone(data) }), one);
        }
      },
    };
  }

  answers(tab, value) {
    return new Promise((done) => this.later(tab, () => done(value)));
  }

  locked(tab, name, { ifAvailable = false, steal = false }, work) {
    return new Promise((done, fail) => {
      this.later(tab, () => {
        const there = this.locks.get(name);
        if (there?.tab.alive && ifAvailable) return done(work(null));
        if (there && steal) this.later(there.tab, () => there.fail(new Error("AbortError")));
        const mine = { tab, fail };
        this.locks.set(name, mine);
        Promise.resolve(work({ name })).then((value) => {
          if (this.locks.get(name) === mine) this.locks.delete(name);
          done(value);
        });
      });
    });
  }
}

/** A tab in which somebody plays, as mail.js has it: what is signed is kept, and only then it leaves. */
class Tab {
  constructor(browser, number) {
    this.browser = browser;
    this.number = number;
    this.alive = true;
    this.engine = null;
    this.at = Promise.resolve();
    browser.tabs.push(this);
    this.seats = keeper(browser.world(this));
    this.seats.hears({
      asked: () => this.at.catch(() => {}),
      left: () => {
        this.engine = null;
        this.seats.stand();
      },
      full: () => {},
      changed: () => {},
    });
  }

  /** One act after the other, as the controls of a screen are. */
  acts(work) {
    this.at = this.at.then(work).catch((error) => {
      if (error.word !== "newer") this.browser.faults.push(String(error.message ?? error));
    });
  }

  opens() {
    this.acts(async () => {
      await this.seats.ready;
      if (this.seats.at() === ID && this.engine) return;
      const place = await this.seats.take(ID);
      if (!place.data) return place.release();
      this.engine = JSON.parse(String.fromCharCode(...place.data));
      this.seats.sit(place);
      await this.seats.keep(ID, { told: { ids: ["0123456789abcdef"] } });
    });
  }

  orders() {
    this.acts(async () => {
      if (!this.engine) return;
      await this.seats.holds();
      const { engine } = this;
      if (!engine) return;
      const order = `${this.number}.${this.browser.draw(1e6)}`;
      engine.orders.push(order);
      engine.rev += 1;
      const data = [...JSON.stringify(engine)].map((one) => one.charCodeAt(0));
      await this.seats.keep(ID, { data, rev: engine.rev, key: [1, 2, 3], filed: false });
      if (!this.alive) return;
      // It leaves; with it what was signed before, and kept where it could not leave any more.
      const { sent } = this.browser;
      if (sent.some((one, at) => one !== engine.orders[at])) this.browser.faults.push(`a tab signed [${engine.orders}] where [${sent}] had left`);
      sent.splice(0, sent.length, ...engine.orders);
    });
  }

  ends() {
    this.alive = false;
    for (const [name, { tab }] of this.browser.locks) if (tab === this) this.browser.locks.delete(name);
  }
}

async function sail(seed) {
  const browser = new Browser(seed);
  const { draw } = browser;
  const first = [...JSON.stringify({ rev: 1, orders: [] })].map((one) => one.charCodeAt(0));
  browser.stored.seats.set(ID, { id: ID, rev: 1, told: { ids: ["0123456789abcdef"] } });
  browser.stored.safes.set(ID, first);
  let crashed = false;
  let newest = null;
  const opens = () => (newest = new Tab(browser, browser.tabs.length)).opens();
  opens();
  for (let at = 0; at < 14; at += 1) {
    const living = browser.tabs.filter(({ alive }) => alive);
    const one = living[draw(living.length)];
    const what = draw(12);
    if (what < 3 && living.length < 4) opens();
    else if (what < 8) one.orders();
    else if (what === 8) {
      // Brought back, or opened again from the list.
      newest = one;
      one.opens();
    } else if (what === 9) {
      one.ends();
      crashed = true;
      if (one === newest || draw(2)) opens();
    } else if (what === 10) browser.full = draw(3) > 0;
    // A browser lets tabs rest that nobody sees; what they have begun in the store ends.
    else if (what === 11 && one !== newest && !browser.writing.some(({ tab, done }) => tab === one && !done)) one.rests = true;
    for (let more = draw(30); more > 0; more -= 1) await browser.happens();
  }
  await browser.all();
  if (newest.seats.at() !== ID && newest.engine) browser.faults.push("the newest tab waits for an old one");
  for (const one of browser.tabs) one.rests = false;
  await browser.all();
  // What an old tab kept in its last moment the newest sees before it signs.
  newest.orders();
  newest.opens();
  await browser.all();
  // The seat is in one tab alone, and whoever opens it next has all that left.
  const here = browser.tabs.filter(({ alive, seats }) => alive && seats.at() === ID);
  if (here.length > 1) browser.faults.push("two tabs have the seat");
  newest.opens();
  await browser.all();
  if (!newest.engine) {
    // Another tab has what no store has, and can bring it back.
    newest = browser.tabs.find(({ alive, seats }) => alive && seats.loose(ID)) ?? newest;
    newest.opens();
    await browser.all();
  }
  if (!newest.engine) {
    // What no store had went with its tab.
    if (!crashed) browser.faults.push("the seat is lost");
    browser.lost = true;
  } else if (newest.seats.at() !== ID) browser.faults.push("the newest tab has not got the seat");
  else if (newest.engine.orders.slice(0, browser.sent.length).join() !== browser.sent.join()) browser.faults.push("the newest tab lacks what was sent");
  return browser;
}

const found = [];
const counts = { sent: 0, tabs: 0, lost: 0 };
for (let seed = 1; seed <= Number(seeds); seed += 1) {
  const browser = await sail(seed);
  counts.sent += browser.sent.length;
  counts.tabs += browser.tabs.length;
  counts.lost += browser.lost ? 1 : 0;
  if (found.length && from) break;
  if (browser.faults.length) found.push(`seed ${seed}: ${browser.faults[0]}`);
}
process.stdout.write(JSON.stringify({ found, ...counts }));
