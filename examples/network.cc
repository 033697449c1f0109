// This runs a network that the package for Python has saved, in C++, and prints its outputs for rows of different lengths.
//
//   network WEIGHTS.safetensors ROWS LENGTH...     x is a ramp of six steps; prints y, h and c, a value on a line
#include "tandem/network.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  try {
    const long rows = std::atol(argv[2]);
    const std::vector<int32_t> lengths = [&] {
      std::vector<int32_t> result;
      for (int i = 3; i < argc; ++i) result.push_back(std::atoi(argv[i]));
      return result;
    }();
    tandem::network net(argv[1]);
    std::vector<float> x(static_cast<size_t>(6 * rows * net.slc()));
    for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 7 % 13) / 6.f - 1.f;

    tandem::state state;  // zeros
    net.run(x, rows, &state, lengths);
    const std::vector<float> y = net.run(x, rows, &state, lengths);  // goes on where the first six steps ended
    for (const std::vector<float>& values : {y, state.h, state.c}) {
      for (const float value : values) std::printf("%.9g\n", static_cast<double>(value));
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
