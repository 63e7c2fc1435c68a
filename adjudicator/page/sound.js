// What is heard while a turn is played: a few voices, synthesised, each from where its cell is between left and right. Silent
// until somebody asks for it, and no AudioContext before a tap: a link from a chat opens in trains and offices.

const NAME = "adjudicator sound";
// A browser keeps it for a web address; it may be blocked, or full.
const kept = (act) => {
  try {
    return location.protocol.startsWith("http") ? act(localStorage) : null;
  } catch {
    return null;
  }
};
let wanted = kept((store) => store.getItem(NAME));
let context = null;

function wake() {
  if (wanted !== "on") return;
  context ??= new AudioContext();
  context.resume();
}
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, wake, true);

/** `asked`: whether this browser was asked; `isOn`; `on(yes)`, in a tap: from now on, and remembered. */
export const sound = {
  get asked() {
    return wanted !== null;
  },
  get isOn() {
    return wanted === "on";
  },
  on(yes) {
    wanted = yes ? "on" : "off";
    kept((store) => store.setItem(NAME, wanted));
    if (yes) wake();
    else context?.suspend();
  },
};

/** A voice, if sound is on: `side` from 0, left, to 1; in so many milliseconds. */
export function heard(voice, side = 0.5, delay = 0) {
  if (sound.isOn && context?.state === "running") speak(context, voice, side, context.currentTime + delay / 1000);
}

/** A source, heard through `last`, goes from one pitch, in Hz, to another; rises to its level within `rise` seconds, and dies away until `long`. */
function sounds(out, source, last, [from, to = from], { at, long, level = 1, rise = 0.005 }) {
  const loud = new GainNode(out.context, { gain: 0 });
  last.frequency.setValueAtTime(from, at);
  last.frequency.exponentialRampToValueAtTime(to, at + long);
  loud.gain.setValueAtTime(0, at);
  loud.gain.linearRampToValueAtTime(level, at + rise);
  loud.gain.exponentialRampToValueAtTime(level / 1000, at + long);
  last.connect(loud).connect(out);
  source.start(at);
  source.stop(at + long);
}

/** @param {any} given `type`: of an oscillator; the others as `sounds` has them. */
function tone(out, pitches, given) {
  const source = new OscillatorNode(out.context, { type: given.type });
  sounds(out, source, source, pitches, given);
}

/** Noise around a pitch, always the same. @param {any} given `type` and `q`: of a filter; the others as `sounds` has them. */
function noise(out, pitches, given) {
  const { context } = out;
  const { q: Q = 1, type = "bandpass" } = given;
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * given.long), context.sampleRate);
  let random = 1;
  buffer.getChannelData(0).forEach((_, k, all) => (all[k] = (random = (random * 16807) % 2147483647) / 1073741823.5 - 1));
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type, Q });
  source.connect(filter);
  sounds(out, source, filter, pitches, given);
}

/** The voices: at which level each peaks in the middle, in dBFS; by how much it is amplified for that; and how it sounds, with what answers on the other side. */
export const VOICES = {
  ping: [-16, 1.42, (at, out, across) => {
    tone(out, [1320], { at, long: 1.3 });
    tone(across, [1320], { at: at + 0.55, long: 0.9, level: 0.3 });
  }],
  echo: [-22, 1.42, (at, out) => tone(out, [1980], { at, long: 0.6 })],
  contact: [-15, 1.49, (at, out) => [0, 0.13].forEach((later) => tone(out, [112, 74], { at: at + later, long: 0.22, rise: 0.012 }))],
  torpedo: [-22, 5.9, (at, out) => noise(out, [900, 2100], { at, long: 0.7, rise: 0.12, q: 3 })],
  impact: [-12, 1, (at, out) => {
    noise(out, [3200, 70], { at, long: 1.1, type: "lowpass", level: 0.8 });
    tone(out, [92, 34], { at, long: 0.9, rise: 0.008 });
  }],
  sink: [-18, 1.43, (at, out) => {
    tone(out, [240, 52], { at, long: 1.4, type: "triangle", rise: 0.08 });
    for (let k = 0; k < 7; k += 1) tone(out, [420 + 90 * (k % 3), 900 + 140 * (k % 4)], { at: at + 0.35 + 0.11 * k, long: 0.09, level: 0.35 });
  }],
  creep: [-28, 7.04, (at, out) => noise(out, [260, 180], { at, long: 0.5, rise: 0.15, type: "lowpass" })],
  card: [-28, 2.34, (at, out) => noise(out, [3400, 1500], { at, long: 0.12, q: 0.8 })],
  seal: [-18, 1.51, (at, out) => tone(out, [168, 70], { at, long: 0.3, type: "triangle" })],
  turn: [-22, 1.27, (at, out) => [587, 880].forEach((pitch, k) => tone(out, [pitch], { at: at + 0.14 * k, long: 0.5, rise: 0.01 }))],
};

/** A voice at that time of a context, from `side`, from 0, left, to 1. */
export function speak(context, voice, side, at) {
  const [level, full, plays] = VOICES[voice];
  const from = (pan) => {
    const gain = new GainNode(context, { gain: full * 10 ** (level / 20) });
    gain.connect(new StereoPannerNode(context, { pan })).connect(context.destination);
    return gain;
  };
  plays(at, from(1.4 * side - 0.7), from(0.7 - 1.4 * side));
}
