"""The tables of cells, activations and tensors, and numbers of the C headers. Written by api/schema, not by hand."""

# The algorithm kinds of the C API, and the letters of the gates, those of bias alone last.
CELLS = {
    "vanilla_rnn": (8191, ["a"]),
    "lstm": (12287, ["i", "f", "c~", "o"]),
    "gru": (16383, ["u", "r", "o"]),
    "lbr_gru": (20479, ["u", "r", "o", "u\u0027"]),
    "augru": (24575, ["u", "r", "o"]),
    "lbr_augru": (28671, ["u", "r", "o", "u\u0027"]),
}

# How many of these gates weights_layer and weights_iter have.
NUM_GATES = {
    "vanilla_rnn": 1,
    "lstm": 4,
    "gru": 3,
    "lbr_gru": 3,
    "augru": 3,
    "lbr_augru": 3,
}

# The algorithm kinds of the vanilla RNN's activations.
ACTIVATIONS = {
    "relu": 32,
    "tanh": 33,
    "logistic": 41,
    "thresholded_relu": 8323072,
    "hard_sigmoid": 40,
    "softsign": 8323073,
    "softplus": 39,
    "elu": 34,
    "affine": 38,
    "scaled_tanh": 8323074,
}

# Each activation uses this many of alpha and beta.
ACTIVATION_NUMBERS = {
    "relu": 1,
    "tanh": 0,
    "logistic": 0,
    "thresholded_relu": 1,
    "hard_sigmoid": 2,
    "softsign": 0,
    "softplus": 0,
    "elu": 1,
    "affine": 2,
    "scaled_tanh": 2,
}

# The index under which a tensor is passed to execute(), and the sizes of its axes.
TENSORS = {
    "src_layer": (1, ["T", "N", "slc"]),
    "src_iter": (2, ["L", "D", "N", "sic"]),
    "src_iter_c": (3, ["L", "D", "N", "dhc"]),
    "augru_attention": (4, ["T", "N", "1"]),
    "weights_layer": (33, ["L", "D", "slc", "gates", "dhc"]),
    "weights_iter": (34, ["L", "D", "sic", "gates", "dhc"]),
    "weights_peephole": (35, ["L", "D", "3 (i, f, o)", "dhc"]),
    "weights_projection": (36, ["L", "D", "dhc", "dic"]),
    "bias": (41, ["L", "D", "bias gates", "dhc"]),
    "dst_layer": (17, ["T", "N", "dlc"]),
    "dst_iter": (18, ["L", "D", "N", "dic"]),
    "dst_iter_c": (19, ["L", "D", "N", "dhc"]),
    "diff_src_layer": (129, ["T", "N", "slc"]),
    "diff_src_iter": (130, ["L", "D", "N", "sic"]),
    "diff_src_iter_c": (131, ["L", "D", "N", "dhc"]),
    "diff_augru_attention": (132, ["T", "N", "1"]),
    "diff_weights_layer": (161, ["L", "D", "slc", "gates", "dhc"]),
    "diff_weights_iter": (162, ["L", "D", "sic", "gates", "dhc"]),
    "diff_weights_peephole": (163, ["L", "D", "3 (i, f, o)", "dhc"]),
    "diff_weights_projection": (164, ["L", "D", "dhc", "dic"]),
    "diff_bias": (169, ["L", "D", "bias gates", "dhc"]),
    "diff_dst_layer": (145, ["T", "N", "dlc"]),
    "diff_dst_iter": (146, ["L", "D", "N", "dic"]),
    "diff_dst_iter_c": (147, ["L", "D", "N", "dhc"]),
    "sequence_lengths": (224, ["N"]),
    "norm_gain": (232, ["L", "D", "norms", "dhc"]),
    "norm_offset": (233, ["L", "D", "norms", "dhc"]),
    "diff_norm_gain": (360, ["L", "D", "norms", "dhc"]),
    "diff_norm_offset": (361, ["L", "D", "norms", "dhc"]),
    "mask_layer": (240, ["L", "D", "T", "N", "slc"]),
    "mask_iter": (241, ["L", "D", "N", "sic"]),
    "zoneout_iter": (242, ["L", "D", "T", "N", "dic"]),
    "zoneout_iter_c": (243, ["L", "D", "T", "N", "dhc"]),
}

# What tandem_rnn_desc_init takes: tensors in its order, each with the name of its gradient.
DESCRIBED = {
    "src_layer": "diff_src_layer",
    "src_iter": "diff_src_iter",
    "src_iter_c": "diff_src_iter_c",
    "augru_attention": "diff_augru_attention",
    "weights_layer": "diff_weights_layer",
    "weights_iter": "diff_weights_iter",
    "weights_peephole": "diff_weights_peephole",
    "weights_projection": "diff_weights_projection",
    "bias": "diff_bias",
    "dst_layer": "diff_dst_layer",
    "dst_iter": "diff_dst_iter",
    "dst_iter_c": "diff_dst_iter_c",
}

# Those that are weights.
WEIGHTS = [
    "weights_layer",
    "weights_iter",
    "weights_projection",
]

# The masks, each with its bit of dnnl::rnn_masks.
RNN_MASKS = {
    "mask_layer": 1,
    "mask_iter": 2,
    "zoneout_iter": 4,
    "zoneout_iter_c": 8,
}

# Sizes of structs in bytes, enumerators, arguments.
SIZE_OF_MEMORY_DESC = 696
SIZE_OF_RNN_DESC = 16736
SUCCESS = 0
UNIMPLEMENTED = 3
CPU = 1
IN_ORDER = 1
F32 = 3
S32 = 4
S8 = 5
U8 = 6
ANY = 1
FORWARD_TRAINING = 64
FORWARD_INFERENCE = 96
BACKWARD = 128
LEFT2RIGHT = 1
RIGHT2LEFT = 2
BIDIRECTIONAL_CONCAT = 3
BIDIRECTIONAL_SUM = 4
DIFF_WEIGHTS_OVERWRITE = 1
EXEC_ARG_MD = 255
MEMORY_CONSUMPTION = 6
ARG_FROM = 1
ARG_TO = 17
ARG_WORKSPACE = 64
ATTR_FPMATH_MODE = 1
ATTR_READING = 3
ATTR_DETERMINISTIC = 5
ATTR_SEQUENCE_LENGTHS = 6
ATTR_DYNAMIC_QUANTIZATION = 7
ATTR_INPUT_FORGET = 8
GATE_RECURRENT = 0
GATE_CANDIDATE = 1
GATE_OUTPUT = 2
ATTR_RNN_MASKS = 9
QPARAMS_WEIGHTS = 0
QPARAMS_WEIGHTS_PROJECTION = 1
FPMATH_STRICT = 0
FPMATH_BF16 = 1
FPMATH_F16 = 2
READING_SPEC = 0

