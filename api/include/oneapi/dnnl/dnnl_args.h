/* Execution argument indices: under which key a memory object is passed to primitive::execute().
 * Integer constant expressions, so that they serve as case labels. */
#ifndef ONEAPI_DNNL_DNNL_ARGS_H
#define ONEAPI_DNNL_DNNL_ARGS_H

#define DNNL_ARG_UNDEF 0

#define DNNL_ARG_SRC_0 1
#define DNNL_ARG_SRC DNNL_ARG_SRC_0
#define DNNL_ARG_FROM DNNL_ARG_SRC_0
#define DNNL_ARG_SRC_1 2
#define DNNL_ARG_SRC_2 3
#define DNNL_ARG_SRC_3 4

#define DNNL_ARG_DST_0 17
#define DNNL_ARG_DST DNNL_ARG_DST_0
#define DNNL_ARG_TO DNNL_ARG_DST_0
#define DNNL_ARG_DST_1 18
#define DNNL_ARG_DST_2 19

#define DNNL_ARG_WEIGHTS_0 33
#define DNNL_ARG_WEIGHTS DNNL_ARG_WEIGHTS_0
#define DNNL_ARG_SCALE_SHIFT DNNL_ARG_WEIGHTS_0
#define DNNL_ARG_WEIGHTS_1 34
#define DNNL_ARG_WEIGHTS_2 35
#define DNNL_ARG_WEIGHTS_3 36
#define DNNL_ARG_BIAS 41
#define DNNL_ARG_REDUCE 42

/* Names of the RNN primitives for these. api/schema: arguments */
#define DNNL_ARG_SRC_LAYER 1
#define DNNL_ARG_SRC_ITER 2
#define DNNL_ARG_SRC_ITER_C 3
#define DNNL_ARG_AUGRU_ATTENTION 4
#define DNNL_ARG_WEIGHTS_LAYER 33
#define DNNL_ARG_WEIGHTS_ITER 34
#define DNNL_ARG_WEIGHTS_PEEPHOLE 35
#define DNNL_ARG_WEIGHTS_PROJECTION 36
#define DNNL_ARG_DST_LAYER 17
#define DNNL_ARG_DST_ITER 18
#define DNNL_ARG_DST_ITER_C 19
#define DNNL_ARG_DIFF_SRC_LAYER 129
#define DNNL_ARG_DIFF_SRC_ITER 130
#define DNNL_ARG_DIFF_SRC_ITER_C 131
#define DNNL_ARG_DIFF_AUGRU_ATTENTION 132
#define DNNL_ARG_DIFF_WEIGHTS_LAYER 161
#define DNNL_ARG_DIFF_WEIGHTS_ITER 162
#define DNNL_ARG_DIFF_WEIGHTS_PEEPHOLE 163
#define DNNL_ARG_DIFF_WEIGHTS_PROJECTION 164
#define DNNL_ARG_DIFF_DST_LAYER 145
#define DNNL_ARG_DIFF_DST_ITER 146
#define DNNL_ARG_DIFF_DST_ITER_C 147
/* api/schema: end */

/* Tandem's own: s32 {mb}, how many steps each row of the minibatch has. A client that is also compiled with oneDNN asks
 * for its definition with #ifdef. See docs/sequence_lengths.md. */
#define TANDEM_ARG_SEQUENCE_LENGTHS 224
/* Tandem's own: f32 {n_layer, n_dir, norms, dhc}, the gains and the offsets of layer normalization, and their gradients. See
 * docs/layer_normalization.md. */
#define TANDEM_ARG_NORM_GAIN 232
#define TANDEM_ARG_NORM_OFFSET 233
#define TANDEM_ARG_DIFF_NORM_GAIN 360
#define TANDEM_ARG_DIFF_NORM_OFFSET 361

/* Tandem's own: f32, by which an RNN multiplies its inputs and states. See docs/rnn_masks.md. */
#define TANDEM_ARG_MASK_LAYER 240
#define TANDEM_ARG_MASK_ITER 241
#define TANDEM_ARG_ZONEOUT_ITER 242
#define TANDEM_ARG_ZONEOUT_ITER_C 243

#define DNNL_ARG_MEAN 49
#define DNNL_ARG_VARIANCE 50
#define DNNL_ARG_SCALE 51
#define DNNL_ARG_SHIFT 52

#define DNNL_ARG_WORKSPACE 64
/* spec/rnn.txt's table writes it without ARG. */
#define DNNL_WORKSPACE DNNL_ARG_WORKSPACE
#define DNNL_ARG_SCRATCHPAD 80

#define DNNL_ARG_DIFF_SRC_0 129
#define DNNL_ARG_DIFF_SRC DNNL_ARG_DIFF_SRC_0
#define DNNL_ARG_DIFF_SRC_1 130
#define DNNL_ARG_DIFF_SRC_2 131
#define DNNL_ARG_DIFF_SRC_3 132

#define DNNL_ARG_DIFF_DST_0 145
#define DNNL_ARG_DIFF_DST DNNL_ARG_DIFF_DST_0
#define DNNL_ARG_DIFF_DST_1 146
#define DNNL_ARG_DIFF_DST_2 147

#define DNNL_ARG_DIFF_WEIGHTS_0 161
#define DNNL_ARG_DIFF_WEIGHTS DNNL_ARG_DIFF_WEIGHTS_0
#define DNNL_ARG_DIFF_SCALE_SHIFT DNNL_ARG_DIFF_WEIGHTS_0
#define DNNL_ARG_DIFF_WEIGHTS_1 162
#define DNNL_ARG_DIFF_WEIGHTS_2 163
#define DNNL_ARG_DIFF_WEIGHTS_3 164
#define DNNL_ARG_DIFF_BIAS 169
#define DNNL_ARG_DIFF_SCALE 255
#define DNNL_ARG_DIFF_SHIFT 256

#define DNNL_ARG_ATTR_OUTPUT_SCALES 513
#define DNNL_ARG_MULTIPLE_SRC 1024
#define DNNL_ARG_MULTIPLE_DST 2048

/* Or-ed with an argument's index: the memory that holds the quantization parameters of that
 * argument. */
#define DNNL_ARG_ATTR_SCALES 4096
#define DNNL_ARG_ATTR_ZERO_POINTS 8192
#define DNNL_ARG_ATTR_POST_OP_DW 16384
#define DNNL_ARG_ATTR_MULTIPLE_POST_OP_BASE 32768
#define DNNL_ARG_ATTR_MULTIPLE_POST_OP(idx) (DNNL_ARG_ATTR_MULTIPLE_POST_OP_BASE * ((idx) + 1))
#define DNNL_ARG_ATTR_INPUT_SCALES 1048576

#endif
