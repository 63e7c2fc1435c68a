// The page's one script, as the build bundles it: its views, and the first screen.
import { call } from "./calls.js";
import { carried, open } from "./files.js";
import { Page } from "./old.js";
import { go, tell } from "./page.js";
import "./home.js";
import "./game.js";
import "./mail.js";
import "./watch.js";
import "./duel.js";

// The build's other scripts hand over the engine; whoever tries the page by script finds it here too.
Object.assign(window, { Page });

addEventListener("DOMContentLoaded", () => {
  const held = carried();
  if (held.record) open("record.zip", held.record);
  else if (held.invite) open("invite.txt", held.invite);
  // Playing needs more modules: they are loaded while the person reads.
  else call("play.state").catch(tell);
});
go("home");
