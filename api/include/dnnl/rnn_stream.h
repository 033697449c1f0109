/* Streams of RNNs: one step at a time, in real time. Tandem's own; C99. C++ clients use tandem/stream.hpp.
 *
 * A plan is a stack of layers whose weights are packed once. It is immutable: any number of threads and of streams share it.
 * A stream has the states of one row, or of a group of rows. One thread at a time may use it. After its creation, step, run,
 * reset, save and load take no memory, no lock and no call of the system; with the `reference` backend they allocate.
 * Results have the same bits as those of one execution of all steps. docs/streams.md */
#ifndef DNNL_RNN_STREAM_H
#define DNNL_RNN_STREAM_H

#include "oneapi/dnnl/dnnl_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tandem_rnn_stream_plan* tandem_rnn_stream_plan_t;
typedef const struct tandem_rnn_stream_plan* const_tandem_rnn_stream_plan_t;
typedef struct tandem_rnn_stream* tandem_rnn_stream_t;
typedef const struct tandem_rnn_stream* const_tandem_rnn_stream_t;

/* Layers of a stack: those of an RNN primitive descriptor for forward_inference from left to right, whatever its n_iter and mb,
 * and its weights: DNNL_ARG_WEIGHTS_LAYER, DNNL_ARG_WEIGHTS_ITER and so on, as execute() takes them. */
typedef struct {
  const_dnnl_primitive_desc_t primitive_desc;
  int nargs;
  const dnnl_exec_arg_t* args;
} tandem_rnn_stream_layers_t;

/* Elements of one row. */
typedef struct {
  dnnl_dim_t slc; /* of src_layer of the first layer, */
  dnnl_data_type_t src_type;
  dnnl_dim_t dlc; /* and of dst_layer of the last one */
  dnnl_data_type_t dst_type;
  dnnl_dim_t h; /* dic of all layers, */
  dnnl_dim_t c; /* and dhc of those that have c */
} tandem_rnn_stream_sizes_t;

/* Makes a plan of `count` descriptors, the lowest layers first. Weights in the layout that a descriptor chose for `any` are read
 * where they are: their memories must keep their buffers as long as the plan lives. Others are packed into a copy. */
DNNL_API dnnl_status_t tandem_rnn_stream_plan_create(tandem_rnn_stream_plan_t* plan, int count,
                                                     const tandem_rnn_stream_layers_t* layers);
/* Streams made of it go on. NULL is no error. */
DNNL_API dnnl_status_t tandem_rnn_stream_plan_destroy(tandem_rnn_stream_plan_t plan);
DNNL_API dnnl_status_t tandem_rnn_stream_plan_get_sizes(const_tandem_rnn_stream_plan_t plan,
                                                        tandem_rnn_stream_sizes_t* sizes);

/* Makes a stream of `rows` rows, whose states are zeros. */
DNNL_API dnnl_status_t tandem_rnn_stream_create(tandem_rnn_stream_t* stream, const_tandem_rnn_stream_plan_t plan,
                                                dnnl_dim_t rows);
DNNL_API dnnl_status_t tandem_rnn_stream_destroy(tandem_rnn_stream_t stream);

/* One step of the first row. src_layer: slc elements; dst_layer: dlc elements; augru_attention: one element of src_type, NULL
 * for cells without. src_layer and dst_layer may be the same. */
DNNL_API dnnl_status_t tandem_rnn_stream_step(tandem_rnn_stream_t stream, const void* src_layer,
                                              const void* augru_attention, void* dst_layer);
/* `steps` steps of the first row, one behind another: the same bits as so many calls. dst_layer shares no byte with inputs. */
DNNL_API dnnl_status_t tandem_rnn_stream_run(tandem_rnn_stream_t stream, dnnl_dim_t steps, const void* src_layer,
                                             const void* augru_attention, void* dst_layer);
/* One step of `count` different rows, whose inputs and outputs lie one behind another. dst_layer shares no byte with inputs. */
DNNL_API dnnl_status_t tandem_rnn_stream_step_rows(tandem_rnn_stream_t stream, dnnl_dim_t count, const dnnl_dim_t* rows,
                                                   const void* src_layer, const void* augru_attention, void* dst_layer);

/* The states of a row, layer by layer, as numbers; c is NULL for cells without it. */
DNNL_API dnnl_status_t tandem_rnn_stream_reset(tandem_rnn_stream_t stream, dnnl_dim_t row);
DNNL_API dnnl_status_t tandem_rnn_stream_save(const_tandem_rnn_stream_t stream, dnnl_dim_t row, float* h, float* c);
DNNL_API dnnl_status_t tandem_rnn_stream_load(tandem_rnn_stream_t stream, dnnl_dim_t row, const float* h,
                                              const float* c);

#ifdef __cplusplus
}
#endif

#endif
