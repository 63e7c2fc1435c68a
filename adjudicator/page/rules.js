// A game's own pages, to learn it and to look things up: the Markdown that those pages use, as
// elements. Links lead nowhere, because no address is opened from here.
import { call } from "./calls.js";
import { button, draw, h, over } from "./page.js";

const known = new Map();

/** The words of a line, with its bold, slanted and literal parts. */
function words(text) {
  const bare = text.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1");
  return bare.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*)/).map((part) => {
    if (/^`.+`$/.test(part)) return h("code", {}, part.slice(1, -1));
    if (/^\*\*.+\*\*$/.test(part)) return h("b", {}, part.slice(2, -2));
    if (/^\*.+\*$/.test(part)) return h("i", {}, part.slice(1, -1));
    return part;
  });
}

function table(lines) {
  const [head, , ...body] = lines.map((line) => line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim()));
  return h("div", { class: "wide", tabindex: 0 },
    h("table", {},
      h("tr", {}, head.map((cell) => h(cell ? "th" : "td", {}, words(cell)))),
      body.map((row) => h("tr", {}, row.map((cell) => h("td", {}, words(cell)))))));
}

function list(lines) {
  const items = [];
  for (const line of lines) {
    const found = line.match(/^\s*(?:[-*]|\d+\.) +(.*)/);
    if (found) items.push(found[1]);
    else items.push(`${items.pop()} ${line.trim()}`);
  }
  return h("ul", {}, items.map((item) => h("li", {}, words(item))));
}

/** The elements of a page. */
function page(markdown) {
  const made = [];
  const lines = markdown.split("\n");
  for (let at = 0; at < lines.length; ) {
    const from = at;
    const upTo = (more) => {
      while (at < lines.length && more(lines[at])) at += 1;
      return lines.slice(from, at);
    };
    const line = lines[at];
    if (!line.trim()) at += 1;
    else if (line.startsWith("```")) {
      at += 1;
      const inside = upTo((one) => !one.startsWith("```")).slice(1);
      at += 1;
      made.push(h("pre", { tabindex: 0 }, inside.join("\n")));
    } else if (line.startsWith("#")) {
      at += 1;
      made.push(h(line.startsWith("# ") ? "h3" : "h4", {}, words(line.replace(/^#+ /, ""))));
    } else if (line.startsWith("|")) made.push(table(upTo((one) => one.startsWith("|"))));
    else if (/^\s*([-*]|\d+\.) /.test(line)) made.push(list(upTo((one) => one.trim() && !one.startsWith("```"))));
    else made.push(h("p", {}, words(upTo((one) => one.trim() && !/^(```|\||#)/.test(one)).join(" "))));
  }
  return made;
}

const NAMES = { learn: "How to play", rules: "All rules" };

/** The game's own page, `learn` or `rules`, over the screen; above it what the game says of the thing touched last, {name, says}. */
export async function rules(game, title, which = "learn", thing = null) {
  if (!known.has(game)) known.set(game, await call("play.rules", { game }));
  const pages = known.get(game);
  let open = pages[which] ? which : "rules";
  const tab = (name) => button(NAMES[name], () => {
    open = name;
    draw();
  }, { kind: "tab", "data-name": name, "aria-pressed": String(name === open) });
  over(title, "side-sheet", () => [
    thing && h("section", { class: "about" }, h("h3", {}, thing.name), h("p", {}, thing.says)),
    h("div", { class: "tabs" }, Object.keys(NAMES).filter((name) => pages[name]).map(tab)),
    // Another page is another element: it begins at its top.
    h("div", { class: "rules-page", key: open }, page(pages[open])),
  ]);
}
