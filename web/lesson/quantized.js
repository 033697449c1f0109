// An LSTM whose states and inputs are bytes runs beside the exact one: the program of docs/book/int8.py, with its numbers.
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

/** Returns the weights in a kind: "exact", "channel" (a scale for each row) or "one". The largest with a scale becomes 127. */
function quantizedWeights(weights, kind) {
  if (kind === "exact") return weights;
  const largest = Math.max(...weights.flat().map(Math.abs));
  return weights.map((row) => {
    const w = 127 / (kind === "one" ? largest : Math.max(...row.map(Math.abs)));
    return row.map((weight) => toEven(weight * w) / w);
  });
}

const logistic = (x) => 1 / (1 + Math.exp(-x));
/** Computes [LSTM.1] to [LSTM.6], with W and U side by side. */
function lstmStep(weights, x, h, c) {
  const read = [...x, ...h],
    a = weights.map((row) => row.reduce((sum, w, i) => sum + w * read[i], 0));
  const next = c.map((old, j) => logistic(a[CHANNELS + j]) * old + logistic(a[j]) * Math.tanh(a[2 * CHANNELS + j]));
  return [next.map((state, j) => logistic(a[3 * CHANNELS + j]) * Math.tanh(state)), next];
}

/**
 * options: `states` ("bytes" or "f32"), scale, zero, weights (a kind); `inputs`, a factor of the inputs. Returns the largest error
 * of h at each step, how many bytes of x and of h are saturated, and all numbers that became bytes.
 */
function bytesBesideExact({ states, scale, zero, weights, inputs = 1 }) {
  const next = drawn();
  // Channels differ in size, as those of trained networks do: 1, 1/2, 1/4, 1/8.
  const given = Array.from({ length: 4 * CHANNELS }, (_, row) =>
    Array.from({ length: 2 * CHANNELS }, () => next() / 2 ** (row % 4)),
  );
  const inBytes = quantizedWeights(given, weights),
    counts = { x: { saturated: 0, all: 0 }, h: { saturated: 0, all: 0 } };
  const keep = (values, count) => (states === "f32" ? values : asBytes(values, { scale, zero }, count));
  const zeros = new Array(CHANNELS).fill(0);
  let [exactH, exactC, h, c] = [zeros, zeros, zeros, zeros];
  const errors = [],
    numbers = [];
  for (let t = 0; t < BYTE_STEPS; ++t) {
    const x = Array.from({ length: CHANNELS }, () => inputs * next());
    [exactH, exactC] = lstmStep(given, x, exactH, exactC);
    [h, c] = lstmStep(inBytes, keep(x, counts.x), h, c);
    numbers.push(...x, ...h);
    h = keep(h, counts.h);
    errors.push(Math.max(...h.map((value, j) => Math.abs(value - exactH[j]))));
  }
  return { errors, counts, numbers };
}

Object.assign(globalThis, { bytesBesideExact, toEven });
