// This trains a small network on one of three tasks. The library computes the gradients of the network. The rest is here: the
// tasks, one output neuron with its loss, and Adam. A seed gives the same numbers each time.
"use strict";

const ROWS = 32, // sequences in one iteration
  TESTED = 64; // new sequences, on which answers are counted

/** Returns a function of numbers from -1 to 1, the same for a seed on every machine. */
function randomOf(seed) {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0);
  for (let i = 0; i < 8; ++i) next();
  return () => next() / 2 ** 31 - 1;
}

// target(x, t) is 1 or 0 for the answer after step t, or undefined if no answer is asked for.
const TASKS = {
  "first sign": {
    about: "The first number is positive or negative. The network says which, after the last step.",
    draw: (random) => random(),
    target: (x, t) => (t === x.length - 1 ? Number(x[0] > 0) : undefined),
  },
  parity: {
    about: "After each step the network says whether the number of ones so far is odd.",
    draw: (random) => (random() > 0 ? 1 : -1),
    target: (x, t) => x.slice(0, t + 1).filter((bit) => bit > 0).length % 2,
  },
  copy: {
    about: "The network repeats, after each step, the bit of three steps before.",
    draw: (random) => (random() > 0 ? 1 : -1),
    target: (x, t) => (t >= 3 ? Number(x[t - 3] > 0) : undefined),
  },
};
// This gate keeps the state.
const KEEPING_GATE = { lstm: 1, gru: 0 };

/** Returns sequences of a task: x is (steps, rows), as the network takes it, and targets has the same shape. */
function sequences(task, steps, rows, random) {
  const x = new Float32Array(steps * rows),
    targets = new Array(steps * rows);
  for (let row = 0; row < rows; ++row) {
    const sequence = Array.from({ length: steps }, () => TASKS[task].draw(random));
    sequence.forEach((number, t) => {
      x[t * rows + row] = number;
      targets[t * rows + row] = TASKS[task].target(sequence, t);
    });
  }
  return { x, targets, rows, count: targets.filter((target) => target !== undefined).length };
}

const lengthOf = (arrays) => Math.sqrt(arrays.reduce((sum, array) => array.reduce((all, x) => all + x * x, sum), 0));

/** This is Adam for arrays of numbers, which it changes. */
class Adam {
  constructor(arrays, rate) {
    Object.assign(this, { arrays, rate, count: 0 });
    this.means = arrays.map(({ length }) => [new Float64Array(length), new Float64Array(length)]);
  }
  /** The gradients are multiplied by `factor`. */
  step(gradients, factor) {
    ++this.count;
    const [first, second] = [1 - 0.9 ** this.count, 1 - 0.999 ** this.count];
    this.arrays.forEach((array, a) => {
      const [mean, square] = this.means[a];
      for (let i = 0; i < array.length; ++i) {
        const g = gradients[a][i] * factor;
        mean[i] = 0.9 * mean[i] + 0.1 * g;
        square[i] = 0.999 * square[i] + 0.001 * g * g;
        array[i] -= (this.rate * (mean[i] / first)) / (Math.sqrt(square[i] / second) + 1e-8);
      }
    });
  }
}

class Trainer {
  /**
   * make(cell, options) makes a network as the package's network() does. options: cell, task, steps, units, seed, rate; `bias` of
   * the gate that keeps the state; `clip`, the largest length of all gradients together.
   */
  constructor(make, options) {
    Object.assign(this, options);
    this.random = randomOf(this.seed);
    this.network = make(this.cell, { slc: 1, dhc: this.units, seed: this.seed });
    [this.weights] = this.network.weights;
    const gate = KEEPING_GATE[this.cell];
    if (gate !== undefined) this.weights.bias.fill(this.bias, gate * this.units, (gate + 1) * this.units);
    const output = randomOf(this.seed + 1);
    this.output = Float64Array.from({ length: this.units + 1 }, (_, i) => (i < this.units ? output() / Math.sqrt(this.units) : 0));
    this.names = Object.keys(this.weights);
    this.adam = new Adam([...this.names.map((name) => this.weights[name]), this.output], this.rate);
    this.network.setWeights([this.weights]);
    this.tests = sequences(this.task, this.steps, TESTED, randomOf(this.seed + 2));
    this.curves = { loss: [], weights: [], first: [] };
  }

  /** Returns the network's answer, 0 to 1, from its h at place i of (steps, rows). */
  answer(y, i) {
    let z = this.output[this.units];
    for (let unit = 0; unit < this.units; ++unit) z += this.output[unit] * y[i * this.units + unit];
    return 1 / (1 + Math.exp(-z));
  }

  /** Returns the loss of an execution, and its gradients for the network's y and for the output neuron. */
  loss(y, { targets, count }) {
    const dy = new Float32Array(y.length),
      dOutput = new Float64Array(this.units + 1);
    let loss = 0;
    targets.forEach((target, i) => {
      if (target === undefined) return;
      const p = this.answer(y, i),
        dz = (p - target) / count;
      loss -= Math.log(Math.max(target ? p : 1 - p, 1e-30)) / count;
      dOutput[this.units] += dz;
      for (let unit = 0; unit < this.units; ++unit) {
        dOutput[unit] += dz * y[i * this.units + unit];
        dy[i * this.units + unit] = dz * this.output[unit];
      }
    });
    return { loss, dy, dOutput };
  }

  /** Makes one iteration: forward, backward, a step of Adam. */
  step() {
    const batch = sequences(this.task, this.steps, ROWS, this.random);
    const tape = this.network.record(batch.x, { rows: ROWS });
    try {
      const { loss, dy, dOutput } = this.loss(tape.y, batch);
      const gradients = tape.backward({ dy }),
        all = [...this.names.map((name) => gradients.weights[0][name]), dOutput],
        length = lengthOf(all);
      this.adam.step(all, length > this.clip ? this.clip / length : 1);
      this.network.setWeights([this.weights]);
      this.curves.loss.push(loss);
      this.curves.weights.push(length);
      this.curves.first.push(lengthOf([gradients.h, gradients.c ?? []]));
    } finally {
      tape.free();
    }
  }

  /** Returns the answers to the new sequences, and which part of them is right. */
  test() {
    const { x, targets, rows, count } = this.tests,
      { y } = this.network.run(x, { rows });
    const answers = targets.map((_, i) => this.answer(y, i));
    const right = targets.filter((target, i) => target !== undefined && target === Number(answers[i] > 0.5)).length;
    return { answers, right: right / count };
  }

  free() {
    this.network.free();
  }
}

Object.assign(globalThis, { TASKS, Trainer, randomOf, sequences });
