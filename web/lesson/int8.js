// The page of the error over 200 steps.
"use strict";

class ErrorPage {
  constructor(module) {
    this.model = new LessonModel(module);
    const choices = { LSTM: LESSON_CELLS.lstm.variants.plain, GRU: LESSON_CELLS.gru.variants.plain };
    document.getElementById("variant").append(...Object.entries(choices).map(([name, words]) => new Option(name, words)));
    for (const id of ["variant", "type"]) document.getElementById(id).addEventListener("change", () => this.open());
    document.getElementById("scale").addEventListener("input", () => this.refresh());
    this.open();
  }

  open() {
    const [variant, type] = ["variant", "type"].map((id) => document.getElementById(id).value);
    this.model.open({ variant, type, backward: false, steps: 200, units: 16 });
    this.weights = ["weights_layer", "weights_iter"].map((name) => this.model.exact.tensor(name));
    this.given = this.weights.map(({ values }) => [...values]);
    this.refresh();
  }

  refresh() {
    const scale = Number(document.getElementById("scale").value);
    document.getElementById("scale-shown").textContent = scale;
    this.weights.forEach((tensor, i) =>
      this.given[i].forEach((value, index) => this.model.set(tensor, index, value * scale)),
    );
    this.model.run();
    const values = this.model.distances(),
      { type } = this.model.lesson;
    document
      .getElementById("chart")
      .replaceChildren(lineChart("largest distance of h from f32 over time", [{ name: `|h ${type} − h f32|`, values }]));
    const half = (from, to) => shown(Math.max(...values.slice(from, to)), 3);
    document.getElementById("summary").textContent =
      `Largest distance in the first 100 steps: ${half(0, 100)}; in the last 100: ${half(100, 200)}.`;
  }
}

addEventListener("DOMContentLoaded", async () => {
  globalThis.errorPage = new ErrorPage(await LessonModule.load(await unzipped(LESSON_MODULE)));
  document.body.dataset.ready = "yes";
});
