// The networks of the package are stacks of one kind of cell.
import { codingOf, withFactor } from "./bytes.mjs";
import { gatesOf } from "./gates.mjs";
import { TandemError, checked } from "./module.mjs";
import {
  ACTIVATIONS, DIRECTIONS, PRECISIONS, Plan, Weights, directionsOf, dlcOf, shapeOf, sizeOf, takesAttention,
} from "./plan.mjs";
import { savedBytes } from "./saved.mjs";
import { Stream, StreamGroup, StreamStack } from "./stream.mjs";

const KEPT_SHAPES = 32; // a network keeps buffers for this many shapes of input

const OPTIONS = ["slc", "dhc", "layers", "direction", "bias", "batchFirst", "firstState", "precision", "weights", "seed", "peephole",
  "dic", "projection", "activation", "alpha", "beta", "activations", "clip", "inputForget", "cell"];

/** Refuses an object with members that are none of `known`. */
function checkOptions(options, known) {
  for (const name in options) {
    if (!known.includes(name)) throw new TandemError(`${name}: is no option; there are ${known.join(", ")}`);
  }
}

function layersOf(cell, options, eight) {
  checkOptions(options, OPTIONS);
  if ((options.cell ?? cell) !== cell) throw new TandemError(`cell: is ${options.cell}, but the network is of ${cell}`);
  const { slc, dhc, layers = 1, direction = "left2right", bias = true, peephole = false, dic = dhc, activation = "tanh",
    alpha = 0, beta = 0, precision = "float32" } = options;
  for (const [name, value] of Object.entries({ slc, dhc, layers, dic })) {
    if (!Number.isInteger(value) || value < 1) throw new TandemError(`${name}: is ${value}, but must be a positive integer`);
  }
  const words = { direction: [direction, DIRECTIONS], activation: [activation, ACTIVATIONS], precision: [precision, PRECISIONS] };
  for (const [name, [value, known]] of Object.entries(words)) {
    if (!Object.hasOwn(known, value)) {
      throw new TandemError(`${name}: is ${value}, but must be one of ${Object.keys(known).join(", ")}`);
    }
  }
  for (const [name, value] of Object.entries({ alpha, beta })) {
    if (typeof value !== "number") throw new TandemError(`${name}: is ${value}, but must be a number`);
  }
  if (cell !== "lstm" && (peephole || dic !== dhc)) throw new TandemError(`${cell}: only an LSTM has a peephole or a projection`);
  const gates = gatesOf(cell, options);
  const weights = ["weights_layer", "weights_iter", ...(peephole ? ["weights_peephole"] : []),
    ...(dic !== dhc || options.projection ? ["weights_projection"] : []), ...(bias ? ["bias"] : [])];
  const result = [];
  for (let l = 0; l < layers; ++l) {
    result.push({ cell, direction, activation, alpha, beta, precision, gates, dhc, dic, weights, slc: l === 0 ? slc : dlcOf(result[l - 1]) });
  }
  const last = layers - 1, turns = Boolean(options.batchFirst);
  return result.map((layer, l) => Object.freeze({ ...layer, turned: { first: turns && l === 0, last: turns && l === last },
    ...(eight === undefined ? {} : { kind: eight.kind, coding: eight.codings[l], precision: "float32" }) }));
}

// Returns small random numbers that are the same everywhere.
function randomWeights(layers, seed) {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 31 - 1;
  return layers.map((layer) => Object.fromEntries(layer.weights.map((name) => [name,
    Float32Array.from({ length: sizeOf(shapeOf(layer, name)) }, () => next() / Math.sqrt(layer.dhc))])));
}

/** Returns copies of h and c of one row before its first step. */
function firstStateOf(layers, given) {
  if (given === undefined || given === null) return undefined;
  const [{ cell, dic, dhc }] = layers, rows = layers.length * directionsOf(layers[0]);
  checkOptions(given, cell === "lstm" ? ["h", "c"] : ["h"]);
  const state = { h: checked(given.h, "firstState: h", rows * dic).slice() };
  return cell === "lstm" ? { ...state, c: checked(given.c, "firstState: c", rows * dhc).slice() } : state;
}

export class Network {
  #module;
  #options;
  #weights;
  #runs = new Map();
  #stack; // streams are made of it

  /** eight: {kind, codings} of a network in 8 bits, whose weights_layer are times the factor. */
  constructor(module, cell, options, eight) {
    this.#module = module;
    this.cell = cell;
    this.layers = Object.freeze(layersOf(cell, options, eight));
    this.#options = { ...options, weights: undefined };
    this.batchFirst = Boolean(options.batchFirst);
    this.firstState = firstStateOf(this.layers, options.firstState);
    this.quantization = eight?.kind;
    this.#take(options.weights ?? randomWeights(this.layers, options.seed ?? 0));
  }

  get weights() {
    return this.#weights.map(({ arrays }, l) => {
      const { coding } = this.layers[l];
      return coding === undefined ? { ...arrays } : { ...arrays, weights_layer: withFactor(arrays.weights_layer, coding, -1) };
    });
  }

  setWeights(weights) {
    this.#mustBeFloat("setWeights");
    this.#take(weights);
  }
  #take(weights) {
    if (weights.length !== this.layers.length) {
      throw new TandemError(`weights: are those of ${weights.length} layers, but the network has ${this.layers.length}`);
    }
    weights.forEach((given, l) => {
      const names = Object.keys(given).sort().join(", "), wanted = [...this.layers[l].weights].sort().join(", ");
      if (names !== wanted) throw new TandemError(`weights of layer ${l}: are ${names}, but must be ${wanted}`);
      for (const name of Object.keys(given)) checked(given[name], name, sizeOf(shapeOf(this.layers[l], name)));
    });
    this.free();
    this.#weights = weights.map((given, l) => new Weights(this.#module, this.layers[l], { ...given }));
  }
  #mustBeFloat(what) {
    if (this.quantization !== undefined) {
      throw new TandemError(`${what}: the network is in 8 bits (${this.quantization}), for inference; keep the one of floats for it`);
    }
  }

  quantize(options = {}) {
    this.#mustBeFloat("quantize");
    if (options.samples !== undefined) {
      throw new TandemError("quantize: the ranges of samples are found in Python: save() this network, and there save " +
        "tandem_rnn.from_safetensors(path).quantize(samples); fromSafetensors() runs that file");
    }
    checkOptions(options, ["weightsOnly"]);
    const weights = this.weights, codings = this.layers.map((layer, l) => codingOf(layer, weights[l]));
    const held = weights.map((arrays, l) => ({ ...arrays, weights_layer: withFactor(arrays.weights_layer, codings[l]) }));
    const kind = options.weightsOnly ? "weights_only" : "dynamic";
    return new Network(this.#module, this.cell, { ...this.#options, weights: held }, { kind, codings });
  }

  save() {
    return savedBytes(this, this.#weights.map(({ arrays }) => arrays), this.#options.precision);
  }

  run(x, options = {}) {
    const use = this.#useOf(x, options, false), key = `${use.steps} ${use.rows} ${use.lengths}`;
    let run = this.#runs.get(key);
    if (run === undefined) {
      if (this.#runs.size >= KEPT_SHAPES) this.#freeRuns();
      this.#runs.set(key, run = new Run(this.#module, this, this.#weights, use));
    }
    run.load(x, options);
    run.execute();
    return run.results(options.out);
  }

  record(x, options = {}) {
    this.#mustBeFloat("record");
    const run = new Run(this.#module, this, this.#weights, this.#useOf(x, options, true));
    try {
      run.load(x, options);
      run.execute();
      return new Tape(run);
    } catch (error) {
      run.free();
      throw error;
    }
  }

  stream() {
    return new Stream(this.#streamStack());
  }

  streamGroup(count) {
    return new StreamGroup(this.#streamStack(), count);
  }

  #streamStack() {
    return (this.#stack ??= new StreamStack(this.#module, this, this.#weights));
  }

  implementation() {
    const plan = new Plan(this.#module, this.layers[0], { steps: 1, rows: 1, lengths: false, training: false }, this.#weights[0]);
    try {
      return plan.implementation();
    } finally {
      plan.free();
    }
  }

  free() {
    this.#freeRuns();
    this.#stack?.free();
    this.#stack = undefined;
    for (const weights of this.#weights ?? []) weights.free();
  }

  #freeRuns() {
    for (const run of this.#runs.values()) run.free();
    this.#runs.clear();
  }

  #useOf(x, { rows = 1, lengths }, training) {
    const { slc } = this.layers[0];
    if (!Number.isInteger(rows) || rows < 1) throw new TandemError(`rows: is ${rows}, but must be a positive integer`);
    if (!(x instanceof Float32Array)) throw new TandemError("x: must be a Float32Array");
    const steps = x.length / (rows * slc);
    if (!Number.isInteger(steps) || steps < 1) {
      throw new TandemError(`x: has ${x.length} elements, but must have steps * ${rows} rows * ${slc} channels`);
    }
    return { steps, rows, lengths: lengths !== undefined, training };
  }
}

/** This is a stack for one number of steps and rows. */
class Run {
  constructor(module, { layers, firstState }, weights, use) {
    Object.assign(this, { module, layers, firstState, weights, use, plans: [] });
    try {
      layers.forEach((layer, l) => this.plans.push(new Plan(module, layer, use, weights[l], { below: this.plans[l - 1] })));
    } catch (error) {
      this.free();
      throw error;
    }
  }

  /** setStates() writes the states of all layers from one array, the direction fastest. first: those of one row, as a default. */
  setStates(tensor, given, name, { plans = this.plans, first } = {}) {
    const size = this.stateSize(tensor), { rows } = this.use, channels = size / directionsOf(this.layers[0]) / rows;
    if (given !== undefined) checked(given, name, size * plans.length);
    plans.forEach((plan, l) => {
      const view = plan.view(tensor);
      if (given !== undefined) view.set(given.subarray(l * size, (l + 1) * size));
      else if (first === undefined) view.fill(0);
      else {
        for (let at = 0; at < size; at += channels) {
          const row = (l * size / channels + at / channels) / rows;
          view.set(first.subarray(Math.floor(row) * channels, (Math.floor(row) + 1) * channels), at);
        }
      }
    });
  }
  states(tensor, plans = this.plans) {
    const size = this.stateSize(tensor), result = new Float32Array(size * plans.length);
    plans.forEach((plan, l) => result.set(plan.view(tensor), l * size));
    return result;
  }
  stateSize(tensor) {
    return directionsOf(this.layers[0]) * this.use.rows * (tensor.endsWith("_c") ? this.layers[0].dhc : this.layers[0].dic);
  }
  get hasC() {
    return this.layers[0].cell === "lstm";
  }

  load(x, { h, c, lengths, attention }) {
    const { steps, rows } = this.use, { cell } = this.layers[0];
    if (c !== undefined && !this.hasC) throw new TandemError(`c: is given, but ${cell} has none`);
    if (lengths !== undefined) {
      if (lengths.length !== rows || ![...lengths].every((n) => Number.isInteger(n) && n >= 0 && n <= steps)) {
        throw new TandemError(`lengths: must be ${rows} integers from 0 to ${steps}`);
      }
      for (const plan of this.plans) plan.view("sequence_lengths").set(lengths);
    }
    const attends = takesAttention(this.layers[0], attention);
    this.plans[0].setSource(x);
    this.setStates("src_iter", h, "h", { first: this.firstState?.h });
    if (this.hasC) this.setStates("src_iter_c", c, "c", { first: this.firstState?.c });
    if (attends) this.plans[0].view("augru_attention").set(checked(attention, "attention", steps * rows));
  }

  execute() {
    for (const plan of this.plans) {
      plan.encodeBelow();
      plan.execution.run();
    }
  }

  results(out) {
    const y = this.plans.at(-1).view("dst_layer");
    if (out !== undefined) checked(out, "out", y.length).set(y);
    const results = { y: out ?? y.slice(), h: this.states("dst_iter") };
    return this.hasC ? { ...results, c: this.states("dst_iter_c") } : results;
  }

  free() {
    for (const plan of this.plans.reverse()) plan.free();
    this.plans = [];
  }
}

/** This is an execution for training. */
class Tape {
  #run;

  constructor(run) {
    this.#run = run;
    Object.assign(this, run.results());
  }

  backward({ dy, dh, dc } = {}) {
    const run = this.#run, { module, layers, weights, use } = run;
    if (run.plans.length === 0) throw new TandemError("backward: the tape was freed");
    const plans = [];
    try {
      for (let l = layers.length - 1; l >= 0; --l) {
        plans.unshift(new Plan(module, layers[l], use, weights[l], { forward: run.plans[l] }));
      }
      const last = plans.at(-1).view("diff_dst_layer");
      if (dy === undefined) last.fill(0);
      else last.set(checked(dy, "dy", last.length));
      run.setStates("diff_dst_iter", dh, "dh", { plans });
      if (run.hasC) run.setStates("diff_dst_iter_c", dc, "dc", { plans });
      for (let l = layers.length - 1; l >= 0; --l) {
        plans[l].execution.run();
        if (l > 0) plans[l - 1].view("diff_dst_layer").set(plans[l].view("diff_src_layer"));
      }
      return this.#gradients(plans);
    } finally {
      for (const plan of plans.reverse()) plan.free();
    }
  }

  #gradients(plans) {
    const run = this.#run;
    const result = {
      x: plans[0].view("diff_src_layer").slice(),
      h: run.states("diff_src_iter", plans),
      weights: plans.map((plan) => Object.fromEntries(
        plan.layer.weights.map((name) => [name, plan.view("diff_" + name).slice()]))),
    };
    if (run.hasC) result.c = run.states("diff_src_iter_c", plans);
    if (run.layers[0].cell.endsWith("augru")) result.attention = plans[0].view("diff_augru_attention").slice();
    return result;
  }

  free() {
    this.#run.free();
  }
}
