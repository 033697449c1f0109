// `objdump -d` shows these instructions in GCC's and glibc's code.
#include "conformance/sandbox/worker/fault_access.h"

#include "gtest/gtest.h"

namespace tandem::conformance {
namespace {

TEST(FaultAccess, KnowsReadsOfA64) {
  for (const uint32_t instruction : {
           0xf9400020u,  // ldr x0, [x1]
           0xb8617800u,  // ldr w0, [x0, x1, lsl #2]
           0x39800020u,  // ldrsb x0, [x1]
           0x38c00420u,  // ldrsb w0, [x1], #0
           0xa9400440u,  // ldp x0, x1, [x2]
           0x3dc00020u,  // ldr q0, [x1]
           0xbd400020u,  // ldr s0, [x1]
           0xad400440u,  // ldp q0, q1, [x2]
           0x4d40c820u,  // ld1r {v0.4s}, [x1]
           0x4c407020u,  // ld1 {v0.16b}, [x1]
           0x58000040u,  // ldr x0, .+8
           0xc85ffc20u,  // ldaxr x0, [x1]
           0x88dffc20u,  // ldar w0, [x1]
           0xb8bfc020u,  // ldapr w0, [x1]
       }) {
    EXPECT_EQ(AccessOfA64(instruction), FaultAccess::kRead) << std::hex << instruction;
  }
}

TEST(FaultAccess, KnowsWritesOfA64) {
  for (const uint32_t instruction : {
           0xf9000020u,  // str x0, [x1]
           0xb8217800u,  // str w0, [x0, x1, lsl #2]
           0x39000020u,  // strb w0, [x1]
           0xa9000440u,  // stp x0, x1, [x2]
           0x3d800020u,  // str q0, [x1]
           0xbd000020u,  // str s0, [x1]
           0xad000440u,  // stp q0, q1, [x2]
           0x4c007020u,  // st1 {v0.16b}, [x1]
           0xc802fc20u,  // stlxr w2, x0, [x1]
           0x889ffc20u,  // stlr w0, [x1]
           0xb8e00022u,  // ldaddal w0, w2, [x1]
           0x88e0fc22u,  // casal w0, w2, [x1]
           0x4860fc82u,  // caspal x0, x1, x2, x3, [x4]
           0xd50b7423u,  // dc zva, x3
       }) {
    EXPECT_EQ(AccessOfA64(instruction), FaultAccess::kWrite) << std::hex << instruction;
  }
}

TEST(FaultAccess, KnowsThatOtherInstructionsOfA64AccessNothing) {
  for (const uint32_t instruction : {
           0xd503201fu,  // nop
           0x8b010000u,  // add x0, x0, x1
           0x4e22cc20u,  // fmla v0.4s, v1.4s, v2.4s
           0x54000040u,  // b.eq .+8
       }) {
    EXPECT_EQ(AccessOfA64(instruction), FaultAccess::kUnknown) << std::hex << instruction;
  }
}

TEST(FaultAccess, KnowsInstructionsOfRiscV) {
  for (const uint32_t instruction : {
           0x0005a503u,  // lw a0, 0(a1)
           0x0005a507u,  // flw fa0, 0(a1)
           0x1005a52fu,  // lr.w a0, (a1)
           0x4188u,      // c.lw a0, 0(a1)
           0x6188u,      // c.ld a0, 0(a1)
           0x6502u,      // c.ldsp a0, 0(sp)
       }) {
    EXPECT_EQ(AccessOfRiscV(instruction), FaultAccess::kRead) << std::hex << instruction;
  }
  for (const uint32_t instruction : {
           0x00a5a023u,  // sw a0, 0(a1)
           0x00a5a027u,  // fsw fa0, 0(a1)
           0x00c5a52fu,  // amoadd.w a0, a2, (a1)
           0xc188u,      // c.sw a0, 0(a1)
           0xe188u,      // c.sd a0, 0(a1)
           0xe02au,      // c.sdsp a0, 0(sp)
       }) {
    EXPECT_EQ(AccessOfRiscV(instruction), FaultAccess::kWrite) << std::hex << instruction;
  }
  for (const uint32_t instruction : {
           0x00c58533u,  // add a0, a1, a2
           0x0001u,      // c.nop
           0x852eu,      // c.mv a0, a1
       }) {
    EXPECT_EQ(AccessOfRiscV(instruction), FaultAccess::kUnknown) << std::hex << instruction;
  }
}

}  // namespace
}  // namespace tandem::conformance
