// Drives real browsers for the tests: a line of JSON in, {id, code, given}; a line out, {id, value}
// or {id, error}. `code` is the body of an async function of (puppeteer, held, given); `held` keeps
// browsers and tabs between calls; at the end of its input they are closed. Argument: the folder node_modules.
import { createInterface } from "node:readline";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const where = join(process.argv[2], "puppeteer-core/lib/esm/puppeteer/puppeteer-core.js");
const { default: puppeteer } = await import(pathToFileURL(where));
const AsyncFunction = (async () => {}).constructor;
const held = {};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, code, given } = JSON.parse(line);
  let answer;
  try {
    const value = await new AsyncFunction("puppeteer", "held", "given", code)(puppeteer, held, given);
    answer = { id, value: value ?? null };
  } catch (error) {
    answer = { id, error: String(error?.stack || error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

// Whoever asked is done, or gone: browsers that went on would hold its output open for ever.
for (const { browser } of Object.values(held)) await browser?.close();
process.exit();
