// A stack of RNN layers from a file: what the packages for Python and npm save, and Python's converters (docs/saved_networks.md).
//
//   tandem::network net("weights.safetensors");
//   tandem::state state;                              // the file's first state, or zeros
//   std::vector<float> y = net.run(x, rows, &state);  // x: T, N = rows, slc; y: T, N, dlc; N first if the file says so
//
// One step at a time, as in real time: tandem/stream.hpp.
//
// C++11, over dnnl.hpp; link with libtandem. Mistakes in a file are std::runtime_error, those of a call std::logic_error or
// dnnl::error.
#ifndef TANDEM_NETWORK_HPP
#define TANDEM_NETWORK_HPP

#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "oneapi/dnnl/dnnl.hpp"
#include "tandem/network_file.hpp"
#include "tandem/network_run.hpp"

namespace tandem {

namespace detail {
class stream_rows;
}  // namespace detail

// Immutable: any number of threads may run it, and any number of streams may share its weights, which it holds once. A copy costs
// nothing, being the same network. Of one that was moved away every call but an assignment and the destructor throws
// std::logic_error.
class network {
 public:
  // cell: lstm, gru, lbr_gru, vanilla_rnn, augru or lbr_augru, for a file that does not say which one it has; "" takes the file's.
  explicit network(const std::string& path, const std::string& cell = "") {
    try {
      shared_ = std::make_shared<shared>(detail::network_file_reader(path, cell).result());
    } catch (const dnnl::error& refusal) {
      throw std::runtime_error(path + ": " + refusal.what());  // shapes that do not fit each other
    }
  }

  // Channels of x and of y, how many directions, and of the states the rows of each row of the minibatch: layers * directions.
  int64_t slc() const { return stack().layers.front().slc; }
  int64_t dlc() const {
    const bool is_concat = stack().direction == dnnl::rnn_direction::bidirectional_concat;
    return stack().layers.back().dic * (is_concat ? 2 : 1);
  }
  int64_t directions() const { return stack().directions; }
  int64_t state_rows() const { return directions() * static_cast<int64_t>(stack().layers.size()); }
  // True if the file says that x and y are N, T, channels. Else they are T, N, channels.
  bool batch_first() const { return stack().batch_first; }
  // Returns the state of one row before its first step, for calls without one. A model may have learned it; empty means zeros.
  state first_state() const { return {stack().first_h, stack().first_c}; }

  // Returns the outputs of all steps. x: T, N, slc, or N, T, slc if batch_first(). states: those before the first step, then those
  // after the last; null: first_state(), and not wanted. lengths: how many steps each row has, empty for all; outputs of later
  // ones are 0, and states those at a row's end. attention: T, N, or N, T if batch_first(), of augru and lbr_augru.
  std::vector<float> run(const std::vector<float>& x, int64_t rows, state* states = nullptr,
                         const std::vector<int32_t>& lengths = std::vector<int32_t>(),
                         const std::vector<float>& attention = std::vector<float>()) const {
    const detail::run_shape shape = {steps_of(x, rows), rows, !lengths.empty()};
    if (shape.has_lengths && static_cast<int64_t>(lengths.size()) != rows) {
      throw std::invalid_argument("lengths: there must be one for each row");
    }
    if (static_cast<int64_t>(attention.size()) != (stack().is_augru() ? shape.steps * rows : 0)) {
      throw std::invalid_argument("attention: an augru needs one number for each step and row, other cells have none");
    }
    std::unique_ptr<detail::network_run> run = shared_->take(shape);
    std::vector<float> y = run->execute(x, states, lengths, attention);
    shared_->give_back(std::move(run));
    return y;
  }

 private:
  friend class detail::stream_rows;

  // Copies share the weights, and runs whose buffers are not in use.
  struct shared {
    explicit shared(const detail::stack& read) : stack(detail::packed(read)) {}

    std::unique_ptr<detail::network_run> take(const detail::run_shape& shape) {
      {
        const std::lock_guard<std::mutex> lock(mutex);
        for (std::unique_ptr<detail::network_run>& each : idle) {
          if (each == nullptr || !(each->shape() == shape)) continue;
          return std::move(each);
        }
      }
      return std::unique_ptr<detail::network_run>(new detail::network_run(stack, shape));
    }
    // Keeps it for the next call of this shape, in place of the one that has been kept for longest.
    void give_back(std::unique_ptr<detail::network_run> run) {
      const std::lock_guard<std::mutex> lock(mutex);
      for (std::unique_ptr<detail::network_run>& each : idle) {
        if (each == nullptr) return each.swap(run);
      }
      idle[next++ % most_idle].swap(run);
    }

    const detail::stack stack;

   private:
    static constexpr size_t most_idle = 4;
    std::mutex mutex;
    std::unique_ptr<detail::network_run> idle[most_idle];
    size_t next = 0;
  };

  const detail::stack& stack() const {
    if (shared_ == nullptr) throw std::logic_error("network: it was moved away");
    return shared_->stack;
  }

  int64_t steps_of(const std::vector<float>& x, int64_t rows) const {
    const int64_t channels = slc(), size = static_cast<int64_t>(x.size());
    if (rows <= 0 || rows > size / channels || size % (rows * channels) != 0) {
      throw std::invalid_argument("x: its size is no multiple of rows * slc");
    }
    return size / (rows * channels);
  }

  std::shared_ptr<shared> shared_;
};

}  // namespace tandem

#endif
