// What a record proves, as a seal: closed, broken, or with an exclamation mark; all checks on demand.
import { h, local } from "./page.js";

const point = (at) => {
  const [r, turn] = [at % 2 ? 25.5 : 28.5, (at * Math.PI) / 24];
  return `${(30 + r * Math.cos(turn)).toFixed(1)} ${(30 + r * Math.sin(turn)).toFixed(1)}`;
};
const edge = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => point(from + at));
const CRACK = ["26 12", "35 20", "25 30", "35 40", "27 49"];
const WHOLE = `M${edge(0, 47).join("L")}z`;
const HALVES = [[`M${[...edge(12, 36), ...CRACK].join("L")}z`, "translate(-4 1) rotate(-7 30 30)"], [`M${[...edge(36, 60), ...CRACK.toReversed()].join("L")}z`, "translate(4 0) rotate(6 30 30)"]];

/** The seal alone: `good`, `bad`, `look`, or `open` for what is not closed yet. */
export const wax = (kind) =>
  h("svg", { viewBox: "0 0 60 60", class: `seal ${kind}`, "aria-hidden": "true" },
    kind === "bad"
      ? HALVES.map(([d, transform]) => h("path", { class: "wax", d, transform }))
      : [h("path", { class: "wax", d: WHOLE }), h("circle", { cx: 30, cy: 30, r: 19 }), kind === "open" ? null : h("path", { class: "sign", d: kind === "good" ? "M20 31l7 7 13-15" : "M30 18v16M30 40v.1" })]);

const MARKS = { true: "✓", false: "✗", look: "!", unknown: "–" };
const MOST = 4;

/** Lines of one kind: where there are many, the first are in sight and the others on demand. */
const few = (lines) => {
  const made = lines.map((one) => h("p", { class: "dim" }, local(one)));
  return made.length <= MOST ? made : [made.slice(0, MOST - 1), h("details", {}, h("summary", {}, `${made.length - MOST + 1} more of these`), made.slice(MOST - 1))];
};

/** What was found of a record, as `watch.verify` tells it. */
export function seal(found) {
  const held = found.claims.filter(({ status }) => status === "true").length;
  // What cannot be judged accuses nobody.
  const [kind, head] = { 0: ["good", `Verified: ${held} of ${found.claims.length}`], 1: ["bad", "Not verified"], 3: ["look", "True, but look"], 4: ["open", "True as far as it goes"] }[found.code] ?? ["open", "Not judged"];
  const words = kind === "good" ? found.words || "Every order, every draw of chance and every report was worked out again. All of it agrees." : found.conclusion;
  const line = (status, ...parts) => h("li", { class: `claim ${status}` }, h("span", { class: "mark", role: "img", "aria-label": status }, MARKS[status]), h("div", {}, parts));
  return h("details", { class: `verdict ${kind}`, "data-verdict": found.verdict },
    h("summary", {}, wax(kind), h("span", {}, h("b", {}, head), h("span", { class: "words" }, local(words)))),
    h("ul", { class: "claims" },
      found.marked.map((text) => line(found.code === 1 ? "false" : "look", local(text))),
      found.claims.map(({ name, status, text, details }) => line(status, h("b", {}, name), ` ${local(text)}`, few(details)))),
    found.text && [
      h("h3", {}, "What no record can prove"), h("ul", {}, found.not_proved.map((one) => h("li", {}, one))),
      h("h3", {}, "As the command prints it"), h("pre", { tabindex: 0 }, found.text),
    ]);
}
