// A command behind a pipe answers any bytes. The target runs the judge's side of the protocol, without a process.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "conformance/problem/problem_notation.h"
#include "conformance/sandbox/pipe/command.h"
#include "conformance/sandbox/pipe/pipe_plugin.h"
#include "conformance/sandbox/plugin_host.h"
#include "fuzz/byte_source.h"
#include "fuzz/outcome.h"

using namespace tandem::conformance;
using namespace tandem::fuzz;

namespace {

// The script is the other side's text, and the sizes of its pieces. The other side ends where the script does.
struct Script {
  std::string text;
  size_t piece = 1;
  bool unasked = false;  // the other side speaks before it is asked
} g_script;

class Scripted : public Conversation {
 public:
  void Stop() override { ForgetBytes(); }

 private:
  void Start() override {}
  void Write(const void* bytes, size_t size) override {
    // The request itself must be readable memory.
    g_sum += size == 0 ? 0 : *(static_cast<const uint8_t*>(bytes) + size - 1);
  }
  size_t Read(void* bytes, size_t most) override {
    const size_t count = std::min({most, g_script.piece, g_script.text.size()});
    if (count == 0) throw CommandEnded(0, 1, FirstLine());
    std::memcpy(bytes, g_script.text.data(), count);
    g_script.text.erase(0, count);
    return count;
  }
  void EndRequests() override {}
  bool HasBytes(int) override { return g_script.unasked && !g_script.text.empty(); }

  static unsigned g_sum;
};
unsigned Scripted::g_sum = 0;

// This is a problem with buffers for everything.
struct Subject {
  explicit Subject(const char* words) : problem(ToRnnProblem(ParseProblem(words))), tensors(problem) {
    given = ToPluginProblem(problem, 0);
    for (int i = 0; i < tandem::kNumTensors; ++i) given.tensor[i].data = tensors.tensor[i].data();
    memory.size = sizeof memory;
    memory.workspace = &workspace;
    memory.workspace_bytes = sizeof workspace;
  }
  tandem::RnnProblem problem;
  TensorSet tensors;
  StatedProblem given;
  tandem_plugin_memory memory = {};
  uint64_t workspace = 0;
};

Subject& SubjectOf(int index) {
  static Subject subjects[] = {Subject("--alg=VANILLA_LSTM l1t1mb1sic1"),
                               Subject("--alg=VANILLA_GRU --prop=BWD_DW l1t1mb1sic2"),
                               Subject("--alg=VANILLA_GRU --cfg=u8u8u8u8 l1t1mb1sic2")};
  return subjects[index];
}

void CheckText(const char* text, size_t size) {
  Require(std::memchr(text, '\0', size) != nullptr, "a message ends inside its buffer");
}

void CheckDescription(const tandem_plugin* plugin) {
  try {
    const tandem_description* const d = plugin->describe(plugin);
    Require(d->name != nullptr && d->version != nullptr && d->cpu_isa != nullptr, "a description has all its words");
    Require(d->readings >= 0 && d->readings < 4, "there are two readings");
  } catch (const std::runtime_error&) {
    // The worker would report this exception.
  }
}

void Call(ByteSource* choices, const tandem_plugin* plugin) {
  Subject& subject = SubjectOf(choices->Below(3));
  char message[48];
  switch (choices->Below(4)) {
    case 0:
      return CheckDescription(plugin);
    case 1: {
      tandem_requirements needs = {};
      const int32_t status = plugin->supports(plugin, subject.given.get(), &needs, message, sizeof message);
      Require(status >= tandem_ok && status <= tandem_failed, "supports() gives one of its statuses");
      if (status != tandem_ok) CheckText(message, sizeof message);
      return;
    }
    case 2: {
      const TensorSet before = subject.tensors;
      const int32_t status = plugin->run(plugin, subject.given.get(), &subject.memory, message, sizeof message);
      Require(status == tandem_ok || status == tandem_failed, "run() gives one of its statuses");
      if (status == tandem_ok) return;
      CheckText(message, sizeof message);
      for (int i = 0; i < tandem::kNumTensors; ++i) {
        Require(before.tensor[i].bytes() == subject.tensors.tensor[i].bytes(), "a failed run writes nothing");
      }
      return;
    }
    default: {
      const tandem_timing* const timing = PipeTiming();
      tandem_prepared prepared = {};
      if (timing->prepare(plugin, subject.given.get(), &subject.memory, &prepared, message, sizeof message) !=
          tandem_ok) {
        return CheckText(message, sizeof message);
      }
      timing->execute(prepared.handle);
      timing->last_seconds(prepared.handle);
      return timing->release(prepared.handle);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kChoices = 8;
  if (size < kChoices) return 0;
  static const tandem_plugin* const kPlugin =
      PipePlugin([] { return std::make_unique<Scripted>(); }, WhenCommandEnds::kFail);
  ByteSource choices(data, kChoices);
  constexpr size_t kPieces[] = {65536, 1, 7};
  g_script.piece = choices.OneOf(kPieces);
  g_script.unasked = choices.OneIn(8);
  g_script.text.assign(reinterpret_cast<const char*>(data) + kChoices, size - kChoices);
  for (int n = choices.Below(3); n >= 0; --n) Call(&choices, kPlugin);
  return 0;
}
