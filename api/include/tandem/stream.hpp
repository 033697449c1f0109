// One step of a network at a time, in real time: an effect that has one sample, a frame loop, many users of one server.
//
//   tandem::network net("weights.safetensors");
//   tandem::stream voice(net);     // its states are net.first_state(); everything that a step needs is allocated here
//   voice.step(x, y);              // slc floats in, dlc floats out
//   voice.run(x, steps, y);        // so many steps, with the same bits
//
//   tandem::stream_group desk(net, 64);  // 64 rows of states
//   desk.step(rows, count, x, y);        // one step of those that are named: one product for all of them
//
// step() and run() allocate nothing, take no lock, make no call of the system and throw nothing, on one thread. They leave the
// floating-point environment as it was. Outputs have the bits of network::run(). C++11; docs/streams.md.
#ifndef TANDEM_STREAM_HPP
#define TANDEM_STREAM_HPP

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "dnnl/rnn_stream.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "tandem/network.hpp"

namespace tandem {
namespace detail {

inline void check_stream(dnnl_status_t status) {
  if (status == dnnl_invalid_arguments) throw std::invalid_argument(tandem_last_error());
  if (status != dnnl_success) throw dnnl::error(status, tandem_last_error());
}

// States of rows, and the way from floats to floats. Layers whose x is encoded begin a part of their own.
class stream_rows {
 public:
  stream_rows(const network& net, int64_t rows) : net_(net), rows_(rows) {
    const stack& all = net.stack();
    if (all.direction != dnnl::rnn_direction::unidirectional_left2right) {
      throw std::invalid_argument("stream: the network is not left2right, so that its first output needs all inputs");
    }
    parts_.reserve(all.layers.size());
    for (size_t begin = 0, end; begin < all.layers.size(); begin = end) {
      end = all.has_bytes() ? begin + 1 : all.layers.size();
      parts_.emplace_back(all, begin, end, rows);
    }
    for (int64_t row = 0; row < (all.first_h.empty() ? 0 : rows); ++row) reset(row);
  }
  stream_rows(const stream_rows& other) : stream_rows(other.net_, other.rows_) {
    for (int64_t row = 0; row < rows_; ++row) load(row, other.save(row));
  }
  stream_rows(stream_rows&&) = default;
  stream_rows& operator=(const stream_rows& other) { return *this = stream_rows(other); }
  stream_rows& operator=(stream_rows&&) = default;

  int64_t rows() const { return rows_; }

  // False, without a change of y, after a move, or if an argument is none.
  bool step(const float* x, float* y, const float* attention) noexcept {
    return pass(1, x, y, [&](part& each, const void* from, float* to) {
      return tandem_rnn_stream_step(each.handle, from, attention, to);
    });
  }
  bool step(const int64_t* rows, int64_t count, const float* x, float* y, const float* attention) noexcept {
    if (count < 0 || count > rows_) return false;
    return pass(count, x, y, [&](part& each, const void* from, float* to) {
      return tandem_rnn_stream_step_rows(each.handle, count, rows, from, attention, to);
    });
  }
  bool run(const float* x, int64_t steps, float* y, const float* attention) noexcept {
    if (parts_.size() == 1 && parts_[0].code == nullptr) {
      return tandem_rnn_stream_run(parts_[0].handle, steps, x, attention, y) == dnnl_success;
    }
    const int64_t slc = parts_.empty() ? 0 : parts_.front().slc, dlc = parts_.empty() ? 0 : parts_.back().dlc;
    for (int64_t i = 0; i < steps; ++i) {
      if (!step(x + i * slc, y + i * dlc, attention == nullptr ? nullptr : attention + i)) return false;
    }
    return !parts_.empty();
  }

  void reset(int64_t row) {
    const state first = parts_.empty() ? state() : net_.first_state();
    if (!first.h.empty()) return load(row, first);
    for (part& each : parts_) check_stream(tandem_rnn_stream_reset(each.handle, row));
  }
  state save(int64_t row) const {
    state result;
    for (const part& each : parts_) {
      const size_t h = result.h.size(), c = result.c.size();
      result.h.resize(h + static_cast<size_t>(each.sizes.h));
      result.c.resize(c + static_cast<size_t>(each.sizes.c));
      check_stream(tandem_rnn_stream_save(each.handle, row, result.h.data() + h, result.c.data() + c));
    }
    return result;
  }
  void load(int64_t row, const state& from) {
    if (from.h.empty() && from.c.empty()) return reset(row);
    size_t h = 0, c = 0;
    for (const part& each : parts_) {
      h += static_cast<size_t>(each.sizes.h);
      c += static_cast<size_t>(each.sizes.c);
    }
    if (from.h.size() != h || from.c.size() != c) {
      throw std::invalid_argument("state: its size is not that of one row of this network");
    }
    const float* its_h = from.h.data();
    const float* its_c = from.c.data();
    for (part& each : parts_) {
      check_stream(tandem_rnn_stream_load(each.handle, row, its_h, its_c));
      its_h += each.sizes.h;
      its_c += each.sizes.c;
    }
  }

 private:
  struct part {
    part(const stack& all, size_t begin, size_t end, int64_t rows)
        : code(all.has_bytes() ? &all.layers[begin].bytes : nullptr),
          slc(all.layers[begin].slc),
          dlc(all.layers[end - 1].dic) {
      std::vector<dnnl::primitive_desc> described;
      std::vector<std::vector<dnnl_exec_arg_t>> arguments;
      std::vector<tandem_rnn_stream_layers_t> layers;
      for (size_t i = begin; i < end; ++i) {
        described.push_back(describe(all, all.layers[i], {1, 1, false}));
        arguments.emplace_back();
        for (const auto& held : all.layers[i].weights) {
          arguments.back().push_back(dnnl_exec_arg_t{held.first, held.second.get()});
        }
        layers.push_back({described.back().get(), static_cast<int>(arguments.back().size()), arguments.back().data()});
      }
      tandem_rnn_stream_plan_t plan = nullptr;
      check_stream(tandem_rnn_stream_plan_create(&plan, static_cast<int>(layers.size()), layers.data()));
      const dnnl_status_t status = tandem_rnn_stream_create(&handle, plan, rows);
      tandem_rnn_stream_plan_get_sizes(plan, &sizes);
      tandem_rnn_stream_plan_destroy(plan);
      check_stream(status);
      if (code != nullptr) encoded.resize(static_cast<size_t>(rows * slc));
      if (end < all.layers.size()) above.resize(static_cast<size_t>(rows * dlc));
    }
    part(part&& other) noexcept
        : code(other.code),
          slc(other.slc),
          dlc(other.dlc),
          sizes(other.sizes),
          handle(other.handle),
          encoded(std::move(other.encoded)),
          above(std::move(other.above)) {
      other.handle = nullptr;
    }
    part(const part&) = delete;
    part& operator=(const part&) = delete;
    ~part() { tandem_rnn_stream_destroy(handle); }

    const coding* code;  // of x; null: floats as they are
    int64_t slc, dlc;
    tandem_rnn_stream_sizes_t sizes;
    tandem_rnn_stream_t handle = nullptr;
    std::vector<float> encoded;  // x of `rows` rows, as floats or bytes
    std::vector<float> above;    // y, where another part follows
  };

  // Calls step(part, x, y) from the lowest part to the highest.
  template <typename Step>
  bool pass(int64_t count, const float* x, float* y, const Step& step) noexcept {
    if (x == nullptr || y == nullptr) return false;
    for (part& each : parts_) {
      const void* from = x;
      if (each.code != nullptr) {
        each.code->encode(x, static_cast<size_t>(count * each.slc), each.encoded.data());
        from = each.encoded.data();
      }
      float* const to = each.above.empty() ? y : each.above.data();
      if (step(each, from, to) != dnnl_success) return false;
      x = to;
    }
    return !parts_.empty();
  }

  network net_;
  int64_t rows_;
  std::vector<part> parts_;
};

}  // namespace detail

// The states of one row, at first network::first_state(). One thread at a time. A copy has the same states, and buffers of its own.
// One that was moved away does nothing and returns false.
class stream {
 public:
  // Throws std::invalid_argument for a network that is not left2right.
  explicit stream(const network& net) : rows_(net, 1) {}

  // x: slc floats; y: dlc floats; both may be the same. attention: a number for each step, which augru and lbr_augru need. True if
  // the step was made: always, unless a pointer is null or the stream was moved away.
  bool step(const float* x, float* y, const float* attention = nullptr) noexcept { return rows_.step(x, y, attention); }
  // x: steps, slc; y: steps, dlc.
  bool run(const float* x, int64_t steps, float* y, const float* attention = nullptr) noexcept {
    return rows_.run(x, steps, y, attention);
  }

  // States become those at first; those that save() returns are network::run()'s.
  void reset() { rows_.reset(0); }
  state save() const { return rows_.save(0); }
  void load(const state& from) { rows_.load(0, from); }

 private:
  detail::stream_rows rows_;
};

// The states of rows that come and go. One thread at a time.
class stream_group {
 public:
  stream_group(const network& net, int64_t rows) : rows_(net, rows) {}

  int64_t rows() const { return rows_.rows(); }
  // One step of `count` different rows. x: count, slc; y: count, dlc. False if a row is none, or is named twice.
  bool step(const int64_t* rows, int64_t count, const float* x, float* y, const float* attention = nullptr) noexcept {
    return rows_.step(rows, count, x, y, attention);
  }
  bool step(const std::vector<int64_t>& rows, const float* x, float* y, const float* attention = nullptr) noexcept {
    return step(rows.data(), static_cast<int64_t>(rows.size()), x, y, attention);
  }

  void reset(int64_t row) { rows_.reset(row); }
  state save(int64_t row) const { return rows_.save(row); }
  void load(int64_t row, const state& from) { rows_.load(row, from); }

 private:
  detail::stream_rows rows_;
};

}  // namespace tandem

#endif
