// This runs one reorder between two descriptors, whatever they are.
#ifndef TANDEM_FUZZ_RUN_REORDER_H_
#define TANDEM_FUZZ_RUN_REORDER_H_

#include "dnnl.hpp"
#include "fuzz/byte_source.h"

namespace tandem {
namespace fuzz {

// Makes the primitive descriptor in every way, requires that they agree, and executes it if its tensors are small.
void RunReorder(ByteSource* bytes, const dnnl::memory::desc& src, const dnnl::memory::desc& dst,
                const dnnl::primitive_attr& attr);

}  // namespace fuzz
}  // namespace tandem

#endif  // TANDEM_FUZZ_RUN_REORDER_H_
