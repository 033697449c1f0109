// A saved network names activations and functions of gates by these words. Clients do not include this.
#ifndef TANDEM_GATES_HPP
#define TANDEM_GATES_HPP

#include <cstddef>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "oneapi/dnnl/dnnl.hpp"

namespace tandem {
namespace detail {

struct activation_row {
  const char* name;
  dnnl::algorithm kind;
  size_t numbers;  // how many of alpha and beta its equation uses
};

inline const std::vector<activation_row>& activations() {
  using dnnl::algorithm;
  static const std::vector<activation_row> all = {
      // api/schema: network_activations
      {"relu", algorithm::eltwise_relu, 1},
      {"tanh", algorithm::eltwise_tanh, 0},
      {"logistic", algorithm::eltwise_logistic, 0},
      {"thresholded_relu", algorithm::eltwise_thresholded_relu, 1},
      {"hard_sigmoid", algorithm::eltwise_hardsigmoid, 2},
      {"softsign", algorithm::eltwise_softsign, 0},
      {"softplus", algorithm::eltwise_soft_relu, 0},
      {"elu", algorithm::eltwise_elu, 1},
      {"affine", algorithm::eltwise_linear, 2},
      {"scaled_tanh", algorithm::eltwise_scaled_tanh, 2},
      // api/schema: end
  };
  return all;
}

// Returns false if the word is no number, in any locale.
inline bool to_number(const std::string& word, float* number) {
  std::istringstream text(word);
  text.imbue(std::locale::classic());
  return (text >> *number) && text.peek() == std::istringstream::traits_type::eof();
}

inline std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> words(1);
  for (const char letter : text) {
    if (letter == separator) {
      words.emplace_back();
    } else {
      words.back() += letter;
    }
  }
  return words;
}

// Reads a function with all numbers that it uses, as "hard_sigmoid:0.2:0.5". Throws std::invalid_argument with a sentence.
inline dnnl::rnn_activation read_function(const std::string& word) {
  const std::vector<std::string> words = split(word, ':');
  for (const activation_row& row : activations()) {
    if (words[0] != row.name || words.size() != 1 + row.numbers) continue;
    float numbers[2] = {0.f, 0.f};
    bool is_right = true;
    for (size_t i = 0; i < row.numbers; ++i) is_right = is_right && to_number(words[i + 1], &numbers[i]);
    if (is_right) return dnnl::rnn_activation(row.kind, numbers[0], numbers[1]);
  }
  throw std::invalid_argument("activations has " + word + ", which is no function with its numbers");
}

// A network's gates have these in place of the specification's functions: docs/numerics.md, "Functions of gates".
struct gate_functions {
  std::vector<dnnl::rnn_activation> functions;  // recurrent, candidate and, of lstm, output; none: the specification's
  float clip = 0.f;
  bool input_forget = false;

  void add_to(dnnl::primitive_attr* attributes) const {
    if (functions.size() == 2) attributes->set_rnn_activations(functions[0], functions[1]);
    if (functions.size() == 3) attributes->set_rnn_activations(functions[0], functions[1], functions[2]);
    if (clip != 0.f) attributes->set_rnn_clip(clip);
    if (input_forget) attributes->set_rnn_input_forget(true);
  }
};

}  // namespace detail
}  // namespace tandem

#endif
