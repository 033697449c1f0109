// Loads the page in a live box when the box is open and nearly in view. Each page has a module of its own.
"use strict";
{
  const boxes = [...document.querySelectorAll("details.live")];

  function load() {
    for (const box of boxes) {
      const frame = box.querySelector("iframe"),
        { top, bottom } = box.getBoundingClientRect();
      if (box.open && !frame.src && top < innerHeight + 300 && bottom > -300) frame.src = frame.dataset.src;
    }
  }

  for (const box of boxes) box.addEventListener("toggle", load);
  addEventListener("scroll", load, { passive: true });
  addEventListener("resize", load);
  load();
}
