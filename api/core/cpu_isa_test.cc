#include "api/core/cpu_isa.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace tandem {
namespace {

std::set<std::string> features;
bool Has(const char* feature) { return features.count(feature) != 0; }

TEST(IsaOf, IsTheLargestWhoseFeaturesAreAllThere) {
  features = {};
  EXPECT_EQ(IsaOf(Has), dnnl_cpu_isa_default);
  const struct {
    const char* more;
    dnnl_cpu_isa_t isa;
  } kSteps[] = {{"sse4_1", dnnl_cpu_isa_sse41},
                {"avx", dnnl_cpu_isa_avx},
                {"avx2", dnnl_cpu_isa_avx2},
                {"avx512f", dnnl_cpu_isa_avx2},
                {"avx512bw", dnnl_cpu_isa_avx2},
                {"avx512vl", dnnl_cpu_isa_avx2},
                {"avx512dq", dnnl_cpu_isa_avx512_core},
                {"avx512_vnni", dnnl_cpu_isa_avx512_core_vnni},
                {"avx512_bf16", dnnl_cpu_isa_avx512_core_bf16},
                {"avx512_fp16", dnnl_cpu_isa_avx512_core_fp16}};
  for (const auto& step : kSteps) {
    features.insert(step.more);
    EXPECT_EQ(IsaOf(Has), step.isa) << step.more;
  }
  features = {"sse4_1", "avx", "avx2", "avx_vnni"};
  EXPECT_EQ(IsaOf(Has), dnnl_cpu_isa_avx2_vnni);
}

#if defined(__x86_64__) || defined(__i386__)
TEST(ThisProcessorHas, WhatLinuxSays) {
  std::ifstream file("/proc/cpuinfo");
  std::set<std::string> said;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    if (words >> word && word == "flags") {
      while (words >> word) said.insert(word);
      break;
    }
  }
  for (const char* feature : {"sse4_1", "avx", "avx2", "avx_vnni", "avx512f", "avx512bw", "avx512vl", "avx512dq",
                              "avx512_vnni", "avx512_bf16", "avx512_fp16"}) {
    EXPECT_EQ(ThisProcessorHas(feature), said.count(feature) != 0) << feature;
  }
}
#endif

}  // namespace
}  // namespace tandem
