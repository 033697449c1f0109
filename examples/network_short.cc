// A network that Python has saved, run in C++: 50 steps of one row.
#include <cstdio>

#include "tandem/network.hpp"

int main(int, char** argv) {
  tandem::network net(argv[1]);  // "lstm.safetensors"
  std::vector<float> x(static_cast<size_t>(50 * net.slc()), 0.5f);
  tandem::state state;  // h and c: zeros now, those of the last step after run()
  const std::vector<float> y = net.run(x, 1, &state);
  std::printf("%.6f\n", static_cast<double>(y.back()));
}
