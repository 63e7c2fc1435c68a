// A finished game as a picture to share: who won and why, the sea with nothing hidden, and what was verified. By day in any case.
import { Chart } from "./chart.js";
import { h } from "./page.js";
import { wax } from "./verdict.js";
import { render } from "preact";

const [WIDE, HIGH, EDGE, SEA] = [1080, 1350, 60, 960];

/** What a picture claims below the sea. Only two who played without a host were verified to lie to nobody, and only they had none. */
export const claims = ({ duel, code, game, players }) => ({
  verdict: code !== 0 ? "" : duel ? "Verified: neither lied" : "Verified",
  line: `${game}, ${[players.slice(0, -1).join(", "), players.at(-1)].filter(Boolean).join(" and ")}. Sealed orders, ${duel ? "nobody hosts" : "open results"}.`,
});

/** The rules of the page's style that hold by day and at any size. */
const rules = () => /** @type {CSSStyleRule[]} */ ([...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]).filter((one) => one instanceof CSSStyleRule));

/** A drawing as an image so wide, with the looks of the page, and how high it is. Of a chart: its layers as one, without its cells. */
async function imageOf(drawing, wide) {
  const host = document.createElement("div");
  render(drawing, host);
  const [whole, above] = host.querySelectorAll("svg");
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = `${rules().map(({ cssText }) => cssText).join("")} .rim text { font-size: 15px } [data-cell] { display: none }`;
  whole.append(style, ...(above?.childNodes ?? []));
  const [, , across, down] = whole.getAttribute("viewBox").split(" ").map(Number);
  const high = (wide * down) / across;
  for (const [name, value] of Object.entries({ class: `chart ${whole.getAttribute("class")}`, width: wide, height: high })) whole.setAttribute(name, value);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(whole))}`;
  await image.decode();
  return { image, high };
}

/**
 * A PNG of 1080 by 1350: `title` such as "alice beat bob", `why` one sentence, the whole `board`, and what `claims` gives:
 * `verdict` ("": without the seal) and `line`.
 */
export async function shared({ board, title, why, verdict, line }) {
  const { style } = rules().find(({ selectorText }) => selectorText === ":root");
  const day = (name) => style.getPropertyValue(name);
  const paper = Object.assign(document.createElement("canvas"), { width: WIDE, height: HIGH });
  const to = paper.getContext("2d");
  to.fillStyle = day("--deep");
  to.fillRect(0, 0, WIDE, HIGH);
  const write = (text, x, y, size, weight, face, colour) => {
    to.fillStyle = day(colour);
    // What is long is written smaller.
    for (let now = size; now === size || (now > size / 2 && to.measureText(text).width > WIDE - EDGE - x); now -= 1) to.font = `${weight} ${now}px ${day(face)}`;
    to.fillText(text, x, y, WIDE - EDGE - x);
  };
  write(title, EDGE, 112, 76, 600, "--book", "--ink");
  write(why, EDGE, 170, 33, 400, "--plain", "--dim");
  const { image, high } = await imageOf(h(Chart, { board }), SEA);
  to.drawImage(image, EDGE, 218 + (SEA - high) / 2, SEA, high);
  write(line, verdict ? EDGE + 104 : EDGE, verdict ? 1308 : 1288, 28, 400, "--plain", "--dim");
  if (verdict) {
    write(verdict, EDGE + 104, 1268, 34, 600, "--plain", "--ink");
    to.drawImage((await imageOf(wax("good"), 84)).image, EDGE - 2, 1234, 84, 84);
  }
  return new Promise((done) => paper.toBlob(done, "image/png"));
}
