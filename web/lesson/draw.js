// Maps of values over time, and lines over time. Colours are those of the page.
"use strict";

const MAP_CELL = 12,
  MAP_LEFT = 26,
  MAP_BOTTOM = 18;

/** Squares from blue (negative) over the page's colour (0) to red, units downwards and steps to the right, with both numbered. */
class ValueMap {
  constructor(name, units, steps, choose) {
    this.figure = document.createElement("figure");
    this.canvas = document.createElement("canvas");
    this.caption = document.createElement("figcaption");
    this.name = name;
    Object.assign(this, { units, steps });
    this.canvas.width = MAP_LEFT + steps * MAP_CELL;
    this.canvas.height = units * MAP_CELL + MAP_BOTTOM;
    this.canvas.setAttribute("role", "img");
    this.figure.append(this.canvas, this.caption);
    this.text = this.caption.appendChild(document.createTextNode(""));
    this.canvas.addEventListener("click", ({ offsetX, offsetY }) => {
      const scale = this.canvas.width / this.canvas.clientWidth;
      const t = Math.floor((offsetX * scale - MAP_LEFT) / MAP_CELL),
        unit = Math.floor((offsetY * scale) / MAP_CELL);
      if (t >= 0 && t < steps && unit >= 0 && unit < units) choose(t, unit);
    });
  }

  /** value(t, unit); the square at `chosen` has a frame. */
  draw(value, chosen) {
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
    const largest = Math.max(high, -low) || 1;
    paint.clearRect(0, 0, this.canvas.width, this.canvas.height);
    for (let i = 0; i < all.length; ++i) {
      paint.globalAlpha = Math.min(1, Math.abs(all[i]) / largest) || 0;
      paint.fillStyle = all[i] < 0 ? negative : positive;
      paint.fillRect(
        MAP_LEFT + Math.floor(i / this.units) * MAP_CELL,
        (i % this.units) * MAP_CELL,
        MAP_CELL - 1,
        MAP_CELL - 1,
      );
    }
    paint.globalAlpha = 1;
    paint.fillStyle = paint.strokeStyle = ink;
    paint.font = "11px sans-serif";
    for (let unit = 0; unit < this.units; unit += this.units > 4 ? 5 : 1) paint.fillText(unit, 4, unit * MAP_CELL + 10);
    for (let t = 0; t < this.steps; t += 5) paint.fillText(t, MAP_LEFT + t * MAP_CELL, this.units * MAP_CELL + 14);
    paint.strokeRect(MAP_LEFT + chosen.t * MAP_CELL - 0.5, chosen.unit * MAP_CELL - 0.5, MAP_CELL, MAP_CELL);
    setText(
      this.text,
      `${this.name}: ${shown(low, 3)} to ${shown(high, 3)}; here ${shown(all[chosen.t * this.units + chosen.unit], 3)}`,
    );
    this.canvas.ariaLabel = `${this.name}: units downwards, steps to the right`;
  }
}

/** Writes into the page only what has changed. */
function setText(node, text) {
  if (node.data !== text) node.data = text;
}

const SVG = "http://www.w3.org/2000/svg";
function svg(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Lines of positive numbers over the steps on a logarithmic scale. lines: [{name, values}]. */
function logChart(title, lines) {
  const width = 560,
    height = 260,
    left = 60,
    bottom = 30,
    top = 24;
  const logs = lines.flatMap(({ values }) => values.filter((x) => x > 0 && Number.isFinite(x)).map(Math.log10));
  const low = Math.floor(Math.min(...logs, 0)),
    high = Math.max(Math.ceil(Math.max(...logs, low + 1)), low + 1);
  const steps = Math.max(...lines.map(({ values }) => values.length));
  const x = (t) => left + ((width - left - 10) * t) / Math.max(steps - 1, 1);
  const y = (power) => top + ((height - top - bottom) * (high - power)) / (high - low);
  const chart = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title, class: "chart" });
  const jump = Math.ceil((high - low) / 6);
  for (let power = low; power <= high; power += jump) {
    chart.append(
      svg("path", { d: `M${left} ${y(power)}H${width - 10}`, class: "grid" }),
      svg("text", { x: left - 6, y: y(power) + 4, "text-anchor": "end" }, `1e${power}`),
    );
  }
  for (let t = 0; t < steps; t += Math.ceil(steps / 8)) {
    chart.append(svg("text", { x: x(t), y: height - 8, "text-anchor": "middle" }, `t = ${t}`));
  }
  lines.forEach(({ name, values }, number) => {
    const points = values.map((value, t) =>
      value > 0 && Number.isFinite(value) ? `${x(t).toFixed(1)},${y(Math.log10(value)).toFixed(1)}` : "",
    );
    chart.append(
      svg("polyline", { points: points.filter(Boolean).join(" "), class: `line${number}` }),
      svg("text", { x: left + 20 + 130 * number, y: 14, class: `name${number}` }, name),
    );
  });
  return chart;
}

Object.assign(globalThis, { ValueMap, logChart, setText, svg });
