// What is wrong with a screen of the page, as it is now, as one window; the tests of windows run it there. Of a `frame`, a screen that
// never rolls: a window that rolls all the same, a sea or a control beyond an edge, covered, or smaller than a finger; of other
// screens, what is beyond the sides. `rollers`: lists that may be rolled through; what there is to do may not be hidden in one.
(() => {
  const faults = [];
  const box = (one) => one.getBoundingClientRect();
  const called = (one) => `${one.dataset.act ?? one.dataset.verb ?? one.dataset.card ?? one.dataset.unit ?? one.className} "${(one.ariaLabel ?? one.innerText).slice(0, 30).replaceAll("\\n", " ")}"`;
  const inside = (one, {left, right, top, bottom}) => {
    const its = box(one);
    const over = {left: left - its.left, right: its.right - right, top: top - its.top, bottom: its.bottom - bottom};
    return Object.keys(over).filter((side) => over[side] > 1);
  };
  const whole = {left: 0, top: 0, right: innerWidth, bottom: innerHeight};
  const main = document.querySelector("main");
  for (const one of [document.scrollingElement, given.frame ? main : null].filter(Boolean)) {
    if (one.scrollHeight > one.clientHeight + 1 && given.frame) faults.push(`scrolls down by ${one.scrollHeight - one.clientHeight}`);
    if (one.scrollWidth > one.clientWidth) faults.push(`scrolls aside by ${one.scrollWidth - one.clientWidth}`);
  }
  const sea = given.frame && document.querySelector(".chart svg");
  if (sea && inside(sea, whole).length) faults.push(`the sea is beyond ${inside(sea, whole)}`);
  const rolls = (one, axis) => /auto|scroll/.test(getComputedStyle(one)[`overflow${axis}`]);
  const what = "button, input, select, textarea, a[href], summary";
  const seen = (one) => one.checkVisibility({visibilityProperty: true, opacityProperty: true}) && !one.closest("[inert]") && box(one).width > 1;
  const controls = [...main.querySelectorAll(what)].filter((one) => !one.dataset.cell && seen(one));
  for (const one of controls) {
    const roller = one.closest(given.rollers);
    const sides = inside(one, whole).filter((side) => given.frame ? !roller || /left|right/.test(side) : /left|right/.test(side));
    for (let at = one.parentElement; at !== main; at = at.parentElement) {
      if (getComputedStyle(at).overflow === "visible" || at === roller || roller?.contains(at)) continue;
      if (!roller || !at.contains(roller)) sides.push(...inside(one, box(at)).filter((side) => given.frame || /left|right/.test(side)).map((side) => `${side} of .${at.className}`));
    }
    if (sides.length) faults.push(`${called(one)} is beyond ${[...new Set(sides)].join(", ")}`);
    else if (given.frame && !roller) {
      const {left, top, width, height} = box(one);
      const there = document.elementFromPoint(left + width / 2, top + height / 2);
      if (!one.contains(there) && !there?.contains(one)) faults.push(`${called(one)} is covered by ${there?.className}`);
      if (one.closest(".bar, .next, .hand") && !one.matches("input[type=checkbox]") && Math.min(width, height) < (one.matches(".card") ? given.card : given.least - 1)) faults.push(`${called(one)} is ${width.toFixed()} by ${height.toFixed()}`);
    }
  }
  const cards = [...document.querySelectorAll(".hand .card:not([hidden])")];
  for (const one of given.frame ? cards : []) if (inside(one, whole).length) faults.push(`${called(one)} is beyond ${inside(one, whole)}`);
  const cell = document.querySelector(".chart .cell");
  return {faults, cell: given.frame && cell ? box(cell).width : 0, cards: cards.length,
    moves: document.getAnimations().filter((one) => one.playState === "running").map((one) => `${one.animationName ?? one.transitionProperty ?? "a motion"} of .${one.effect.target.getAttribute("class")}`)};
})()
