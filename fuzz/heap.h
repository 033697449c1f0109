// Counts the memory that operator new has given out. Targets hold a reader to the size of its file with it.
#ifndef TANDEM_FUZZ_HEAP_H_
#define TANDEM_FUZZ_HEAP_H_

#include <cstddef>

namespace tandem::fuzz {

// Measures the most bytes that were in use at once since it was made, beyond those in use then. Only one may exist at a time.
class HeapPeak {
 public:
  HeapPeak();
  size_t bytes() const;

 private:
  size_t before_;
};

}  // namespace tandem::fuzz

#endif  // TANDEM_FUZZ_HEAP_H_
