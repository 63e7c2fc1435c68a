// Offering and accepting a duel: the first screen of who opens an offer's link, and the form that makes one. It knows no game.
import { Form, folded, guarded_, guarding, nameField, presented, seatField, seatOf } from "./fields.js";
import { current } from "./game.js";
import { chosen, field, option, options } from "./home.js";
import { goHome, settle, top } from "./mail.js";
import { Component, h, screen, tell } from "./page.js";

const fair = () =>
  h("details", {}, h("summary", {}, "Nobody hosts this. How can that be fair?"),
    h("p", {}, "Each of you keeps your own secrets, and at the end both open theirs: then all is worked out again. A lie shows, and shows who told it. It shows at the end, and only sometimes at once."));

/** Make a seat by what a form holds, and show what it begins. */
async function seated(name, given, more) {
  const seat = seatOf(given);
  await settle(name, { ...seat, ...more(seat) });
}

const TIMES = [["1h", "1 hour"], ["1d", "1 day"], ["3d", "3 days"], ["7d", "7 days"]];
const COUNTS = ["", "a", "two", "three", "four", "five", "six", "seven"];

/** A time for a move in words: "three days a move". */
function pace(time) {
  const [, count, unit] = time.match(/^(\d+)([dhm])$/) ?? [];
  if (!unit) return time;
  const word = { d: "day", h: "hour", m: "minute" }[unit];
  return `${count === "1" ? `${unit === "h" ? "an" : "a"} ${word}` : `${COUNTS[count] ?? count} ${word}s`} a move`;
}

const ME = "=me";
/** An option that names a player, as a field: there is nobody to name yet but oneself, and in a rematch the other. */
const whose = ({ help, ...rest }, other) => ({ ...rest, asked: true, help: help.split(";")[0], choices: [["", "Drawn by lot"], [ME, "I do"], ...(other ? [[other, `${other} does`]] : [])] });

/** The form that makes an offer: `game` and options `given` are those of the game before, which `me` played against `other`. */
class Offering extends Component {
  games = GAMES.filter(({ duel }) => duel);
  state = { game: this.games.find(({ id }) => id === this.props.game) ?? this.games[0], match: "" };

  render({ given = [], me = "", other = "" }, { game, match }) {
    const values = new Map(given.map((one) => one.split("=")).map(([name, value]) => [name, me && value === me ? ME : value]));
    // In a match whoever offers goes first, and in its second game the other.
    const own = game.options.filter(({ name, kind }) => !game.duel.includes(name) && !(match && kind === "player")).map((one) => (one.kind === "player" ? whose(one, other) : one));
    const work = (filled) => seated("offer", filled, (seat) => {
      const all = [...chosen(own, filled), `turn_time=${filled.get("turn_time")}`, ...(match ? ["match=first"] : [])];
      return { game: game.id, options: all.map((one) => one.replace(`=${ME}`, `=${seat.name}`)) };
    });
    return h(Form, { label: "Make the offer", act: "offer", kind: "paper", work, at: seatField, below: [guarded_(), fair()] },
      h("fieldset", { class: "options" }, h("legend", {}, "Which game?"),
        this.games.map((one) => option("game", one.id, one.title, one.summary, { checked: one === game, onchange: () => this.setState({ game: one }) }))),
      nameField({ defaultValue: me }),
      h("div", { class: "two" },
        field("Time for each move", "turn_time", TIMES, values.get("turn_time") ?? "3d"),
        field("How many games?", "match", [["", "One"], ["first", "A match of two, seats changed"]], "", { onchange: ({ target }) => this.setState({ match: target.value }) })),
      h("div", { class: "form", key: `${game.id} ${match}` }, options(own, values)),
      guarding());
  }
}

function accepting(state) {
  const time = [...state.given, ...state.options.map((pair) => pair.join("="))].map((one) => one.split("=").at(-1)).find((value) => /^\d+[dhm]$/.test(value));
  return h(Form, { key: state.id, label: "Accept and play", act: "accept", kind: "paper", work: (given) => seated("accept", given, () => ({})), at: seatField, below: [guarded_(), fair(), folded(state.options)] },
    presented(state, `${state.match ? `It is ${state.match}. ` : ""}A move when you have time${time ? `: ${pace(time)}` : ""}. You answer with a link in the chat you came from.`),
    nameField({ defaultValue: state.named }),
    guarding());
}

screen("friend", (given) => {
  const state = current();
  const news = [...(state.warnings ?? []), ...(state.lines ?? [])];
  const offered = state.duel && state.stage === "offer";
  return [
    top(offered ? `${state.members[0][0]} wants to play you` : "Play a friend"),
    offered && news.length ? h("div", { role: "status", class: "amiss" }, news.map((one) => h("p", {}, one))) : null,
    offered ? accepting(state) : h(Offering, given),
  ];
}, {
  kind: "page",
  data: () => ({ "data-stage": current().duel ? current().stage : "none" }),
  title: () => (current().stage === "offer" ? `${current().members[0][0]} wants to play ${current().title}` : "Play a friend"),
  back: () => goHome().catch(tell),
});
