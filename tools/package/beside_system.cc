// This half of the program sees the system's oneDNN headers, and compares both libraries' results.
#include <cstdio>
#include <cstring>

#include "oneapi/dnnl/dnnl.hpp"

const char* TandemVersion();
void TandemWiden(const unsigned short* from, float* to);

int main() {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  unsigned short from[2] = {0x3f80, 0xc020};  // these are 1 and -2.5
  float system_result[2] = {}, tandem_result[2] = {};
  const dnnl::memory::desc source({2}, dnnl::memory::data_type::bf16, dnnl::memory::format_tag::a);
  const dnnl::memory::desc target({2}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::a);
  dnnl::memory source_memory(source, engine, from), target_memory(target, engine, system_result);
  dnnl::reorder(source_memory, target_memory).execute(stream, source_memory, target_memory);
  stream.wait();
  TandemWiden(from, tandem_result);
  std::printf("system %d.%d: %g %g\n", dnnl_version()->major, dnnl_version()->minor, system_result[0],
              system_result[1]);
  std::printf("tandem: %g %g\n", tandem_result[0], tandem_result[1]);
  const bool two_libraries = std::strcmp(TandemVersion(), dnnl_version()->hash) != 0;
  if (!two_libraries) std::printf("both halves reached the same library\n");
  const float expected[2] = {1.0f, -2.5f};
  const bool right = std::memcmp(system_result, expected, sizeof expected) == 0 &&
                     std::memcmp(tandem_result, expected, sizeof expected) == 0;
  return right && two_libraries ? 0 : 1;
}
