// Forms: fields with what is wrong beside them, and what a new seat is asked for.
import { Chart } from "./chart.js";
import { learn } from "./lesson.js";
import { button, Component, h, icon, tell } from "./page.js";
import { seats } from "./seat.js";

const shown = new Map();

/** A field by its `id`, with its label and a note below; `area`: for long texts. What is said beside it is gone at the next key. */
export class Field extends Component {
  state = { words: null, kind: "dim" };
  componentDidMount() {
    shown.set(this.props.id, this);
  }
  componentWillUnmount() {
    if (shown.get(this.props.id) === this) shown.delete(this.props.id);
  }
  render({ id, label, note: below = "", area = false, ...given }, { words, kind }) {
    const input = { id, name: id, "aria-describedby": `${id}-error`, "aria-invalid": kind === "error" ? "true" : null, oninput: () => words && this.setState({ words: null, kind: "dim" }), ...given };
    return h("div", { class: "field" },
      h("label", { for: id }, label),
      h(area ? "textarea" : "input", input),
      below ? h("small", {}, below) : null,
      h("p", { class: kind, id: `${id}-error`, role: "alert", hidden: !words }, kind === "error" ? icon("flag") : null, h("span", {}, words)));
  }
}

/** Say something beside a field that is not wrong. */
export const note = (id, words) => shown.get(id)?.setState({ words, kind: "dim" });

/** Say beside a field what is wrong with it, and go there; without the field, over everything. */
export function wrong(id, ...words) {
  const field = shown.get(id);
  if (!field) return tell({ line: words.join(" "), hint: "" });
  field.setState({ words: words.flatMap((one) => [one, " "]), kind: "error" });
  document.getElementById(id).focus();
  return null;
}

/** A form with one wide button: `work` is given what was filled in, and `at(error)` names the field that an error is about. */
export class Form extends Component {
  state = { busy: false };
  send = async (event) => {
    event.preventDefault();
    const given = new FormData(event.target);
    this.setState({ busy: true });
    let told = null;
    try {
      await this.props.work(given);
    } catch (error) {
      told = error;
    }
    this.setState({ busy: false }, () => told && wrong(this.props.at(told), ...(told.words ?? [told.line ?? String(told), told.hint].filter(Boolean))));
  };
  render({ label, act, kind = "", children, below = null }, { busy }) {
    return h("form", { class: `form ${kind}`, novalidate: true, inert: busy, onsubmit: this.send }, children, h("button", { class: "button go wide", "data-act": act }, label), below);
  }
}

/** What is wrong with one field, in words that may hold a button. */
const fault = (field, ...words) => Object.assign(new Error(String(words[0])), { field, words });

/** The name that is allowed and comes closest. */
const allowed = (name) => name.toLowerCase().normalize("NFD").replace(/ä|a\u0308/g, "ae").replace(/o\u0308/g, "oe").replace(/u\u0308/g, "ue").replace(/ß/g, "ss").replace(/[^a-z0-9]+/g, "-").replace(/^[^a-z]+|-+$/g, "").slice(0, 32);

/** The passphrase in a form; throws if it is too short. */
export function passphraseOf(given) {
  const passphrase = String(given.get("word") ?? "");
  if (given.has("word") && passphrase.length < 8) throw fault("word", "A passphrase has 8 characters or more: four or five words are good.");
  return passphrase;
}

/** The name of a new seat, and its passphrase where one is asked, from its form; throws what is wrong with them. */
export function seatOf(given) {
  const name = String(given.get("name")).trim();
  const better = allowed(name);
  if (!name || better !== name) {
    const input = () => /** @type {HTMLInputElement} */ (document.getElementById("name"));
    throw fault("name", "Names here have small letters a to z, digits and hyphens.", better ? button(`Use \u201c${better}\u201d`, () => {
      input().value = better;
      input().dispatchEvent(new Event("input"));
    }) : "");
  }
  return { name, passphrase: passphraseOf(given) };
}

/** The field of a new seat that an error is about. */
export const seatField = (error) => error.field ?? (/passphrase/.test(error.line) ? "word" : "name");

export const nameField = (given = {}) => h(Field, { id: "name", label: "Your name in the game", required: true, autocapitalize: "none", autocomplete: "username", ...given });
export const wordField = () => h(Field, { id: "word", label: "A passphrase for your seat", type: "password", required: true, autocomplete: "new-password", note: "8 characters or more. Nobody can open your seat without it." });

/** What guards a new seat: this device alone, until its player wants a file; where it cannot, a passphrase. */
export const guarding = () => (seats.able() ? null : wordField());
export const guarded_ = () => (seats.able() ? h("p", { class: "dim" }, "This browser keeps your seat and opens it. Until you save it with a passphrase, clearing the browser\u2019s data loses the game.") : null);

/** A game that somebody is asked to play: its board, what it is about, and how it is played. `words`: a sentence more. */
export function presented({ rules: version, title, summary }, words) {
  const id = version.split("/")[0];
  const chart = GAMES.find((game) => game.id === id)?.chart;
  return h("div", { class: "presented" },
    chart ? h("div", { class: "picture" }, h(Chart, { board: chart, label: `A board of ${title}`, inert: true })) : null,
    h("h2", {}, title), h("p", {}, summary),
    button("How it is played", () => learn(id, title, true), { kind: "plain", act: "learn" }),
    h("p", { class: "dim" }, words));
}

/** Pairs of what an option is about and its value, folded. */
export const folded = (options) => h("details", {}, h("summary", {}, "Its options"), h("dl", {}, options.map(([key, value]) => [h("dt", {}, key), h("dd", {}, value)])));
