// The target has a plugin that lies. It judges its description without a process, and runs its functions in a worker as any
// plugin's are. Each of its acts becomes a verdict.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>

#include "conformance/judge/quality.h"
#include "conformance/judge/verdict/check_bounds.h"
#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/sandbox/runfiles.h"
#include "conformance/sandbox/runner.h"
#include "fuzz/byte_source.h"
#include "fuzz/lying_plugin.h"
#include "fuzz/outcome.h"

using namespace tandem::conformance;
using namespace tandem::fuzz;

namespace {

struct Subject {
  explicit Subject(const char* words) : spec(ParseProblem(words)), problem(ToRnnProblem(spec)), tensors(problem) {
    FillInputs(spec, problem, &tensors);
  }
  ProblemSpec spec;
  tandem::RnnProblem problem;
  TensorSet tensors;
};

const Subject& SubjectOf(int index) {
  static const Subject kSubjects[] = {
      Subject("--alg=VANILLA_LSTM l1t1mb1sic1"), Subject("--alg=VANILLA_RNN --prop=BWD_DW l1t1mb1sic1"),
      Subject("--alg=VANILLA_GRU --cfg=u8u8u8u8 l1t1mb1sic1"), Subject("--alg=VANILLA_GRU --cfg=bf16 l1t1mb1sic1")};
  return kSubjects[index];
}

// Returns a number of any bits.
double AnyDouble(ByteSource* bytes) {
  if (bytes->OneIn(2)) return bytes->Float();
  uint8_t raw[sizeof(double)];
  for (uint8_t& byte : raw) byte = bytes->Byte();
  double value;
  std::memcpy(&value, raw, sizeof value);
  return value;
}

// The judge takes over errors above 0.
void Declare(ByteSource* bytes, double* error) {
  const double declared = AnyDouble(bytes);
  if (declared > 0) *error = declared;
}

void JudgeDescription(ByteSource* bytes) {
  Declaration declared;
  for (double* error : {&declared.sigmoid_ulp, &declared.tanh_ulp, &declared.sigmoid_abs, &declared.tanh_abs}) {
    Declare(bytes, error);
  }
  declared.recurrence = bytes->OneIn(2) ? Recurrence::kWide : Recurrence::kStored;
  declared.subnormals = bytes->OneIn(2) ? Subnormals::kKeep : Subnormals::kMayFlush;
  declared.nan = bytes->OneIn(2) ? NanPolicy::kFastMath : NanPolicy::kIeee;
  declared.narrow_slopes = static_cast<unsigned>(bytes->Number());
  declared.narrow_sums = static_cast<unsigned>(bytes->Number());
  declared.narrow_gradients = bytes->OneIn(2);
  WhatItAdds(declared);
  const Subject& subject = SubjectOf(bytes->Below(4));
  TensorSet outputs = subject.tensors;
  for (int i = 0; i < tandem::kNumTensors; ++i) {
    if (!IsOutput(subject.problem, static_cast<tandem::Tensor>(i))) continue;
    for (size_t k = 0; k < outputs.tensor[i].size(); ++k) outputs.tensor[i].Set(k, AnyDouble(bytes));
  }
  const ProblemReport judged = CheckBounds({subject.problem, subject.tensors, outputs}, declared);
  Require(!judged.rows.empty(), "every output is judged");
}

// This is the file that the plugin reads, and the plugin.
struct Liar {
  Liar() {
    const int file = memfd_create("lies", 0);
    Require(file >= 0 && ftruncate(file, sizeof(tandem_lies)) == 0, "there is memory for the lies");
    void* const memory = mmap(nullptr, sizeof(tandem_lies), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    Require(memory != MAP_FAILED, "there is memory for the lies");
    lies = static_cast<tandem_lies*>(memory);
    const std::string path = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file);
    setenv(TANDEM_LIES, path.c_str(), 1);
    plugin = LoadPluginFile(RunfilePath("fuzz/lying_plugin.so"));
    executor = std::make_unique<Executor>(plugin, std::vector<std::string>(), Executor::Process::kFresh);
  }
  tandem_lies* lies;
  Plugin plugin;
  std::unique_ptr<Executor> executor;
};

void JudgeRun(ByteSource* bytes) {
  static Liar* const kLiar = new Liar;
  const Subject& subject = SubjectOf(bytes->Below(4));
  tandem_lies* const lies = kLiar->lies;
  std::memset(lies->bytes, 0, sizeof lies->bytes);
  lies->size = 0;
  while (!bytes->empty() && lies->size < sizeof lies->bytes) lies->bytes[lies->size++] = bytes->Byte();
  lies->task = kLiar->executor->task().number + 1;
  RunOptions options;
  options.executor = kLiar->executor.get();
  TensorSet tensors = subject.tensors;
  const ExecutionReport report = RunIsolated(kLiar->plugin, subject.problem, options, &tensors);
  Require(report.message.find('\n') == std::string::npos, "a message is one line");
  Require((report.outcome.verdict() == Verdict::kPass) == report.message.empty(), "all but a pass is explained");
  if (report.status != RunStatus::kOk) return;
  TensorSet inputs = subject.tensors;
  CheckBounds({subject.problem, inputs, tensors}, kLiar->plugin.declared);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ByteSource bytes(data, size);
  if (bytes.OneIn(2)) {
    JudgeRun(&bytes);
  } else {
    JudgeDescription(&bytes);
  }
  return 0;
}
