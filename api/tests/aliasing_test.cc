// Outputs that overlap inputs: every input counts as read before the first output is written. Outputs that overlap each
// other, the workspace or the scratchpad are refused by name.
#include <gtest/gtest.h>

#include <cstring>

#include "api/tests/client_targets_testing.h"
#include "api/tests/expect_error_testing.h"
#include "api/tests/rnn_client_testing.h"

namespace tandem {
namespace testing {
namespace {

using dnnl::memory;
using dnnl::prop_kind;
using dnnl::rnn_direction;
using Arguments = std::unordered_map<int, memory>;
using Bytes = std::vector<char>;

constexpr int kDiff = DNNL_ARG_DIFF_SRC_0 - DNNL_ARG_SRC_0;
constexpr int kRepetitions = 5;  // what a race leaves behind differs from run to run

std::vector<int> Shifted(std::vector<int> args) {
  for (int& arg : args) arg += kDiff;
  return args;
}

std::vector<int> Joined(std::vector<int> args, const std::vector<int>& more) {
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

// One primitive, values for its inputs, and the outputs it gives where nothing overlaps.
class Subject {
 public:
  Subject(const dnnl::primitive_desc& pd, std::vector<int> inputs, std::vector<int> outputs)
      : pd_(pd), primitive_(pd), inputs_(std::move(inputs)), outputs_(std::move(outputs)) {
    for (const int arg : Joined(inputs_, outputs_)) arguments_.emplace(arg, Filled(arg));
  }

  const std::vector<int>& inputs() const { return inputs_; }
  const std::vector<int>& outputs() const { return outputs_; }
  const dnnl::primitive_desc& pd() const { return pd_; }
  memory::desc MdOf(int arg) const { return pd_.query_md(dnnl::query::exec_arg_md, arg); }
  void Give(int arg, const memory& given) { arguments_[arg] = given; }
  const memory& Given(int arg) const { return arguments_.at(arg); }
  void Execute(const Arguments& arguments) const {
    dnnl::stream stream(Cpu());
    primitive_.execute(stream, arguments);
  }
  void Remember() {
    Execute(arguments_);
    for (const int arg : outputs_) want_[arg] = BytesOf(arguments_.at(arg));
    for (const int arg : outputs_) arguments_[arg] = Filled(arg);
  }

  // `one` begins `distance` bytes behind `other`, in one buffer.
  Arguments Overlapping(int one, int other, ptrdiff_t distance) {
    const size_t before = distance < 0 ? -distance : 0, after = distance > 0 ? distance : 0;
    buffer_.assign(before + after + MdOf(one).get_size() + MdOf(other).get_size(), 0);
    Arguments arguments;
    for (const int arg : outputs_) arguments[arg] = Filled(arg);
    for (const int arg : inputs_) arguments[arg] = arguments_.at(arg);
    for (const auto& extra : arguments_) arguments.insert(extra);
    const memory first(MdOf(one), Cpu(), buffer_.data() + before + distance);
    const memory second(MdOf(other), Cpu(), buffer_.data() + before);
    // A memory that is also an input is written last.
    for (const auto& [arg, place] : {std::pair(one, first), std::pair(other, second)}) {
      std::memcpy(place.get_data_handle(), arguments_.at(arg).get_data_handle(), MdOf(arg).get_size());
      arguments[arg] = place;
    }
    return arguments;
  }

  void ExpectWanted(const Arguments& arguments, const std::string& what) const {
    for (const int arg : outputs_) {
      EXPECT_EQ(BytesOf(arguments.at(arg)), want_.at(arg))
          << what << ": argument " << arg << " of " << pd_.impl_info_str();
    }
  }

 private:
  static Bytes BytesOf(const memory& of) {
    const char* data = static_cast<const char*>(of.get_data_handle());
    return Bytes(data, data + of.get_desc().get_size());
  }

  memory Filled(int arg) const {
    const memory::desc md = MdOf(arg);
    if (md.get_format_kind() == memory::format_kind::opaque || md.get_data_type() == memory::data_type::u8) {
      const memory zeros(md, Cpu());
      std::memset(zeros.get_data_handle(), 0, md.get_size());
      if (md.get_data_type() == memory::data_type::u8) return zeros;
    }
    size_t count = 1;
    for (const auto dim : md.get_dims()) count *= static_cast<size_t>(dim);
    std::vector<float> values;
    for (size_t i = 0; i < count; ++i) values.push_back(0.125f * static_cast<float>((i * 7 + arg) % 9) - 0.5f);
    return ToMemory(values, md.get_dims(), md);
  }

  dnnl::primitive_desc pd_;
  dnnl::primitive primitive_;
  std::vector<int> inputs_, outputs_;
  Arguments arguments_;
  std::map<int, Bytes> want_;
  Bytes buffer_;
};

std::vector<RnnCase> Cases() {
  std::vector<RnnCase> cases(4);
  cases[0].direction = rnn_direction::bidirectional_concat;
  cases[0].layers = 2;
  cases[0].peephole = true;
  cases[0].dic = 16;
  cases[1].cell = dnnl::algorithm::lbr_augru;
  cases[2].direction = rnn_direction::bidirectional_sum;
  cases[2].type = memory::data_type::bf16;
  for (RnnCase& rnn : cases) {
    rnn.steps = 3;
    rnn.batch = 5;
    rnn.slc = rnn.dhc = 16;
  }
  // One step, which `optimized` takes from src_iter where it lies.
  cases[3].cell = dnnl::algorithm::vanilla_gru;
  cases[3].steps = 1;
  cases[3].dhc = 80;
  return cases;
}

Subject ForwardOf(const RnnCase& rnn, const dnnl::primitive_desc& pd) {
  Subject subject(pd, InputsOf(rnn), OutputsOf(rnn));
  if (!pd.workspace_desc().is_zero()) subject.Give(DNNL_ARG_WORKSPACE, memory(pd.workspace_desc(), Cpu()));
  subject.Remember();
  return subject;
}

Subject BackwardOf(const RnnCase& rnn, const Subject& forward) {
  const auto pd = Backward(rnn, forward.pd(), dnnl::rnn_flags::diff_weights_overwrite);
  Subject subject(pd, Joined(Joined(InputsOf(rnn), OutputsOf(rnn)), Shifted(OutputsOf(rnn))), Shifted(InputsOf(rnn)));
  subject.Give(DNNL_ARG_WORKSPACE, forward.Given(DNNL_ARG_WORKSPACE));
  subject.Remember();
  return subject;
}

std::vector<ptrdiff_t> DistancesOf(const Subject& subject, int input, int output) {
  const auto input_bytes = static_cast<ptrdiff_t>(subject.MdOf(input).get_size());
  const auto output_bytes = static_cast<ptrdiff_t>(subject.MdOf(output).get_size());
  return {0, 64, -64, input_bytes / 128 * 64, -output_bytes / 128 * 64};
}

void ExpectEveryOverlapServed(Subject subject) {
  for (const int input : subject.inputs()) {
    for (const int output : subject.outputs()) {
      for (const ptrdiff_t distance : DistancesOf(subject, input, output)) {
        for (int i = 0; i < kRepetitions; ++i) {
          const Arguments arguments = subject.Overlapping(output, input, distance);
          subject.Execute(arguments);
          subject.ExpectWanted(arguments, "argument " + std::to_string(output) + " " + std::to_string(distance) +
                                              " bytes behind " + std::to_string(input));
          if (::testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

class Aliasing : public OnEachTarget {};
INSTANTIATE_TEST_SUITE_P(Targets, Aliasing, ClientTargets(), NameOfTarget);

TEST_P(Aliasing, ForwardReadsEveryInputBeforeItWrites) {
  for (const RnnCase& rnn : Cases()) {
    for (const prop_kind prop : {prop_kind::forward_inference, prop_kind::forward_training}) {
      for (const auto& pd : AllForward(rnn, prop)) {
        SCOPED_TRACE(rnn.ToString());
        ExpectEveryOverlapServed(ForwardOf(rnn, pd));
      }
    }
  }
}

TEST_P(Aliasing, BackwardReadsEveryInputBeforeItWrites) {
  for (const RnnCase& rnn : Cases()) {
    for (const auto& pd : AllForward(rnn, prop_kind::forward_training)) {
      SCOPED_TRACE(rnn.ToString());
      const Subject forward = ForwardOf(rnn, pd);
      ExpectEveryOverlapServed(BackwardOf(rnn, forward));
    }
  }
}

std::string Index(int arg) { return "(argument " + std::to_string(arg) + ")"; }

void ExpectRefusal(Subject* subject, int one, int other, ptrdiff_t distance) {
  const Arguments arguments = subject->Overlapping(one, other, distance);
  ExpectInvalid({Index(one).c_str(), Index(other).c_str(), "share bytes"}, [&] { subject->Execute(arguments); });
}

TEST_P(Aliasing, OutputsThatOverlapEachOtherAreRefused) {
  for (const RnnCase& rnn : Cases()) {
    for (const auto& pd : AllForward(rnn, prop_kind::forward_training)) {
      Subject forward = ForwardOf(rnn, pd);
      Subject backward = BackwardOf(rnn, forward);
      for (Subject* subject : {&forward, &backward}) {
        for (const int one : subject->outputs()) {
          for (const int other : subject->outputs()) {
            const bool same_values = rnn.steps == 1 && one < DNNL_ARG_DIFF_SRC_0;
            if (one != other && !same_values) ExpectRefusal(subject, one, other, 0);
            if (one == other) continue;
            ExpectRefusal(subject, one, other, 4);
            // The last byte of one is the first byte of the other.
            ExpectRefusal(subject, one, other, static_cast<ptrdiff_t>(subject->MdOf(other).get_size()) - 1);
            ExpectRefusal(subject, one, other, 1 - static_cast<ptrdiff_t>(subject->MdOf(one).get_size()));
          }
        }
      }
    }
  }
}

TEST_P(Aliasing, AWorkspaceThatOverlapsAnythingIsRefused) {
  const RnnCase rnn = Cases()[0];
  for (const auto& pd : AllForward(rnn, prop_kind::forward_training)) {
    Subject forward = ForwardOf(rnn, pd);
    Subject backward = BackwardOf(rnn, forward);
    for (const int arg : Joined(InputsOf(rnn), OutputsOf(rnn))) ExpectRefusal(&forward, DNNL_ARG_WORKSPACE, arg, 64);
    for (const int arg : Shifted(InputsOf(rnn))) ExpectRefusal(&backward, DNNL_ARG_WORKSPACE, arg, 64);
  }
}

// States in one buffer, h beside c, updated in place: windows that share nothing with each other.
TEST_P(Aliasing, WindowsSideBySideAreApart) {
  RnnCase rnn = Cases()[0];
  rnn.dic = 0;
  const memory::desc both({rnn.layers, 2, rnn.batch, 2 * rnn.dhc}, memory::data_type::f32, memory::format_tag::ldnc);
  const memory::dims half = rnn.Dims(DNNL_ARG_SRC_ITER);
  const memory::desc h = both.submemory_desc(half, {0, 0, 0, 0}), c = both.submemory_desc(half, {0, 0, 0, rnn.dhc});
  const auto pds = AllForward(rnn, prop_kind::forward_inference);
  rnn.layouts = {{DNNL_ARG_SRC_ITER, h}, {DNNL_ARG_DST_ITER, h}, {DNNL_ARG_SRC_ITER_C, c}, {DNNL_ARG_DST_ITER_C, c}};
  const auto windows = AllForward(rnn, prop_kind::forward_inference);
  for (size_t i = 0; i < pds.size(); ++i) {
    Subject apart = ForwardOf(rnn, pds[i]);
    Arguments arguments;
    for (const int arg : Joined(InputsOf(rnn), OutputsOf(rnn))) arguments.emplace(arg, apart.Given(arg));
    std::vector<float> states(both.get_size() / sizeof(float));
    memory parent(both, Cpu(), states.data());
    dnnl::stream stream(Cpu());
    for (const auto& [arg, md] : {std::pair(DNNL_ARG_SRC_ITER, h), std::pair(DNNL_ARG_SRC_ITER_C, c)}) {
      memory from = apart.Given(arg), to(md, Cpu(), states.data());
      dnnl::reorder(from, to).execute(stream, from, to);
    }
    for (const int arg : {DNNL_ARG_SRC_ITER, DNNL_ARG_SRC_ITER_C, DNNL_ARG_DST_ITER, DNNL_ARG_DST_ITER_C}) {
      arguments[arg] = parent;
    }
    dnnl::primitive(windows[i]).execute(stream, arguments);
    arguments[DNNL_ARG_DST_ITER] =
        ToMemory(ToValues(memory(h, Cpu(), states.data())), half, apart.MdOf(DNNL_ARG_DST_ITER));
    arguments[DNNL_ARG_DST_ITER_C] =
        ToMemory(ToValues(memory(c, Cpu(), states.data())), half, apart.MdOf(DNNL_ARG_DST_ITER_C));
    apart.ExpectWanted(arguments, "h beside c");
  }
}

// One h in one place: dst_iter is the last step of dst_layer, with the same values.
TEST_P(Aliasing, TheLastStateMayLieInDstLayer) {
  for (const auto direction : {rnn_direction::unidirectional_left2right, rnn_direction::unidirectional_right2left,
                               rnn_direction::bidirectional_concat}) {
    RnnCase rnn = Cases()[1];
    rnn.cell = dnnl::algorithm::vanilla_gru;
    rnn.direction = direction;
    const bool both = direction == rnn_direction::bidirectional_concat;
    if (both) rnn.steps = 1;
    const memory::dim row = rnn.Dlc(), channels = rnn.dhc;
    if (both) {
      rnn.layouts[DNNL_ARG_DST_ITER] = {
          rnn.Dims(DNNL_ARG_DST_ITER), memory::data_type::f32, {row * rnn.batch, channels, row, 1}};
    }
    const ptrdiff_t step = rnn.batch * row * static_cast<ptrdiff_t>(sizeof(float));
    const ptrdiff_t last = direction == rnn_direction::unidirectional_left2right ? step * (rnn.steps - 1) : 0;
    for (const auto& pd : AllForward(rnn, prop_kind::forward_inference)) {
      Subject subject = ForwardOf(rnn, pd);
      const Arguments arguments = subject.Overlapping(DNNL_ARG_DST_ITER, DNNL_ARG_DST_LAYER, last);
      subject.Execute(arguments);
      subject.ExpectWanted(arguments, "dst_iter in dst_layer");
      ExpectRefusal(&subject, DNNL_ARG_DST_ITER, DNNL_ARG_DST_LAYER, last + 4);
    }
  }
}

TEST_P(Aliasing, AReorderReadsItsSourceBeforeItWrites) {
  const memory::desc rows({6, 5}, memory::data_type::f32, memory::format_tag::ab);
  const memory::desc columns({6, 5}, memory::data_type::f32, memory::format_tag::ba);
  std::vector<float> buffer(30), want(30);
  for (int i = 0; i < 30; ++i) buffer[i] = static_cast<float>(i);
  memory from(rows, Cpu(), buffer.data()), to(columns, Cpu(), buffer.data()), apart(columns, Cpu(), want.data());
  dnnl::stream stream(Cpu());
  const dnnl::reorder transpose(from, to);
  transpose.execute(stream, from, apart);
  transpose.execute(stream, from, to);
  EXPECT_EQ(buffer, want);
}

}  // namespace
}  // namespace testing
}  // namespace tandem
