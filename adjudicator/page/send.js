// What leaves this page for somebody else: a block, as a link, a text, a mail or a file. Which way each block has left is
// remembered, so that nobody is told that something was sent which only was copied.
import { button, draw, h, icon, over } from "./page.js";

export const bytesOf = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));

export function saveBytes(name, bytes, type = "application/octet-stream") {
  const link = document.createElement("a");
  link.download = name;
  link.href = URL.createObjectURL(new Blob([bytes], { type }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Save what the engine packed or sealed as a file. */
export const save = ({ name, data }) => saveBytes(name, bytesOf(data), "application/zip");

const gone = new Map();
let hears = async () => {};

/** From now on this is called when something has left. */
export const onleft = (hear) => (hears = hear);

const idOf = (send) => send.id ?? send.text;

/** How a block has left: "shared", "copied", "mailed", "saved", or "" if it has not as far as this page knows. */
export const left = (send) => (send ? gone.get(idOf(send)) ?? "" : "");

/** Note that a block has left, as another tab or an earlier visit knows: by its id. */
export const note = (id, how) => gone.set(id, how);

async function leaving(send, how) {
  note(idOf(send), how);
  draw();
  await hears();
  return how;
}

/** A link that brings a block to this page, after the `#`, which no browser sends; "" for a page on a disk, and for what is no block. */
export const address = (send) => (location.protocol.startsWith("http") && send.link ? `${location.href.split("#")[0]}${send.link}` : "");

/** Copy a text; where the browser does not let a page do that, show it to be copied by hand. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    over("Copy it yourself", "middle", () => [
      h("p", {}, "This browser does not let the page copy. All of it is chosen below: copy it, and paste it where it is to go."),
      h("textarea", { rows: 6, readonly: true, "aria-label": "What to copy", ref: (/** @type {HTMLTextAreaElement} */ node) => node?.select() }, text),
    ]);
  }
}

/** Whether a draft holds the whole block: a longer one does not reach every mail program, and is pasted. */
const fits = (send) => Boolean(send.to) && send.text.length < 1500;

/** What is left to do in a draft. */
export const inDraft = (send) => (fits(send) ? "Press Send in it." : "The text is copied: paste it there, and press Send.");

const WAYS = {
  shared: (send) => navigator.share({ title: send.subject, text: address(send) || send.text }),
  copied: (send) => copy(address(send) || send.text),
  text: (send) => copy(send.text),
  // A draft with the whole block in its address is more than many mail programs take: then it is pasted.
  mailed: async (send) => {
    const body = fits(send) ? send.text : "";
    if (!body) await copy(send.to ? send.text : address(send) || send.text);
    const draft = document.createElement("a");
    draft.href = `mailto:${encodeURIComponent(send.to ?? "")}?subject=${encodeURIComponent(send.subject ?? "")}${body ? `&body=${encodeURIComponent(body)}` : ""}`;
    draft.click();
  },
  saved: (send) =>
    send.mail ? saveBytes(`${send.name}.eml`, bytesOf(send.mail), "message/rfc822") : saveBytes(`${send.name}.txt`, new TextEncoder().encode(send.text), "text/plain"),
};

/** Let a block leave on this way, in a tap; returns how it left, or "" if the person thought better of it. */
async function goes(send, way) {
  try {
    await WAYS[way](send);
  } catch (error) {
    if (error.name === "AbortError") return "";
    if (way !== "shared") throw error;
    await WAYS.copied(send);
    return leaving(send, "copied");
  }
  return leaving(send, way === "text" ? "copied" : way);
}

/** The way that a tap on Send takes: a mail to who has an address, a phone's sharing, else the clipboard. */
export const usual = (send) => (send.to ? "mailed" : navigator.share ? "shared" : "copied");

/**
 * Let what `ready` will give leave in the tap that asked for it. A browser lets a page copy for some seconds after a tap; Safari
 * only where the promise itself is handed over.
 */
export async function leaves(ready) {
  const send = ready.then((found) => found ?? Promise.reject(new DOMException("nothing leaves", "AbortError")));
  if (!navigator.share && navigator.clipboard?.write && window.ClipboardItem) {
    const text = send.then((found) => (found.to ? Promise.reject(new DOMException("by mail", "AbortError")) : new Blob([address(found) || found.text], { type: "text/plain" })));
    text.catch(() => {});
    const copied = await navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]).then(() => true, () => false);
    if (copied) return leaving(await send, "copied");
  }
  const found = await send;
  return goes(found, usual(found));
}

/** Characters of the longest text that chats take. */
const LONG = 4000;

const LABELS = [
  ["shared", "Share", "share", "share"], ["mailed", "Mail", "mail", "mail"], ["copied", "Copy the link", "link", "copy-link"],
  ["text", "Copy as text", "copy", "copy"], ["saved", "Save as a file", "open", "save-block"],
];

/** All ways on which a block can go. */
export function Ways({ send }) {
  const there = { shared: Boolean(navigator.share), copied: Boolean(address(send)), mailed: Boolean(send.to || send.id) };
  const how = left(send);
  return h("div", { class: "ways-out" },
    h("div", { class: "row" }, LABELS.filter(([way]) => there[way] ?? true).map(([way, label, sign, act]) =>
      button(label, () => goes(send, way), { kind: way === usual(send) ? "go labelled" : "labelled", sign, act }))),
    address(send).length > LONG ? h("p", { class: "dim" }, "This link is longer than some chats take: sent as a file, or by mail, all of it arrives.") : null,
    how ? h("p", { role: "status", class: "left-so" }, icon("check"), LEFT[how], how === "mailed" ? ` ${inDraft(send)}` : "") : null,
    h("p", { class: "dim" }, send.note ?? (send.to ? `To ${send.to}, subject \u201c${send.subject}\u201d. Only the host can open it.` : "Only who it is for can open it.")));
}

const LEFT = { shared: "Sent.", copied: "Copied. Paste it where it is to go.", mailed: "Your mail is ready.", saved: "Saved as a file." };

/** A sheet with all ways. */
export const ways = (send) => over("Send it", "middle", () => h(Ways, { send }));
