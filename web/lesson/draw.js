// This draws maps of values over time. Their colours are those of the page.
"use strict";

const byId = (id) => document.getElementById(id);
const MAP_LEFT = 26,
  MAP_BOTTOM = 18,
  MAP_LARGEST = 4096; // a wider canvas is slow

/** Squares go from blue (negative) over the page's colour (0) to red, units downwards, steps to the right, both numbered. */
class ValueMap {
  constructor(name, units, steps, choose) {
    this.figure = document.createElement("figure");
    this.canvas = document.createElement("canvas");
    this.caption = document.createElement("figcaption");
    this.name = name;
    this.caption.className = letterClass(name);
    Object.assign(this, { units, steps });
    this.cell = Math.max(1, Math.min(Math.max(12, Math.min(28, Math.floor(260 / steps))), Math.floor(MAP_LARGEST / Math.max(steps, units))));
    this.canvas.width = MAP_LEFT + steps * this.cell;
    this.canvas.height = units * this.cell + MAP_BOTTOM;
    this.canvas.setAttribute("role", "img");
    this.figure.append(this.canvas, this.caption);
    this.text = this.caption.appendChild(document.createTextNode(""));
    this.canvas.addEventListener("click", ({ offsetX, offsetY }) => {
      const scale = this.canvas.width / this.canvas.clientWidth;
      const t = Math.floor((offsetX * scale - MAP_LEFT) / this.cell),
        unit = Math.floor((offsetY * scale) / this.cell);
      if (t >= 0 && t < steps && unit >= 0 && unit < units) choose(t, unit);
    });
  }

  /** value(t, unit) gives a number. The square at `chosen` has a frame. `scale` is the number of the strongest colour. */
  draw(value, chosen, scale) {
    const paint = this.canvas.getContext("2d"),
      style = getComputedStyle(document.documentElement);
    const [ink, negative, positive] = ["--ink", "--data", "--wrong"].map((name) => style.getPropertyValue(name));
    let low = 0,
      high = 0;
    const all = new Float64Array(this.steps * this.units);
    for (let t = 0; t < this.steps; ++t) {
      for (let unit = 0; unit < this.units; ++unit) {
        const x = (all[t * this.units + unit] = value(t, unit));
        if (x < low) low = x;
        if (x > high) high = x;
      }
    }
    const largest = scale ?? (Math.max(high, -low) || 1),
      size = this.cell,
      gap = size > 2 ? 1 : 0;
    paint.clearRect(0, 0, this.canvas.width, this.canvas.height);
    for (let i = 0; i < all.length; ++i) {
      paint.globalAlpha = Math.min(1, Math.abs(all[i]) / largest) || 0;
      paint.fillStyle = all[i] < 0 ? negative : positive;
      paint.fillRect(
        MAP_LEFT + Math.floor(i / this.units) * size,
        (i % this.units) * size,
        size - gap,
        size - gap,
      );
    }
    paint.globalAlpha = 1;
    paint.fillStyle = paint.strokeStyle = ink;
    paint.font = "11px sans-serif";
    const every = Math.ceil(60 / size);
    for (let unit = 0; unit < this.units; unit += this.units > 4 ? every : 1) paint.fillText(unit, 4, unit * size + 10);
    for (let t = 0; t < this.steps; t += every) paint.fillText(t, MAP_LEFT + t * size, this.units * size + 14);
    paint.strokeRect(MAP_LEFT + chosen.t * size - 0.5, chosen.unit * size - 0.5, size, size);
    setText(
      this.text,
      `${this.name}: ${shown(low, 3)} to ${shown(high, 3)}; here ${shown(all[chosen.t * this.units + chosen.unit], 3)}`,
    );
    this.canvas.ariaLabel = `${this.name}: units downwards, steps to the right`;
  }
}

/** Changes the text of the page only if it differs. */
function setText(node, text) {
  if (node.data === text) return;
  // The two classes have the same animation with two names: a change of the class begins it again.
  if (node.data) node.parentElement?.classList.toggle("changed", !node.parentElement.classList.toggle("changed-again"));
  node.data = text;
}

const SVG = "http://www.w3.org/2000/svg";
function svg(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

Object.assign(globalThis, { ValueMap, setText, svg });
