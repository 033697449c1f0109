#include "conformance/sandbox/worker/thread_state.h"

#include <locale.h>
#include <unistd.h>

#include <cfenv>
#include <cstdlib>

namespace tandem::conformance {
namespace {

struct ControlBits {
  uint64_t mask;
  const char* name;
};

#if defined(__x86_64__) || (defined(__i386__) && defined(__SSE__))
// Intel's Software Developer's Manual (volume 1, 10.2.3) has the bits. Any operation may set the flags, bits 0 to 5.
constexpr char kRegister[] = "MXCSR";
constexpr ControlBits kControlBits[] = {
    {1u << 15, "FTZ"}, {1u << 6, "DAZ"}, {3u << 13, "rounding"}, {0x3fu << 7, "exception masks"}};
uint64_t ReadControl() { return __builtin_ia32_stmxcsr() & ~0x3fu; }
void WriteControl(uint64_t control) { __builtin_ia32_ldmxcsr(static_cast<uint32_t>(control)); }
uint16_t ReadX87() {
  uint16_t word;
  asm volatile("fnstcw %0" : "=m"(word));
  return word;
}
void WriteX87(uint16_t word) { asm volatile("fldcw %0" : : "m"(word)); }
#elif defined(__aarch64__)
// The bits are those of FPCR in the Arm Architecture Reference Manual.
constexpr char kRegister[] = "FPCR";
constexpr ControlBits kControlBits[] = {{1u << 24, "FZ"},       {1u << 19, "FZ16"}, {1u << 0, "FIZ"},  {1u << 25, "DN"},
                                        {3u << 22, "rounding"}, {1u << 26, "AHP"},  {0x9f00u, "traps"}};
uint64_t ReadControl() {
  uint64_t control;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  return control;
}
void WriteControl(uint64_t control) { asm volatile("msr fpcr, %0" : : "r"(control)); }
uint16_t ReadX87() { return 0; }
void WriteX87(uint16_t) {}
#else
constexpr char kRegister[] = "floating point";
constexpr ControlBits kControlBits[] = {{~uint64_t{0}, "rounding"}};
uint64_t ReadControl() { return static_cast<uint64_t>(std::fegetround()); }
void WriteControl(uint64_t control) { std::fesetround(static_cast<int>(control)); }
uint16_t ReadX87() { return 0; }
void WriteX87(uint16_t) {}
#endif

void AddTo(std::string* list, const std::string& item) { *list += (list->empty() ? "" : ", ") + item; }

bool SameSignals(const sigset_t& a, const sigset_t& b) {
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    if (sigismember(&a, signal) != sigismember(&b, signal)) return false;
  }
  return true;
}

std::vector<std::string> ReadEnvironment() {
  std::vector<std::string> variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    variables.emplace_back(*variable);
  }
  return variables;
}

void WriteEnvironment(const std::vector<std::string>& variables) {
  clearenv();
  for (const std::string& variable : variables) {
    const size_t equals = variable.find('=');
    if (equals != std::string::npos) setenv(variable.substr(0, equals).c_str(), &variable[equals + 1], 1);
  }
}

}  // namespace

ThreadState ThreadState::Read() {
  ThreadState state;
  state.control_ = ReadControl();
  state.x87_control_ = ReadX87();
  pthread_sigmask(SIG_SETMASK, nullptr, &state.blocked_);
  state.locale_ = setlocale(LC_ALL, nullptr);
  state.environment_ = ReadEnvironment();
  return state;
}

std::string ThreadState::ChangesSince(const ThreadState& before) const {
  std::string changes;
  for (const ControlBits& bits : kControlBits) {
    if (((control_ ^ before.control_) & bits.mask) != 0) AddTo(&changes, bits.name);
  }
  if (!changes.empty()) changes = std::string(kRegister) + ": " + changes;
  if (x87_control_ != before.x87_control_) AddTo(&changes, "x87's control word");
  if (!SameSignals(blocked_, before.blocked_)) AddTo(&changes, "signal mask");
  if (locale_ != before.locale_) AddTo(&changes, "locale");
  if (environment_ != before.environment_) AddTo(&changes, "environment");
  return changes;
}

void ThreadState::Restore() const {
  WriteControl(control_);
  WriteX87(x87_control_);
  pthread_sigmask(SIG_SETMASK, &blocked_, nullptr);
  setlocale(LC_ALL, locale_.c_str());
  WriteEnvironment(environment_);
}

}  // namespace tandem::conformance
