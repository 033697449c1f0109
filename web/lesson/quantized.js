// A cell whose states and inputs are bytes or bf16 runs beside the exact one: the program of docs/book/int8.py, with its numbers.
"use strict";

const CHANNELS = 8,
  BYTE_STEPS = 200;

/** Returns the nearest whole number; ties go to the even one. */
function toEven(x) {
  const low = Math.floor(x),
    half = x - low;
  return half < 0.5 || (half === 0.5 && low % 2 === 0) ? low : low + 1;
}

/** Returns numbers between -1 and 1, the same on every machine. */
function drawn() {
  let state = 1;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0, (state >>> 8) / 2 ** 23 - 1);
}

/** Returns the values that bytes stand for, [INT8.1] and [INT8.2] in the reading onednn; `count` gets the saturated ones. */
function asBytes(values, { scale, zero }, count) {
  return values.map((x) => {
    const q = toEven(scale * x + zero),
      byte = Math.min(Math.max(q, 0), 255);
    if (q !== byte) ++count.saturated;
    ++count.all;
    return (byte - zero) / scale;
  });
}

/** Returns the nearest number with 8 binary digits. */
function toBf16(x) {
  if (x === 0) return 0;
  const unit = 2 ** (Math.floor(Math.log2(Math.abs(x))) - 7);
  return toEven(x / unit) * unit;
}

/** Returns the weights in a kind: "exact", "bf16", "channel" (a scale for each row) or "one". The largest with a scale becomes 127. */
function quantizedWeights(weights, kind) {
  if (kind === "exact") return weights;
  if (kind === "bf16") return weights.map((row) => row.map(toBf16));
  const largest = Math.max(...weights.flat().map(Math.abs));
  return weights.map((row) => {
    const w = 127 / (kind === "one" ? largest : Math.max(...row.map(Math.abs)));
    return row.map((weight) => toEven(weight * w) / w);
  });
}

const logistic = (x) => 1 / (1 + Math.exp(-x));
/** Returns W x + U h' of a gate, with W and U side by side. */
function sumsOf(weights, gate, x, h) {
  const read = [...x, ...h];
  return weights.slice(gate * CHANNELS, (gate + 1) * CHANNELS).map((row) => row.reduce((sum, w, i) => sum + w * read[i], 0));
}
/** Each computes one step and returns [h, c]. `store` is for what a product reads beside x and h'. */
const SCALE_CELLS = {
  LSTM: { gates: 4, step: (weights, x, h, c) => {
    const [i, f, candidate, o] = [0, 1, 2, 3].map((gate) => sumsOf(weights, gate, x, h));
    const next = c.map((old, j) => logistic(f[j]) * old + logistic(i[j]) * Math.tanh(candidate[j]));
    return [next.map((state, j) => logistic(o[j]) * Math.tanh(state)), next];
  } },
  GRU: { gates: 3, step: (weights, x, h, c, store) => {
    const [u, r] = [0, 1].map((gate) => sumsOf(weights, gate, x, h).map(logistic));
    const o = sumsOf(weights, 2, x, store(h.map((old, j) => r[j] * old)));
    return [h.map((old, j) => u[j] * old + (1 - u[j]) * Math.tanh(o[j])), c];
  } },
};

/**
 * options: `cell`; `states` ("bytes", "bf16" or "f32"), scale, zero, weights (a kind); `inputs`, a factor of the inputs. Returns
 * the largest error of h at each step, how many bytes of x and of h are saturated, and all x and h that were stored.
 */
function bytesBesideExact({ cell = "LSTM", states, scale, zero, weights, inputs = 1 }) {
  const next = drawn(),
    { gates, step } = SCALE_CELLS[cell];
  // Channels differ in size, as those of trained networks do: 1, 1/2, 1/4, 1/8.
  const given = Array.from({ length: gates * CHANNELS }, (_, row) =>
    Array.from({ length: 2 * CHANNELS }, () => next() / 2 ** (row % 4)),
  );
  const stored = quantizedWeights(given, weights),
    counts = { x: { saturated: 0, all: 0 }, h: { saturated: 0, all: 0 } };
  const keep = (values, count) => {
    if (states === "f32") return values;
    return states === "bf16" ? values.map(toBf16) : asBytes(values, { scale, zero }, count);
  };
  const zeros = new Array(CHANNELS).fill(0);
  let [exactH, exactC, h, c] = [zeros, zeros, zeros, zeros];
  const errors = [],
    numbers = { x: [], h: [] };
  for (let t = 0; t < BYTE_STEPS; ++t) {
    const x = Array.from({ length: CHANNELS }, () => inputs * next());
    [exactH, exactC] = step(given, x, exactH, exactC, (values) => values);
    // Bytes of r * h' are not counted: these numbers are no larger than those of h.
    [h, c] = step(stored, keep(x, counts.x), h, c, (values) => keep(values, { saturated: 0, all: 0 }));
    numbers.x.push(...x);
    numbers.h.push(...h);
    h = keep(h, counts.h);
    errors.push(Math.max(...h.map((value, j) => Math.abs(value - exactH[j]))));
  }
  return { errors, counts, numbers };
}

Object.assign(globalThis, { bytesBesideExact, toEven });
