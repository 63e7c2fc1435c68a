"use strict";
// Watching and verifying: a record step by step, by everybody's eyes, with its verdict.

(() => {
  const { el, call } = Page;

  const isPack = (name, bytes) =>
    bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);

  Page.taker(isPack, async (name, bytes) => {
    Page.go("watch", { name, opened: call("watch.open", { name }, bytes) });
  });

  Page.screen("home", (main) => {
    main.append(el("h1", { tabindex: "-1" }, "adjudicator"), Page.chooser("Open a game"));
  });

  Page.screen("watch", (main, { name, opened }) => {
    const board = Page.board();
    main.append(Page.chooser("Open another"), el("h1", { tabindex: "-1" }, name), board);
    opened.then(async (game) => {
      const step = await call("watch.step", { step: game.last });
      board.show(step.boards.at(-1).svg);
      const found = await call("watch.verify");
      main.append(el("pre", {}, found.text));
      main.dataset.done = name;
    }, Page.tell);
  });
})();
