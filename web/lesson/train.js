// The page trains a network. It has iterations one by one or running, curves, and answers.
"use strict";

const MOST_DRAWN = 500, // points of a curve
  MOST_ITERATIONS = 5000,
  SHOWN_SEQUENCES = 4,
  MILLISECONDS = 14; // of work between two pictures

/** Draws some sequences with their questions and answers, a square for each step. */
function answersPicture(figure, { steps, tests }, answers) {
  const width = widthFor(figure),
    left = 66,
    size = Math.min(24, (width - left - 4) / steps),
    block = 76;
  const picture = svg("svg", { viewBox: `0 0 ${width} ${block * SHOWN_SEQUENCES}`, role: "img", class: "chart" });
  picture.setAttribute("aria-label", "inputs, targets and answers of some sequences");
  for (let row = 0; row < SHOWN_SEQUENCES; ++row) {
    const at = (t) => t * tests.rows + row,
      y = block * row;
    const kinds = {
      input: (t) => tests.x[at(t)],
      target: (t) => (tests.targets[at(t)] === undefined ? undefined : 2 * tests.targets[at(t)] - 1),
      answer: (t) => (tests.targets[at(t)] === undefined ? undefined : 2 * answers[at(t)] - 1),
    };
    Object.entries(kinds).forEach(([name, value], i) => {
      picture.append(svg("text", { x: 0, y: y + 20 * i + 15 }, name));
      for (let t = 0; t < steps; ++t) {
        const number = value(t);
        if (number === undefined) continue;
        const box = { x: left + size * t, y: y + 20 * i + 2, width: Math.max(size - 1, 1), height: 17 };
        picture.append(
          svg("rect", { ...box, class: number > 0 ? "line0" : "line1", "fill-opacity": Math.abs(number) }),
          svg("rect", { ...box, class: "span" }),
        );
      }
    });
  }
  return picture;
}

class TrainPage {
  constructor(library) {
    this.library = library;
    this.state = new PageState(byId("choices"), {
      open: () => this.open(),
      more: () => ({ iterations: this.trainer?.curves.loss.length || "" }),
      take: ({ iterations }) => (this.wanted = Math.min(Number(iterations) || 0, MOST_ITERATIONS)),
    });
    addPresets(this.state);
    byId("run").addEventListener("click", () => (this.isRunning ? this.pause() : this.run(MOST_ITERATIONS)));
    byId("step").addEventListener("click", () => this.stepOnce());
    this.open();
  }

  open() {
    this.pause();
    const of = (id) => byId(id).value,
      number = (id) => Number(of(id));
    const options = { cell: of("cell"), task: of("task") };
    for (const id of ["steps", "units", "seed", "rate", "bias", "clip"]) options[id] = number(id);
    const name = `${byId("cell").selectedOptions[0].text}, ${options.task} of ${options.steps}`;
    if (this.trainer?.curves.loss.length > 1) this.before = { name: `before: ${this.name}`, ...this.trainer.curves };
    this.trainer?.free();
    this.trainer = new Trainer((cell, words) => this.library.network(cell, words), options);
    this.name = name;
    byId("about").textContent = TASKS[options.task].about;
    if (this.wanted) this.run(this.wanted);
    this.wanted = 0;
    this.show();
  }

  stepOnce() {
    this.pause();
    this.trainer.step();
    this.show();
    this.state.keep(false);
  }
  /** Runs until so many iterations are done, and draws now and then. */
  run(until) {
    this.isRunning = true;
    byId("run").textContent = "Pause";
    const { trainer } = this;
    const some = () => {
      if (!this.isRunning || trainer !== this.trainer) return;
      const begin = performance.now();
      while (trainer.curves.loss.length < until && performance.now() - begin < MILLISECONDS) trainer.step();
      this.show();
      if (trainer.curves.loss.length >= until) this.pause();
      else this.later = setTimeout(some, 0);
    };
    this.later = setTimeout(some, 0);
  }
  pause() {
    clearTimeout(this.later);
    if (this.isRunning && this.trainer) this.state.keep(false);
    this.isRunning = false;
    byId("run").textContent = "Run";
  }

  show() {
    const { trainer, before } = this,
      done = trainer.curves.loss.length;
    const every = Math.ceil(Math.max(done, before?.loss.length ?? 0) / MOST_DRAWN) || 1;
    const thin = (values) => values.filter((_, i) => i % every === 0);
    const options = { first: 1, every, axis: "iteration", empty: "Press Run or Step." };
    const pairs = (key) => [
      { name: this.name, values: thin(trainer.curves[key]), colour: "line0" },
      ...(before ? [{ name: before.name, values: thin(before[key]), colour: "line1", dash: "4 3" }] : []),
    ];
    showChart(byId("loss"), "Loss; the line is that of guessing", pairs("loss"), { ...options, isLog: false, level: Math.LN2 });
    const norms = [
      { name: "all weights", values: thin(trainer.curves.weights), colour: "line2" },
      ...pairs("first").map((line) => ({ ...line, name: `${line.name}, first step` })),
    ];
    showChart(byId("norms"), "Length of the gradient: of all weights, and what reaches the first step", norms, options);
    const { answers, right } = trainer.test();
    byId("answers").replaceChildren(answersPicture(byId("answers"), trainer, answers));
    const loss = done ? `loss ${shown(trainer.curves.loss.at(-1), 3)}, ` : "";
    byId("said").textContent = `${done} iterations: ${loss}${(100 * right).toFixed(1)} % of the answers to new sequences are right.`;
  }
}

startPage(async () => {
  if (!globalThis.LIBRARY_MODULE) throw new Error("the library was not built when this page was written");
  globalThis.trainPage = new TrainPage(await TANDEM.load(await unzipped(LIBRARY_MODULE)));
});
