"use strict";
// Makes each slide as large as it can be, and as small as it must be, and starts reveal.js.

const HEIGHT = 720;
const LARGEST = 1.25;
const SMALLEST = 0.55;
const STEP = 0.025;

function overflows(box) {
  if (box.offsetHeight > HEIGHT) return true;
  const inner = box.querySelectorAll("pre, .table, .formula");
  return [...inner].some((part) => part.scrollWidth > part.clientWidth + 1);
}

function fit(box) {
  box.classList.remove("scrolls");
  let scale = LARGEST;
  box.style.fontSize = scale + "em";
  while (scale > SMALLEST && overflows(box)) {
    scale -= STEP;
    box.style.fontSize = scale.toFixed(3) + "em";
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
