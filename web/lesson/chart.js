// Charts of lines are as wide as their place, so that letters keep their size. A reader can take along a picture and a table.
"use strict";

const LETTER_WIDTH = 7.5,
  MOST_POINTS = 120; // a longer line has no dots

/** Returns the width for a chart in `figure`, in pixels. */
const widthFor = (figure) => Math.max(300, Math.min(720, figure?.clientWidth || 560));

/** Makes names with a piece of their line, in as many rows as they need. Returns the elements and their height. */
function legendOf(lines, left, width) {
  const elements = [];
  let x = left,
    y = 16;
  lines.forEach(({ name, colour, dash }) => {
    const needed = 34 + name.length * LETTER_WIDTH;
    if (x > left && x + needed > width) [x, y] = [left, y + 20];
    elements.push(
      svg("path", { d: `M${x} ${y - 4}h20`, class: `curve ${colour}`, "stroke-dasharray": dash ?? "" }),
      svg("text", { x: x + 25, y, class: colour }, name),
    );
    x += needed + 8;
  });
  return { elements, height: y + 10 };
}

/** Returns the smallest of 1, 2, 5, 10, 20, ... or of 0.5, 0.2, 0.1, ... that is not below x. */
function roundStep(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  return power * [1, 2, 5, 10].find((digit) => digit * power >= x * (1 - 1e-9));
}

/** Returns the ends of the y axis and the numbers beside it. These are powers of ten if it is logarithmic. */
function scaleOf(numbers, { isLog, low, high }) {
  let from = low ?? Math.min(...numbers, isLog ? Infinity : 0),
    to = high ?? Math.max(...numbers, isLog ? -Infinity : 0);
  if (!Number.isFinite(from) || !Number.isFinite(to)) [from, to] = isLog ? [-1, 0] : [0, 1];
  if (isLog) [from, to] = [Math.floor(from), Math.ceil(to)];
  if (from === to) [from, to] = isLog ? [from - 1, to] : [from, from + 1];
  const jump = isLog ? Math.ceil((to - from) / 6) : roundStep((to - from) / 5);
  if (!isLog) [from, to] = [Math.floor(from / jump + 1e-9) * jump, Math.ceil(to / jump - 1e-9) * jump];
  const ticks = [];
  for (let i = 0; from + i * jump <= to + jump / 100; ++i) {
    const at = from + i * jump;
    ticks.push({ at, text: isLog ? `1e${at}` : shown(Math.abs(at) < jump / 100 ? 0 : at, 3) });
  }
  return { from, to, ticks };
}

/**
 * Draws lines of numbers over steps. lines: [{name, values, dash}]. options: isLog; `first`, the number of the first step, and
 * `every`, how far they are apart; `axis`, its name; `at`, a marked step; `level`, a number with a line of its own; `figure`,
 * where the chart will be; `empty`, words for a chart without numbers; `low` and `high`, the ends of the scale. On a logarithmic
 * scale, zeros are rings at the bottom.
 */
function lineChart(title, lines, options = {}) {
  const { isLog = true, first = 0, every = 1, axis = "t", at, level, empty, figure, height = 240 } = options;
  const width = widthFor(figure),
    left = 62,
    right = width - 12;
  lines = lines.map((line, i) => ({ ...line, colour: line.colour || letterClass(line.name) || `line${i}` }));
  const legend = legendOf(lines, left, right),
    top = legend.height,
    bottom = top + height;
  const on = isLog ? Math.log10 : (x) => x,
    isShown = (x) => Number.isFinite(x) && (!isLog || x > 0);
  const scale = scaleOf(lines.flatMap(({ values }) => values.filter(isShown).map(on)), { ...options, isLog });
  const steps = Math.max(...lines.map(({ values }) => values.length), 2);
  const x = (step) => left + ((right - left - 6) * step) / (steps - 1);
  const y = (value) => top + (height * (scale.to - Math.min(Math.max(value, scale.from), scale.to))) / (scale.to - scale.from);
  const chart = svg("svg", { viewBox: `0 0 ${width} ${bottom + 40}`, role: "img", "aria-label": title, class: "chart" });
  for (const { at: value, text } of scale.ticks) {
    chart.append(
      svg("path", { d: `M${left} ${y(value)}H${right}`, class: "grid" }),
      svg("text", { x: left - 7, y: y(value) + 4, "text-anchor": "end" }, text),
    );
  }
  if (level !== undefined) chart.append(svg("path", { d: `M${left} ${y(on(level))}H${right}`, class: "level" }));
  // The first step has its number, and those with round numbers that are not too near to it.
  const jump = Math.max(1, Math.ceil(roundStep((58 * steps) / (right - left))));
  for (let step = 0; step < steps; ++step) {
    if (step > 0 && ((first / every + step) % jump !== 0 || step < jump / 2)) continue;
    chart.append(svg("text", { x: x(step), y: bottom + 18, "text-anchor": "middle" }, String(first + every * step)));
  }
  chart.append(svg("text", { x: (left + right) / 2, y: bottom + 36, "text-anchor": "middle" }, axis), ...legend.elements);
  if (empty && lines.every(({ values }) => values.length === 0))
    chart.append(svg("text", { x: (left + right) / 2, y: top + height / 2, "text-anchor": "middle" }, empty));
  if (at !== undefined) chart.append(svg("path", { d: `M${x(at)} ${top}V${bottom}`, class: "now" }));
  for (const { name, values, colour, dash } of lines) {
    const points = values.map((value, step) => ({ value, step, at: [x(step).toFixed(1), y(on(value)).toFixed(1)] }));
    const drawn = points.filter(({ value }) => isShown(value));
    chart.append(
      svg("polyline", {
        points: drawn.map(({ at }) => at.join()).join(" "),
        class: `curve ${colour}`,
        "stroke-dasharray": dash ?? "",
      }),
    );
    if (values.length > MOST_POINTS) continue;
    const titled = (value, step) => svg("title", {}, `${name} at ${axis} = ${first + every * step}: ${shown(value)}`);
    for (const { value, step, at: [cx, cy] } of drawn)
      chart.append(svg("circle", { cx, cy, r: 2, class: colour }, titled(value, step)));
    for (const { value, step } of points.filter(({ value }) => isLog && value === 0))
      chart.append(svg("circle", { cx: x(step), cy: bottom, r: 3, class: `zero ${colour}` }, titled(value, step)));
  }
  return chart;
}

function download(name, blob) {
  const link = Object.assign(document.createElement("a"), { download: name, href: URL.createObjectURL(blob) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Returns a drawing as PNG, twice its size, with the page's colours, because a picture alone has no style sheet. */
async function pngOf(drawing) {
  const copy = drawing.cloneNode(true),
    { width, height } = drawing.viewBox.baseVal;
  const originals = [drawing, ...drawing.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((element, i) => {
    const style = getComputedStyle(originals[i]);
    for (const name of ["fill", "stroke", "stroke-width", "stroke-opacity", "fill-opacity", "opacity", "font"])
      element.style.setProperty(name, style.getPropertyValue(name));
  });
  Object.entries({ xmlns: SVG, width: 2 * width, height: 2 * height }).forEach(([key, value]) => copy.setAttribute(key, value));
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: 2 * width, height: 2 * height }),
    paint = canvas.getContext("2d");
  paint.fillStyle = getComputedStyle(document.body).backgroundColor;
  paint.fillRect(0, 0, canvas.width, canvas.height);
  paint.drawImage(image, 0, 0);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** lines: [{name, values}], as lineChart() has them. */
function csvOf(lines, { first = 0, every = 1, axis = "t" } = {}) {
  const steps = Math.max(...lines.map(({ values }) => values.length));
  const quoted = (text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = Array.from({ length: steps }, (_, step) => [first + every * step, ...lines.map(({ values }) => values[step] ?? "")].join());
  return `${[axis, ...lines.map(({ name }) => quoted(name))].join()}\n${rows.join("\n")}\n`;
}

/** Shows a chart in its figure, with a caption and buttons for its picture and its numbers. */
function showChart(figure, title, lines, options = {}) {
  if (!figure.taken) {
    const caption = document.createElement("figcaption"),
      words = caption.appendChild(new Text());
    figure.taken = { words };
    const button = (text, run) =>
      caption.append(" ", Object.assign(document.createElement("button"), { type: "button", textContent: text, onclick: run }));
    button("PNG", async () => download(`${figure.id}.png`, await pngOf(figure.querySelector("svg"))));
    button("CSV", () => download(`${figure.id}.csv`, new Blob([csvOf(figure.taken.lines, figure.taken.options)], { type: "text/csv" })));
    figure.replaceChildren(caption);
  }
  Object.assign(figure.taken, { lines, options });
  setText(figure.taken.words, title);
  figure.querySelector("svg")?.remove();
  figure.prepend(lineChart(title, lines, { ...options, figure }));
}

Object.assign(globalThis, { csvOf, download, lineChart, pngOf, showChart });
