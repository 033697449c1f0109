// Gates may have other functions than the specification's, a clip or a coupled forget gate: docs/numerics.md, "Functions of gates".
import { TandemError } from "./module.mjs";
import * as s from "./schema.mjs";

const PLACES = { lstm: ["recurrent", "candidate", "output"], gru: ["recurrent", "candidate"], lbr_gru: ["recurrent", "candidate"] };
const CLIPPED = [...Object.keys(PLACES), "vanilla_rnn"];
const KINDS = { recurrent: s.GATE_RECURRENT, candidate: s.GATE_CANDIDATE, output: s.GATE_OUTPUT };
const USUAL = "logistic+tanh+tanh";

function number(value, name) {
  if (typeof value !== "number") throw new TandemError(`${name}: is ${value}, but must be a number`);
  if (!Number.isFinite(Math.fround(value))) throw new TandemError(`${name}: is ${value}, but must be finite in float32`);
  return value;
}

/** Returns {name, numbers} for a name, or for an array of a name and its numbers. */
function functionOf(given, place) {
  const [name, ...numbers] = Array.isArray(given) ? given : [given];
  if (!Object.hasOwn(s.ACTIVATIONS, name)) {
    throw new TandemError(`activations: ${place} is ${name}, but must be one of ${Object.keys(s.ACTIVATIONS).join(", ")}`);
  }
  const count = s.ACTIVATION_NUMBERS[name];
  if (name === "relu" && numbers.length === 0) numbers.push(0);
  if (numbers.length !== count) {
    throw new TandemError(`activations: ${place} is ${name} with ${numbers.length} numbers, but must have ${count}`);
  }
  numbers.forEach((value, i) => number(value, `activations: ${["alpha", "beta"][i]} of ${place}`));
  return { name, numbers };
}

/** Returns {functions, clip, inputForget} of the options; no functions stand for the specification's. */
export function gatesOf(cell, { activations, clip = 0, inputForget = false }) {
  const places = PLACES[cell] ?? [];
  let functions = [];
  if (activations !== undefined) {
    if (places.length === 0) throw new TandemError(`activations: are given, but only ${Object.keys(PLACES).join(", ")} take them`);
    if (!Array.isArray(activations) || activations.length !== places.length) {
      throw new TandemError(`activations: must be ${places.length}, of ${places.join(", ")}`);
    }
    functions = activations.map((given, i) => functionOf(given, places[i]));
    if (USUAL.startsWith(functions.map(({ name }) => name).join("+"))) functions = [];
  }
  if (number(clip, "clip") < 0) throw new TandemError(`clip: is ${clip}, but must not be negative; 0 stands for none`);
  if (clip !== 0 && !CLIPPED.includes(cell)) throw new TandemError(`clip: is given, but only ${CLIPPED.join(", ")} take it`);
  if (typeof inputForget !== "boolean") throw new TandemError(`inputForget: is ${inputForget}, but must be true or false`);
  if (inputForget && cell !== "lstm") throw new TandemError("inputForget: is given, but only lstm takes it");
  return { functions, clip, inputForget };
}

/** Tells the library's attributes what the gates are. */
export function addGates(module, attributes, cell, { functions, clip, inputForget }) {
  functions.forEach(({ name, numbers: [alpha = 0, beta = 0] }, i) => module.call("tandem_attr_set_rnn_activation", attributes,
    KINDS[PLACES[cell][i]], s.ACTIVATIONS[name], alpha, beta));
  if (clip !== 0) module.call("tandem_attr_set_rnn_clip", attributes, clip);
  if (inputForget) module.call("tandem_attr_set", attributes, s.ATTR_INPUT_FORGET, 1);
}

// Returns the shortest decimal number that is the same float32. It has no plus sign, which separates functions.
function text(value) {
  const exact = Math.fround(value);
  for (let digits = 1; digits <= 9; ++digits) {
    const short = Number(exact.toPrecision(digits));
    if (Math.fround(short) === exact) return String(short).replace("e+", "e");
  }
  return String(exact);
}

/** Returns the keys of a saved file, without those of the specification's gates. */
export function savedGates({ functions, clip, inputForget }) {
  const words = functions.map(({ name, numbers }) => [name, ...numbers.map(text)].join(":")).join("+");
  return { ...(words && { activations: words }), ...(clip !== 0 && { clip: text(clip) }), ...(inputForget && { input_forget: "True" }) };
}

/** Returns the options that these keys stand for. */
export function optionsOfSaved({ activations, clip, input_forget: forget }) {
  const isNumber = (word) => word.trim() === word && word !== "" && Number.isFinite(Number(word));
  const read = (word) => {
    const [name, ...numbers] = word.split(":");
    if (!Object.hasOwn(s.ACTIVATION_NUMBERS, name) || numbers.length !== s.ACTIVATION_NUMBERS[name] || !numbers.every(isNumber)) {
      throw new TandemError(`activations: has ${word}, which is no function with its numbers`);
    }
    return [name, ...numbers.map(Number)];
  };
  if (clip !== undefined && !isNumber(clip)) throw new TandemError(`clip: is ${clip}, but must be a number`);
  if (!["True", "False", undefined].includes(forget)) throw new TandemError(`input_forget: is ${forget}, but must be True or False`);
  return { ...(activations !== undefined && { activations: activations.split("+").map(read) }),
    ...(clip !== undefined && { clip: Number(clip) }), ...(forget !== undefined && { inputForget: forget === "True" }) };
}
