// A stream has the states of one row, or of rows that come and go, one step at a time (docs/streams.md).
import { encode } from "./bytes.mjs";
import { TandemError, checked } from "./module.mjs";
import { Plan, dlcOf, takesAttention } from "./plan.mjs";
import * as s from "./schema.mjs";

// tandem_rnn_stream_layers_t has a primitive descriptor, the number of its weights, and where they are.
const INTS_OF_LAYERS = 3;

/**
 * These are a network's layers with the weights that it has now, as plans of the library. Streams keep the parts that they need.
 * Layers in 8 bits, whose x is encoded, are parts of their own.
 */
export class StreamStack {
  constructor(module, { layers, firstState }, weights) {
    const { direction } = layers[0];
    if (direction !== "left2right") {
      throw new TandemError(`stream: the network is ${direction}, but a stream goes left2right: the first output of another ` +
        "direction needs all inputs");
    }
    Object.assign(this, { module, layers, firstState, parts: [] });
    const plans = [];
    try {
      layers.forEach((layer, l) => plans.push(
        new Plan(module, layer, { steps: 1, rows: 1, lengths: false, training: false }, weights[l])));
      for (const group of layers[0].coding === undefined ? [plans] : plans.map((plan) => [plan])) this.parts.push(this.partOf(group));
    } catch (error) {
      this.free();
      throw error;
    } finally {
      for (const plan of plans) plan.free();
    }
  }

  partOf(plans) {
    const [{ layer }] = plans, count = plans.length;
    return { pointer: this.planOf(plans), coding: layer.coding, slc: layer.slc, dlc: dlcOf(plans.at(-1).layer),
      h: count * layer.dic, c: layer.cell === "lstm" ? count * layer.dhc : 0 };
  }

  /** Returns the library's plan, which holds the packed weights of these ones. */
  planOf(plans) {
    const args = plans.map((plan) => plan.layer.weights.flatMap((name) => [s.TENSORS[name].arg, plan.memories.get(name)]));
    return this.module.with(Int32Array.from(args.flat()), (at) => {
      const described = plans.flatMap((plan, l) => {
        const own = [plan.desc, args[l].length / 2, at];
        at += 4 * args[l].length;
        return own;
      });
      return this.module.with(Int32Array.from(described), (layers) => this.module.pointer(
        "tandem_rnn_stream_plan_create", (result) => [result, described.length / INTS_OF_LAYERS, layers]));
    });
  }

  free() {
    for (const { pointer } of this.parts) this.module.functions.tandem_rnn_stream_plan_destroy(pointer);
  }
}

/** This is room in the module's memory for the inputs and outputs of `count` steps or rows. */
class Block {
  constructor(module, { slc, dlc, parts }, count) {
    Object.assign(this, { module, slc, dlc, count, buffer: undefined });
    // These go into a part that encodes, and from one part to the next.
    const encoded = Math.max(...parts.map((part) => (part.coding === undefined ? 0 : part.slc)));
    const between = Math.max(...parts.map((part, n) => (n + 1 < parts.length ? part.dlc : 0)));
    // The rows' numbers are first: they have 8 bytes each.
    this.at = { rows: module.allocate(count * (8 + 4 * (slc + 1 + dlc + encoded + between))) };
    this.at.x = this.at.rows + 8 * count;
    this.at.attention = this.at.x + 4 * count * slc;
    this.at.y = this.at.attention + 4 * count;
    this.at.encoded = this.at.y + 4 * count * dlc;
    this.at.between = this.at.encoded + 4 * count * encoded;
  }

  /** Encodes `count` inputs of a part, which lie at `from`. */
  encode({ coding, slc }, from, count) {
    const { buffer } = this.module.memory, Type = coding.data === undefined ? Float32Array : Uint8ClampedArray;
    encode(new Float32Array(buffer, from, count * slc), new Type(buffer, this.at.encoded, count * slc), coding);
    return this.at.encoded;
  }

  /** Makes the views again if the module's memory has grown, which makes all views invalid. */
  refresh() {
    const { buffer } = this.module.memory;
    if (buffer === this.buffer) return;
    const { at, count } = this;
    this.rows = new Int32Array(buffer, at.rows, 2 * count);
    this.x = new Float32Array(buffer, at.x, count * this.slc);
    this.attention = new Float32Array(buffer, at.attention, count);
    this.y = new Float32Array(buffer, at.y, count * this.dlc);
    this.buffer = buffer;
  }

  /** Copies the first elements of y to the caller's array. */
  copyTo(y) {
    this.refresh();
    y.set(y.length === this.y.length ? this.y : this.y.subarray(0, y.length));
    return y;
  }

  free() {
    this.module.functions.free(this.at.rows);
  }
}

/** These are the states of rows in the library, at first the network's firstState or zeros, and the blocks of their steps. */
class States {
  constructor(stack, count) {
    const { module, layers, parts, firstState } = stack, [layer] = layers;
    Object.assign(this, { module, layer, parts, firstState, slc: layer.slc, dlc: dlcOf(layers.at(-1)), blocks: [], pointers: [] });
    this.sizes = { h: layers.length * layer.dic, c: layer.cell === "lstm" ? layers.length * layer.dhc : 0 };
    this.stepped = this.block(count);
    try {
      for (const { pointer } of parts) {
        this.pointers.push(module.pointer("tandem_rnn_stream_create", (at) => [at, pointer, BigInt(count)]));
      }
      for (let row = 0; firstState !== undefined && row < count; ++row) this.restore(row);
    } catch (error) {
      this.free();
      throw error;
    }
  }

  /** Refuses to go on after free(). */
  check() {
    if (this.pointers.length === 0) throw new TandemError("stream: was freed");
  }

  /** Calls a function of the library for each part, of so many inputs; `first`: its arguments between the stream and x. */
  pass(name, block, count, ...first) {
    let from = block.at.x;
    this.parts.forEach((part, n) => {
      const x = part.coding === undefined ? from : block.encode(part, from, count);
      from = n + 1 < this.parts.length ? block.at.between : block.at.y;
      this.module.call(name, this.pointers[n], ...first, x, this.attentionAt(block), from);
    });
  }

  block(count) {
    const block = new Block(this.module, this, count);
    this.blocks.push(block);
    return block;
  }
  drop(block) {
    this.blocks = this.blocks.filter((other) => other !== block);
    block.free();
  }

  /** Checks the arrays of `count` steps or rows and copies the inputs into the block; returns the array of outputs. */
  load(block, count, x, y, attention) {
    checked(x, "x", count * this.slc);
    if (y !== undefined) checked(y, "y", count * this.dlc);
    const attends = takesAttention(this.layer, attention);
    block.refresh();
    if (attends) block.attention.set(checked(attention, "attention", count));
    block.x.set(x);
    return y ?? new Float32Array(count * this.dlc);
  }
  /** Returns the address of the attention that was loaded; 0 for cells without. */
  attentionAt(block) {
    return this.layer.cell.endsWith("augru") ? block.at.attention : 0;
  }

  /** Calls a function of the library with the states of each part in an array at `at`. */
  eachPart(name, row, at) {
    let h = at, c = at + 4 * this.sizes.h;
    this.parts.forEach((part, n) => {
      this.module.call(name, this.pointers[n], BigInt(row), h, part.c === 0 ? 0 : c);
      h += 4 * part.h;
      c += 4 * part.c;
    });
  }
  save(row) {
    const { h, c } = this.sizes, at = this.module.allocate(4 * (h + c));
    try {
      this.eachPart("tandem_rnn_stream_save", row, at);
      const all = new Float32Array(this.module.memory.buffer, at, h + c), state = { h: all.slice(0, h) };
      return c === 0 ? state : { ...state, c: all.slice(h) };
    } finally {
      this.module.functions.free(at);
    }
  }
  /** Sets the states of a row; h and c are as run() takes them. */
  restore(row, state = {}) {
    if (state === null || typeof state !== "object") throw new TandemError("state: must be an object with h, of an LSTM also c");
    if (state.c !== undefined && this.sizes.c === 0) throw new TandemError(`c: is given, but ${this.layer.cell} has none`);
    const { h = this.firstState?.h, c = this.firstState?.c } = state, all = new Float32Array(this.sizes.h + this.sizes.c);
    if (h !== undefined) all.set(checked(h, "h", this.sizes.h));
    if (c !== undefined) all.set(checked(c, "c", this.sizes.c), this.sizes.h);
    this.module.with(all, (at) => this.eachPart("tandem_rnn_stream_load", row, at));
  }
  reset(row) {
    if (this.firstState !== undefined) this.restore(row);
    else for (const pointer of this.pointers) this.module.call("tandem_rnn_stream_reset", pointer, BigInt(row));
  }

  free() {
    for (const pointer of this.pointers) this.module.functions.tandem_rnn_stream_destroy(pointer);
    for (const block of this.blocks) block.free();
    this.pointers = [];
    this.blocks = [];
  }
}

/** This has the states of one row. */
export class Stream {
  #states;
  #block; // for the longest run
  #attention = new Float32Array(1);

  constructor(stack) {
    this.#states = new States(stack, 1);
  }

  step(x, y, attention) {
    const states = this.#states, block = states.stepped, { functions } = states.module;
    states.check();
    if (typeof attention === "number") attention = this.#attention.fill(attention);
    const result = states.load(block, 1, x, y, attention);
    if (states.parts.length > 1 || states.parts[0].coding !== undefined) {
      states.pass("tandem_rnn_stream_step", block, 1);
    } else if (functions.tandem_rnn_stream_step(states.pointers[0], block.at.x, states.attentionAt(block), block.at.y) !== 0) {
      states.module.fail();
    }
    return block.copyTo(result);
  }

  run(x, steps, y, attention) {
    const states = this.#states;
    states.check();
    if (!Number.isInteger(steps) || steps < 1) throw new TandemError(`steps: is ${steps}, but must be a positive integer`);
    checked(x, "x", steps * states.slc);
    const block = this.#roomFor(steps), result = states.load(block, steps, x, y, attention);
    states.pass("tandem_rnn_stream_run", block, steps, BigInt(steps));
    return block.copyTo(result);
  }

  #roomFor(steps) {
    if (this.#block === undefined || this.#block.count < steps) {
      const longer = this.#states.block(steps);
      if (this.#block !== undefined) this.#states.drop(this.#block);
      this.#block = longer;
    }
    return this.#block;
  }

  reset() {
    this.#states.check();
    this.#states.reset(0);
  }
  get state() {
    this.#states.check();
    return this.#states.save(0);
  }
  set state(state) {
    this.#states.check();
    this.#states.restore(0, state);
  }
  free() {
    this.#states.free();
  }
}

/** This has the states of so many rows. */
export class StreamGroup {
  #states;
  #count;

  constructor(stack, count) {
    if (!Number.isInteger(count) || count < 1) throw new TandemError(`count: is ${count}, but must be a positive integer`);
    this.#states = new States(stack, count);
    this.#count = count;
  }

  get count() {
    return this.#count;
  }

  step(rows, x, y, attention) {
    const states = this.#states, block = states.stepped;
    states.check();
    this.#checkRows(rows);
    const count = rows.length, result = states.load(block, count, x, y, attention);
    // The numbers have 8 bytes, whose upper half is 0.
    for (let i = 0; i < count; ++i) {
      block.rows[2 * i] = rows[i];
      block.rows[2 * i + 1] = 0;
    }
    states.pass("tandem_rnn_stream_step_rows", block, count, BigInt(count), block.at.rows);
    return block.copyTo(result);
  }

  /** The library finds a row that is named twice. */
  #checkRows(rows) {
    if (!Number.isInteger(rows?.length)) throw new TandemError("rows: must be an array of integers");
    if (rows.length > this.#count) throw new TandemError(`rows: are ${rows.length}, but the group has ${this.#count}`);
    for (let i = 0; i < rows.length; ++i) this.#checkRow(rows[i], "rows");
  }
  #checkRow(row, name = "row") {
    if (!Number.isInteger(row) || row < 0 || row >= this.#count) {
      throw new TandemError(`${name}: ${row} is no integer from 0 to ${this.#count - 1}`);
    }
    return row;
  }

  reset(row) {
    this.#states.check();
    this.#states.reset(this.#checkRow(row));
  }
  state(row) {
    this.#states.check();
    return this.#states.save(this.#checkRow(row));
  }
  setState(row, state) {
    this.#states.check();
    this.#states.restore(this.#checkRow(row), state);
  }
  free() {
    this.#states.free();
  }
}
