// Run by node while the page is built: starts Pyodide and lets bundle.py make the bundle.
// Arguments: the folder node_modules. Standard input: {"bundle": source of bundle.py,
// "files": {path: base64}}. Standard output: {"python": base64, "wasm": base64, "info": {...}}.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

// Node would print the line at fault, and all of Pyodide is one line, of a megabyte.
process.on("uncaughtException", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});

const modules = process.argv[2];
const given = JSON.parse(readFileSync(0, "utf8"));
const { loadPyodide } = await import(pathToFileURL(join(modules, "pyodide/pyodide.mjs")).href);
const sodium = "libsodium-wrappers-sumo/dist/modules-sumo-esm/libsodium-wrappers.mjs";
globalThis.sodium = (await import(pathToFileURL(join(modules, sodium)).href)).default;
await globalThis.sodium.ready;

// The order of sets in compiled code follows from the seed of hashes.
const pyodide = await loadPyodide({ env: { PYTHONHASHSEED: "0" } });
const { FS } = pyodide;
for (const [path, data] of Object.entries(given.files)) {
  FS.mkdirTree(`/app/${path}`.replace(/\/[^/]*$/, ""));
  FS.writeFile(`/app/${path}`, new Uint8Array(Buffer.from(data, "base64")));
}
FS.writeFile("/home/pyodide/bundle.py", given.bundle);
const bundle = pyodide.pyimport("bundle");
bundle.bundle("/app", "/python");
FS.writeFile("/wasm", new Uint8Array(readFileSync(join(modules, "pyodide/pyodide.asm.wasm"))));
bundle.pack("/wasm");
const { info } = JSON.parse(readFileSync(join(modules, "pyodide/pyodide-lock.json"), "utf8"));
const text = (path) => Buffer.from(FS.readFile(path)).toString("base64");
process.stdout.write(JSON.stringify({ python: text("/python"), wasm: text("/wasm"), info }));
