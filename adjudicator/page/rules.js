import { Page } from "./old.js";
// A game's own pages, to learn it and to look things up: the Markdown that those pages use, as
// elements. Links lead nowhere, because no address is opened from here.

Page.rules = (() => {
  const { button, call, el, over } = Page;
  const known = new Map();

  /** The words of a line, with its bold, slanted and literal parts. */
  function words(text) {
    const bare = text.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1");
    return bare.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*)/).map((part) => {
      if (/^`.+`$/.test(part)) return el("code", {}, part.slice(1, -1));
      if (/^\*\*.+\*\*$/.test(part)) return el("b", {}, part.slice(2, -2));
      if (/^\*.+\*$/.test(part)) return el("i", {}, part.slice(1, -1));
      return part;
    });
  }

  function table(lines) {
    const rows = lines.map((line) => line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim()));
    const [head, , ...body] = rows;
    return el(
      "div",
      { class: "wide", tabindex: "0" },
      el(
        "table",
        {},
        el("tr", {}, head.map((cell) => el(cell ? "th" : "td", {}, words(cell)))),
        body.map((row) => el("tr", {}, row.map((cell) => el("td", {}, words(cell))))),
      ),
    );
  }

  function list(lines) {
    const items = [];
    for (const line of lines) {
      const found = line.match(/^\s*(?:[-*]|\d+\.) +(.*)/);
      if (found) items.push(found[1]);
      else items.push(`${items.pop()} ${line.trim()}`);
    }
    return el("ul", {}, items.map((item) => el("li", {}, words(item))));
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
        made.push(el("pre", { tabindex: "0" }, inside.join("\n")));
      } else if (line.startsWith("#")) {
        at += 1;
        made.push(el(line.startsWith("# ") ? "h3" : "h4", {}, words(line.replace(/^#+ /, ""))));
      } else if (line.startsWith("|")) made.push(table(upTo((one) => one.startsWith("|"))));
      else if (/^\s*([-*]|\d+\.) /.test(line)) made.push(list(upTo((one) => one.trim() && !one.startsWith("```"))));
      else made.push(el("p", {}, words(upTo((one) => one.trim() && !/^(```|\||#)/.test(one)).join(" "))));
    }
    return made;
  }

  /** The game's own page, `learn` or `rules`, over the screen; above it what the game says of the thing touched last, {name, says}. */
  async function show(game, title, which = "learn", thing = null) {
    if (!known.has(game)) known.set(game, await call("play.rules", { game }));
    const pages = known.get(game);
    const place = el("div", { class: "rules-page" });
    const names = { learn: "How to play", rules: "All rules" };
    const tabs = Object.keys(names).filter((name) => pages[name]).map((name) =>
      button(names[name], () => turn(name), { kind: "tab", "data-name": name }),
    );
    const turn = (name) => {
      for (const one of tabs) one.setAttribute("aria-pressed", String(one.dataset.name === name));
      place.replaceChildren(...page(pages[name]));
      place.scrollTop = 0;
    };
    const head = thing ? [el("section", { class: "about" }, el("h3", {}, thing.name), el("p", {}, thing.says))] : [];
    over(title, "side-sheet", ...head, el("div", { class: "tabs" }, tabs), place);
    turn(pages[which] ? which : "rules");
  }

  return show;
})();
