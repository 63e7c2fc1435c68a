// The engine: a worker in which the project's own Python answers calls. The build puts libsodium and Pyodide before it, as `sodium`,
// `createPyodideModule` and `pyodide`, and tells in `INFO` which Pyodide this is. All of it is one classic script: from a file on the
// disk browsers start no other kind of worker. The page's policy gives it no network; `fetch` gives what the page handed over.

const bytes = (text) => {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let at = 0; at < raw.length; at++) out[at] = raw.charCodeAt(at);
  return out;
};

const inflated = (text) => new Response(bytes(text)).body.pipeThrough(new DecompressionStream("gzip"));

const ADDRESS = "https://page.invalid/";

/** The files that the build packed, by path. */
async function unpacked(text) {
  const whole = new Uint8Array(await new Response(inflated(text)).arrayBuffer());
  const end = whole.indexOf(10);
  const files = new Map();
  let at = end + 1;
  for (const [path, size] of JSON.parse(new TextDecoder().decode(whole.subarray(0, end)))) {
    files.set(path, whole.slice(at, at + size));
    at += size;
  }
  return files;
}

/** What Python printed: it prints only where it does not start. */
const said = [];
const note = (line) => said.push(line);

/** What the page hands over while it is still being read: a promise by name, and what keeps it. */
const keep = {};
const part = (name) => new Promise((come) => (keep[name] = come));

async function start() {
  const files = part("python").then(unpacked);
  const wasm = part("wasm").then((text) => new Response(inflated(text), { headers: { "Content-Type": "application/wasm" } }));
  self.fetch = async (url) => String(url).endsWith(".wasm") ? wasm : new Response((await files).get("library.zip"));
  const loading = pyodide.loadPyodide({
    createPyodideModule, indexURL: ADDRESS, stdLibURL: ADDRESS + "library.zip", lockFileContents: { info: INFO, packages: {} },
    fsInit: async (FS) => {
      for (const [path, data] of await files) {
        FS.mkdirTree(`/${path}`.replace(/\/[^/]*$/, "") || "/");
        FS.writeFile(`/${path}`, data, { canOwn: true });
      }
    },
    stdout: note, stderr: note,
  });
  await sodium.ready;
  self.sodium = sodium;
  const python = await loading;
  const engine = python.pyimport("adjudicator.page.engine");
  engine.listen((done, of) => self.postMessage({ done, of }));
  return { engine, python };
}

const started = start();
started.then(() => self.postMessage({ ready: true }), (error) => self.postMessage({ failed: [error.message || error, ...said].join("\n") }));
self.onmessage = async ({ data: asked }) => {
  if (asked.part) return keep[asked.part](asked.text);
  const { engine, python } = await started;
  let answer;
  try {
    answer = JSON.parse(engine.call(asked.name, JSON.stringify(asked.given), asked.data ?? undefined));
  } catch (error) {
    answer = { error: { line: `failed: ${error}`, hint: "this is a fault of the page" } };
  }
  const memory = python._module.HEAPU8.length;
  self.postMessage({ id: asked.id, memory, ...answer });
};
