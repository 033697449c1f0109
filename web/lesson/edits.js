// A reader's changed numbers are kept by their places, so that another type, pass or size with the same place has them.
"use strict";

/** Returns the subscripts of an element: "0.0.1.2.3". */
function placeOf(dims, index) {
  const at = [];
  for (let axis = dims.length - 1; axis >= 0; --axis) {
    at.unshift(index % dims[axis]);
    index = Math.floor(index / dims[axis]);
  }
  return at.join(".");
}
/** Returns the element, or -1 if the tensor has none. */
function indexOf(dims, place) {
  const at = place.split(".").map(Number);
  const isInside = at.length === dims.length && at.every((n, axis) => Number.isInteger(n) && n >= 0 && n < dims[axis]);
  return isInside ? at.reduce((index, n, axis) => index * dims[axis] + n, 0) : -1;
}

const asText = (numbers) => btoa(String.fromCharCode(...new Uint8Array(Float32Array.from(numbers).buffer)));
const fromText = (text) => [...new Float32Array(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer)];

class Edits {
  constructor() {
    this.tensors = new Map(); // from names to maps of places to numbers
  }
  get count() {
    return [...this.tensors.values()].reduce((sum, { size }) => sum + size, 0);
  }
  has({ name, dims }, index) {
    return Boolean(this.tensors.get(name)?.has(placeOf(dims, index)));
  }
  set(name, dims, index, value) {
    if (!this.tensors.has(name)) this.tensors.set(name, new Map());
    this.tensors.get(name).set(placeOf(dims, index), value);
  }
  setAll(name, dims, numbers) {
    this.tensors.delete(name);
    numbers.forEach((value, index) => this.set(name, dims, index, value));
  }

  /** Gives the numbers to a model whose problem was opened. Those without a place in it wait for another problem. */
  applyTo(model) {
    for (const [name, numbers] of this.tensors) {
      const tensor = model.exact.tensor(name);
      for (const [place, value] of tensor ? numbers : []) {
        const index = indexOf(tensor.dims, place);
        if (index >= 0) model.set(tensor, index, value);
      }
    }
    if (this.count > 0) model.run();
  }

  /** Returns "bias:0.0.1.2=0.5_0.0.1.3=1~weights_iter*1,1,2,4,2*BASE64": single numbers, or a box of them from place 0 on. */
  text() {
    return [...this.tensors]
      .map(([name, numbers]) => {
        const places = [...numbers.keys()].map((place) => place.split(".").map(Number));
        const dims = places[0].map((_, axis) => Math.max(...places.map((at) => at[axis])) + 1);
        if (places.length < 9 || dims.reduce((a, b) => a * b) !== places.length)
          return `${name}:${[...numbers].map(([place, value]) => `${place}=${value}`).join("_")}`;
        return `${name}*${dims}*${asText(places.map((_, index) => numbers.get(placeOf(dims, index))))}`;
      })
      .join("~");
  }
  static of(text = "") {
    const edits = new Edits();
    for (const part of text.split("~").filter(Boolean)) {
      if (part.includes("*")) {
        const [name, dims, numbers] = part.split("*");
        edits.setAll(name, dims.split(",").map(Number), fromText(numbers));
        continue;
      }
      const [name, list = ""] = part.split(":");
      const pairs = list.split("_").map((pair) => pair.split("="));
      edits.tensors.set(name, new Map(pairs.map(([place, value]) => [place, Number(value)]).filter(([, x]) => Number.isFinite(x))));
    }
    return edits;
  }
}

const CELL_OF_PAGE = { rnn: "vanilla_rnn", lstm: "lstm", lbr_gru: "lbr_gru" };
const MOST_UNITS = 16;

/**
 * Returns the first layer of the RNN module in a safetensors file with PyTorch's names, {units, inputs, tensors}, for the page of
 * a cell. Throws a sentence if the page cannot show it.
 */
function weightsOfFile(bytes, page) {
  const { cell, options } = TANDEM.networkOf(bytes, {}, (cell, options) => ({ cell, options }));
  const { slc, dhc, dic, direction, projection, weights } = options;
  if (CELL_OF_PAGE[page] !== cell) {
    const other = Object.keys(CELL_OF_PAGE).find((name) => CELL_OF_PAGE[name] === cell);
    throw new Error(`the file has a network of ${cell}: its page is ${other}.html`);
  }
  if (projection || dic !== dhc) throw new Error("the file has a projection, which this page cannot take");
  if (dhc > MOST_UNITS || slc > MOST_UNITS) throw new Error(`the network has ${slc} inputs and ${dhc} units; the page shows ${MOST_UNITS}`);
  if (direction !== "left2right") throw new Error("the file has two directions, and this page has one");
  const gates = weights[0].weights_layer.length / slc / dhc,
    bias = weights[0].bias;
  const tensors = {
    weights_layer: [[1, 1, slc, gates, dhc], weights[0].weights_layer],
    weights_iter: [[1, 1, dhc, gates, dhc], weights[0].weights_iter],
    ...(bias ? { bias: [[1, 1, bias.length / dhc, dhc], bias] } : {}),
  };
  return { units: dhc, inputs: slc, tensors };
}

Object.assign(globalThis, { Edits, weightsOfFile });
