// The page's one script, as the build bundles it: its views, and the first screen.
import * as alone from "./alone.js";
import * as calls from "./calls.js";
import { call } from "./calls.js";
import { byDuel } from "./duel.js";
import { carried, open } from "./files.js";
import * as game from "./game.js";
import { waits } from "./home.js";
import * as mail from "./mail.js";
import * as page from "./page.js";
import { before, go, tell } from "./page.js";
import { seats } from "./seat.js";
import "./offer.js";
import "./watch.js";

for (const one of [mail.byMail, alone.byComputer, byDuel]) game.carry(one);
for (const one of [alone.waiting, mail.rows]) waits(one);

// The build's other scripts hand over the engine; whoever tries the page by script finds it here too.
Object.assign(window, { Page: { ...page, ...calls, alone, game, mail, open, seats } });

addEventListener("DOMContentLoaded", () => {
  const held = carried();
  if (held.record) open("record.zip", held.record);
  else if (held.invite) open("invite.txt", held.invite);
  // Playing needs more modules: they are loaded while the person reads.
  else call("play.state").catch(tell);
  alone.again(before);
});
go("home");
