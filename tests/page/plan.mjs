// Runs plans of the page in node, for test_plan.py: a line of JSON in, a line or more out.
// In: {verbs} begins a plan; {act, given} does something with it; {answer, value} or {answer, error}
// answers what it asked; {look: true} asks for its state. Out: {ask, name, given}; {done, error} once
// an act is through; {state}. Acts and asks are numbered from 1. Argument: plan.js.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { plan } = await import(pathToFileURL(process.argv[2]).href);
const say = (told) => process.stdout.write(`${JSON.stringify(told)}\n`);
const asked = new Map();
let now = null;
let [asks, acts] = [0, 0];

const ask = (name, given) =>
  new Promise((resolve, reject) => {
    asked.set((asks += 1), { resolve, reject });
    say({ ask: asks, name, given });
  });

function shown() {
  const { may, warns, here, ...rest } = now.state();
  return { ...rest, may: [...may].sort(), warns: Object.fromEntries(warns), here: Object.fromEntries(rest.units.map((one) => [one, here(one)])) };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { verbs, act, given, answer, value, error } = JSON.parse(line);
  if (verbs) now = plan(verbs, ask, () => now?.state());
  else if (act) {
    const done = (acts += 1);
    Promise.resolve(now[act](...given)).then(() => say({ done }), (why) => say({ done, error: why.message ?? why }));
  } else if (answer) {
    const { resolve, reject } = asked.get(answer);
    if (error === undefined) resolve(value);
    else reject(error);
  } else say({ state: shown() });
  // Whatever follows from this line follows before the next.
  await new Promise((done) => setImmediate(done));
}
