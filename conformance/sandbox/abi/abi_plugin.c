/* This plugin shows how it sees a problem. It is compiled against several versions of plugin.h. */
#include TANDEM_PLUGIN_HEADER

#include <stddef.h>

#ifndef TANDEM_KNOWN_TENSORS
#define TANDEM_KNOWN_TENSORS TANDEM_NUM_TENSORS
#endif

static int64_t Seen(const tandem_problem* p) {
  int64_t present = 0;
  for (int i = 0; i < TANDEM_NUM_TENSORS && i < p->tensor_count; ++i) present += p->tensor[i].ndims != 0;
  return 1000 * p->threads + 10 * p->n_iter + present;
}

static void Fill(const tandem_problem* p, const tandem_tensor* t) {
  int64_t index[TANDEM_MAX_NDIMS] = {0};
  for (int axis = t->ndims - 1; axis >= 0;) {
    int64_t at = 0;
    for (int i = 0; i < t->ndims; ++i) at += index[i] * t->strides[i];
    ((float*)t->data)[at] = (float)Seen(p);
    for (axis = t->ndims - 1; axis >= 0 && ++index[axis] == t->dims[axis]; --axis) index[axis] = 0;
  }
}

static const tandem_description* Describe(const tandem_plugin* self) {
  static const tandem_description kDescription = {
      .size = sizeof kDescription, .name = "abi", .readings = 1, .tensor_count = TANDEM_KNOWN_TENSORS};
  (void)self;
  return &kDescription;
}

static int32_t Supports(const tandem_plugin* self, const tandem_problem* problem, tandem_requirements* needs,
                        char* reason, size_t reason_size) {
  (void)self, (void)reason, (void)reason_size;
  needs->workspace_bytes = needs->scratchpad_bytes = 0;
  return problem->size >= offsetof(tandem_problem, tensor) + sizeof problem->tensor ? tandem_ok : tandem_failed;
}

static int32_t Run(const tandem_plugin* self, const tandem_problem* problem, const tandem_plugin_memory* memory,
                   char* message, size_t message_size) {
  (void)self, (void)memory, (void)message, (void)message_size;
  Fill(problem, &problem->tensor[tandem_dst_layer]);
  Fill(problem, &problem->tensor[tandem_dst_iter]);
  return tandem_ok;
}

const tandem_plugin* tandem_get_plugin(uint32_t host_abi) {
  static const tandem_plugin kPlugin = {sizeof kPlugin, TANDEM_PLUGIN_ABI, Describe, Supports, Run};
  return host_abi == TANDEM_PLUGIN_ABI ? &kPlugin : 0;
}
