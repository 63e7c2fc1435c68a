// A finished game as a picture to share: who won and why, the sea with nothing hidden, and what was verified. By day in any case.
import { Chart } from "./chart.js";
import { h } from "./page.js";
import { render } from "preact";

const [WIDE, HIGH, EDGE, SEA] = [1080, 1350, 60, 960];
const LOOKS = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity", "color", "font-family", "font-size", "font-style", "font-weight", "text-anchor"];

/** The edge of the seal, in a box of 60. */
export const SEAL = `M${Array.from({ length: 48 }, (_, at) => {
  const [r, turn] = [at % 2 ? 25.5 : 28.5, (at * Math.PI) / 24];
  return `${(30 + r * Math.cos(turn)).toFixed(1)} ${(30 + r * Math.sin(turn)).toFixed(1)}`;
}).join("L")}z`;

/** What a picture claims below the sea. Only two who played without a host were verified to lie to nobody, and only they had none. */
export const claims = ({ duel, code, game, players }) => ({
  verdict: code !== 0 ? "" : duel ? "Verified: neither lied" : "Verified",
  line: `${game}, ${players.length > 1 ? `${players.slice(0, -1).join(", ")} and ${players.at(-1)}` : players[0]}. Sealed orders, ${duel ? "nobody hosts" : "open results"}.`,
});

/** The colours and faces of the page by day, as its style has them. */
function byDay() {
  const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
  const { style } = /** @type {CSSStyleRule} */ (rules.find((one) => one instanceof CSSStyleRule && one.selectorText === ":root"));
  return Object.fromEntries([...style].filter((name) => name.startsWith("--")).map((name) => [name, style.getPropertyValue(name)]));
}

/** A copy of a drawing that needs no style. */
function plainly(element) {
  if (element.nodeType !== Node.ELEMENT_NODE) return element.cloneNode();
  const made = element.cloneNode();
  const looks = getComputedStyle(element);
  for (const name of element.localName === "svg" ? [] : LOOKS) made.setAttribute(name, looks.getPropertyValue(name));
  for (const name of ["class", "style"]) made.removeAttribute(name);
  made.append(...[...element.childNodes].filter((one) => !one.querySelector?.("[data-cell]")).map(plainly));
  return made;
}

/** The sea of a board as an image, `SEA` wide. */
async function seaOf(board, colours) {
  const host = document.createElement("div");
  for (const [name, value] of Object.entries({ ...colours, position: "fixed", left: "-9999px", width: `${SEA}px`, color: colours["--ink"] })) host.style.setProperty(name, value);
  document.body.append(host);
  // Grounds of the game's own have a colour for the night too.
  const grounds = Object.fromEntries(Object.entries(board.grounds).map(([cell, one]) => [cell, { ...one, colours: one.colours.map(() => one.colours[0]) }]));
  render(h(Chart, { board: { ...board, grounds }, inert: true }), host);
  const [below, above] = [...host.querySelectorAll("svg")].map(plainly);
  render(null, host);
  host.remove();
  below.append(...above.childNodes);
  const [, , wide, high] = below.getAttribute("viewBox").split(" ").map(Number);
  for (const [name, value] of Object.entries({ width: SEA, height: (SEA * high) / wide })) below.setAttribute(name, value);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(below))}`;
  await image.decode();
  return { image, high: (SEA * high) / wide };
}

/**
 * A PNG of 1080 by 1350: `title` such as "alice beat bob", `why` one sentence, the whole `board`, and what `claims` gives:
 * `verdict` ("": without the seal) and `line`.
 */
export async function shared({ board, title, why, verdict, line }) {
  const colours = byDay();
  const paper = Object.assign(document.createElement("canvas"), { width: WIDE, height: HIGH });
  const to = paper.getContext("2d");
  to.fillStyle = colours["--deep"];
  to.fillRect(0, 0, WIDE, HIGH);
  const write = (text, x, y, size, face, colour) => {
    to.fillStyle = colours[colour];
    // Long names are written smaller.
    for (let now = size; ; now -= 1) {
      to.font = `${face.replace("SIZE", `${now}px`)}`;
      if (now <= size / 2 || to.measureText(text).width <= WIDE - EDGE - x) break;
    }
    to.fillText(text, x, y, WIDE - EDGE - x);
  };
  const [book, plain] = [colours["--book"], colours["--plain"]];
  write(title, EDGE, 112, 76, `600 SIZE ${book}`, "--ink");
  write(why, EDGE, 170, 33, `400 SIZE ${plain}`, "--dim");
  const { image, high } = await seaOf(board, colours);
  to.drawImage(image, EDGE, 218 + (SEA - high) / 2, SEA, high);
  const left = verdict ? EDGE + 104 : EDGE;
  if (verdict) {
    to.save();
    to.translate(EDGE - 2, 1234);
    to.scale(1.4, 1.4);
    to.fillStyle = colours["--fill"];
    to.fill(new Path2D(SEAL));
    to.strokeStyle = colours["--on-fill"];
    Object.assign(to, { lineWidth: 4.5, lineCap: "round", lineJoin: "round" });
    to.stroke(new Path2D("M20 31l7 7 13-15"));
    to.restore();
    write(verdict, left, 1268, 34, `600 SIZE ${plain}`, "--ink");
  }
  write(line, left, verdict ? 1308 : 1288, 28, `400 SIZE ${plain}`, "--dim");
  return new Promise((done) => paper.toBlob(done, "image/png"));
}
