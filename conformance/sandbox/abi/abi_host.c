/* This host asks a plugin in its own process. It is compiled against several versions of plugin.h. */
#include TANDEM_PLUGIN_HEADER

static tandem_tensor Vector(float* data) {
  const tandem_tensor vector = {.ndims = 1, .data_type = tandem_f32, .dims = {1}, .strides = {1}, .data = data};
  return vector;
}

float TANDEM_HOST(const tandem_plugin* plugin) {
  float dst_layer = 0, dst_iter = 0;
  tandem_tensor tensor[TANDEM_NUM_TENSORS] = {{0}};
  tensor[tandem_dst_layer] = Vector(&dst_layer);
  tensor[tandem_dst_iter] = Vector(&dst_iter);
  tensor[tandem_diff_dst_iter_c] = Vector(0);
  tensor[TANDEM_NUM_TENSORS - 1] = Vector(0);
  const tandem_problem problem = {
      .size = sizeof problem, .n_iter = 2, .threads = 3, .tensor_count = TANDEM_NUM_TENSORS, .tensor = tensor};
  tandem_requirements needs = {.size = sizeof needs};
  const tandem_plugin_memory memory = {.size = sizeof memory};
  char message[8];
  if (plugin->supports(plugin, &problem, &needs, message, sizeof message) != tandem_ok) return -1;
  if (plugin->run(plugin, &problem, &memory, message, sizeof message) != tandem_ok) return -2;
  return dst_layer == dst_iter ? dst_layer : -3;
}
