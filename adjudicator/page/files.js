// Files and folders that come into the page: dropped, chosen, or carried in its data island.
import { h, icon, tell } from "./page.js";

const takers = [];
let openFolder = null;

/** Takers of files: `takes(name, bytes)` says whether it opens such a file, `open(name, bytes)` opens it. The last is asked first. */
export const taker = (takes, open) => takers.unshift({ takes, open });

/** Takers of folders: `open(name, files)`; each file is [path, File or null for a folder]. */
export const folders = (open) => {
  openFolder = open;
};

/** Hand a file to the first taker that takes it. */
export async function open(name, bytes) {
  tell(null);
  const found = takers.find((one) => one.takes(name, bytes));
  if (found) await found.open(name, bytes);
  else tell({ line: `This page cannot open ${name}.`, hint: "Drop a finished game as one file, or its folder." });
}

// As many files and bytes as a pack may have: a larger folder is no game and is not read.
const MOST_FILES = 65_535;
const MOST_BYTES = 2 ** 28;

/** Counts files of a folder, and throws once they are more than a pack may hold. */
function counter(name) {
  let [files, bytes] = [0, 0];
  return (file) => {
    files += 1;
    bytes += file?.size ?? 0;
    if (files <= MOST_FILES && bytes <= MOST_BYTES) return;
    throw { line: `${name} is too large: a game has at most ${MOST_FILES.toLocaleString("en")} files and ${MOST_BYTES / 2 ** 20} MiB.`, hint: "Drop the folder of one game." };
  };
}

const come = (ask) => new Promise((resolve, reject) => ask(resolve, reject));

/** The files in a dropped folder and in its folders; deeper ones are only named. */
async function inside(folder, count = counter(folder.name), prefix = "", found = []) {
  const reader = folder.createReader();
  const add = (path, file) => {
    count(file);
    found.push([path, file]);
  };
  for (;;) {
    const some = await come((done, fail) => reader.readEntries(done, fail));
    if (!some.length) return found;
    for (const one of some) {
      const path = prefix + one.name;
      if (!one.isDirectory) add(path, await come((done, fail) => one.file(done, fail)));
      else if (prefix) add(path, null);
      else if (!one.name.startsWith(".")) await inside(one, count, `${path}/`, found);
    }
  }
}

/** Open dropped files and folders. */
async function dropped(given) {
  dispatchEvent(new Event("dropping"));
  for (const one of given) {
    try {
      if (one.createReader) await openFolder(one.name, await inside(one));
      else await open(one.name, new Uint8Array(await one.arrayBuffer()));
    } catch (error) {
      tell(error.line ? error : { line: `${one.name}: ${error.message}`, hint: "" });
    }
  }
}

const choosing = (label, kind, given, sign, work) => {
  const onchange = ({ target }) => {
    const files = [...target.files];
    // The same may be chosen once more.
    target.value = "";
    return work(files);
  };
  return h("label", { class: `button ${kind}` }, h("input", { type: "file", class: "unseen", "aria-label": label, onchange, ...given }), sign, label);
};

/** A button to choose files, and one to choose a folder. */
export const chooser = (label, kind = "") => choosing(label, kind, { multiple: true }, icon("open"), dropped);
export const folderChooser = (label) => choosing(label, "plain", { webkitdirectory: true }, null, async (files) => {
  const [name] = files[0]?.webkitRelativePath.split("/") ?? [];
  try {
    files.forEach(counter(name));
    const found = files.map((file) => [file.webkitRelativePath.slice(name.length + 1), file]);
    if (name) await openFolder(name, found.filter(([path]) => !/^\.[^/]*\//.test(path)));
  } catch (error) {
    tell(error);
  }
});

/** The content of the page's data island: bytes by kind. */
export function carried() {
  const held = {};
  for (const line of document.getElementById("data").textContent.split("\n")) {
    const [kind, text] = line.split(" ");
    if (text) held[kind] = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  }
  return held;
}

const dragging = (yes) => document.documentElement.classList.toggle("dragging", yes);
addEventListener("dragover", (event) => {
  event.preventDefault();
  dragging(true);
});
addEventListener("dragleave", (event) => event.relatedTarget || dragging(false));
addEventListener("drop", (event) => {
  event.preventDefault();
  dragging(false);
  const files = [...event.dataTransfer.items].filter(({ kind }) => kind === "file");
  const folder = (one) => [one.webkitGetAsEntry?.()].find((entry) => entry?.isDirectory);
  dropped(files.map((one) => folder(one) || one.getAsFile()));
});
