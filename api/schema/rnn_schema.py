"""The tables of cells and tensors for Python. Written by api/schema, not by hand."""

# The algorithm kinds of the C API, and the letters of the gates, those of bias alone last.
CELLS = {
    "vanilla_rnn": (8191, ["a"]),
    "lstm": (12287, ["i", "f", "c~", "o"]),
    "gru": (16383, ["u", "r", "o"]),
    "lbr_gru": (20479, ["u", "r", "o", "u\u0027"]),
    "augru": (24575, ["u", "r", "o"]),
    "lbr_augru": (28671, ["u", "r", "o", "u\u0027"]),
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
}
