// These checks hold the package to its promises, in node and in a browser. Each check throws if a promise does not hold.
import { run as expected } from "./equations.mjs";
import { BOUND, close, fail, numbers, same, sentence } from "./helpers.mjs";
import { STREAM_CHECKS } from "./stream_checks.mjs";

const NETS = [
  ...["left2right", "right2left", "concat", "sum"].flatMap((direction) => [
    { cell: "lstm", direction, layers: 2 }, { cell: "gru", direction }, { cell: "lbr_gru", direction, layers: 2 },
    { cell: "vanilla_rnn", direction, activation: "tanh" }]),
  { cell: "lstm", peephole: true }, { cell: "lstm", dic: 3 }, { cell: "lstm", peephole: true, dic: 3, layers: 2 },
  { cell: "lstm", bias: false }, { cell: "vanilla_rnn", activation: "logistic" },
  { cell: "vanilla_rnn", activation: "elu", alpha: 0.5 }, { cell: "vanilla_rnn", activation: "affine", alpha: 0.5, beta: 0.25 },
  { cell: "augru" }, { cell: "lbr_augru" },
  { cell: "lstm", layers: 2, peephole: true, activations: [["hard_sigmoid", 0.2, 0.5], "softsign", ["relu", 0.1]], clip: 0.75, inputForget: true },
  { cell: "gru", activations: ["logistic", "relu"], clip: 0.75 },
  { cell: "lbr_gru", activations: [["hard_sigmoid", 0.2, 0.5], ["elu", 0.5]], direction: "concat" },
  { cell: "vanilla_rnn", activation: "affine", alpha: 1, beta: 0, clip: 0.5 },
];
const STEPS = 3, ROWS = 2, SLC = 4, DHC = 5;

function inputsOf(net) {
  const directions = ["concat", "sum"].includes(net.direction) ? 2 : 1, states = (net.layers ?? 1) * directions * ROWS;
  const inputs = { steps: STEPS, rows: ROWS, h: numbers(states * (net.dic ?? DHC)) };
  if (net.cell === "lstm") inputs.c = numbers(states * DHC);
  if (net.cell.endsWith("augru")) inputs.attention = numbers(STEPS * ROWS).map(Math.abs);
  return inputs;
}
const fullOf = (net) => ({ activation: "tanh", direction: "left2right", dhc: DHC, dic: DHC, ...net });

function forwardIsTheEquations({ rnn }) {
  for (const net of NETS) {
    for (const lengths of net.cell.endsWith("augru") ? [undefined] : [undefined, [1, STEPS]]) {
      const name = JSON.stringify({ ...net, lengths }), x = numbers(STEPS * ROWS * SLC);
      const network = rnn.network(net.cell, { slc: SLC, dhc: DHC, ...net }), inputs = { ...inputsOf(net), lengths };
      const got = network.run(x, inputs), want = expected(fullOf(net), network.weights, x, inputs);
      close(got.y, want.y, `${name} y`);
      close(got.h, want.h, `${name} h`);
      if (net.cell === "lstm") close(got.c, want.c, `${name} c`);
      network.free();
    }
  }
}

// Gradients are compared with central differences in double, whose error is about 1e-9; each sums at most 64 such products.
function backwardIsTheSlope({ rnn }) {
  for (const net of NETS) {
    const name = JSON.stringify(net), x = numbers(STEPS * ROWS * SLC), inputs = inputsOf(net);
    const network = rnn.network(net.cell, { slc: SLC, dhc: DHC, ...net }), weights = network.weights;
    const tape = network.record(x, inputs), dy = numbers(tape.y.length);
    const gradients = tape.backward({ dy });
    const slope = (vary) => {
      const loss = (sign) => {
        const varied = vary(sign * 2 ** -16);
        const { y } = expected(fullOf(net), varied.weights ?? weights, varied.x ?? x, { ...inputs, ...varied.inputs });
        return y.reduce((sum, value, i) => sum + value * dy[i], 0);
      };
      return (loss(1) - loss(-1)) / 2 ** -15;
    };
    // The array is a Float64Array, because a step of 2^-16 must not be rounded.
    const moved = (values, i, by) => Float64Array.from(values, (value, j) => value + (i === j ? by : 0));
    const check = (got, vary, label) => {
      for (const i of [0, got.length - 1]) close([got[i]], [slope((by) => vary(i, by))], `${name} ${label}[${i}]`, 64 * BOUND);
    };
    check(gradients.x, (i, by) => ({ x: moved(x, i, by) }), "dx");
    check(gradients.h, (i, by) => ({ inputs: { h: moved(inputs.h, i, by) } }), "dh");
    if (gradients.c) check(gradients.c, (i, by) => ({ inputs: { c: moved(inputs.c, i, by) } }), "dc");
    if (gradients.attention) {
      check(gradients.attention, (i, by) => ({ inputs: { attention: moved(inputs.attention, i, by) } }), "dattention");
    }
    weights.forEach((tensors, l) => {
      for (const tensor of Object.keys(tensors)) {
        check(gradients.weights[l][tensor], (i, by) => ({ weights: weights.map((other, k) =>
          (k === l ? { ...other, [tensor]: moved(other[tensor], i, by) } : other)) }), `d${tensor} of layer ${l}`);
      }
    });
    tape.free();
    network.free();
  }
}

function statesAreHandedOn({ rnn }) {
  const lstm = rnn.lstm({ slc: SLC, dhc: 20, layers: 2 }), x = numbers(6 * SLC), whole = lstm.run(x);
  const first = lstm.run(x.subarray(0, 3 * SLC)), out = new Float32Array(3 * 20);
  const second = lstm.run(x.subarray(3 * SLC), { h: first.h, c: first.c, out });
  if (second.y !== out) fail("out is not the caller's");
  same([...first.y, ...second.y], whole.y, "y in two parts");
  same(second.c, whole.c, "c in two parts");
  lstm.free();
}

function manyShapesNeedNoMoreMemory({ rnn }) {
  const lstm = rnn.lstm({ slc: 8, dhc: 64 });
  const want = lstm.run(new Float32Array(8).fill(0.5)).y;
  for (let steps = 1; steps < 200; ++steps) lstm.run(new Float32Array(8 * steps).fill(0.5));
  same(lstm.run(new Float32Array(8).fill(0.5)).y, want, "y after many shapes");
  lstm.free();
}

async function refusalsSayWhy({ rnn, load, TandemError }) {
  const refusal = await load(new Uint8Array(100)).catch((error) => error);
  if (!(refusal instanceof TandemError) || !/the source is no WebAssembly module/.test(refusal.message)) fail(`load: ${refusal}`);
  const lstm = rnn.lstm({ slc: SLC, dhc: DHC });
  sentence(TandemError, () => lstm.run(new Float32Array(3)), "x: has 3 elements", "4 channels");
  sentence(TandemError, () => lstm.run([1, 2, 3, 4]), "x: must be a Float32Array");
  sentence(TandemError, () => lstm.run(numbers(SLC), { h: numbers(1) }), "h: has 1 elements, but must have 5");
  sentence(TandemError, () => lstm.run(numbers(SLC), { lengths: [2] }), "lengths: must be 1 integers from 0 to 1");
  sentence(TandemError, () => rnn.augru({ slc: 4, dhc: 4 }).run(numbers(4)), "attention: an augru needs it");
  sentence(TandemError, () => rnn.lstm({ slc: 4, dhc: 4, weights: [{}] }), "weights of layer 0", "weights_iter");
  sentence(TandemError, () => rnn.lstm({ slc: 0, dhc: 4 }), "slc: is 0");
  sentence(TandemError, () => rnn.lstm({ slc: 4, dhc: 4, layer: 2 }), "layer: is no option; there are slc, dhc, layers");
  sentence(TandemError, () => rnn.lstm({ slc: 4, dhc: 4, cell: "gru" }), "cell: is gru, but the network is of lstm");
  sentence(TandemError, () => rnn.rnn({ slc: 4, dhc: 4, alpha: "1" }), "alpha: is 1, but must be a number");
  sentence(TandemError, () => rnn.network("cnn", { slc: 1, dhc: 4 }), "cell: is cnn", "lbr_augru");
  // This is the library's own sentence.
  sentence(TandemError, () => rnn.network("augru", { slc: 4, dhc: 4, direction: "concat" })
    .run(numbers(4), { attention: numbers(1) }), "augru: direction is bidirectional_concat");
  sentence(TandemError, () => rnn.fromSafetensors(new Uint8Array(4)), "ends before its header");
}

/** Returns a file of f32 tensors. */
function safetensors(tensors) {
  const header = {};
  let size = 0;
  for (const [name, { shape, data }] of Object.entries(tensors)) {
    header[name] = { dtype: "F32", shape, data_offsets: [size, size += 4 * data.length] };
  }
  let text = JSON.stringify(header);
  text += " ".repeat((8 - text.length % 8) % 8);
  const bytes = new Uint8Array(8 + text.length + size);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(text.length), true);
  bytes.set(new TextEncoder().encode(text), 8);
  for (const [name, { data }] of Object.entries(tensors)) {
    bytes.set(new Uint8Array(data.buffer), 8 + text.length + header[name].data_offsets[0]);
  }
  return bytes;
}

// PyTorch's formulas are applied to PyTorch's weights, for GRU and a bidirectional LSTM.
function safetensorsAreRead({ rnn }) {
  const sigmoid = (v) => 1 / (1 + Math.exp(-v));
  const torch = (gates, suffix) => ({
    ["weight_ih_l0" + suffix]: { shape: [gates * DHC, SLC], data: numbers(gates * DHC * SLC) },
    ["weight_hh_l0" + suffix]: { shape: [gates * DHC, DHC], data: numbers(gates * DHC * DHC) },
    ["bias_ih_l0" + suffix]: { shape: [gates * DHC], data: numbers(gates * DHC) },
    ["bias_hh_l0" + suffix]: { shape: [gates * DHC], data: numbers(gates * DHC) },
  });
  const x = numbers(SLC), h = numbers(DHC);
  const linear = (t, kind, v, gate, j, suffix) => v.reduce((sum, value, i) =>
    sum + value * t[`weight_${kind}_l0${suffix}`].data[(gate * DHC + j) * v.length + i],
  t[`bias_${kind}_l0${suffix}`].data[gate * DHC + j]);
  const gru = torch(3, ""), units = [...Array(DHC).keys()];
  const want = units.map((j) => {
    const both = (gate) => sigmoid(linear(gru, "ih", x, gate, j, "") + linear(gru, "hh", h, gate, j, ""));
    const candidate = Math.tanh(linear(gru, "ih", x, 2, j, "") + both(0) * linear(gru, "hh", h, 2, j, ""));
    return (1 - both(1)) * candidate + both(1) * h[j];
  });
  const named = Object.fromEntries(Object.entries(gru).map(([name, tensor]) => ["encoder." + name, tensor]));
  close(rnn.fromSafetensors(safetensors({ ...named, "head.weight": { shape: [1], data: numbers(1) } })).run(x, { h }).y,
    want, "PyTorch's GRU");

  const lstm = { ...torch(4, ""), ...torch(4, "_reverse") };
  const net = rnn.fromSafetensors(safetensors(lstm));
  const one = ["", "_reverse"].flatMap((suffix) => units.map((j) => {
    const gate = (g) => linear(lstm, "ih", x, g, j, suffix) + linear(lstm, "hh", new Float32Array(DHC), g, j, suffix);
    return sigmoid(gate(3)) * Math.tanh(sigmoid(gate(0)) * Math.tanh(gate(2)));
  }));
  close(net.run(x).y, one, "PyTorch's LSTM of two directions");
}

// docs/numerics.md promises these bits for targets without a fused multiply-add; python/tests/bits_test.py has the same networks.
// float16 is left out, because SSE4 has no float16 weights and WebAssembly has.
const BITS = [["lstm", "float32", 861014823], ["lstm", "bfloat16", 4092548265], ["gru", "float32", 2653058440],
  ["lbr_gru", "float32", 3701627346], ["vanilla_rnn", "float32", 2551834195]];
const FIRST = { weights_layer: 0, weights_iter: 100, bias: 200 };

function networksHaveTheBitsOfTheirClass({ rnn }) {
  const exact = (count, first) => Float32Array.from({ length: count }, (_, i) => ((first + i) * 7919 % 16001 - 8000) / 32768);
  for (const [cell, precision, hash] of BITS) {
    const options = { slc: 9, dhc: 21, layers: 2, precision };
    const weights = rnn.network(cell, options).weights.map((tensors, layer) => Object.fromEntries(Object.entries(tensors).map(
      ([name, { length }]) => [name, exact(length, FIRST[name] + 500 * layer)])));
    const { y } = rnn.network(cell, { ...options, weights }).run(exact(7 * 3 * 9, 1000), { rows: 3 });
    const got = new Uint8Array(y.buffer, y.byteOffset, y.byteLength)
      .reduce((all, byte) => Math.imul(all ^ byte, 0x01000193) >>> 0, 0x811c9dc5);  // FNV-1a
    if (got !== hash) fail(`${cell} in ${precision}: has the bits ${got}, not ${hash}`);
  }
}

export const CHECKS = [forwardIsTheEquations, backwardIsTheSlope, statesAreHandedOn, manyShapesNeedNoMoreMemory,
  networksHaveTheBitsOfTheirClass, refusalsSayWhy, safetensorsAreRead, ...STREAM_CHECKS];

/** Runs all checks. Returns failures, a line each, and prints which ones passed. */
export async function runAll({ load, TandemError }, say, more = []) {
  const rnn = await load(), failures = [];
  for (const check of [...CHECKS, ...more]) {
    try {
      await check({ rnn, load, TandemError });
      say(`passed: ${check.name}`);
    } catch (error) {
      failures.push(`FAILED: ${check.name}: ${error.stack}`);
    }
  }
  return failures;
}
