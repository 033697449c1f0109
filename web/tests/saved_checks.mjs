// These checks read the saved networks of api/tests/network/golden, which Python and C++ read, too.
import { readSafetensors } from "./node_modules/tandem-rnn/safetensors.mjs";
import { writeSafetensors } from "./node_modules/tandem-rnn/saved.mjs";
import { BOUND, close, fail, numbers, same, sentence } from "./helpers.mjs";

// Under bfloat16 a processor may round x and h, too.
const boundOf = ({ metadata }) => (metadata.precision === "bfloat16" ? 2 ** -6 : BOUND);
const of = ({ tensors }, name) => tensors.get(`user.${name}`)?.data();

function savedNetworksHaveTheNumbersOfEveryLanguage({ rnn }, golden) {
  if (golden.size < 15) fail(`there are only ${golden.size} files`);
  for (const [name, bytes] of golden) {
    const file = readSafetensors(bytes), net = rnn.fromSafetensors(bytes), x = of(file, "x"), attention = of(file, "attention");
    if (net.quantization !== file.metadata.quantization) fail(`${name}: is in ${net.quantization}`);
    if (net.quantization === undefined && net.layers[0].precision !== file.metadata.precision) fail(`${name}: has another precision`);
    const got = net.run(x, { rows: 2, attention });
    for (const part of ["y", "h", ...(net.cell === "lstm" ? ["c"] : [])]) close(got[part], of(file, part), `${name} ${part}`, boundOf(file));
    if (net.batchFirst) streamsToo(name, net, { file, x, attention, y: of(file, "y") });
    net.free();
  }
}
function streamsToo(name, net, { file, x, attention, y }) {
  const half = (array, row = 0) => array?.slice(row * array.length / 2, (row + 1) * array.length / 2);
  const voice = net.stream(), desk = net.streamGroup(2), steps = half(x).length / net.layers[0].slc;
  const part = (array, step, row = 0) => half(array, row)?.slice(step * half(array).length / steps, (step + 1) * half(array).length / steps);
  for (const time of ["at first", "after reset"]) {
    close(voice.run(half(x), steps, undefined, half(attention)), half(y), `${name}: a stream ${time}`, boundOf(file));
    const { h } = voice.state;
    voice.reset();
    close(voice.step(part(x, 0), undefined, part(attention, 0)), part(y, 0), `${name}: a step ${time}`, boundOf(file));
    voice.state = { ...voice.state, h };
    same(voice.state.h, h, `${name}: h that was set`);
    voice.reset();
  }
  const both = (array, step) => array && Float32Array.from([...part(array, step, 1), ...part(array, step, 0)]);
  for (let step = 0; step < steps; ++step) {
    close(desk.step([1, 0], both(x, step), undefined, both(attention, step)), both(y, step), `${name}: a group`, boundOf(file));
  }
}

function content(bytes) {
  const { tensors, metadata } = readSafetensors(bytes);
  return { metadata: { ...metadata, alpha: Number(metadata.alpha), beta: Number(metadata.beta ?? 0) },
    tensors: [...tensors].filter(([name]) => !name.startsWith("user.")).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, { dtype, shape, data }]) =>
      [name, dtype, shape.join(), [...data()].join()]) };
}
function sameContent(got, want, name) {
  const [one, other] = [got, want].map((bytes) => {
    const { metadata, tensors } = content(bytes);
    return [...Object.entries(metadata).sort(), ...tensors].map(String);
  });
  one.forEach((line, i) => line !== other[i] && fail(`${name}: has ${line.slice(0, 300)}, not ${other[i]?.slice(0, 300)}`));
  if (one.length !== other.length) fail(`${name}: has ${one.length} entries, not ${other.length}`);
}
function saveWritesWhatWasRead({ rnn }, golden) {
  for (const [name, bytes] of golden) sameContent(rnn.fromSafetensors(bytes).save(), bytes, name);
}
function quantizeMakesPythonsBytes({ rnn, TandemError }, golden) {
  const net = rnn.fromSafetensors(golden.get("lstm_large.safetensors")), eight = net.quantize();
  sameContent(eight.save(), golden.get("lstm_dynamic.safetensors"), "dynamic");
  sameContent(net.quantize({ weightsOnly: true }).save(), golden.get("lstm_weights_only.safetensors"), "weights only");
  // A weight departs by half of a step, which is at most 1 / 127 of the largest.
  eight.weights.forEach((weights, l) => {
    for (const name of Object.keys(weights)) close(weights[name], net.weights[l][name], `layer ${l}: ${name}`, 1 / 127);
  });
  sentence(TandemError, () => net.quantize({ samples: numbers(4) }), "the ranges of samples are found in Python");
  sentence(TandemError, () => net.quantize({ weightOnly: true }), "weightOnly: is no option; there are weightsOnly");
  sentence(TandemError, () => eight.record(numbers(16)), "record: the network is in 8 bits (dynamic), for inference");
  sentence(TandemError, () => eight.setWeights(net.weights), "setWeights: the network is in 8 bits");
  sentence(TandemError, () => eight.quantize(), "quantize: the network is in 8 bits");
  const wrong = rnn.gru({ slc: 1, dhc: 1 });
  wrong.setWeights([{ ...wrong.weights[0], bias: Float32Array.of(0, NaN, 0) }]);
  sentence(TandemError, () => wrong.quantize(), "weights: have a NaN");
}

function gatesAreSavedAndRefused({ rnn, TandemError }, golden) {
  const options = { slc: 3, dhc: 4, activations: [["hard_sigmoid", 1e30, Math.fround(1 / 6)], ["relu", -0.1]], clip: 3e-9 };
  const { metadata } = readSafetensors(rnn.gru(options).save());
  if (metadata.activations !== "hard_sigmoid:1e30:0.16666667+relu:-0.1" || metadata.clip !== "3e-9") fail(`has ${JSON.stringify(metadata)}`);
  const usual = readSafetensors(rnn.lstm({ slc: 3, dhc: 4, activations: ["logistic", "tanh", "tanh"], clip: 0 }).save()).metadata;
  if (Object.keys(usual).some((key) => ["activations", "clip", "input_forget"].includes(key))) fail(`has ${JSON.stringify(usual)}`);
  const eight = rnn.fromSafetensors(golden.get("lstm_gates.safetensors")).quantize();
  sameContent(eight.save(), golden.get("lstm_gates_dynamic.safetensors"), "dynamic");
  for (const [cell, more, ...words] of [["lstm", { activations: ["tanh", "tanh"] }, "activations: must be 3, of recurrent, candidate, output"],
    ["gru", { activations: ["sigmoid", "tanh"] }, "recurrent is sigmoid, but must be one of relu, tanh, logistic"],
    ["gru", { activations: ["hard_sigmoid", "tanh"] }, "hard_sigmoid with 0 numbers, but must have 2"],
    ["gru", { activations: ["logistic", ["tanh", 1]] }, "candidate is tanh with 1 numbers"],
    ["gru", { activations: ["logistic", ["elu", 1e39]] }, "alpha of candidate: is 1e+39, but must be finite"],
    ["vanilla_rnn", { activations: ["tanh"] }, "only lstm, gru, lbr_gru take them"], ["augru", { clip: 1 }, "clip: is given, but only"],
    ["lstm", { clip: -1 }, "clip: is -1, but must not be negative"], ["lstm", { clip: "1" }, "clip: is 1, but must be a number"],
    ["lstm", { inputForget: 1 }, "inputForget: is 1, but must be true or false"], ["gru", { inputForget: true }, "only lstm takes it"]]) {
    sentence(TandemError, () => rnn.network(cell, { slc: 3, dhc: 4, ...more }), ...words);
  }
}

function filesOfAnotherFormAreRefused({ rnn, TandemError }, golden) {
  const refused = (name, change, ...words) => {
    const { tensors, metadata } = readSafetensors(golden.get(`${name}.safetensors`));
    const all = Object.fromEntries([...tensors].map(([key, { dtype, shape, data }]) =>
      [key, { shape, data: dtype === "I8" ? Int8Array.from(data()) : data() }]));
    change(all, metadata);
    sentence(TandemError, () => rnn.fromSafetensors(writeSafetensors(all, metadata)), ...words);
  };
  for (const [key, value, ...words] of [["tandem_network", "2", "tandem_network: is 2, but this package reads 1"],
    ["aktivation", "relu", "the metadata have the unknown key aktivation"], ["batch_first", "true", "batch_first: is true"],
    ["alpha", "0,1", "alpha: is 0,1, but must be a number"], ["precision", "int4", "precision: is int4, but must be one of float32"],
    ["quantization", "4 bits", "quantization: is 4 bits, but must be one of dynamic"], ["cell", "cnn", "cell: is cnn"],
    ["quantization", "dynamic", "0.weights_layer: is F32, but must be I8"], ["direction", "sum", "0.weights_layer: has shape 1, 1, 4"],
    ["activation", "gelu", "activation: is gelu, but must be one of relu"]]) {
    refused("vanilla_rnn", (_, metadata) => { metadata[key] = value; }, ...words);
  }
  const ones = (...shape) => ({ shape, data: new Float32Array(shape.reduce((a, b) => a * b)).fill(1) });
  for (const [key, tensor, ...words] of [["0.bais", ones(1), "the unknown tensor 0.bais"],
    ["first_state.y", ones(1), "the unknown tensor first_state.y"],
    ["first_state.c", ones(2, 4), "first_state.c: has shape 2, 4, but must have 2, 5"],
    ["0.weights_iter", ones(1, 1, 4, 4, 5), "0.weights_iter: has shape 1, 1, 4, 4, 5, but must have 1, 1, 5, 4, 5"],
    ["1.bias", undefined, "the file has no tensor 1.bias"], ["first_state.c", undefined, "first_state: has h, which is no state of lstm"]]) {
    refused("lstm", (tensors) => {
      if (tensor === undefined) delete tensors[key];
      else tensors[key] = tensor;
    }, ...words);
  }
  for (const [name, key, value, ...words] of [["lstm_gates", "activations", "tanh+relu:0", "activations: must be 3"],
    ["gru_gates", "activations", "logistic+relu", "activations: has relu, which is no function with its numbers"],
    ["gru_gates", "activations", "logistic+relu:", "activations: has relu:, which"], ["gru_gates", "activations", "logistic+gelu", "has gelu, which"],
    ["vanilla_rnn", "activations", "tanh", "only lstm, gru, lbr_gru take them"], ["lstm_gates", "clip", "1,5", "clip: is 1,5, but must be a number"],
    ["lstm_gates", "clip", "-1", "clip: is -1, but must not be negative"], ["augru", "clip", "1", "clip: is given, but only"],
    ["lstm_gates", "input_forget", "1", "input_forget: is 1, but must be True or False"],
    ["gru_gates", "input_forget", "True", "inputForget: is given, but only lstm"]]) {
    refused(name, (_, metadata) => { metadata[key] = value; }, ...words);
  }
  refused("lstm_dynamic", (tensors) => { delete tensors["1.scales"]; }, "the file has no tensor 1.scales");
  refused("lstm_dynamic", (tensors) => tensors["1.factor"].data.fill(-1), "1.factor: has a number that is not above 0 and finite");
}

// The network has rows first, or steps first.
function batchFirstTrainsTheSame({ rnn }) {
  const [steps, rows, slc, dhc] = [3, 2, 4, 5], options = { slc, dhc, layers: 2, direction: "concat" };
  const turn = (array) => Float32Array.from(array, (_, i) => {
    const channels = array.length / steps / rows, [row, step] = [Math.floor(i / channels / steps), Math.floor(i / channels) % steps];
    return array[(step * rows + row) * channels + i % channels];
  });
  for (const cell of ["lstm", "gru"]) {
    const net = rnn.network(cell, options), turned = rnn.network(cell, { ...options, batchFirst: true, weights: net.weights });
    const x = numbers(steps * rows * slc), one = net.record(x, { rows }), other = turned.record(turn(x), { rows });
    same(other.y, turn(one.y), `${cell} y`);
    const dy = numbers(one.y.length), want = one.backward({ dy }), got = other.backward({ dy: turn(dy) });
    same(got.x, turn(want.x), `${cell} dx`);
    same(got.h, want.h, `${cell} dh`);
    want.weights.forEach((weights, l) => Object.keys(weights).forEach((name) => same(got.weights[l][name], weights[name], `${cell} d${name}`)));
  }
}

function callsBeginWithTheFirstState({ rnn, TandemError }) {
  const h = numbers(2 * 3), c = numbers(2 * 5), options = { slc: 4, dhc: 5, dic: 3, direction: "concat" }, x = numbers(2 * 3 * 4);
  const net = rnn.lstm(options), learned = rnn.lstm({ ...options, firstState: { h, c } });
  const ofRows = (array, channels) => Float32Array.from({ length: 2 * array.length }, (_, i) =>
    array[Math.floor(i / channels / 2) * channels + i % channels]);
  same(learned.run(x, { rows: 2 }).y, net.run(x, { rows: 2, h: ofRows(h, 3), c: ofRows(c, 5) }).y, "y");
  const dh = (tape) => tape.backward({ dy: tape.y }).h;
  same(dh(learned.record(x, { rows: 2 })), dh(net.record(x, { rows: 2, h: ofRows(h, 3), c: ofRows(c, 5) })), "dh");
  sentence(TandemError, () => rnn.lstm({ ...options, firstState: { h } }), "firstState: c: must be a Float32Array");
  sentence(TandemError, () => rnn.gru({ slc: 4, dhc: 5, firstState: { h: numbers(5), c } }), "c: is no option; there are h");
}

const CHECKS = [savedNetworksHaveTheNumbersOfEveryLanguage, saveWritesWhatWasRead, quantizeMakesPythonsBytes, gatesAreSavedAndRefused,
  filesOfAnotherFormAreRefused, batchFirstTrainsTheSame, callsBeginWithTheFirstState];

/** Returns the checks with these files, a Map of names to bytes. */
export const savedChecks = (golden) => CHECKS.map((check) =>
  Object.defineProperty((opened) => check(opened, golden), "name", { value: check.name }));
