// The tables of cells, activations and tensors, and numbers of the C headers. Written by api/schema, not by hand.

// kind: the algorithm kind of the C API. gates: of weights_layer and weights_iter; biasGates: of bias.
export const CELLS = {
  vanilla_rnn: { kind: 8191, gates: 1, biasGates: 1 },
  lstm: { kind: 12287, gates: 4, biasGates: 4 },
  gru: { kind: 16383, gates: 3, biasGates: 3 },
  lbr_gru: { kind: 20479, gates: 3, biasGates: 4 },
  augru: { kind: 24575, gates: 3, biasGates: 3 },
  lbr_augru: { kind: 28671, gates: 3, biasGates: 4 },
};

// The algorithm kinds of the vanilla RNN's activations.
export const ACTIVATIONS = {
  relu: 32,
  tanh: 33,
  logistic: 41,
  thresholded_relu: 8323072,
  hard_sigmoid: 40,
  softsign: 8323073,
  softplus: 39,
  elu: 34,
  affine: 38,
  scaled_tanh: 8323074,
};

// Each activation uses this many of alpha and beta.
export const ACTIVATION_NUMBERS = {
  relu: 1,
  tanh: 0,
  logistic: 0,
  thresholded_relu: 1,
  hard_sigmoid: 2,
  softsign: 0,
  softplus: 0,
  elu: 1,
  affine: 2,
  scaled_tanh: 2,
};

// The index under which a tensor is passed to execute(), and the sizes of its axes.
export const TENSORS = {
  src_layer: { arg: 1, axes: ["T", "N", "slc"] },
  src_iter: { arg: 2, axes: ["L", "D", "N", "sic"] },
  src_iter_c: { arg: 3, axes: ["L", "D", "N", "dhc"] },
  augru_attention: { arg: 4, axes: ["T", "N", "1"] },
  weights_layer: { arg: 33, axes: ["L", "D", "slc", "gates", "dhc"] },
  weights_iter: { arg: 34, axes: ["L", "D", "sic", "gates", "dhc"] },
  weights_peephole: { arg: 35, axes: ["L", "D", "3 (i, f, o)", "dhc"] },
  weights_projection: { arg: 36, axes: ["L", "D", "dhc", "dic"] },
  bias: { arg: 41, axes: ["L", "D", "bias gates", "dhc"] },
  dst_layer: { arg: 17, axes: ["T", "N", "dlc"] },
  dst_iter: { arg: 18, axes: ["L", "D", "N", "dic"] },
  dst_iter_c: { arg: 19, axes: ["L", "D", "N", "dhc"] },
  diff_src_layer: { arg: 129, axes: ["T", "N", "slc"] },
  diff_src_iter: { arg: 130, axes: ["L", "D", "N", "sic"] },
  diff_src_iter_c: { arg: 131, axes: ["L", "D", "N", "dhc"] },
  diff_augru_attention: { arg: 132, axes: ["T", "N", "1"] },
  diff_weights_layer: { arg: 161, axes: ["L", "D", "slc", "gates", "dhc"] },
  diff_weights_iter: { arg: 162, axes: ["L", "D", "sic", "gates", "dhc"] },
  diff_weights_peephole: { arg: 163, axes: ["L", "D", "3 (i, f, o)", "dhc"] },
  diff_weights_projection: { arg: 164, axes: ["L", "D", "dhc", "dic"] },
  diff_bias: { arg: 169, axes: ["L", "D", "bias gates", "dhc"] },
  diff_dst_layer: { arg: 145, axes: ["T", "N", "dlc"] },
  diff_dst_iter: { arg: 146, axes: ["L", "D", "N", "dic"] },
  diff_dst_iter_c: { arg: 147, axes: ["L", "D", "N", "dhc"] },
  sequence_lengths: { arg: 224, axes: ["N"] },
  norm_gain: { arg: 232, axes: ["L", "D", "norms", "dhc"] },
  norm_offset: { arg: 233, axes: ["L", "D", "norms", "dhc"] },
  diff_norm_gain: { arg: 360, axes: ["L", "D", "norms", "dhc"] },
  diff_norm_offset: { arg: 361, axes: ["L", "D", "norms", "dhc"] },
  mask_layer: { arg: 240, axes: ["L", "D", "T", "N", "slc"] },
  mask_iter: { arg: 241, axes: ["L", "D", "N", "sic"] },
  zoneout_iter: { arg: 242, axes: ["L", "D", "T", "N", "dic"] },
  zoneout_iter_c: { arg: 243, axes: ["L", "D", "T", "N", "dhc"] },
};

// What tandem_rnn_desc_init takes: tensors in its order, each with the name of its gradient.
export const DESCRIBED = {
  src_layer: "diff_src_layer",
  src_iter: "diff_src_iter",
  src_iter_c: "diff_src_iter_c",
  augru_attention: "diff_augru_attention",
  weights_layer: "diff_weights_layer",
  weights_iter: "diff_weights_iter",
  weights_peephole: "diff_weights_peephole",
  weights_projection: "diff_weights_projection",
  bias: "diff_bias",
  dst_layer: "diff_dst_layer",
  dst_iter: "diff_dst_iter",
  dst_iter_c: "diff_dst_iter_c",
};

// Weights whose layout the implementation chooses.
export const PACKED = ["weights_layer", "weights_iter", "weights_projection"];

// Sizes of structs in bytes, enumerators, arguments.
export const SIZE_OF_MEMORY_DESC = 696;
export const SIZE_OF_RNN_DESC = 16736;
export const SUCCESS = 0;
export const UNIMPLEMENTED = 3;
export const CPU = 1;
export const IN_ORDER = 1;
export const F32 = 3;
export const S32 = 4;
export const S8 = 5;
export const U8 = 6;
export const ANY = 1;
export const FORWARD_TRAINING = 64;
export const FORWARD_INFERENCE = 96;
export const BACKWARD = 128;
export const LEFT2RIGHT = 1;
export const RIGHT2LEFT = 2;
export const BIDIRECTIONAL_CONCAT = 3;
export const BIDIRECTIONAL_SUM = 4;
export const DIFF_WEIGHTS_OVERWRITE = 1;
export const EXEC_ARG_MD = 255;
export const MEMORY_CONSUMPTION = 6;
export const ARG_FROM = 1;
export const ARG_TO = 17;
export const ARG_WORKSPACE = 64;
export const ATTR_FPMATH_MODE = 1;
export const ATTR_READING = 3;
export const ATTR_DETERMINISTIC = 5;
export const ATTR_SEQUENCE_LENGTHS = 6;
export const ATTR_DYNAMIC_QUANTIZATION = 7;
export const ATTR_INPUT_FORGET = 8;
export const GATE_RECURRENT = 0;
export const GATE_CANDIDATE = 1;
export const GATE_OUTPUT = 2;
export const ATTR_RNN_MASKS = 9;
export const QPARAMS_WEIGHTS = 0;
export const QPARAMS_WEIGHTS_PROJECTION = 1;
export const FPMATH_STRICT = 0;
export const FPMATH_BF16 = 1;
export const FPMATH_F16 = 2;
export const READING_SPEC = 0;

