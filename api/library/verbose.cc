#include "api/library/verbose.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <functional>
#include <mutex>

#include "api/core/environment.h"
#include "api/core/error.h"
#include "api/core/names.h"
#include "api/core/os/os.h"
#include "api/core/text/text.h"
#include "api/library/guard.h"
#include "api/library/verbose_filter.h"
#include "dnnl/abi.h"

namespace tandem {
namespace {

constexpr unsigned kAll = kVerboseError | kVerboseDispatch | kVerboseCreate | kVerboseExec;
constexpr unsigned kUnread = 1u << 31;

// The kinds that the environment or a call chose.
std::atomic<unsigned> kinds{kUnread};

struct Settings {
  std::function<bool(const char*)> filter;  // of primitives; none: all of them
  std::string note;                         // of the environment's words; empty: there is none
  bool has_timestamp = false;
  bool has_printed = false;
};

std::mutex mutex;
Settings settings;
// This is registered at load, before a thread can hold the lock: a child of fork() has no thread that would give it back.
const bool fork_handler = os::OnFork([] { mutex.lock(); }, [] { mutex.unlock(); }, [] { mutex.unlock(); });

// Levels 0 to 2, as oneDNN counts them.
unsigned KindsOfLevel(int level) { return level <= 0 ? 0 : level == 1 ? kVerboseExec : kVerboseExec | kVerboseCreate; }

// Ignores words that it does not know, as oneDNN does.
unsigned KindsOfWord(const std::string& word) {
  if (word == "1" || word == "2") return KindsOfLevel(word[0] - '0');
  if (word == "all" || word == "-1") return kAll;
  if (word == "error" || word == "check") return kVerboseError;
  if (word == "dispatch") return kVerboseDispatch;
  if (word == "profile") return kVerboseCreate | kVerboseExec;
  if (word == "profile_create") return kVerboseCreate;
  if (word == "profile_exec") return kVerboseExec;
  return 0;
}

// If the filter is no expression, all lines are printed rather than none, as in oneDNN.
void SetFilter(const std::string& expression) {
  try {
    settings.filter = VerboseFilter(expression);
  } catch (const std::exception&) {
    settings.note = "filter=" + VerboseField(expression) + " is no regular expression: lines of all primitives follow";
  }
}

unsigned ReadEnvironment() {
  const std::string words = Environment({Variable::kOnednnVerbose, Variable::kDnnlVerbose, Variable::kTandemVerbose});
  unsigned result = 0;
  for (const std::string& word : Split(words, ',')) {
    const std::string filter = "filter=";
    if (word.compare(0, filter.size(), filter) == 0) {
      SetFilter(word.substr(filter.size()));
    } else {
      result |= KindsOfWord(word);
    }
  }
  settings.has_timestamp = Environment({Variable::kOnednnVerboseTimestamp}) == "1";
  return result;
}

unsigned Kinds() noexcept {
  const unsigned known = kinds.load(std::memory_order_relaxed);
  if (known != kUnread) return known;
  try {
    const std::lock_guard<std::mutex> lock(mutex);
    if (kinds == kUnread) kinds = ReadEnvironment();
  } catch (...) {
    kinds = 0;  // no memory
  }
  return kinds;
}

std::string Timestamp() {
  using std::chrono::duration;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return FixedText(duration<double, std::milli>(now).count()) + ',';
}

void PrintHeader() {
  const dnnl_version_t* version = tandem_version();
  std::printf("onednn_verbose,v1,info,Tandem for oneDNN v%d.%d.%d (commit %s)\n", version->major, version->minor,
              version->patch, version->hash);
  std::printf("onednn_verbose,v1,info,cpu,runtime:%s\n", tandem_runtime2str(version->cpu_runtime));
  std::printf("onednn_verbose,v1,info,cpu,isa:%s\n", tandem_cpu_isa2str(tandem_get_effective_cpu_isa()));
  std::printf("onednn_verbose,v1,info,gpu,runtime:none\n");
  if (!settings.note.empty()) std::printf("onednn_verbose,v1,info,%s\n", settings.note.c_str());
  std::printf(
      "onednn_verbose,v1,primitive,info,template:%soperation,engine,primitive,implementation,prop_kind,"
      "memory_descriptors,attributes,auxiliary,problem_desc,exec_time\n",
      settings.has_timestamp ? "timestamp," : "");
}

}  // namespace

bool IsVerbose(VerboseKind kind) noexcept { return (Kinds() & kind) != 0; }

void PrintVerbose(const char* primitive, const std::string& line) noexcept {
  try {
    const std::lock_guard<std::mutex> lock(mutex);
    if (*primitive != 0 && settings.filter != nullptr && !settings.filter(primitive)) return;
    if (!settings.has_printed) PrintHeader();
    settings.has_printed = true;
    std::printf("onednn_verbose,v1,%s%s\n", settings.has_timestamp ? Timestamp().c_str() : "", line.c_str());
    std::fflush(stdout);
  } catch (...) {
  }
}

void PrintError(const char* primitive, const char* sentence) noexcept {
  if (!IsVerbose(kVerboseError)) return;
  try {
    const std::string what =
        *primitive == 0 ? "common,error," : "primitive,create:check," + std::string(primitive) + ",";
    PrintVerbose(primitive, what + VerboseField(sentence));
  } catch (...) {
  }
}

std::string VerboseField(std::string text) {
  std::replace(text.begin(), text.end(), ',', ';');
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string VerboseTimer::Milliseconds() const {
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin_;
  return NumberText(elapsed.count());
}

}  // namespace tandem

using namespace tandem;

dnnl_status_t tandem_set_verbose(int level) {
  return Guard([&] {
    if (level < 0 || level > 2) ThrowInvalid("verbose: level is " + std::to_string(level) + ", but must be 0, 1 or 2");
    Kinds();  // the environment's filter and timestamp stay
    kinds = KindsOfLevel(level);
  });
}
