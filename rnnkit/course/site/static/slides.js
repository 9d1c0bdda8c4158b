"use strict";
// Makes each slide as large as it can be, and as small as it must be, and starts reveal.js.

const HEIGHT = 720;
const LARGEST = 1.25;
const SMALLEST = 0.55;
const STEP = 0.025;
const NARROWEST = 0.6;

// What is too wide, code or a table, is made smaller by itself.
function fitWidth(part) {
  part.style.fontSize = "";
  const ratio = part.clientWidth / part.scrollWidth;
  if (ratio >= 1) return;
  const size = parseFloat(getComputedStyle(part).fontSize);
  part.style.fontSize = size * Math.max(0.99 * ratio, NARROWEST) + "px";
}

function fit(box) {
  box.classList.remove("scrolls");
  const wide = box.querySelectorAll("pre, .table, .formula");
  let scale = LARGEST;
  for (;;) {
    box.style.fontSize = scale.toFixed(3) + "em";
    wide.forEach(fitWidth);
    if (scale <= SMALLEST || box.offsetHeight <= HEIGHT) break;
    scale -= STEP;
  }
  // The last resort.
  if (box.offsetHeight > HEIGHT) box.classList.add("scrolls");
  box.dataset.scale = scale.toFixed(3);
}

function fitAll() {
  const reveal = document.querySelector(".reveal");
  reveal.classList.add("measured");
  document.querySelectorAll(".fit").forEach(fit);
  reveal.classList.remove("measured");
}

// Pictures grow with their slide, from half as large again as on a page.
document.querySelectorAll("figure img[width]").forEach((picture) => {
  picture.style.width = (picture.getAttribute("width") * 1.5) / 28 + "em";
});
document.querySelectorAll("details").forEach((answer) => {
  answer.addEventListener("toggle", () => {
    const box = answer.closest(".fit");
    if (box) fit(box);
  });
});

window.addEventListener("load", () => {
  fitAll();
  Reveal.initialize({
    width: 1280,
    height: HEIGHT,
    margin: 0,
    center: false,
    hash: true,
    transition: "none",
    backgroundTransition: "none",
    slideNumber: "c/t",
    scrollActivationWidth: null,
  }).then(() => document.documentElement.classList.add("ready"));
});
