// tandem-rnn has recurrent networks for inference and training, in browsers and in node.
import { CELLS } from "./schema.mjs";
import { Module, TandemError } from "./module.mjs";
import { start } from "./plan.mjs";
import { Network } from "./network.mjs";
import { networkOf } from "./safetensors.mjs";

export { TandemError };

class Tandem {
  #module;
  constructor(module) {
    this.#module = start(module);
  }
  network(cell, options) {
    if (!Object.hasOwn(CELLS, cell)) throw new TandemError(`cell: is ${cell}, but must be one of ${Object.keys(CELLS).join(", ")}`);
    return new Network(this.#module, cell, options);
  }
  lstm(options) {
    return this.network("lstm", options);
  }
  gru(options) {
    return this.network("gru", options);
  }
  lbrGru(options) {
    return this.network("lbr_gru", options);
  }
  rnn(options) {
    return this.network("vanilla_rnn", options);
  }
  augru(options) {
    return this.network("augru", options);
  }
  lbrAugru(options) {
    return this.network("lbr_augru", options);
  }
  fromSafetensors(bytes, options = {}) {
    return networkOf(bytes, options, (cell, found, eight) => new Network(this.#module, cell, found, eight));
  }
}

export async function load(source) {
  return new Tandem(await Module.load(source));
}
