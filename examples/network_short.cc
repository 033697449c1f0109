// A network that Python has saved, run in C++: 50 steps of one row, one step in each call.
#include <cstdio>
#include <exception>

#include "tandem/stream.hpp"

int main(int argc, char** argv) try {
  const tandem::network net(argc > 1 ? argv[1] : "lstm.safetensors");
  tandem::stream voice(net);  // its h and c are zeros
  const std::vector<float> x(static_cast<size_t>(net.slc()), 0.5f);
  std::vector<float> y(static_cast<size_t>(net.dlc()));
  for (int step = 0; step < 50; ++step) voice.step(x.data(), y.data());
  std::printf("%.6f\n", static_cast<double>(y.back()));
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
