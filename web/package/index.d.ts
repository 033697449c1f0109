/** The library refuses a request; the message is its sentence. */
export class TandemError extends Error {}

/** These are the specification's cells. */
export type Cell = "vanilla_rnn" | "lstm" | "gru" | "lbr_gru" | "augru" | "lbr_augru";
export type Precision = "float32" | "bfloat16" | "float16";
/** dynamic: weights are bytes, and rows of x and h by the range of each; weights_only; samples: x and h by ranges of samples. */
export type Quantization = "dynamic" | "weights_only" | "samples";
/** concat and sum have both directions. */
export type Direction = "left2right" | "right2left" | "concat" | "sum";

/** These are the weights of one layer; D is 2 for concat and sum, else 1. All are dense, the last dim fastest. */
export interface LayerWeights {
  /** (D, slc, gates, dhc) */
  weights_layer: Float32Array;
  /** (D, dic, gates, dhc) */
  weights_iter: Float32Array;
  /** (D, 3, dhc), for i, f and o */
  weights_peephole?: Float32Array;
  /** (D, dhc, dic) */
  weights_projection?: Float32Array;
  /** (D, gates, dhc); lbr_gru and lbr_augru have 4 gates */
  bias?: Float32Array;
}

export interface NetworkOptions {
  /** The number of channels of x. */
  slc: number;
  /** The number of channels of a cell's state. */
  dhc: number;
  /** The number of layers, by default 1. A layer above the first gets the whole output of the one below. AUGRU has one layer. */
  layers?: number;
  /** The default is left2right. */
  direction?: Direction;
  /** The default is true. */
  bias?: boolean;
  /** The weights are multiplied in this type; all arrays are f32 in any case. */
  precision?: Precision;
  /** x, y and attention are (N, T, ...) in place of (T, N, ...). The default is false. */
  batchFirst?: boolean;
  /** The states of one row before its first step, if a call has none. A model may have learned them. The default is zeros. */
  firstState?: StreamState;
  /** Each layer has an object. The network keeps the arrays: do not change them. The default is small random numbers. */
  weights?: LayerWeights[];
  /** The random weights follow from the seed; the default is 0. */
  seed?: number;
}
// api/schema: typescript_activations
export type Activation = "relu" | "tanh" | "logistic" | "thresholded_relu" | "hard_sigmoid" | "softsign" | "softplus" | "elu" | "affine" | "scaled_tanh";
// api/schema: end
/** A function of gates is a name, or a name with alpha and beta. relu may lack its slope. */
export type GateFunction = Activation | [Activation, number] | [Activation, number, number];
export interface GruOptions extends NetworkOptions {
  /** The functions of u and r, and of o. The default is logistic and tanh. */
  activations?: [GateFunction, GateFunction];
  /** Pre-activations of gates are limited to [-clip, clip]. The default is 0, for no limit. */
  clip?: number;
}
export interface LstmOptions extends NetworkOptions {
  /** The functions of i, f and o, of c~, and of c in h = o * function(c). The default is logistic, tanh and tanh. */
  activations?: [GateFunction, GateFunction, GateFunction];
  /** Pre-activations of gates are limited to [-clip, clip]. The default is 0, for no limit. */
  clip?: number;
  /** The forget gate is 1 - i. The default is false. */
  inputForget?: boolean;
  peephole?: boolean;
  /** The number of channels of h after a projection. The default is dhc, without a projection. */
  dic?: number;
  /** With true there is a projection although dic is dhc. */
  projection?: boolean;
}
export interface RnnOptions extends NetworkOptions {
  /** The default is tanh. */
  activation?: Activation;
  /** The slope of relu below 0, the threshold of thresholded_relu, or a factor. The default is 0. */
  alpha?: number;
  /** The second number of hard_sigmoid, affine and scaled_tanh. The default is 0. */
  beta?: number;
  /** x is limited to [-clip, clip] before the activation. The default is 0, for no limit. */
  clip?: number;
}

export interface RunOptions {
  /** N, the number of rows of x. The default is 1. */
  rows?: number;
  /** (layers, D, N, dic). The default is firstState, or zeros. */
  h?: Float32Array;
  /** (layers, D, N, dhc), for an LSTM. The default is firstState, or zeros. */
  c?: Float32Array;
  /** The number of steps of each row. y of later ones is 0, and h and c are those after the row's last step. */
  lengths?: ArrayLike<number>;
  /** (T, N), for augru and lbr_augru, which need it. */
  attention?: Float32Array;
}

export interface Results {
  /** (T, N, dic), for concat (T, N, 2 dic). */
  y: Float32Array;
  /** (layers, D, N, dic), after the last step. */
  h: Float32Array;
  /** (layers, D, N, dhc), for an LSTM; undefined for other cells. */
  c?: Float32Array;
}
/** Results and gradients of an LSTM have c. */
export interface WithC {
  c: Float32Array;
}

export interface Gradients {
  x: Float32Array;
  h: Float32Array;
  c?: Float32Array;
  attention?: Float32Array;
  weights: LayerWeights[];
}

/** A tape is an execution for training. free() releases its memory. */
export interface Tape<C = {}> extends Results {
  /** Returns the gradients of a loss whose gradients with respect to y, h and c are dy, dh and dc; 0 if absent. */
  backward(diff?: { dy?: Float32Array; dh?: Float32Array; dc?: Float32Array }): Gradients & C;
  free(): void;
}

/** The states of one row, in the form in which run() takes and returns them. */
export interface StreamState {
  /** (layers, dic) */
  h: Float32Array;
  /** (layers, dhc), for an LSTM. */
  c?: Float32Array;
}

/** The states of one row, at first firstState or zeros: one step at a time. free() it, or its memory stays taken. */
export interface Stream {
  /**
   * Makes one step. x: (slc). Returns y: (dlc), which is written there if an array is given; then no array is made. attention:
   * for augru and lbr_augru, which need it; a number or an array of one.
   */
  step(x: Float32Array, y?: Float32Array, attention?: number | Float32Array): Float32Array;
  /** Runs a block of steps: x (steps, slc), y (steps, dlc), attention (steps), with the bits of so many calls of step(). */
  run(x: Float32Array, steps: number, y?: Float32Array, attention?: Float32Array): Float32Array;
  /** Sets the states to those at first. */
  reset(): void;
  /** A copy of the states. A part that is absent when it is set stands for that at first. */
  get state(): StreamState;
  set state(state: Partial<StreamState> | undefined);
  /** Gives its memory back. The stream cannot be used after that. */
  free(): void;
}

/** The states of so many rows, which are numbered from 0. free() it, or its memory stays taken. */
export interface StreamGroup {
  /** The number of rows. */
  readonly count: number;
  /**
   * Makes one step of the rows that are named, each once, in any order: x (rows.length, slc), y (rows.length, dlc), attention
   * (rows.length). Each weight is read once for all of them.
   */
  step(rows: ArrayLike<number>, x: Float32Array, y?: Float32Array, attention?: Float32Array): Float32Array;
  /** Sets the states of a row to those at first, because another one takes its place. */
  reset(row: number): void;
  /** Returns a copy of the states of a row. */
  state(row: number): StreamState;
  /** A part that is absent stands for that of the first states. */
  setState(row: number, state: Partial<StreamState> | undefined): void;
  free(): void;
}

/** A stack of layers of one cell; C has the results beside y and h. */
export interface Network<C = {}> {
  readonly cell: Cell;
  readonly batchFirst: boolean;
  readonly firstState?: StreamState;
  /** Undefined for a network of floats. One in 8 bits is for inference: it has no record(), setWeights() and quantize(). */
  readonly quantization?: Quantization;
  readonly weights: LayerWeights[];
  /** Takes other weights of the same shapes. */
  setWeights(weights: LayerWeights[]): void;
  /** x: (T, N, slc). Results are copies; y is written to `out` if that is given. */
  run(x: Float32Array, options?: RunOptions & { out?: Float32Array }): Results & C;
  record(x: Float32Array, options?: RunOptions): Tape<C> & C;
  /** Returns the network in 8 bits: dynamic, or weights_only, where x and states stay floats. Its outputs are only near. */
  quantize(options?: { weightsOnly?: boolean }): Network<C>;
  /** Returns a file that fromSafetensors() reads, as Python and C++ do. */
  save(): Uint8Array;
  /** Returns a stream with the weights that the network has now, whatever setWeights() and free() do later. left2right only. */
  stream(): Stream;
  /** Returns a group of `count` rows with these weights. */
  streamGroup(count: number): StreamGroup;
  /** Returns the library's name of the implementation. */
  implementation(): string;
  /** Gives the buffers and packed weights back. A later run() makes them anew. */
  free(): void;
}

export interface SafetensorsOptions {
  /** The module's name, if there are several: encoder for encoder.weight_ih_l0. */
  prefix?: string;
  /** The cell. By default the number of gates says it. PyTorch's GRU is lbr_gru. */
  cell?: "lstm" | "lbr_gru" | "vanilla_rnn";
  /** The activation of vanilla_rnn. The default is tanh. */
  activation?: "tanh" | "relu";
  precision?: Precision;
  batchFirst?: boolean;
}

export interface Tandem {
  network(cell: Cell, options: NetworkOptions & Omit<LstmOptions, "activations"> & RnnOptions & { activations?: GateFunction[] }): Network;
  lstm(options: LstmOptions): Network<WithC>;
  /** The gates are u, r, o; the reset gate comes before the linear layer. */
  gru(options: GruOptions): Network;
  /** The reset gate comes after the linear layer: PyTorch's GRU. */
  lbrGru(options: GruOptions): Network;
  rnn(options: RnnOptions): Network;
  augru(options: NetworkOptions): Network;
  lbrAugru(options: NetworkOptions): Network;
  /** Returns the network that save() wrote here or in Python, or an RNN module's with PyTorch's names (F32, F64, F16, BF16). */
  fromSafetensors(bytes: ArrayBuffer | Uint8Array, options?: SafetensorsOptions): Network;
}

/** This is WebAssembly.Module, where TypeScript's libraries declare it: a program for node may do without that of browsers. */
export type CompiledModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer M } } } ? M : never;

/** Loads the module of the package, or the one given. */
export function load(source?: ArrayBuffer | ArrayBufferView | CompiledModule): Promise<Tandem>;
