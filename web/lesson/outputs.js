// A problem's results are the intervals that the judge accepts, and outputs of implementations that `tandem trace` ran.
"use strict";

const MOST_ELEMENTS = 16; // for one output

/** Returns the elements of an output that belong to a place: [{name, index}]. */
function elementsAt(output, { t, layer, dir, unit, row }, lesson) {
  const { dims, begin, name } = output,
    channels = dims.at(-1);
  const first = (count) => Array.from({ length: Math.min(count, MOST_ELEMENTS) }, (_, i) => i);
  // dst_layer and diff_src_layer are [t, n, c]; the states are [l, d, n, c].
  if (dims.length === 3) {
    const at = begin + (t * dims[1] + row) * channels;
    return first(channels).map((channel) => ({ name: `${name}, unit ${channel}`, index: at + channel }));
  }
  const stack = layer * dims[1] + dir,
    size = dims.slice(2).reduce((a, b) => a * b, 1);
  if (/(src|dst)_iter/.test(name)) {
    const at = begin + stack * size + row * channels;
    return first(channels).map((channel) => ({ name: `${name}, unit ${channel}`, index: at + channel }));
  }
  // Weights end with gate and channel. Those that have inputs show the first one.
  const gates = dims.length > 4 || !name.includes("projection") ? dims.at(-2) : 1,
    channel = Math.min(unit, channels - 1);
  return first(gates).map((gate) => ({
    name: `${name}, ${gates > 1 ? `gate ${gate}, ` : ""}unit ${channel}`,
    index: begin + stack * size + gate * channels + channel,
  }));
}

/** Draws a box for the accepted interval, a line for the equations' value, a numbered dot for each implementation. */
function intervalPicture(name, { exact, low, high }, found) {
  const width = high > low ? high - low : Math.max(Math.abs(low) * 2 ** -23, 2 ** -149);
  const x = (value) => {
    const place = high > low ? 50 + (100 * (value - low)) / width : 100 + (50 * (value - low)) / width;
    return Number.isFinite(place) ? Math.min(196, Math.max(4, place)) : 196;
  };
  const height = 14 * found.length + 6;
  const at = x(exact);
  const called = `accepted interval of ${name}`;
  const picture = svg("svg", { viewBox: `0 0 220 ${height}`, width: 220, role: "img", "aria-label": called });
  picture.append(
    svg("rect", { x: 50, y: 0, width: 100, height, class: "accepted" }),
    svg("line", { x1: at, x2: at, y1: 0, y2: height }),
  );
  found.forEach(({ number, value, isInside }, i) => {
    const y = 10 + 14 * i;
    picture.append(
      svg("circle", { cx: x(value), cy: y, r: 4, class: isInside ? "inside" : "outside" }),
      svg("text", { x: x(value) + 6, y: y + 4 }, String(number)),
    );
  });
  return picture;
}

class OutputTable {
  /** implementations: [{name, failure, outputs}] of LESSON_DATA, or none. */
  constructor(implementations = []) {
    this.implementations = implementations.map((one, i) => ({ ...one, number: i + 1 }));
    byId("implementations").textContent = this.implementations
      .map(({ number, name, failure }) => `${number}: ${name}${failure ? ` (${failure})` : ""}`)
      .join(", ");
    for (const head of document.querySelectorAll(".of-implementations")) head.hidden = !implementations.length;
  }

  /** `wasChanged`: the implementations have run with other numbers. */
  update(lesson, at, wasChanged) {
    const intervals = lesson.intervals();
    const ran = wasChanged ? [] : this.implementations.filter(({ outputs }) => outputs);
    const rows = lesson.outputs
      .flatMap((output) => elementsAt(output, at, lesson))
      .map(({ name, index }) => this.row(name, index, intervals, ran));
    byId("intervals").replaceChildren(...rows);
  }

  row(name, index, intervals, ran) {
    const [exact, low, high] = intervals.subarray(3 * index, 3 * index + 3);
    const end = (x) => (Number.isNaN(x) ? (Number.isNaN(exact) ? "NaN" : "any") : shown(x, 9));
    const isInside = (x) => (Number.isNaN(low) ? Number.isNaN(x) || !Number.isNaN(exact) : x >= low && x <= high);
    const found = ran.map(({ number, outputs }) => {
      const value = numeric(outputs[index]);
      return { number, value, isInside: isInside(value) };
    });
    const row = document.createElement("tr");
    const numbers = [shown(exact, 9), end(low), end(high)].map((number) => `<td class=number>${number}`);
    row.innerHTML = `<th scope=row>${name}${numbers.join("")}`;
    if (found.length === 0) return row;
    row.insertCell().append(intervalPicture(name, { exact, low, high }, found));
    row.insertCell().innerHTML = found.map(({ number, value }) => `${number}: ${shown(value, 9)}`).join("<br>");
    return row;
  }
}

Object.assign(globalThis, { OutputTable });
