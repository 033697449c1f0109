/* An RNN implementation provides this interface to be judged by Tandem. It is plain C11.
 *
 * A plugin is a shared library that exports
 *
 *     const tandem_plugin* tandem_get_plugin(uint32_t host_abi);
 *
 * and is run by  ./tandem check --impl=PATH.so . See docs/test_your_library.md and examples/plugin.
 *
 * All memory belongs to the caller. No function may keep a pointer after it returns, call exit, or let a C++ exception
 * escape. Every struct starts with its size as its user's compiler sees it: members may be added at the end without
 * breaking plugins that were built before. So may tensors: a problem says how many it has.
 *
 * Names are oneDNN's, of the RNN primitive: n_layer (L), n_dir (D), n_iter (T), mb (N), slc, sic, dhc, dic, dlc. */
#ifndef TANDEM_CONFORMANCE_PLUGIN_H_
#define TANDEM_CONFORMANCE_PLUGIN_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A problem points to its tensors since version 2. */
#define TANDEM_PLUGIN_ABI 2u

/* A vanilla RNN has 1 gate, LSTM has i, f, c~, o, the others have u, r, o. The bias of the LBR cells has u, r, o, u'. */
typedef enum {
  /* api/schema: plugin_cells */
  tandem_vanilla_rnn,
  tandem_lstm,
  tandem_gru,
  tandem_lbr_gru,
  tandem_augru,
  tandem_lbr_augru,
  /* api/schema: end */
  TANDEM_NUM_CELLS
} tandem_cell;

typedef enum {
  tandem_forward_inference,
  tandem_forward_training, /* also fills the workspace */
  tandem_backward          /* reads the workspace that forward_training filled */
} tandem_propagation;

/* With two directions each is a stack of n_layer layers of its own; the last layers of both meet in dst_layer. */
typedef enum {
  tandem_left2right,
  tandem_right2left,
  tandem_bidirectional_concat,
  tandem_bidirectional_sum
} tandem_direction;

typedef enum {
  /* api/schema: plugin_activations */
  tandem_relu,
  tandem_tanh,
  tandem_logistic,
  tandem_thresholded_relu,
  tandem_hard_sigmoid,
  tandem_softsign,
  tandem_softplus,
  tandem_elu,
  tandem_affine,
  tandem_scaled_tanh,
  /* api/schema: end */
  TANDEM_NUM_ACTIVATIONS
} tandem_activation;

/* The values of the data types are oneDNN's. */
typedef enum {
  tandem_f16 = 1,
  tandem_bf16 = 2,
  tandem_f32 = 3,
  tandem_s32 = 4,
  tandem_s8 = 5,
  tandem_u8 = 6
} tandem_data_type;

typedef enum {
  tandem_fpmath_strict,
  tandem_fpmath_bf16,
  tandem_fpmath_f16,
  tandem_fpmath_tf32,
  tandem_fpmath_any
} tandem_fpmath;

/* The results shall follow this reading of the specification if it and oneDNN differ (docs/readings.md). */
typedef enum { tandem_spec_reading, tandem_onednn_reading } tandem_reading;

#define TANDEM_FLAG_DIFF_WEIGHTS_OVERWRITE 1u
/* This flag is for f32 data and s8 weights: before each product, each row of src_layer and of a state becomes u8 by its own
 * range (docs/numerics.md). Without it, these types mean products of f32 with the numbers that the weights stand for. */
#define TANDEM_FLAG_DYNAMIC_QUANTIZATION 2u
/* Only plugins whose description says serves_gate_functions get problems with these flags or with a gate_clip. The forget gate of
 * LSTM is f = 1 - i; the gates have the functions in gate_function, in place of sigmoid and tanh. */
#define TANDEM_FLAG_INPUT_FORGET 4u
#define TANDEM_FLAG_GATE_FUNCTIONS 8u

/* These are indices into tandem_problem.tensor, with logical dims. diff_X has the dims of X. New ones come last. An absent
 * src_iter is 0 (int8: the byte that stands for 0), and an absent bias is 0. Nobody reads an absent dst_iter. Gradients of
 * weights and bias add to what is there, unless TANDEM_FLAG_DIFF_WEIGHTS_OVERWRITE is set. mask_layer and mask_iter multiply x and
 * h_{t-1} before weights do, zoneout_iter and zoneout_iter_c mix the states before a step with its own (docs/rnn_masks.md). */
enum {
  /* api/schema: plugin_tensors */
  tandem_src_layer,          /* T, N, slc */
  tandem_src_iter,           /* L, D, N, sic */
  tandem_src_iter_c,         /* L, D, N, dhc */
  tandem_augru_attention,    /* T, N, 1 */
  tandem_weights_layer,      /* L, D, slc, gates, dhc */
  tandem_weights_iter,       /* L, D, sic, gates, dhc */
  tandem_weights_peephole,   /* L, D, 3 (i, f, o), dhc */
  tandem_weights_projection, /* L, D, dhc, dic */
  tandem_bias,               /* L, D, bias gates, dhc */
  tandem_dst_layer,          /* T, N, dlc */
  tandem_dst_iter,           /* L, D, N, dic */
  tandem_dst_iter_c,         /* L, D, N, dhc */
  tandem_diff_src_layer,
  tandem_diff_src_iter,
  tandem_diff_src_iter_c,
  tandem_diff_augru_attention,
  tandem_diff_weights_layer,
  tandem_diff_weights_iter,
  tandem_diff_weights_peephole,
  tandem_diff_weights_projection,
  tandem_diff_bias,
  tandem_diff_dst_layer,
  tandem_diff_dst_iter,
  tandem_diff_dst_iter_c,
  tandem_sequence_lengths, /* N */
  tandem_norm_gain,        /* L, D, norms, dhc */
  tandem_norm_offset,      /* L, D, norms, dhc */
  tandem_diff_norm_gain,
  tandem_diff_norm_offset,
  tandem_mask_layer,     /* L, D, T, N, slc */
  tandem_mask_iter,      /* L, D, N, sic */
  tandem_zoneout_iter,   /* L, D, T, N, dic */
  tandem_zoneout_iter_c, /* L, D, T, N, dhc */
  /* api/schema: end */
  TANDEM_NUM_TENSORS
};

#define TANDEM_MAX_NDIMS 5

/* The places of a cell that have a function: the sigmoid of i, f, o of LSTM and of u, r of GRU; the tanh of c~ of LSTM and of o
 * of GRU; the tanh of h_t = o * tanh(c_t) of LSTM. */
enum { tandem_recurrent_place, tandem_candidate_place, tandem_output_place, TANDEM_NUM_PLACES };

/* A function of gates: tandem_activation and its numbers. */
typedef struct {
  int32_t activation;
  float alpha, beta;
} tandem_gate_function;

typedef struct {
  int32_t ndims;     /* 0: the tensor is absent */
  int32_t data_type; /* tandem_data_type */
  int64_t dims[TANDEM_MAX_NDIMS];
  int64_t strides[TANDEM_MAX_NDIMS]; /* in elements; bytes between rows must not be accessed */
  int32_t layout_is_free;            /* not 0: the problem asks for no layout in particular */
  int32_t reserved;
  void* data; /* first element; null in supports(). Memory that run() only reads is mapped read-only. */
} tandem_tensor;

/* q = saturate(round(scale * value)). With mask 0 there is one scale, else one for each gate and channel (weights) or for each
 * output channel (projection). */
typedef struct {
  int32_t mask;
  int32_t reserved;
  int64_t count;
  const float* values;
} tandem_scales;

typedef struct {
  uint32_t size; /* sizeof(tandem_problem) */
  uint32_t flags;
  int32_t cell, propagation, direction, activation;
  int32_t fpmath, reading;
  int32_t user_scratchpad; /* not 0: run() gets scratchpad_bytes of scratchpad */
  float alpha;             /* the activation's: the slope of relu below 0, the threshold of thresholded_relu */
  int64_t n_layer, n_dir, n_iter, mb, slc, sic, dhc, dic, dlc;
  /* int8: q = saturate(round(scale * (x + shift))), reading onednn: (scale * x + shift) */
  float data_scale, data_shift;
  tandem_scales weights_scales, projection_scales;
  int32_t threads; /* run() may use so many; 0: as many as it likes. OpenMP's number is set already. */
  /* The host knows so many tensors: its TANDEM_NUM_TENSORS, 24 or more. Do not look for a later one. */
  int32_t tensor_count;
  const tandem_tensor* tensor;
  float beta; /* the activation's; not there if size is less */
  int32_t reserved;
  /* Not there if size is less; with TANDEM_FLAG_GATE_FUNCTIONS only. */
  tandem_gate_function gate_function[TANDEM_NUM_PLACES];
  float gate_clip; /* pre-activations are clipped to [-gate_clip, gate_clip]; 0: they are not */
  /* Layer normalization (docs/layer_normalization.md), with the tensors norm_gain and norm_offset; not there if size is less. */
  int32_t norm_kind;  /* 0: none; 1: of the sum W x + U h'; 2: of W x, and apart from it of U h' */
  int32_t norm_scope; /* 0: over the channels of a gate; 1: over those of all gates */
  int32_t norm_cell;  /* c of an LSTM, 0: as it is; 1: normalized for tanh(c); 2: for all that reads it */
  float norm_epsilon; /* is added to the variance */
} tandem_problem;

typedef enum {
  tandem_ok,
  tandem_not_supported, /* from supports(): run() must do every problem that supports() accepted. From run() it refuses */
                        /* the values of sequence_lengths, which supports() has not seen. */
  tandem_failed
} tandem_status;

/* supports() fills this for a problem that it accepts. */
typedef struct {
  uint32_t size;
  uint32_t reserved;
  uint64_t workspace_bytes;  /* forward_training and backward; the same for both */
  uint64_t scratchpad_bytes; /* if problem->user_scratchpad */
} tandem_requirements;

typedef struct {
  uint32_t size;
  uint32_t reserved;
  void* workspace; /* any alignment */
  uint64_t workspace_bytes;
  void* scratchpad; /* any alignment */
  uint64_t scratchpad_bytes;
} tandem_plugin_memory;

/* The implementation is judged by these declarations. */
typedef struct {
  uint32_t size;
  int32_t whole_table;      /* not 0: every valid problem is served, so that a refusal is a failure */
  const char* name;         /* "vendor-x" */
  const char* version;      /* free text */
  int32_t readings;         /* 1 << tandem_reading for each that it can follow */
  int32_t wide_recurrence;  /* h may enter the next step unrounded */
  int32_t keeps_subnormals; /* results never flush them */
  int32_t fast_math_nan;    /* NaN may get lost */
  double sigmoid_ulp;       /* error of its activations, f32 ulps; 0: 4 */
  double tanh_ulp;          /* 0: 5 */
  /* A claimed property that does not hold is a failure. Without a claim it lowers the grade. */
  int32_t thread_deterministic; /* the same bits with any number of threads */
  int32_t batch_invariant;      /* a row gets the same bits alone as in a batch */
  int32_t narrow_slopes;        /* 1 << tandem_cell for each cell whose backward may evaluate y (1 - y) and */
                                /* (1 - y)(1 + y) of a gate y in the data type's own arithmetic */
  int32_t reserved;
  const char* cpu_isa; /* the instruction set it uses on this machine, e.g. "avx2"; null: not said */
  /* These errors widen the bounds, which costs the grade (docs/verdicts/method.md). */
  double sigmoid_abs;       /* absolute error of its activations, besides the relative one */
  double tanh_abs;          /* (a table or a polynomial that has no relative accuracy near 0 or in a tail) */
  int32_t narrow_sums;      /* 1 << tandem_cell for each cell whose pre-activations may be rounded to the 16-bit type */
  int32_t narrow_gradients; /* not 0: gradients may be rounded to the problem's 16-bit type: those that are stored in */
                            /* f32, and what backward hands from step to step and adds up over the steps */
  int32_t narrow_operations; /* 1 << tandem_cell for each cell in which each operation may round its result to the */
                             /* 16-bit type; a product of matrices is one operation and sums in f32, and so */
                             /* is reading a gradient in f32 */
  /* TANDEM_NUM_TENSORS: how many tensors the plugin knows; 0: 24. The host refuses in its name a problem that has others. */
  int32_t tensor_count;
  int32_t wide_cell_state;    /* a 16-bit c may enter the next step unrounded, as a kernel that keeps it in registers */
                              /* does; it costs the grade, too */
  int32_t one_call_at_a_time; /* not 0: two threads must not call run() at once, each with tensors of its own */
  int32_t
      serves_gate_functions; /* not 0: the plugin reads gate_clip, gate_function and both of their flags. Else the */
                             /* host refuses in its name a problem that has them. */
  int32_t reserved_at_end;
} tandem_description;

typedef struct tandem_plugin tandem_plugin;
struct tandem_plugin {
  uint32_t size; /* sizeof(tandem_plugin) */
  uint32_t abi;  /* TANDEM_PLUGIN_ABI */
  const tandem_description* (*describe)(const tandem_plugin* self);
  /* Returns tandem_ok and fills *needs, or returns tandem_not_supported and a reason of up to reason_size bytes. */
  int32_t (*supports)(const tandem_plugin* self, const tandem_problem* problem, tandem_requirements* needs,
                      char* reason, size_t reason_size);
  /* Runs the problem on its tensors. Returns tandem_ok, or tandem_failed (tandem_not_supported: see there) and a message. */
  int32_t (*run)(const tandem_plugin* self, const tandem_problem* problem, const tandem_plugin_memory* memory,
                 char* message, size_t message_size);
};

/* The function returns null for a host_abi that the plugin does not speak. */
typedef const tandem_plugin* (*tandem_get_plugin_function)(uint32_t host_abi);

#ifdef __cplusplus
}
#endif

#endif /* TANDEM_CONFORMANCE_PLUGIN_H_ */
