// A game's own pages, to learn it and to look things up. Python reads them: here they are elements.
import { call } from "./calls.js";
import { button, draw, h, over } from "./page.js";

const known = new Map();

/** An element of a page, [tag, what is in it ...], or a text; what may be wider than the sheet is moved by keys too. */
function element(one) {
  if (typeof one === "string") return one;
  const [name, ...inside] = one;
  const made = h(name, name === "pre" ? { tabindex: 0 } : {}, inside.map(element));
  return name === "table" ? h("div", { class: "wide", tabindex: 0 }, made) : made;
}

const NAMES = { learn: "How to play", rules: "All rules" };

/** The game's own page, `learn` or `rules`, over the screen; above it what the game says of the thing touched last, {name, says}. */
export async function rules(game, title, which = "learn", thing = null) {
  if (!known.has(game)) known.set(game, await call("play.rules", { game }));
  const pages = known.get(game);
  let open = pages[which].length ? which : "rules";
  const tab = (name) => button(NAMES[name], () => {
    open = name;
    draw();
  }, { kind: "tab", "data-name": name, "aria-pressed": String(name === open) });
  over(title, "side-sheet", () => [
    thing && h("section", { class: "about" }, h("h3", {}, thing.name), h("p", {}, thing.says)),
    h("div", { class: "tabs" }, Object.keys(NAMES).filter((name) => pages[name].length).map(tab)),
    // Another page is another element: it begins at its top.
    h("div", { class: "rules-page", key: open }, pages[open].map(element)),
  ]);
}
