// A program has two oneDNN libraries in it. This half sees Tandem's headers.
#include "dnnl.hpp"

const char* TandemVersion() { return dnnl_version()->hash; }

// Widens two bf16 numbers through a reorder of this library.
void TandemWiden(const unsigned short* from, float* to) {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const dnnl::memory::desc source({2}, dnnl::memory::data_type::bf16, dnnl::memory::format_tag::a);
  const dnnl::memory::desc target({2}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::a);
  dnnl::memory source_memory(source, engine, const_cast<unsigned short*>(from));
  dnnl::memory target_memory(target, engine, to);
  dnnl::reorder(source_memory, target_memory).execute(stream, source_memory, target_memory);
  stream.wait();
}
