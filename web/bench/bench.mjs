// tandem-rnn is timed beside ONNX Runtime Web and TensorFlow.js, each with one thread of WebAssembly in node:
//  npm ci --ignore-scripts --prefix web/bench; npm install --no-save --prefix web/bench tandem-rnn-VERSION.tgz
//  node web/bench/bench.mjs [SECONDS]
// Each row is an LSTM: milliseconds of one run, the best of nine rounds of SECONDS (0.1) in turns, and how many times as long the
// others take. Outputs are compared before anything is timed.
import * as ort from "onnxruntime-web";
import * as tf from "@tensorflow/tfjs";
import { setThreadsCount } from "@tensorflow/tfjs-backend-wasm";
import { createRequire } from "node:module";
import { load } from "tandem-rnn";
import { attribute, constant, model, node } from "../../conformance/plugins/onnx_model.mjs";

const seconds = Number(process.argv[2] ?? 0.1);
// The numbers are steps, rows, channels of x, units.
const SHAPES = [
  ["Silero's VAD, a step", 1, 1, 128, 128], ["key word spotting", 100, 1, 40, 64], ["keyboard, a step", 1, 1, 96, 256],
  ["speech, a step", 1, 1, 512, 512], ["speech, 50 steps", 50, 1, 512, 512], ["tagger, a sentence", 30, 1, 100, 128],
  ["time series, 16 rows", 20, 16, 256, 256], ["sensors, 32 rows", 24, 32, 8, 64], ["language, 16 rows", 35, 16, 200, 200],
  ["handwriting, 100 steps", 100, 1, 3, 400],
];

let state = 1;
const numbers = (count, size) => Float32Array.from({ length: count }, () =>
  size * ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 31 - 1));

/** Turns rows of a matrix of inputs, gates * units into gates * units, inputs, with the gates in another order. */
function transposed(matrix, units, order) {
  const columns = 4 * units, inputs = matrix.length / columns, result = new Float32Array(matrix.length);
  order.forEach((from, to) => {
    for (let u = 0; u < units; ++u) {
      for (let i = 0; i < inputs; ++i) result[(to * units + u) * inputs + i] = matrix[i * columns + from * units + u];
    }
  });
  return result;
}

const IOFC = [0, 3, 1, 2]; // of i, f, c~, o

async function onnxRun({ steps, rows, slc, dhc, x, weights }) {
  const bias = new Float32Array(8 * dhc);
  IOFC.forEach((from, to) => bias.set(weights.bias.subarray(from * dhc, (from + 1) * dhc), to * dhc));
  const bytes = model({
    nodes: [node("LSTM", ["x", "W", "R", "B"], ["y"], [attribute("hidden_size", dhc)])],
    constants: [constant("W", [1, 4 * dhc, slc], transposed(weights.weights_layer, dhc, IOFC)),
      constant("R", [1, 4 * dhc, dhc], transposed(weights.weights_iter, dhc, IOFC)), constant("B", [1, 8 * dhc], bias)],
    inputs: [{ name: "x", dims: [steps, rows, slc] }], outputs: ["y"],
  });
  const session = await ort.InferenceSession.create(new Uint8Array(bytes), { executionProviders: ["wasm"] });
  const feeds = { x: new ort.Tensor("float32", x, [steps, rows, slc]) };
  return async () => (await session.run(feeds)).y.data;
}

function tfjsRun({ steps, rows, slc, dhc, x, weights }) {
  const zeros = { kernelInitializer: "zeros", recurrentInitializer: "zeros" };
  const layer = tf.layers.lstm({ units: dhc, returnSequences: true, recurrentActivation: "sigmoid", ...zeros });
  const network = tf.sequential({ layers: [tf.layers.inputLayer({ batchInputShape: [rows, steps, slc] }), layer] });
  layer.setWeights([tf.tensor(weights.weights_layer, [slc, 4 * dhc]), tf.tensor(weights.weights_iter, [dhc, 4 * dhc]),
    tf.tensor(weights.bias, [4 * dhc])]);
  const input = tf.tidy(() => tf.tensor(x, [steps, rows, slc]).transpose([1, 0, 2]));
  return async () => {
    const output = network.predict(input), turned = output.transpose([1, 0, 2]), y = await turned.data();
    tf.dispose([output, turned]);
    return y;
  };
}

async function milliseconds(run) {
  const start = performance.now();
  let runs = 0, elapsed;
  do {
    await run();
    elapsed = performance.now() - start;
  } while (++runs, elapsed < 1000 * seconds);
  return elapsed / runs;
}

/** Each is timed in each round: a disturbance of one round disturbs all alike. */
async function bestTimes(all) {
  const best = all.map(() => Infinity);
  for (let round = 0; round < 9; ++round) {
    for (const [i, run] of all.entries()) best[i] = Math.min(best[i], await milliseconds(run));
  }
  return best;
}

ort.env.wasm.numThreads = 1;
setThreadsCount(1);
const folder = createRequire(import.meta.url).resolve("@tensorflow/tfjs-backend-wasm/package.json").replace(/package.json$/, "wasm-out/");
(await import("@tensorflow/tfjs-backend-wasm")).setWasmPaths(folder);
await tf.setBackend("wasm");
const tandem = await load();
const ratios = [];
console.log(`| LSTM | steps, rows, x, units | tandem-rnn ms | ONNX Runtime Web ${ort.env.versions.web ?? ""} | TensorFlow.js ${tf.version.tfjs} |\n|---|---|---|---|---|`);
for (const [name, steps, rows, slc, dhc] of SHAPES) {
  const weights = { weights_layer: numbers(slc * 4 * dhc, 1 / Math.sqrt(dhc)), weights_iter: numbers(dhc * 4 * dhc, 1 / Math.sqrt(dhc)),
    bias: numbers(4 * dhc, 0.1) };
  const problem = { steps, rows, slc, dhc, weights, x: numbers(steps * rows * slc, 1) };
  const lstm = tandem.lstm({ slc, dhc, weights: [weights] });
  const runs = [async () => lstm.run(problem.x, { rows }).y, await onnxRun(problem), tfjsRun(problem)];
  const [mine, ...others] = await Promise.all(runs.map((run) => run()));
  for (const theirs of others) {
    const most = theirs.reduce((worst, value, i) => Math.max(worst, Math.abs(value - mine[i])), 0);
    if (theirs.length !== mine.length || !(most < 1e-4)) throw new Error(`${name}: outputs differ by ${most}`);
  }
  const times = await bestTimes(runs);
  ratios.push(times.slice(1).map((time) => time / times[0]));
  console.log(`| ${name} | ${steps}, ${rows}, ${slc}, ${dhc} | ${times[0].toPrecision(3)} | ${ratios.at(-1).map((r) => `${r.toFixed(2)} x`).join(" | ")} |`);
  lstm.free();
}
const mean = (k) => Math.exp(ratios.reduce((sum, row) => sum + Math.log(row[k]), 0) / ratios.length).toFixed(2);
console.log(`| geometric mean | | | ${mean(0)} x | ${mean(1)} x |`);
