// save() writes and fromSafetensors() reads the files of docs/saved_networks.md.
import { KINDS, toBytes, toNumbers } from "./bytes.mjs";
import { optionsOfSaved, savedGates } from "./gates.mjs";
import { TandemError } from "./module.mjs";
import { dlcOf, shapeOf } from "./plan.mjs";
import { CELLS, PACKED } from "./schema.mjs";

const FORM = "1";
const KEYS = ["tandem_network", "cell", "direction", "activation", "alpha", "beta", "activations", "clip", "input_forget", "precision",
  "batch_first", "quantization"];
const WEIGHTS = ["weights_layer", "weights_iter", "weights_peephole", "weights_projection", "bias"];
const CODING = ["factor", "scales", "projection_scales", "data"];
const OF_LAYER = /^([0-9]+)\.(.*)$/s;

export function isSaved({ tensors, metadata }) {
  return metadata.tandem_network !== undefined || [...tensors.keys()].some((name) => OF_LAYER.exec(name)?.[2] === "weights_layer");
}

/** Refuses a newer form, and entries that this one does not have. Older files do not say their form. */
function checkForm({ tensors, metadata }) {
  const form = metadata.tandem_network;
  if (form === undefined) return;
  if (form !== FORM) {
    throw new TandemError(`tandem_network: is ${form}, but this package reads ${FORM}; a newer one may have written the file`);
  }
  for (const key of Object.keys(metadata)) {
    if (!KEYS.includes(key) && !key.startsWith("user.")) {
      throw new TandemError(`the metadata have the unknown key ${key}; keys of your own begin with user.`);
    }
  }
  for (const name of tensors.keys()) {
    const own = OF_LAYER.exec(name)?.[2], isState = name.startsWith("first_state.");
    if ((own !== undefined && ![...WEIGHTS, ...CODING].includes(own)) || (isState && !/^first_state\.[hc]$/.test(name))) {
      throw new TandemError(`the file has the unknown tensor ${name}`);
    }
  }
}

function word(metadata, key, known, absent) {
  const found = metadata[key] ?? absent;
  if (!known.includes(found)) throw new TandemError(`${key}: is ${found}, but must be one of ${known.join(", ")}`);
  return found;
}
function number(metadata, key) {
  const found = metadata[key] ?? "0";
  if (found.trim() === "" || !Number.isFinite(Number(found))) throw new TandemError(`${key}: is ${found}, but must be a number`);
  return Number(found);
}

/** Returns the numbers of a tensor that must have this shape, and be bytes or not. */
function take(tensors, name, shape, bytes = false) {
  const found = tensors.get(name);
  if (found === undefined) throw new TandemError(`the file has no tensor ${name}`);
  if (found.shape.join() !== shape.join()) {
    throw new TandemError(`${name}: has shape ${found.shape.join(", ")}, but must have ${shape.join(", ")}`);
  }
  if ((found.dtype === "I8") !== bytes) throw new TandemError(`${name}: is ${found.dtype}, but must be ${bytes ? "I8" : "F32"}`);
  return found.data();
}

function codingOf(tensors, prefix, { slc, dhc, dic, cell }, names, kind) {
  const shapes = { factor: [slc], scales: [CELLS[cell].gates, dhc],
    ...(names.includes("weights_projection") ? { projection_scales: [dic] } : {}), ...(kind === "samples" ? { data: [2] } : {}) };
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => {
    const values = take(tensors, prefix + name, shape);
    if (!values.every(Number.isFinite) || !(name === "data" ? values.subarray(0, 1) : values).every((value) => value > 0)) {
      throw new TandemError(`${prefix}${name}: has a number that is not above 0 and finite`);
    }
    return [name, values];
  }));
}

/** Returns the options of network() that the file has. */
function optionsOf({ tensors, metadata }, cell) {
  const dims = (name) => tensors.get(name)?.shape ?? [], [, directions, slc, , dhc] = dims("0.weights_layer");
  if (dims("0.weights_layer").length !== 5) throw new TandemError("0.weights_layer: is missing, or has no 5 dims");
  const projection = tensors.has("0.weights_projection"), has = (name) => tensors.has(`0.${name}`);
  return {
    slc, dhc, direction: metadata.direction ?? (directions === 2 ? "concat" : "left2right"), bias: has("bias"),
    precision: metadata.precision ?? "float32", batchFirst: word(metadata, "batch_first", ["True", "False"], "False") === "True",
    ...(cell === "lstm" ? { peephole: has("weights_peephole"), projection, dic: projection ? dims("0.weights_projection")[3] : dhc } : {}),
    ...(cell === "vanilla_rnn" ? { activation: metadata.activation ?? "tanh", alpha: number(metadata, "alpha"),
      beta: number(metadata, "beta") } : {}),
    ...optionsOfSaved(metadata),
  };
}

function firstStateOf(tensors, cell) {
  const found = ["h", "c"].filter((name) => tensors.has(`first_state.${name}`));
  if (found.length === 0) return undefined;
  if (found.join() !== (cell === "lstm" ? "h,c" : "h")) throw new TandemError(`first_state: has ${found}, which is no state of ${cell}`);
  return Object.fromEntries(found.map((name) => [name, tensors.get(`first_state.${name}`)]));
}

/** Returns make(cell, options, eight) of a file. options: cell, if the file does not say it, and options of network(). */
export function savedNetwork(file, { cell: given, ...options }, make) {
  checkForm(file);
  const { tensors, metadata } = file, cell = word({ cell: given ?? metadata.cell }, "cell", Object.keys(CELLS));
  const found = { ...optionsOf(file, cell), ...options };
  const kind = metadata.quantization === undefined ? undefined : word(metadata, "quantization", KINDS);
  const names = WEIGHTS.filter((name) => tensors.has(`0.${name}`)), weights = [], codings = [];
  const numbers = [...tensors.keys()].map((name) => OF_LAYER.exec(name)).filter((match) => WEIGHTS.includes(match?.[2]));
  const layers = new Set(numbers.map((match) => match[1])).size;
  for (let l = 0, layer; l < layers; ++l) {
    layer = { cell, direction: found.direction, dhc: found.dhc, dic: found.dic ?? found.dhc, slc: l ? dlcOf(layer) : found.slc };
    const own = Object.fromEntries(names.map((name) => [name,
      take(tensors, `${l}.${name}`, shapeOf(layer, name), kind !== undefined && PACKED.includes(name))]));
    if (kind !== undefined) {
      const coding = codingOf(tensors, `${l}.`, layer, names, kind);
      for (const name of names) if (PACKED.includes(name)) own[name] = toNumbers(own[name], coding, name);
      codings.push(coding);
    }
    weights.push(own);
  }
  const state = firstStateOf(tensors, cell), rows = layers * shapeOf({ cell, direction: found.direction }, "weights_layer")[1];
  const firstState = state && Object.fromEntries(Object.keys(state).map((name) => [name,
    take(tensors, `first_state.${name}`, [rows, name === "c" ? found.dhc : found.dic ?? found.dhc])]));
  return make(cell, { ...found, layers, weights, ...(firstState && { firstState }) }, kind && { kind, codings });
}

/** Returns a safetensors file; tensors: {name: {shape, data: Float32Array or Int8Array}}. */
export function writeSafetensors(tensors, metadata) {
  const header = { __metadata__: metadata };
  let size = 0;
  for (const [name, { shape, data }] of Object.entries(tensors)) {
    header[name] = { dtype: data instanceof Int8Array ? "I8" : "F32", shape, data_offsets: [size, size += data.byteLength] };
  }
  let text = JSON.stringify(header);
  text += " ".repeat((8 - text.length % 8) % 8);
  const bytes = new Uint8Array(8 + text.length + size), view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(text.length), true);
  bytes.set(new TextEncoder().encode(text), 8);
  for (const [name, { data }] of Object.entries(tensors)) {
    const at = 8 + text.length + header[name].data_offsets[0];
    if (data instanceof Int8Array) bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.length), at);
    else data.forEach((value, i) => view.setFloat32(at + 4 * i, value, true));
  }
  return bytes;
}

/** Returns the file of a network. weights: in 8 bits the numbers that bytes stand for. */
export function savedBytes(network, weights, precision = "float32") {
  const { cell, layers, firstState, quantization } = network, [first] = layers, tensors = {};
  layers.forEach((layer, l) => {
    for (const name of layer.weights) {
      const data = layer.coding !== undefined && PACKED.includes(name) ? toBytes(weights[l][name], layer.coding, name) : weights[l][name];
      tensors[`${l}.${name}`] = { shape: shapeOf(layer, name), data };
    }
    for (const [name, data] of Object.entries(layer.coding ?? {})) {
      tensors[`${l}.${name}`] = { shape: name === "scales" ? [data.length / layer.dhc, layer.dhc] : [data.length], data };
    }
  });
  for (const [name, data] of Object.entries(firstState ?? {})) {
    const channels = name === "h" ? first.dic : first.dhc;
    tensors[`first_state.${name}`] = { shape: [data.length / channels, channels], data };
  }
  const { direction, activation, alpha, beta, gates } = first;
  return writeSafetensors(tensors, { tandem_network: FORM, cell, direction, activation, alpha: String(alpha), beta: String(beta),
    precision, batch_first: network.batchFirst ? "True" : "False", ...savedGates(gates), ...(quantization && { quantization }) });
}
