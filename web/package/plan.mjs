// One layer becomes primitives: objects that are made once for a shape of input, and the buffers of its executions.
import { encode } from "./bytes.mjs";
import { addGates } from "./gates.mjs";
import { TandemError } from "./module.mjs";
import * as s from "./schema.mjs";

export const DIRECTIONS = {
  left2right: s.LEFT2RIGHT,
  right2left: s.RIGHT2LEFT,
  concat: s.BIDIRECTIONAL_CONCAT,
  sum: s.BIDIRECTIONAL_SUM,
};
export const ACTIVATIONS = s.ACTIVATIONS;
export const PRECISIONS = { float32: s.FPMATH_STRICT, bfloat16: s.FPMATH_BF16, float16: s.FPMATH_F16 };

const ALLOCATE = -1; // DNNL_MEMORY_ALLOCATE
const MAX_DIMS = 12;

// These tensors have rows outermost in the first layer of a network with batchFirst, and in the last one.
const TURNED = {
  first: ["src_layer", "diff_src_layer", "augru_attention", "diff_augru_attention"],
  last: ["dst_layer", "diff_dst_layer"],
};

/** The part that does not depend on length and batch: a plain object, checked by network.mjs. In 8 bits it has a coding. */
export function directionsOf(layer) {
  return layer.direction === "concat" || layer.direction === "sum" ? 2 : 1;
}
export function dlcOf(layer) {
  return layer.dic * (layer.direction === "concat" ? 2 : 1);
}
/** Returns the dims of a tensor of the layer. */
export function shapeOf(layer, tensor, { steps, rows } = { steps: 0, rows: 0 }) {
  const { gates, biasGates } = s.CELLS[layer.cell];
  const sizes = {
    L: 1, D: directionsOf(layer), T: steps, N: rows, slc: layer.slc, sic: layer.dic, dhc: layer.dhc, dic: layer.dic,
    dlc: dlcOf(layer), gates, "bias gates": biasGates, 1: 1, "3 (i, f, o)": 3,
  };
  return s.TENSORS[tensor].axes.map((axis) => sizes[axis]);
}
export const sizeOf = (shape) => shape.reduce((product, n) => product * n, 1);

/** Returns whether the layer's cell takes an attention. It refuses one that is missing or too much. */
export function takesAttention({ cell }, attention) {
  const takes = cell.endsWith("augru");
  if ((attention !== undefined) !== takes) {
    throw new TandemError(`attention: ${takes ? `an ${cell} needs it` : `is given, but ${cell} has none`}`);
  }
  return takes;
}

/** Returns the tensors of forward by the specification's names, without lengths. */
function tensorsOf(layer) {
  const cell = layer.cell === "lstm" ? ["_c"] : [];
  return ["src_layer", "src_iter", ...cell.map((c) => "src_iter" + c),
    ...(layer.cell.endsWith("augru") ? ["augru_attention"] : []), ...layer.weights,
    "dst_layer", "dst_iter", ...cell.map((c) => "dst_iter" + c)];
}

/** The owner has objects of the library and releases them together. */
class Owner {
  constructor(module) {
    this.module = module;
    this.handles = [];
    this.blocks = [];
  }
  handle(name, ...args) {
    this.handles.push(this.module.pointer(name, (at) => [at, ...args]));
    return this.handles.at(-1);
  }
  block(bytes) {
    this.blocks.push(this.module.allocate(bytes));
    return this.blocks.at(-1);
  }
  free() {
    for (const handle of this.handles.reverse()) this.module.functions.tandem_release(handle);
    for (const block of this.blocks) this.module.functions.free(block);
    this.handles = [];
    this.blocks = [];
  }

  /** Returns a descriptor's address: dense, with rows outermost if turned, or of the layout that the implementation chooses. */
  desc(shape, { type = s.F32, any = false, turned = false } = {}) {
    const md = this.block(s.SIZE_OF_MEMORY_DESC), { module } = this, [steps, , channels] = shape;
    const numbers = (values) => BigInt64Array.from({ length: MAX_DIMS }, (_, i) => BigInt(values[i] ?? 0));
    module.with(numbers(shape), (at) => {
      if (any) module.call("tandem_memory_desc_init_by_tag", md, shape.length, at, type, s.ANY);
      else if (!turned) module.call("tandem_memory_desc_init_by_strides", md, shape.length, at, type, 0);
      else {
        module.with(numbers([channels, steps * channels, 1]), (strides) =>
          module.call("tandem_memory_desc_init_by_strides", md, shape.length, at, type, strides));
      }
    });
    return md;
  }
  /** Tells attributes, or new ones, how the layer's bytes stand for numbers. Returns them; 0 for a layer of floats. */
  coded({ coding, kind }, given) {
    if (coding === undefined) return 0;
    const attributes = given ?? this.handle("tandem_attr_create"), { module } = this;
    module.call("tandem_attr_set", attributes, s.ATTR_READING, s.READING_SPEC);
    if (coding.data !== undefined) module.call("tandem_attr_set_rnn_data_qparams", attributes, ...coding.data);
    if (kind === "dynamic") module.call("tandem_attr_set", attributes, s.ATTR_DYNAMIC_QUANTIZATION, 1);
    for (const [which, mask, scales] of [[s.QPARAMS_WEIGHTS, 1 << 3 | 1 << 4, coding.scales],
      [s.QPARAMS_WEIGHTS_PROJECTION, 1 << 3, coding.projection_scales]]) {
      if (scales !== undefined) {
        module.with(scales, (at) => module.call("tandem_attr_set_qparams", attributes, which, mask, scales.length, at));
      }
    }
    return attributes;
  }
  memory(md, data = ALLOCATE) {
    return this.handle("tandem_memory_create", md, this.module.engine, data);
  }
  execution(primitiveDesc, memories) {
    return new Execution(this, this.handle("tandem_primitive_create", primitiveDesc), memories);
  }
}

/** This is a primitive with its arguments: a Map of memories by argument number. */
class Execution {
  constructor(owner, primitive, memories) {
    this.module = owner.module;
    this.primitive = primitive;
    this.count = memories.size;
    this.args = owner.block(8 * memories.size);
    owner.module.ints.set([...memories].flat(), this.args / 4);
  }
  run() {
    this.module.call("tandem_primitive_execute", this.primitive, this.module.stream, this.count, this.args);
  }
}

/** Makes engine and stream, once for a module. */
export function start(module) {
  const owner = new Owner(module);
  module.engine = owner.handle("tandem_engine_create", s.CPU, 0);
  module.stream = owner.handle("tandem_stream_create", module.engine, s.IN_ORDER);
  return module;
}

/** These are a layer's weights in the layouts that primitives have asked for. The plain arrays stay the caller's. */
export class Weights {
  constructor(module, layer, arrays) {
    this.owner = new Owner(module);
    this.layer = layer;
    this.arrays = arrays;
    this.packed = []; // {name, md, memory}
  }
  memory(name, md) {
    const { module } = this.owner;
    const known = this.packed.find(
      (p) => p.name === name && module.functions.tandem_memory_desc_equal(p.md, md) !== 0);
    if (known !== undefined) return known.memory;
    const copy = this.owner.block(s.SIZE_OF_MEMORY_DESC);
    new Uint8Array(module.memory.buffer).copyWithin(copy, md, md + s.SIZE_OF_MEMORY_DESC);
    const memory = this.owner.memory(copy);
    this.packed.push({ name, md: copy, memory });
    this.pack(name, copy, memory);
    return memory;
  }
  pack(name, md, memory) {
    const { module } = this.owner;
    const temporary = new Owner(module);
    try {
      const plain = temporary.desc(shapeOf(this.layer, name));
      module.with(this.arrays[name], (data) => {
        const from = temporary.memory(plain, data);
        const desc = temporary.handle(
          "tandem_reorder_primitive_desc_create", plain, module.engine, md, module.engine,
          s.PACKED.includes(name) ? temporary.coded(this.layer) : 0);
        temporary.execution(desc, new Map([[s.ARG_FROM, from], [s.ARG_TO, memory]])).run();
      });
    } finally {
      temporary.free();
    }
  }
  free() {
    this.owner.free();
    this.packed = [];
  }
}

/** This is a layer for one use {steps, rows, lengths, training}; `forward` is the run of forward for backward. */
export class Plan {
  /** below: the run of the layer below, whose dst_layer is this one's src_layer. */
  constructor(module, layer, use, weights, { below, forward } = {}) {
    this.owner = new Owner(module);
    Object.assign(this, { module, layer, use, weights, below, forward });
    this.memories = new Map(); // by name
    try {
      this.create(module, layer, use);
    } catch (error) {
      this.owner.free();
      throw error;
    }
  }

  create(module, layer, use) {
    const names = tensorsOf(layer);
    if (this.forward !== undefined) names.push(...names.map((name) => s.DESCRIBED[name]));
    const mds = new Map();
    const turned = [...(layer.turned.first ? TURNED.first : []), ...(layer.turned.last ? TURNED.last : [])];
    for (const name of names) {
      const any = s.PACKED.includes(name);
      const type = layer.coding !== undefined && any ? s.S8 : this.isU8(name) ? s.U8 : s.F32;
      mds.set(name, this.owner.desc(shapeOf(layer, name, use), { any, type, turned: turned.includes(name) }));
    }
    this.desc = this.describe(mds);
    for (const name of s.PACKED) {
      if (!mds.has(name)) continue;
      const md = this.owner.block(s.SIZE_OF_MEMORY_DESC);
      module.call("tandem_primitive_desc_query_md", this.desc, s.EXEC_ARG_MD, s.TENSORS[name].arg, md);
      mds.set(name, md);
    }
    if (use.lengths) mds.set("sequence_lengths", this.owner.desc([use.rows], { type: s.S32 }));
    for (const [name, md] of mds) this.memories.set(name, this.memoryOf(name, md));
    const args = new Map([...this.memories].map(([name, memory]) => [s.TENSORS[name].arg, memory]));
    if (use.training) args.set(s.ARG_WORKSPACE, this.workspace = this.workspaceOf());
    this.execution = this.owner.execution(this.desc, args);
  }

  isU8(name) {
    return name === "src_layer" && this.layer.coding?.data !== undefined;
  }

  /** Makes the primitive descriptor. */
  describe(mds) {
    const { layer, use, module, owner } = this;
    const propagation = this.forward !== undefined ? s.BACKWARD
      : use.training ? s.FORWARD_TRAINING : s.FORWARD_INFERENCE;
    const kind = new Int32Array([propagation, s.CELLS[layer.cell].kind, DIRECTIONS[layer.direction],
      layer.cell === "vanilla_rnn" ? ACTIVATIONS[layer.activation] : 0,
      this.forward !== undefined ? s.DIFF_WEIGHTS_OVERWRITE : 0, 0, 0]);
    new Float32Array(kind.buffer).set([layer.alpha, layer.beta], 5);
    const attributes = owner.handle("tandem_attr_create");
    module.call("tandem_attr_set", attributes, s.ATTR_FPMATH_MODE, PRECISIONS[layer.precision]);
    module.call("tandem_attr_set", attributes, s.ATTR_SEQUENCE_LENGTHS, use.lengths ? 1 : 0);
    addGates(module, attributes, layer.cell, layer.gates);
    owner.coded(layer, attributes);
    const pointers = (names) => Int32Array.from(names, (name) => mds.get(name) ?? 0);
    const rnnDesc = owner.block(s.SIZE_OF_RNN_DESC);
    module.with(kind, (kindAt) => module.with(pointers(Object.keys(s.DESCRIBED)), (tensors) =>
      module.with(pointers(Object.values(s.DESCRIBED)), (diffs) => module.call(
        "tandem_rnn_desc_init", rnnDesc, s.SIZE_OF_RNN_DESC, kindAt, Object.keys(s.DESCRIBED).length, tensors,
        this.forward !== undefined ? diffs : 0))));
    return owner.handle("tandem_rnn_primitive_desc_create_sized", rnnDesc, s.SIZE_OF_RNN_DESC, attributes, module.engine,
      this.forward?.desc ?? 0);
  }

  memoryOf(name, md) {
    if (s.PACKED.includes(name) || this.layer.weights.includes(name)) return this.weights.memory(name, md);
    if (this.forward?.memories.has(name)) return this.forward.memories.get(name);
    if (name === "src_layer" && this.below !== undefined && this.layer.coding === undefined) return this.below.memories.get("dst_layer");
    return this.owner.memory(md);
  }

  workspaceOf() {
    if (this.forward !== undefined) return this.forward.workspace;
    const md = this.owner.block(s.SIZE_OF_MEMORY_DESC);
    this.module.call("tandem_primitive_desc_query_md", this.desc, s.EXEC_ARG_MD, s.ARG_WORKSPACE, md);
    return this.owner.memory(md);
  }

  implementation() {
    return this.module.text(this.module.functions.tandem_primitive_desc_get_impl_info(this.desc));
  }

  address(name) {
    this.addresses ??= new Map();
    if (!this.addresses.has(name)) {
      this.addresses.set(name, this.module.pointer("tandem_memory_get_data", (at) => [this.memories.get(name), at]));
    }
    return this.addresses.get(name);
  }
  /** Returns a view of a tensor's elements, which the next call of the library may make invalid. */
  view(name) {
    const Type = name === "sequence_lengths" ? Int32Array : this.isU8(name) ? Uint8ClampedArray : Float32Array;
    const at = this.address(name);
    return new Type(this.module.memory.buffer, at, sizeOf(shapeOf(this.layer, name, this.use)));
  }

  /** Writes src_layer from numbers, or in 8 bits from the outputs of the layer below. */
  setSource(x) {
    const to = this.view("src_layer");
    if (this.layer.coding === undefined) to.set(x);
    else encode(x, to, this.layer.coding);
  }
  encodeBelow() {
    if (this.layer.coding === undefined || this.below === undefined) return;
    this.address("src_layer"); // no call of the library may come between both views
    this.setSource(this.below.view("dst_layer"));
  }

  free() {
    this.owner.free();
  }
}
