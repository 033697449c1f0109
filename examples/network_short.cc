// A network that Python has saved, run in C++: 50 steps of one row, one step in each call.
#include <cstdio>
#include <exception>

#include "tandem/network.hpp"

int main(int argc, char** argv) try {
  tandem::network net(argc > 1 ? argv[1] : "lstm.safetensors");
  const std::vector<float> x(static_cast<size_t>(net.slc()), 0.5f);
  tandem::state state;  // h and c: zeros now, after run() those of the last step
  std::vector<float> y;
  for (int step = 0; step < 50; ++step) y = net.run(x, 1, &state);
  std::printf("%.6f\n", static_cast<double>(y.back()));
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
