// Networks from safetensors files: with PyTorch's names, or what a network's save() wrote (saved.mjs).
import { TandemError } from "./module.mjs";
import { isSaved, savedNetwork } from "./saved.mjs";
import { CELLS } from "./schema.mjs";

// PyTorch's gates in the specification's order: i, f, c~, o are the same; r, u, o become u, r, o.
const GATES = { lstm: [0, 1, 2, 3], lbr_gru: [1, 0, 2], vanilla_rnn: [0] };
const NAME = /^(?:(.*)\.)?(weight_ih|weight_hh|weight_hr|bias_ih|bias_hh)(?:_l(\d{1,9})(_reverse)?)?$/s;

function halfToFloat(half) {
  const sign = half & 0x8000 ? -1 : 1, exponent = (half >> 10) & 31, fraction = half & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const TYPES = {
  F32: { bytes: 4, get: (view, at) => view.getFloat32(at, true) },
  F64: { bytes: 8, get: (view, at) => view.getFloat64(at, true) },
  I8: { bytes: 1, get: (view, at) => view.getInt8(at) },
  F16: { bytes: 2, get: (view, at) => halfToFloat(view.getUint16(at, true)) },
  BF16: {
    bytes: 2,
    get: (view, at) => {
      const word = new DataView(new ArrayBuffer(4));
      word.setUint16(2, view.getUint16(at, true), true);
      return word.getFloat32(0, true);
    },
  },
};

const isSizes = (value, count) => Array.isArray(value) && (count === undefined || value.length === count) &&
  value.every((n) => Number.isSafeInteger(n) && n >= 0);

/** The header of a file as an object, and where its tensors begin. */
function headerOf(view) {
  const size = view.byteLength < 8 ? NaN : Number(view.getBigUint64(0, true));
  if (size === 0) throw new TandemError("safetensors: the file has no header: its first 8 bytes are 0");
  if (!(8 + size <= view.byteLength)) throw new TandemError("safetensors: the file ends before its header");
  let header = null;
  try {
    header = JSON.parse(new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + 8, size)));
  } catch (error) { // of several classes: JSON that nests too deeply is no SyntaxError
    throw new TandemError(`safetensors: the header is no JSON (${error.message})`);
  }
  if (header === null || typeof header !== "object" || Array.isArray(header)) {
    throw new TandemError("safetensors: the header is no object");
  }
  return { header, begin: 8 + size };
}

/** Returns a DataView of an ArrayBuffer, or of a view of one. */
function viewOf(bytes) {
  if (ArrayBuffer.isView(bytes)) return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return new DataView(bytes);
  } catch {
    throw new TandemError("safetensors: the file must be an ArrayBuffer or a Uint8Array");
  }
}

function metadataOf({ __metadata__: found = {} }) {
  const isObject = found !== null && typeof found === "object" && !Array.isArray(found);
  if (!isObject || !Object.values(found).every((value) => typeof value === "string")) {
    throw new TandemError("safetensors: the metadata are no object of texts");
  }
  return found;
}

/** {tensors, metadata}; tensors: a Map of name to {dtype, shape, data}, where data() makes a Float32Array. */
export function readSafetensors(bytes) {
  const view = viewOf(bytes);
  const { header, begin } = headerOf(view), tensors = new Map();
  let left = view.byteLength - begin;
  for (const [name, entry] of Object.entries(header)) {
    if (name === "__metadata__") continue;
    const { dtype, shape, data_offsets: offsets } = entry ?? {};
    if (typeof dtype !== "string" || !isSizes(shape) || !isSizes(offsets, 2)) {
      throw new TandemError(`safetensors: ${name} has no dtype, shape and data_offsets`);
    }
    // Tensors that share bytes would be larger together than the file.
    left -= Math.max(offsets[1] - offsets[0], 0);
    if (left < 0) throw new TandemError("safetensors: the tensors have more bytes than the file");
    if (!Object.hasOwn(TYPES, dtype)) continue; // of layers that are no RNN's
    const type = TYPES[dtype], count = shape.reduce((product, n) => product * n, 1), start = begin + offsets[0];
    if (offsets[1] - offsets[0] !== count * type.bytes || start + count * type.bytes > view.byteLength) {
      throw new TandemError(`safetensors: ${name} does not have the bytes of its shape`);
    }
    tensors.set(name, { dtype, shape, data: () => Float32Array.from({ length: count }, (_, i) => type.get(view, start + i * type.bytes)) });
  }
  return { tensors, metadata: metadataOf(header) };
}

/** The cells of one module: "layer direction" to its tensors by PyTorch's names. */
function cellsOf(tensors, prefix) {
  const modules = new Map();
  for (const [name, tensor] of tensors) {
    const match = NAME.exec(name);
    if (match === null || tensor.dtype === "I8") continue;
    const module = match[1] ?? "", place = `${Number(match[3] ?? 0)} ${match[4] ? 1 : 0}`;
    if (!modules.has(module)) modules.set(module, new Map());
    const cells = modules.get(module);
    if (!cells.has(place)) cells.set(place, {});
    if (cells.get(place)[match[2]] !== undefined) throw new TandemError(`${name} is there twice`);
    cells.get(place)[match[2]] = tensor;
  }
  if (modules.size === 0) throw new TandemError("no name is that of a weight of an RNN module, such as weight_ih_l0");
  if (prefix === undefined && modules.size === 1) return [...modules.values()][0];
  if (modules.has(prefix)) return modules.get(prefix);
  throw new TandemError(`prefix: the RNN modules are ${[...modules.keys()].join(", ")}`);
}

/** The dims gates * units, inputs become inputs, gates, units. */
function matrixOf(cell, { shape: [rows, inputs], data }) {
  const order = GATES[cell], units = rows / order.length, from = data(), to = new Float32Array(from.length);
  for (let gate = 0; gate < order.length; ++gate) {
    for (let unit = 0; unit < units; ++unit) {
      for (let i = 0; i < inputs; ++i) {
        to[(i * order.length + order[gate]) * units + unit] = from[(gate * units + unit) * inputs + i];
      }
    }
  }
  return to;
}

function biasOf(cell, first, second) {
  const order = GATES[cell], one = first.data(), two = second.data(), units = one.length / order.length;
  const to = new Float32Array(CELLS[cell].biasGates * units);
  for (let gate = 0; gate < order.length; ++gate) {
    // The candidate of LBR-GRU keeps its two biases apart.
    const apart = cell === "lbr_gru" && gate === 2;
    for (let unit = 0; unit < units; ++unit) {
      const from = gate * units + unit;
      to[order[gate] * units + unit] = apart ? one[from] : one[from] + two[from];
      if (apart) to[3 * units + unit] = two[from];
    }
  }
  return to;
}

function weightsOf(cell, torch) {
  const weights = { weights_layer: matrixOf(cell, torch.weight_ih), weights_iter: matrixOf(cell, torch.weight_hh) };
  if (torch.weight_hr !== undefined) {
    const { shape: [dic, dhc], data } = torch.weight_hr, from = data();
    weights.weights_projection = Float32Array.from({ length: dic * dhc }, (_, i) => from[(i % dic) * dhc + Math.floor(i / dic)]);
  }
  if (torch.bias_ih !== undefined) weights.bias = biasOf(cell, torch.bias_ih, torch.bias_hh);
  return weights;
}

function joined(parts) {
  const result = {};
  for (const name of Object.keys(parts[0])) {
    result[name] = new Float32Array(parts.reduce((size, part) => size + part[name].length, 0));
    parts.reduce((at, part) => (result[name].set(part[name], at), at + part[name].length), 0);
  }
  return result;
}

/** Throws unless the weights of a layer and direction have the shapes of its cell. */
function checkShapes(cell, layer, torch, dic, dhc) {
  const rows = GATES[cell].length * dhc;
  const shapes = { weight_ih: [rows, torch.weight_ih.shape[1]], weight_hh: [rows, dic], weight_hr: [dic, dhc], bias_ih: [rows],
    bias_hh: [rows] };
  for (const [name, { shape }] of Object.entries(torch)) {
    if (shape.length !== shapes[name].length || shape.some((n, axis) => n !== shapes[name][axis])) {
      throw new TandemError(`layer ${layer}: ${name} has shape ${shape.join(", ")}, but must have ${shapes[name].join(", ")}`);
    }
  }
}

/** make(cell, options, eight) of the network that was saved in the file, or of the RNN module with PyTorch's names. */
export function networkOf(bytes, { prefix, cell, ...options }, make) {
  const file = readSafetensors(bytes);
  if (prefix === undefined && isSaved(file)) return savedNetwork(file, { cell, ...options }, make);
  const cells = cellsOf(file.tensors, prefix);
  const places = [...cells.keys()].map((place) => place.split(" "));
  // The layers are counted, whatever their numbers are: the first number that is missing is an error below.
  const layers = new Set(places.map(([layer]) => layer)).size, directions = places.some(([, d]) => d === "1") ? 2 : 1;
  const at = (layer, d) => {
    const torch = cells.get(`${layer} ${d}`);
    if (torch?.weight_ih === undefined || torch.weight_hh === undefined) {
      throw new TandemError(`layer ${layer} has no weights${d ? " of the reverse direction" : ""}`);
    }
    if ((torch.bias_ih === undefined) !== (torch.bias_hh === undefined)) throw new TandemError(`layer ${layer} has one bias of two`);
    return torch;
  };
  const first = at(0, 0), [rows, dic] = first.weight_hh.shape, dhc = first.weight_hr?.shape[1] ?? dic;
  const found = cell ?? { 1: "vanilla_rnn", 3: "lbr_gru", 4: "lstm" }[rows / dhc];
  if (found === undefined || !Object.hasOwn(GATES, found) || rows !== GATES[found].length * dhc) {
    throw new TandemError(`weight_hh has ${rows} rows for ${dhc} units, which are ${rows / dhc} gates; LSTM has 4, GRU 3, RNN 1`);
  }
  const weights = Array.from({ length: layers }, (_, layer) =>
    joined(Array.from({ length: directions }, (_, d) => {
      checkShapes(found, layer, at(layer, d), dic, dhc);
      return weightsOf(found, at(layer, d));
    })));
  return make(found, {
    ...options, slc: first.weight_ih.shape[1], dhc, dic, layers, direction: directions === 2 ? "concat" : "left2right",
    projection: first.weight_hr !== undefined, bias: first.bias_ih !== undefined, weights,
  });
}
