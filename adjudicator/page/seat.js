// The seats that this device keeps, and which tab plays them: each seat's safe, what the list of games
// tells of it, and, if this device opens it by itself, the safe's key and the last board. It knows no
// screen and no game. Nothing is kept for a page from disk: other files share its storage.

/**
 * What is known of a seat. `rev`: how often its safe was saved; `told`: its row in the list of games; `orders`: how many were given; `head`: of a safe
 * whose game is not known yet; `filed`: a saved file has all of it; `bare`: its safe has no passphrase; `opens`: whether
 * this device may open it by itself; `key`, `shown`: for that, both encrypted.
 * @typedef {{ id: string, rev?: number, told?: any, orders?: number, head?: any, filed?: boolean, bare?: boolean, opens?: boolean, key?: any, shown?: any }} Row
 * A tab's hold on a seat: `data`, the newest safe that the tab knows; `rev` of the one that is stored; `lost`: another tab has it now.
 * @typedef {{ id: string, rev: number | undefined, data: Uint8Array | null, lost: boolean, release: () => void }} Place
 */

const STORES = ["seats", "safes", "device"];
/** For so many milliseconds a tab may keep what it has before another takes its seat; the second: where no lock tells that there is one. */
const PATIENCE = 1500;
const BRIEF = 300;

/** The refusal to a tab whose seat has gone on in another. */
export const NEWER = { word: "newer", line: "This game went on in a newer tab.", hint: "" };

const encoded = (text) => new TextEncoder().encode(text);

const answer = (request) =>
  new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });

/** All of it for one tab, in a window or in what stands for one. */
export function keeper(world) {
  const { crypto, navigator } = world;
  const web = world.location?.protocol.startsWith("http");
  /** @type {Map<string, Row>} */
  const rows = new Map();
  /** Safes that no store has: they are in this tab alone. @type {Map<string, Uint8Array>} */
  const safes = new Map();
  /** The seat that this tab has, and one that it has taken and does not play yet. @type {Place | null} */
  let mine = null;
  /** @type {Place | null} */
  let coming = null;
  let hear = { asked: async (id) => {}, left: (id) => {}, full: (id) => {}, changed: () => {} };

  // The store. Each change is one transaction, so that no two tabs change the same.

  const base = opened().catch(() => null);

  async function opened() {
    if (!web) return null;
    const request = world.indexedDB.open("adjudicator", 1);
    request.onupgradeneeded = () => STORES.forEach((name) => request.result.createObjectStore(name));
    return answer(request);
  }

  async function within(mode, work) {
    const all = (await base).transaction(STORES, mode, { durability: "strict" });
    const end = new Promise((done, fail) => {
      all.oncomplete = done;
      all.onabort = () => fail(all.error);
    });
    end.catch(() => {});
    try {
      const found = await work((name) => all.objectStore(name));
      await end;
      return found;
    } catch (error) {
      try {
        all.abort();
      } catch {
        // It has ended already.
      }
      throw error;
    }
  }

  async function load() {
    if (!(await base)) return;
    const found = await within("readonly", (store) => answer(store("seats").getAll()));
    for (const id of [...rows.keys()]) if (id !== mine?.id && !safes.has(id)) rows.delete(id);
    for (const row of found) if (row.id !== mine?.id && !safes.has(row.id)) rows.set(row.id, row);
  }

  // The key of this device, which no script can read, only use.

  let device = null;
  const deviceKey = () => (device ??= made().catch(() => null));

  async function made() {
    if (!(await base) || !crypto?.subtle) return null;
    const there = (store) => answer(store("device").get("key"));
    const kept = await within("readonly", there);
    if (kept) return kept;
    const drawn = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
    return within("readwrite", async (store) => {
      const first = await there(store);
      if (!first) store("device").put(drawn, "key");
      return first ?? drawn;
    });
  }

  let able = false;
  const ready = load().then(deviceKey).then((key) => (able = Boolean(key)), () => {});
  ready.then(() => hear.changed());

  async function encrypt(what, content) {
    const key = await deviceKey();
    if (!key) return null;
    const iv = crypto.getRandomValues(new Uint8Array(12));
    return { iv, data: new Uint8Array(await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData: encoded(what) }, key, content)) };
  }

  async function decrypt(what, held) {
    const key = held ? await deviceKey() : null;
    if (!key) return null;
    const given = { name: "AES-GCM", iv: held.iv, additionalData: encoded(what) };
    return crypto.subtle.decrypt(given, key, held.data).then((found) => new Uint8Array(found), () => null);
  }

  // Keeping. One after the other, so that each sees what the last has kept.

  let before = Promise.resolve();
  const inTurn = (work) => {
    const done = before.then(work);
    before = done.catch(() => {});
    return done;
  };

  /** Put what is known of the open seat into the store, unless a newer safe is there. */
  async function put(place, data) {
    const row = rows.get(place.id);
    await within("readwrite", async (store) => {
      const there = await answer(store("seats").get(place.id));
      if (there?.rev !== place.rev) throw NEWER;
      store("seats").put(row, place.id);
      if (data) store("safes").put(data, place.id);
    });
    place.rev = row.rev;
  }

  /**
   * Keep what is new of the seat that this tab has: `data`, its safe, with its `rev`, and `key`, what opens that; `shown`,
   * the board; and what a row holds. Throws NEWER if another tab has the seat: then nothing is kept, and nothing that was
   * signed since may leave.
   */
  const keep = (id, { data = null, key = null, shown = null, ...given }) =>
    inTurn(async () => {
      if (mine?.id !== id || mine.lost) throw NEWER;
      const place = mine;
      const may = (given.opens ?? rows.get(id)?.opens) !== false;
      const sealed = key && may ? { key: await encrypt(`key ${id}`, key) } : {};
      const board = shown && may ? { shown: await encrypt(`board ${id}`, encoded(JSON.stringify(shown))) } : {};
      if (place.lost) throw NEWER;
      rows.set(id, { ...rows.get(id), id, ...given, ...sealed, ...board });
      const safe = data ?? safes.get(id) ?? null;
      try {
        await put(place, safe).catch(async (error) => {
          if (error === NEWER || !data || !(await base)) throw error;
          // An older safe gives its room to the newer one; alone it would be worse than none, since it forgets what was sent.
          await erase(id);
          place.rev = undefined;
          await put(place, safe);
        });
        safes.delete(id);
      } catch (error) {
        if (error === NEWER) {
          safes.delete(id);
          leave(place);
        }
        // Once no store has it, it is here.
        if (data && !(place.lost && place.rev !== undefined)) safes.set(id, data);
        if (place.lost) throw NEWER;
        if (data && (await base)) hear.full(id);
      }
      place.data = data ?? place.data;
      channel?.postMessage({ kept: id });
    });

  const erase = (id) =>
    within("readwrite", (store) => {
      store("seats").delete(id);
      store("safes").delete(id);
    });

  /** Keep nothing more of a seat here. */
  async function forget(id) {
    rows.delete(id);
    safes.delete(id);
    if (await base) await erase(id);
    channel?.postMessage({ kept: id });
  }

  // Which tab plays: the newest. An older one keeps what it has, and lets go; if it does not, the seat is taken from it.

  const channel = web && world.BroadcastChannel ? new world.BroadcastChannel("adjudicator") : null;
  const me = String(Math.random());
  /** Who waits for another tab to let go, by seat. */
  const awaited = new Map();

  if (channel) {
    channel.onmessage = async ({ data }) => {
      if (data.kept) load().then(() => hear.changed(), () => {});
      if (data.to === me) {
        if (data.safe) {
          rows.set(data.give, data.row);
          safes.set(data.give, data.safe);
        }
        awaited.get(data.give)?.();
      }
      const id = data.want;
      const here = () => [mine, coming].filter((one) => one?.id === id && !one.lost);
      if (!id || !(here().length || safes.has(id))) return;
      if (here().length) await hear.asked(id).catch(() => {});
      // What no store has goes over as it is, to one tab: two of it could go on differently.
      await inTurn(async () => {
        channel.postMessage({ give: id, to: data.from, row: rows.get(id), safe: safes.get(id) });
        safes.delete(id);
        here().forEach(leave);
      });
    };
  }

  /** @param {Place} place */
  function leave(place) {
    if (place.lost) return;
    place.lost = true;
    place.release();
    if (place === mine) hear.left(place.id);
  }

  /** Hold the lock of a place until it is released, or taken; whether it was free. @param {Place} place */
  const hold = (place, given) =>
    new Promise((granted, fail) => {
      const held = (lock) => {
        granted(lock !== null);
        return lock && new Promise((release) => (place.release = () => release(null)));
      };
      navigator.locks.request(`adjudicator ${place.id}`, given, held).catch((error) => {
        fail(error);
        leave(place);
      });
    });

  /** Take a seat from whatever tab has it. It is this tab's once it sits there. @returns {Promise<Place>} */
  async function take(id) {
    if (mine?.id === id && !mine.lost) return mine;
    /** @type {Place} */
    const place = { id, rev: undefined, data: null, lost: false, release: () => {} };
    const locks = web && navigator?.locks;
    if (channel && !(locks && (await hold(place, { ifAvailable: true })))) {
      await new Promise((done) => {
        awaited.set(id, done);
        world.setTimeout(done, locks ? PATIENCE : BRIEF);
        channel.postMessage({ want: id, from: me });
      });
      if (locks) await hold(place, { steal: true });
    }
    if (await base) {
      const [row, data] = await within("readonly", (store) => Promise.all([answer(store("seats").get(id)), answer(store("safes").get(id))]));
      if (row) {
        rows.set(id, row);
        safes.delete(id);
      }
      Object.assign(place, { rev: row?.rev, data: data ?? null });
    }
    place.data ??= safes.get(id) ?? null;
    return (coming = place);
  }

  /** Sit there from now on, and leave the previous seat. @param {Place} place */
  function sit(place) {
    if (place !== mine) stand();
    mine = place;
    if (place.lost) hear.left(place.id);
  }

  /** Leave the seat: another tab may have it. */
  function stand() {
    mine?.release();
    mine = null;
  }

  return {
    ready, keep, forget, take, sit, stand,
    /** Be told: `asked(id)`, before another tab takes the seat: keep what you have; `left(id)`, it has; `full(id)`, there was no room for a safe;
     * `changed()`, what is kept is known now, or another tab has kept something. */
    hears: (given) => (hear = given),
    /** Whether this device can open seats by itself, once all is `ready`. */
    able: () => able,
    /** Whether it opens this one. */
    opens: (id) => Boolean(rows.get(id)?.key),
    seats: () => [...rows.values()],
    /** The seat that this tab has. */
    at: () => (mine && !mine.lost ? mine.id : null),
    /** Throws NEWER if another tab has the seat of this one, or a newer safe is kept: called before anything is signed. */
    async holds() {
      const place = mine;
      if (!place) return;
      // A store that was cleared under the game tells nothing any more.
      const there = await within("readonly", (store) => answer(store("seats").get(place.id))).catch(() => place);
      if (there?.rev !== place.rev) leave(place);
      if (place.lost) throw NEWER;
    },
    /** The key of a seat's safe, if this device opens it. */
    key: (id) => decrypt(`key ${id}`, rows.get(id)?.key),
    /** From now on the passphrase is asked here too. */
    async lock(id) {
      rows.set(id, { ...rows.get(id), id, opens: false, key: null, shown: null });
      await keep(id, {});
    },
    /** A safe that was opened from a file, as long as its seat is not played: in this tab alone. */
    note(id, data, given) {
      rows.set(id, { ...rows.get(id), id, ...given });
      safes.set(id, data);
    },
    /** Whether closing this tab would lose something of a seat, or of any, that no file and no browser has. */
    loose: (one = null) => [...safes.keys()].some((id) => (one ?? id) === id && !rows.get(id)?.filed),
    /** The last board of the game whose id begins so, or of that seat; null if this device does not show it. */
    async last(game) {
      await ready;
      const row = [...rows.values()].find(({ id, told }) => id === game || told?.ids?.some((one) => one.startsWith(game)));
      const shown = row && (await decrypt(`board ${row.id}`, row.shown));
      return shown ? { id: row.id, told: row.told, shown: JSON.parse(new TextDecoder().decode(shown)) } : null;
    },
  };
}

export const seats = keeper(globalThis);
