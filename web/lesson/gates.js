// The page "why gates" shows the length of the last h's gradient for each number of steps back, in three cells.
"use strict";

// `open` is the gate that keeps the state, and `candidate` the one that reads x.
const COMPARED = [
  { name: "RNN", gates: 1, candidate: 0 },
  { name: "LSTM", variant: "--alg=VANILLA_LSTM", gates: 4, candidate: 2, open: 1, keeps: "f" },
  { name: "GRU", variant: "--alg=VANILLA_GRU", gates: 3, candidate: 2, open: 0, keeps: "u" },
];
const BOOK_COLUMNS = [1, 5, 10, 20, 50, 100];

/** Returns a rotation of so many units, by columns; the same each time. */
function rotation(units) {
  let state = 1;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 31 - 1;
  const columns = [];
  while (columns.length < units) {
    const column = Array.from({ length: units }, next);
    for (const other of columns) {
      const along = other.reduce((sum, x, i) => sum + x * column[i], 0);
      other.forEach((x, i) => (column[i] -= along * x));
    }
    const length = Math.hypot(...column);
    columns.push(column.map((x) => x / length));
  }
  return units === 1 ? [[1]] : columns;
}

/** This is one cell whose loss is the last h. */
class LastStepLoss {
  constructor(module, cell, { steps, units, activation }) {
    Object.assign(this, cell, { steps, units });
    const variant = cell.variant ?? `--alg=VANILLA_RNN --activation=${activation}`;
    this.isTanh = activation === "TANH";
    this.lesson = module.open(problemOf({ variant, type: "f32", backward: true, steps, units }));
    this.rotation = rotation(units);
    const find = (phase, t, name) => this.lesson.step(phase, t).findLast((line) => line.name === name);
    this.lines = Array.from({ length: steps }, (_, t) => ({
      sent: ["dh'", "dc'"].map((name) => find("backward", t, name)).filter(Boolean),
      reached: ["dh", "dc"].map((name) => find("backward", t, name)).filter(Boolean),
      kept: find("forward", t, cell.keeps ?? "h"),
    }));
  }

  /** Sets every number of a tensor: value(gate, output, input), value(step, unit), or value(0, unit). */
  fill(name, value) {
    const tensor = this.lesson.tensor(name);
    if (!tensor) return;
    const { dims } = tensor,
      last = dims.at(-1);
    tensor.values.forEach((_, index) => {
      const row = Math.floor(index / last);
      const at = dims.length === 5 ? [row % dims[3], index % last, Math.floor(row / dims[3])] : [row, index % last];
      this.lesson.set(tensor, index, value(...at));
    });
  }

  /** Returns the lengths of (dh', dc') 1, 2, ... steps back. */
  lengths({ u, bias, input }) {
    const { units, steps, candidate, open } = this;
    this.fill("weights_layer", (gate, output, from) => (gate === candidate && output === from ? 1 : 0));
    this.fill("weights_iter", (gate, output, from) => u * this.rotation[from][output]);
    this.fill("bias", (row, unit) => (row % this.gates === open ? bias : 0));
    this.fill("src_layer", (t) => input[t % 2]);
    for (const name of ["src_iter", "src_iter_c", "diff_dst_iter", "diff_dst_iter_c"]) this.fill(name, () => 0);
    this.fill("diff_dst_layer", (t) => (t === steps - 1 ? 1 / Math.sqrt(units) : 0));
    this.lesson.run();
    return this.lines.map(({ sent }) => this.length(sent)).reverse();
  }
  length(lines) {
    const all = lines.flatMap((line) => Array.from({ length: this.units }, (_, unit) => this.lesson.value(line, unit)));
    return Math.hypot(...all);
  }

  /** Returns the mean, over the units, of the number that keeps the gradient: f, u, or the slope of the activation. */
  keeper(t) {
    const values = Array.from({ length: this.units }, (_, unit) => this.lesson.value(this.lines[t].kept, unit));
    const slope = (h) => (this.isTanh ? 1 - h * h : h > 0 ? 1 : 0);
    return values.map(this.keeps ? (x) => x : slope).reduce((a, b) => a + b) / this.units;
  }
}

/** Draws a row of squares for each cell, the last step to the right: full for the gradient's whole length, empty for 1e-4. */
function reachPicture(figure, cells, back) {
  const width = widthFor(figure),
    left = 50,
    right = width - 72,
    height = 26 * cells.length + 26,
    steps = cells[0].lengths.length;
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", class: "chart" });
  picture.setAttribute("aria-label", "how far back the gradient of the last h reaches, for each cell");
  const size = (right - left) / steps;
  cells.forEach(({ name, lengths, colour }, i) => {
    picture.append(svg("text", { x: 0, y: 26 * i + 17, class: colour }, name));
    lengths.slice(0, back).forEach((length, k) => {
      const opacity = Math.min(1, Math.max(0, 1 + Math.log10(length) / 4)) || 0;
      const at = { x: right - size * (k + 1), y: 26 * i + 4, width: Math.max(size - 0.5, 0.5), height: 18 };
      picture.append(svg("rect", { ...at, class: length > 1 ? "longer" : colour, "fill-opacity": opacity }));
    });
    picture.append(
      svg("rect", { x: left, y: 26 * i + 4, width: right - left, height: 18, class: "frame-of" }),
      svg("text", { x: right + 6, y: 26 * i + 17, class: colour }, shown(lengths[back - 1], 3)),
    );
  });
  picture.append(
    svg("text", { x: left, y: height - 6 }, "first step"),
    svg("text", { x: right, y: height - 6, "text-anchor": "end" }, "← the loss is here"),
  );
  return picture;
}

class GatesPage {
  constructor(module) {
    this.module = module;
    this.state = new PageState(byId("choices"), {
      open: () => this.open(),
      more: () => (byId("back").value === byId("back").max ? {} : { back: byId("back").value }),
      take: ({ back }) => (this.wanted = back),
    });
    addPresets(this.state);
    byId("back").addEventListener("input", () => this.look());
    byId("back").addEventListener("change", () => this.state.keep());
    new Player(byId("back"), { milliseconds: 60 });
    this.open();
  }

  open() {
    const of = (id) => byId(id).value;
    const size = { steps: Number(of("steps")), units: Number(of("units")), activation: of("activation") };
    if (JSON.stringify(size) !== this.size) {
      this.size = JSON.stringify(size);
      for (const { lesson } of this.cells ?? []) lesson.close();
      this.cells = COMPARED.map((cell) => new LastStepLoss(this.module, cell, size));
      byId("back").max = size.steps;
    }
    byId("back").value = this.wanted ?? size.steps;
    const [input, bias] = [of("input").split(",").map(Number), Number(of("bias"))];
    this.shown = this.cells.map((cell, i) => {
      const u = Number(of(cell.keeps ? "gated" : "rnn"));
      return { name: cell.name, cell, u, colour: `line${i}`, dash: ["", "6 3", "2 3"][i], lengths: cell.lengths({ u, bias, input }) };
    });
    this.showTable();
    this.look();
  }

  showTable() {
    const columns = [...new Set([...BOOK_COLUMNS, Number(byId("steps").value)])].filter((k) => k <= Number(byId("steps").value));
    byId("columns").innerHTML = `<tr><th scope=col>steps back${columns.map((k) => `<th scope=col>${k}`).join("")}`;
    byId("norms").innerHTML = this.shown
      .map(({ name, lengths }) => {
        const numbers = columns.map((k) => `<td class=number>${shown(lengths[k - 1], 3)}`);
        return `<tr><th scope=row>${name}${numbers.join("")}`;
      })
      .join("");
    const [rnn, lstm, gru] = this.shown.map(({ lengths }) => lengths.at(-1));
    const most = rnn > lstm && rnn > gru ? "The RNN" : lstm >= gru ? "The LSTM" : "The GRU";
    const fate = this.shown.map(({ name, lengths }) => {
      const left = lengths.at(-1);
      const word = left > 10 ? "it explodes" : left < 0.01 ? "it vanishes" : "it is kept";
      return `${name} ${shown(left, 3)} (${word})`;
    });
    byId("summary").textContent = `After ${this.shown[0].lengths.length} steps back there is left: ${fate.join(", ")}. ${most} keeps most.`;
    byId("because").innerHTML = this.because();
  }

  /** Returns the reason in numbers: a mean factor, and what so many of them make. */
  because() {
    const [rnn, lstm] = this.shown,
      steps = rnn.lengths.length,
      left = rnn.lengths.at(-1),
      power = (product) => `${shown(product ** (1 / steps), 3)}, and ${steps} such numbers make ${shown(product, 3)}`;
    const f = Array.from({ length: steps }, (_, t) => lstm.cell.keeper(t)).reduce((a, b) => a * b);
    return `Why: in a mean step the RNN multiplies the length by ${power(left)}. The LSTM has the way of c, on which ` +
      `<span class="q-f">f</span> alone multiplies: f is ${power(f)}.`;
  }

  /** Shows the step that is `back` steps before the end, and its factors. */
  look() {
    const back = Number(byId("back").value);
    byId("back-shown").textContent = back;
    byId("reach").replaceChildren(reachPicture(byId("reach"), this.shown, back));
    const factors = this.shown.map(({ lengths }) => lengths.map((length, k) => (k === 0 ? length : length / lengths[k - 1])));
    byId("why").innerHTML = this.shown
      .map(({ name, cell, colour, u, lengths }, i) => {
        const t = lengths.length - back,
          kept = cell.keeper(t);
        const way = cell.keeps
          ? `On the way of ${cell.keeps === "f" ? "c" : "h"} it multiplies by <span class="q-${cell.keeps}">${cell.keeps} = ${shown(kept, 3)}</span>
             alone. U = ${shown(u, 3)} adds small parts.`
          : `It multiplies by U times the slope: ${shown(u, 3)} · ${shown(kept, 3)} = ${shown(u * kept, 3)}.`;
        return `<section class="card"><h2 class="${colour}">${name}</h2><p>Step t = ${t} makes the length
          <b>${shown(factors[i][back - 1], 3)}</b> times what it was. ${way}</p><p>Left after ${back}: <b>${shown(lengths[back - 1], 3)}</b></p></section>`;
      })
      .join("");
    const lines = (values) => this.shown.map(({ name, colour, dash }, i) => ({ name, colour, dash, values: values(i) }));
    const options = { axis: "steps back", at: back };
    showChart(byId("lengths"), "Length of the gradient, a step back at a time", lines((i) => [1, ...this.shown[i].lengths]), options);
    showChart(byId("factors"), "What one step multiplies the length by: below 1 it shrinks, above 1 it grows", lines((i) => factors[i]), {
      ...options, first: 1, isLog: false, level: 1, at: back - 1,
      high: Math.min(3, Math.max(1.2, ...factors.flat().filter(Number.isFinite))),
    });
  }
}

startPage(async () => {
  globalThis.gatesPage = new GatesPage(await referenceModule());
});
