// Maps of values over time, and lines over time. Colours are those of the page.
"use strict";

const byId = (id) => document.getElementById(id);
const MAP_LEFT = 26,
  MAP_BOTTOM = 18,
  MAP_LARGEST = 4096; // a wider canvas is slow

/** Squares from blue (negative) over the page's colour (0) to red, units downwards and steps to the right, with both numbered. */
class ValueMap {
  constructor(name, units, steps, choose) {
    this.figure = document.createElement("figure");
    this.canvas = document.createElement("canvas");
    this.caption = document.createElement("figcaption");
    this.name = name;
    Object.assign(this, { units, steps });
    this.cell = Math.max(1, Math.min(12, Math.floor(MAP_LARGEST / Math.max(steps, units))));
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

  /** value(t, unit); the square at `chosen` has a frame. `scale` is the number of the strongest colour. */
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

/** Lines of numbers over the steps. lines: [{name, values}]; a logarithmic scale shows positive numbers only. */
function lineChart(title, lines, isLogarithmic = true) {
  const width = 560,
    height = 260,
    left = 60,
    bottom = 30,
    top = 24;
  const isShown = (x) => Number.isFinite(x) && (!isLogarithmic || x > 0),
    on = isLogarithmic ? Math.log10 : (x) => x;
  const shownValues = lines.flatMap(({ values }) => values.filter(isShown).map(on));
  let low = Math.min(...shownValues, 0),
    high = Math.max(...shownValues, isLogarithmic ? low : 0);
  if (isLogarithmic) [low, high] = [Math.floor(low), Math.ceil(high)];
  if (high === low) ++high;
  const steps = Math.max(...lines.map(({ values }) => values.length), 1);
  const x = (t) => left + ((width - left - 30) * t) / Math.max(steps - 1, 1);
  const y = (at) => top + ((height - top - bottom) * (high - at)) / (high - low);
  const chart = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title, class: "chart" });
  const jump = isLogarithmic ? Math.ceil((high - low) / 6) : (high - low) / 4;
  for (let at = low; at <= high + jump / 100; at += jump) {
    chart.append(
      svg("path", { d: `M${left} ${y(at)}H${width - 10}`, class: "grid" }),
      svg("text", { x: left - 6, y: y(at) + 4, "text-anchor": "end" }, isLogarithmic ? `1e${at}` : shown(at, 3)),
    );
  }
  for (let t = 0; t < steps; t += Math.ceil(steps / 8)) {
    chart.append(svg("text", { x: x(t), y: height - 8, "text-anchor": "middle" }, `t = ${t}`));
  }
  lines.forEach(({ name, values }, number) => {
    const colour = letterClass(name) || `line${number}`;
    const points = values
      .map((value, t) => ({ value, t, at: [x(t).toFixed(1), y(on(value)).toFixed(1)] }))
      .filter(({ value }) => isShown(value));
    chart.append(
      svg("polyline", { points: points.map(({ at }) => at.join()).join(" "), class: `curve ${colour}` }),
      ...points.map(({ value, t, at: [cx, cy] }) =>
        svg("circle", { cx, cy, r: 2, class: colour }, svg("title", {}, `${name} at t = ${t}: ${shown(value)}`)),
      ),
      svg("text", { x: left + 20 + (480 / lines.length) * number, y: 14, class: colour }, name),
    );
  });
  return chart;
}

Object.assign(globalThis, { ValueMap, lineChart, setText, svg });
