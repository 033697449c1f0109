#include <libxsmm.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

struct Cell {
  std::map<int, std::vector<float>> tensor;
  Cell(libxsmm_dnn_rnncell_type type, int steps, std::map<int, std::vector<float>> given) {
    libxsmm_dnn_err_t status;
    libxsmm_dnn_rnncell_desc d = {1,
                                  1,
                                  1,
                                  1,
                                  steps,
                                  1,
                                  1,
                                  1,
                                  type,
                                  LIBXSMM_DNN_DATATYPE_F32,
                                  LIBXSMM_DNN_DATATYPE_F32,
                                  LIBXSMM_DNN_TENSOR_FORMAT_NC,
                                  LIBXSMM_DNN_TENSOR_FORMAT_CK};
    libxsmm_dnn_rnncell* h = libxsmm_dnn_create_rnncell(d, &status);
    for (int t = LIBXSMM_DNN_RNN_REGULAR_INPUT; t <= LIBXSMM_DNN_RNN_INTERNAL_CO; ++t) {
      const auto name = static_cast<libxsmm_dnn_tensor_type>(t);
      auto* layout = libxsmm_dnn_rnncell_create_tensor_datalayout(h, name, &status);
      std::vector<float>& numbers = tensor[t];
      numbers.assign(32, 0.f);  // the tensor begins at number 16; 7 before it
      for (int i = 0; i < 16; ++i) numbers[i] = 7;
      for (size_t i = 0; i < given[t].size(); ++i) numbers[16 + i] = given[t][i];
      libxsmm_dnn_rnncell_bind_tensor(h, libxsmm_dnn_link_tensor(layout, &numbers[16], &status), name);
    }
    std::vector<char> work(4096), state(4096);
    for (auto kind : {LIBXSMM_DNN_COMPUTE_KIND_FWD, LIBXSMM_DNN_COMPUTE_KIND_BWDUPD}) {
      libxsmm_dnn_rnncell_bind_scratch(h, kind, work.data());
      libxsmm_dnn_rnncell_bind_internalstate(h, kind, state.data());
      libxsmm_dnn_rnncell_execute_st(h, kind, 0, 0);
    }
  }
  float operator[](int t) { return tensor[t][16]; }
  float At(int t, int i) { return tensor[t][16 + i]; }
};
int main() {
  const std::vector<float> one = {1}, half = {0.5f};
  // h = relu(h_prev): the gradient of h_prev is 1, that of U is h_prev = 0.5.
  Cell rnn(LIBXSMM_DNN_RNNCELL_RNN_RELU, 1,
           {{LIBXSMM_DNN_RNN_REGULAR_HIDDEN_STATE_PREV, half},
            {LIBXSMM_DNN_RNN_REGULAR_RECUR_WEIGHT, one},
            {LIBXSMM_DNN_RNN_REGULAR_RECUR_WEIGHT_TRANS, one},
            {LIBXSMM_DNN_RNN_GRADIENT_HIDDEN_STATE, one}});
  std::printf("RNN: h %g (0.5), gradient of h_prev %g (1), of U %g (0.5)\n", rnn[LIBXSMM_DNN_RNN_REGULAR_HIDDEN_STATE],
              rnn[LIBXSMM_DNN_RNN_GRADIENT_HIDDEN_STATE_PREV], rnn[LIBXSMM_DNN_RNN_GRADIENT_RECUR_WEIGHT]);
  // Weights 0: r = u = 1/2, o = 0, da_u = 1/8, da_o = 1/2; the gradients of U are da_u h_prev and da_o r h_prev.
  Cell gru(LIBXSMM_DNN_RNNCELL_GRU, 1,
           {{LIBXSMM_DNN_RNN_REGULAR_HIDDEN_STATE_PREV, half}, {LIBXSMM_DNN_RNN_GRADIENT_HIDDEN_STATE, one}});
  std::printf("GRU: h %g (0.25), gradient of U: r %g (0), u %g (0.0625), o %g (0.125)\n",
              gru[LIBXSMM_DNN_RNN_REGULAR_HIDDEN_STATE], gru.At(LIBXSMM_DNN_RNN_GRADIENT_RECUR_WEIGHT, 0),
              gru.At(LIBXSMM_DNN_RNN_GRADIENT_RECUR_WEIGHT, 1), gru.At(LIBXSMM_DNN_RNN_GRADIENT_RECUR_WEIGHT, 2));
}
