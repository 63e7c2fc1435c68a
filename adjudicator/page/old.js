// What views that fill their elements by hand are made of, until each is a function of the state.
import { call, part, progress, start, state, stop } from "./calls.js";
import { chooser, folderChooser, folders, open, taker } from "./files.js";
import * as page from "./page.js";
import { rules } from "./rules.js";
import { seal } from "./verdict.js";
import { Component, h, over, screen } from "./page.js";
import { render } from "preact";

const dom = (view, around = "span") => {
  const box = around === "svg" ? document.createElementNS("http://www.w3.org/2000/svg", "svg") : document.createElement(around);
  render(view, box);
  return box;
};
const one = (make) => (...given) => dom(make(...given)).firstChild;

/** An element: attributes by name, listeners as functions (`onclick`), children or texts. */
function el(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/** An element of a drawing. */
function svg(tag, given = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(given)) made.setAttribute(name, value);
  made.append(...children.flat());
  return made;
}

class Foreign extends Component {
  componentDidMount() {
    this.node.append(...this.props.nodes);
  }
  shouldComponentUpdate() {
    return false;
  }
  render() {
    return h("div", { class: "foreign", ref: (node) => node && (this.node = node) });
  }
}

/** @type {any} */
export const Page = {
  Foreign,
  ...page, call, el, folders, open, part, progress, rules, start, state, stop, svg, taker,
  chooser: one(chooser), folderChooser: one(folderChooser), icon: one(page.icon), button: one(page.button), seal: one(seal),
  shape: (text) => [...dom(page.shape(text), "svg").childNodes],
  over: (title, kind, ...nodes) => over(title, kind, () => h(Foreign, { nodes: nodes.flat().filter(Boolean) })),
  screen: (name, fill) => {
    screen(name, null);
    page.fill(name, fill);
  },
};
