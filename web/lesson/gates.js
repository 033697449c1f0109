// The page "why gates": the norm of dh over time in two cells.
"use strict";

/** One cell with a loss at the last step, whose recurrent weights can be scaled. */
class LastStepLoss {
  constructor(module, variant, steps, units) {
    this.lesson = module.open(problemOf({ variant, type: "f32", backward: true, steps, units }));
    for (const tensor of this.lesson.tensors.filter(({ name }) => name.startsWith("diff_dst"))) {
      const last = tensor.name === "diff_dst_layer" ? tensor.values.length - units : Infinity;
      tensor.values.forEach((_, index) => index < last && this.lesson.set(tensor, index, 0));
    }
    this.weights = this.lesson.tensor("weights_iter");
    this.bias = this.lesson.tensor("bias");
    this.given = { weights: [...this.weights.values], bias: [...this.bias.values] };
    this.lines = Array.from({ length: steps }, (_, t) =>
      this.lesson.step("backward", t).find(({ id, name }) => !id && name === "dh"),
    );
  }

  /** The norm of dh at each step. forget is added to the bias of gate 1, the LSTM's f. */
  norms(scale, forget) {
    this.given.weights.forEach((value, index) => this.lesson.set(this.weights, index, value * scale));
    const units = this.lesson.dhc;
    for (let unit = 0; this.bias.dims[2] > 1 && unit < units; ++unit) {
      this.lesson.set(this.bias, units + unit, this.given.bias[units + unit] + forget);
    }
    this.lesson.run();
    return this.lines.map((line) =>
      Math.hypot(...Array.from({ length: line.rows }, (_, unit) => this.lesson.value(line, unit))),
    );
  }
}

class GatesPage {
  constructor(module) {
    this.module = module;
    for (const id of ["steps", "units"]) document.getElementById(id).addEventListener("change", () => this.open());
    for (const id of ["scale", "forget"]) document.getElementById(id).addEventListener("input", () => this.refresh());
    this.open();
  }
  number(id) {
    const { value, min, max } = document.getElementById(id);
    return Math.min(Math.max(Number(value), min), max);
  }

  open() {
    for (const cell of this.cells ?? []) cell.lesson.close();
    const [steps, units] = [Math.round(this.number("steps")), Math.round(this.number("units"))];
    this.cells = [LESSON_CELLS.rnn.variants.tanh, LESSON_CELLS.lstm.variants.plain].map(
      (variant) => new LastStepLoss(this.module, variant, steps, units),
    );
    const table = document.getElementById("norms");
    table.replaceChildren();
    this.texts = Array.from({ length: steps }, (_, t) => {
      const row = table.insertRow();
      row.innerHTML = `<th scope=row>${t}<td class=number><td class=number>`;
      return [1, 2].map((column) => row.cells[column].appendChild(new Text()));
    });
    this.refresh();
  }

  refresh() {
    const scale = this.number("scale"),
      forget = this.number("forget");
    document.getElementById("scale-shown").textContent = scale;
    document.getElementById("forget-shown").textContent = forget;
    const norms = this.cells.map((cell) => cell.norms(scale, forget));
    this.texts.forEach((texts, t) => texts.forEach((text, cell) => setText(text, shown(norms[cell][t]))));
    const lines = ["RNN", "LSTM"].map((name, i) => ({ name, values: norms[i] }));
    document.getElementById("chart").replaceChildren(lineChart("norm of dh over time", lines));
    const ratio = norms.map((values) => shown(values[0] / values.at(-1), 3));
    document.getElementById("summary").textContent =
      `From the last step to the first, the gradient of the RNN is multiplied by ${ratio[0]}, that of the LSTM by ${ratio[1]}.`;
  }
}

addEventListener("DOMContentLoaded", async () => {
  globalThis.gatesPage = new GatesPage(await LessonModule.load(await unzipped(LESSON_MODULE)));
  document.body.dataset.ready = "yes";
});
