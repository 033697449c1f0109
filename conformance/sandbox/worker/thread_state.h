// A plugin's function must leave this state of the calling thread as it has found it.
#ifndef TANDEM_CONFORMANCE_SANDBOX_WORKER_THREAD_STATE_H_
#define TANDEM_CONFORMANCE_SANDBOX_WORKER_THREAD_STATE_H_

#include <signal.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tandem::conformance {

// The state is the control bits of floating-point arithmetic, the signals that are blocked, the locale, and the environment. A
// calling convention makes the control bits the caller's: System V ABI for AMD64, 3.2.1 (MXCSR, x87); AAPCS64, 6.1.2 (FPCR).
class ThreadState {
 public:
  // Reads the state of the calling thread.
  static ThreadState Read();
  // Names the parts that have changed since `before`, such as "MXCSR: FTZ, DAZ, signal mask". The text is empty if none has.
  std::string ChangesSince(const ThreadState& before) const;
  // Sets the calling thread's state.
  void Restore() const;

 private:
  uint64_t control_ = 0;  // MXCSR, FPCR; elsewhere fegetround()
  uint16_t x87_control_ = 0;
  sigset_t blocked_;
  std::string locale_;
  std::vector<std::string> environment_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_WORKER_THREAD_STATE_H_
