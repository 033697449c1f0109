// The numbers of a layer become bytes as in python/tandem_rnn/_bytes.py (docs/numerics.md, docs/saved_networks.md).
//
// A coding is {factor, scales, projection_scales, data}. weights_layer and weights_iter share a scale for each gate and unit. x is
// divided by `factor`, powers of two by which weights_layer is multiplied. data: scale and shift of u8 data, or undefined.
import { TandemError } from "./module.mjs";
import { CELLS } from "./schema.mjs";

export const KINDS = ["dynamic", "weights_only", "samples"];

// Nothing overflows in f32 with factors from 2^-100 to 2^100. Scales above 2^100 have other numerics.
const EXPONENT = 100, LEAST = 2 ** -90;

const scalesOf = (coding, name) => (name === "weights_projection" ? coding.projection_scales : coding.scales);

/** Turns bytes into numbers of a tensor of weights, weights_layer times the factor. toBytes() does the reverse. */
export function toNumbers(bytes, coding, name) {
  const scales = scalesOf(coding, name);
  return bytes.map((byte, i) => byte / scales[i % scales.length]);
}
export function toBytes(numbers, coding, name) {
  const scales = scalesOf(coding, name), result = new Int8Array(numbers.length);
  numbers.forEach((value, i) => {
    const exact = Math.fround(value * scales[i % scales.length]), up = Math.round(exact);
    const nearest = up - exact === 0.5 && up % 2 !== 0 ? up - 1 : up; // ties go to even
    result[i] = Math.min(Math.max(nearest, -128), 127);
  });
  return result;
}

/** Returns weights_layer times the factor, or divided by it. */
export function withFactor(weightsLayer, { factor, scales }, power = 1) {
  return weightsLayer.map((value, i) => value * factor[Math.floor(i / scales.length) % factor.length] ** power);
}

/** Writes the x of a primitive: floats divided by the factor, or bytes, which `to` rounds and limits, with 0 for a NaN. */
export function encode(x, to, { factor, data }) {
  const { fround } = Math, channels = factor.length;
  for (let i = 0, channel = 0; i < x.length; ++i) {
    const value = fround(x[i] / factor[channel]);
    to[i] = data === undefined ? value : fround(data[0] * fround(value + data[1]));
    channel = channel + 1 === channels ? 0 : channel + 1;
  }
}

/** Returns the largest magnitude for each of `count` places: place(i) has element i. */
function largest(values, count, place) {
  const result = new Float32Array(count);
  values.forEach((value, i) => (result[place(i)] = Math.max(result[place(i)], Math.abs(value))));
  return result;
}

function powerOfTwo(value, round) {
  const exponent = value > 0 ? round(Math.log2(value)) : 0;
  return 2 ** Math.min(Math.max(exponent, -EXPONENT), EXPONENT);
}

/** Returns channels of x whose weights are more than twice or less than half the median near to it. */
function balancedRows(rows) {
  const there = rows.filter((row) => row > 0).sort(), half = there.length >> 1;
  if (there.length === 0) return rows.fill(1);
  const median = there.length % 2 ? there[half] : Math.fround((there[half - 1] + there[half]) / 2);
  return rows.map((row) => 1 / powerOfTwo(Math.fround(row / median), Math.trunc));
}

/** Returns the power of two that makes ours about as large as others: the squares of the coarser steps have the least sum. */
function balance(ours, others) {
  const ratios = [...ours].map((value, i) => Math.log2(value / others[i])).filter(Number.isFinite);
  if (ratios.length === 0) return 1;
  let best = { loss: Infinity };
  const end = Math.ceil(-Math.min(...ratios));
  for (let shift = Math.floor(-Math.max(...ratios)); shift <= end; ++shift) {
    const loss = ratios.reduce((sum, ratio) => sum + 4 ** Math.abs(ratio + shift), 0);
    if (loss < best.loss) best = { loss, shift };
  }
  return 2 ** best.shift;
}

const to127 = (values) => values.map((value) => 127 / (value > 0 ? Math.max(value, LEAST) : 127));

/** Returns the coding of a layer's weights for float data. weights: real ones, a Float32Array for each name. */
export function codingOf({ cell, slc, dhc, dic }, weights) {
  for (const array of Object.values(weights)) {
    if (!array.every(Number.isFinite)) throw new TandemError("weights: have a NaN or an infinity, which no byte stands for");
  }
  const columns = CELLS[cell].gates * dhc, column = (i) => i % columns, input = weights.weights_layer;
  const coding = { factor: balancedRows(largest(input, slc, (i) => Math.floor(i / columns) % slc)), scales: { length: columns } };
  const others = largest(weights.weights_iter, columns, column), ours = () => largest(withFactor(input, coding), columns, column);
  const common = balance(ours(), others);
  coding.factor = coding.factor.map((factor) => powerOfTwo(factor * common, Math.round));
  coding.scales = to127(ours().map((value, i) => Math.max(value, others[i])));
  if (weights.weights_projection !== undefined) {
    coding.projection_scales = to127(largest(weights.weights_projection, dic, (i) => i % dic));
  }
  return coding;
}
