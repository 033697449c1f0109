// The target reads text and files: problem notation, batch files, safetensors of the judge and of network.hpp, reports, known
// departures. A reader takes any bytes or throws its own exception, within memory by their size.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "api/core/error.h"
#include "conformance/judge/known_departures.h"
#include "conformance/judge/merge.h"
#include "conformance/pages/reports.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/vectors/safetensors.h"
#include "fuzz/heap.h"
#include "fuzz/outcome.h"
#include "tandem/safetensors.hpp"

using namespace tandem::conformance;
using namespace tandem::fuzz;

namespace {

// Calls `read`. Returns false if it throws an exception that only bad input explains.
template <class Exception, class Read>
bool Accepts(Read read) {
  try {
    read();
    return true;
  } catch (const Exception& error) {
    if (error.what()[0] == '\0') Fail("an error without a message");
    return false;
  }
}

// Bounds the memory of Accepts() for a reader of `size` bytes, as SECURITY.md does. Lists of problems do not keep this bound.
template <class Exception, class Read>
bool AcceptsWithin(size_t times, size_t size, Read read) {
  constexpr size_t kLeast = size_t{1} << 17;
  const HeapPeak peak;
  const bool accepted = Accepts<Exception>(read);
  Require(peak.bytes() <= times * size + kLeast, "a reader takes memory by the size of its file");
  return accepted;
}

// A value of JSON is an object of 16 bytes in a list that has grown, and may have a list or an object of its own.
constexpr size_t kJsonTimes = 32;

// The file is in memory, for readers that take a path.
class MemoryFile {
 public:
  MemoryFile() : file_(memfd_create("input", MFD_CLOEXEC)) { Require(file_ >= 0, "there is memory for a file"); }
  const std::string& Path() const { return path_; }
  void Write(const std::string& text) const {
    Require(ftruncate(file_, 0) == 0, "a file can be emptied");
    Require(pwrite(file_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()), "a file can be written");
  }

 private:
  const int file_;
  const std::string path_ = "/proc/self/fd/" + std::to_string(file_);
};

const MemoryFile& File() {
  static const MemoryFile kFile;
  return kFile;
}

// Each list multiplies the problems; with more there are too many for a fuzzer. It shall not read other files.
bool IsModest(const std::string& text) {
  return std::count(text.begin(), text.end(), ',') <= 12 && text.find("batch") == std::string::npos;
}

void CheckProblems(const std::vector<ProblemSpec>& problems) {
  for (size_t i = 0; i < std::min<size_t>(problems.size(), 50); ++i) {
    const ProblemSpec& spec = problems[i];
    Require(ParseProblem(PrintProblem(spec)) == spec, "a problem is what its printed form says");
    Require(CountOps(spec) >= 0, "work is not negative");
    // Scales for each channel would take memory.
    if (spec.sic > 4096 || spec.slc > 4096 || spec.dhc > 4096 || spec.dic > 4096) continue;
    Accepts<tandem::Error>([&] { ToRnnProblem(spec); });
  }
}

void ReadNotation(const std::string& text) {
  if (!IsModest(text)) return;
  ProblemReader reader;
  std::istringstream words(text);
  Accepts<NotationError>([&] {
    for (std::string word; words >> word;) reader.ReadWord(word);
  });
  CheckProblems(reader.problems());
}

void ReadBatch(const std::string& text) {
  if (!IsModest(text)) return;
  File().Write(text);
  ProblemReader reader;
  Accepts<NotationError>([&] { reader.ReadBatchFile(File().Path()); });
  CheckProblems(reader.problems());
}

void ReadTensors(const std::string& text) {
  File().Write(text);
  NamedTensors tensors;
  if (!AcceptsWithin<std::runtime_error>(kJsonTimes, text.size(), [&] { tensors = ReadSafetensors(File().Path()); }))
    return;
  size_t bytes = 0;
  for (const auto& [name, tensor] : tensors) bytes += tensor.size_in_bytes();
  Require(bytes <= text.size(), "tensors have no more bytes than their file");
}

void ReadNetworksTensors(const std::string& text) {
  File().Write(text);
  tandem::safetensors file;
  if (!AcceptsWithin<std::runtime_error>(20, text.size(), [&] { file = tandem::read_safetensors(File().Path()); }))
    return;
  size_t bytes = 0;  // at least: the file may have 16 bits for a number
  for (const auto& [name, tensor] : file.tensors) bytes += (tensor.is_bytes ? 1 : 2) * tensor.values.size();
  Require(bytes <= text.size(), "tensors have no more bytes than their file");
}

void ReadReport(const std::string& text) {
  std::vector<CampaignResult> results;
  if (!AcceptsWithin<std::runtime_error>(kJsonTimes, text.size(), [&] { results = ReadJsonReport(text); })) return;
  const std::string written = JsonReport(results);
  Require(JsonReport(ReadJsonReport(written)) == written, "a report is what its written form says");
  HtmlReport(results);
  JunitReport(results);
  for (const CampaignResult& result : results) {
    TextReport(result);
    Headline(result);
  }
  Accepts<std::runtime_error>([&] { Merge(results); });
}

void ReadDepartures(const std::string& text) {
  KnownDepartures known;
  if (!AcceptsWithin<NotationError>(20, text.size(), [&] { known = KnownDepartures(text, "file"); })) return;
  CheckedProblem checked;
  checked.spec = ParseProblem("--alg=VANILLA_LSTM l1t2mb3sic4");
  for (const Verdict verdict : {Verdict::kPass, Verdict::kFail, Verdict::kCrash}) {
    checked.outcome = tandem::conformance::Outcome(verdict);
    known.On("avx2").Explain(checked);
    const std::string id = known.Explain(checked);
    const std::vector<std::string> ids = known.Ids();
    Require(id.empty() || std::count(ids.begin(), ids.end(), id) == 1, "an explanation has one of the file's ids");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  // The reader is chosen by a letter, so that a person can write an input.
  switch (data[0]) {
    case 'n':
      ReadNotation(text);
      break;
    case 'b':
      ReadBatch(text);
      break;
    case 's':
      ReadTensors(text);
      break;
    case 't':
      ReadNetworksTensors(text);
      break;
    case 'r':
      ReadReport(text);
      break;
    case 'k':
      ReadDepartures(text);
      break;
    default:
      break;
  }
  return 0;
}
