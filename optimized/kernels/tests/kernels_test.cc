// Every entry of the registry of kernels, on every target of the machine.
#include "optimized/kernels/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/core/float16.h"
#include "optimized/kernels/contracts.h"
#include "optimized/machine/target.h"
#include "optimized/weights/element.h"
#include "optimized/weights/weights_packer.h"

namespace tandem {
namespace optimized {
namespace {

constexpr Dim kRows = 13, kUnits = 80, kLong = 2500;

void ForEachKernels(const std::function<void(const KernelsEntry&, const Kernels&)>& visit) {
  for (const Target& target : TargetsOfThisMachine()) {
    for (const KernelsEntry& entry : KernelsRegistry()) {
      const Kernels kernels = entry.kernels(target);
      if (kernels.run == nullptr) continue;
      SCOPED_TRACE(std::string(entry.name) + " on " + TargetName(target));
      visit(entry, kernels);
    }
  }
}

TEST(Registry, HasKernelsForEveryTypeOfWeightsOnEveryTarget) {
  for (const Target& target : TargetsOfThisMachine()) {
    for (const DataType weights : {DataType::kF32, DataType::kBf16, DataType::kF16, DataType::kS8}) {
      const DataType storage = StorageFor(weights, target);
      EXPECT_EQ(KernelsFor(storage, DataType::kF32, target).operand, DataType::kF32) << ToString(weights);
    }
    for (const DataType data : {DataType::kU8, DataType::kS8}) {
      EXPECT_EQ(KernelsFor(DataType::kS8, data, target).operand, DataType::kU8) << ToString(data);
    }
    for (const DataType weights : {DataType::kU8, DataType::kS32, DataType::kUndef}) {
      EXPECT_EQ(KernelsFor(weights, DataType::kF32, target).run, nullptr) << ToString(weights);
    }
  }
}

TEST(Registry, MultipliesBytesWithAvxVnniIfTheTargetHasIt) {
  for (const Target& target : TargetsOfThisMachine()) {
    for (const KernelsEntry& entry : KernelsRegistry()) {
      if (std::string(entry.name) != "S8Vnni") continue;
      const bool chosen = entry.kernels(target).run != nullptr &&
                          entry.kernels(target).run == KernelsFor(DataType::kS8, DataType::kU8, target).run;
      EXPECT_EQ(chosen, std::string(TargetName(target)) == "AVX2_VNNI") << TargetName(target);
    }
  }
}

TEST(Registry, HasNoEntryThatIsNeverChosen) {
  ForEachKernels([](const KernelsEntry& entry, const Kernels& kernels) {
    // The kernels that a target always has stand behind those that only some of its processors have.
    if (&entry == &KernelsRegistry().back()) return;
    bool chosen = false;
    for (const Target& target : TargetsOfThisMachine()) {
      for (const DataType data : {DataType::kF32, DataType::kBf16, DataType::kU8}) {
        chosen |= KernelsFor(entry.weights, data, target, {entry.factors, entry.order}).run == kernels.run;
      }
    }
    EXPECT_TRUE(chosen);
  });
}

TEST(Registry, HasKernelsThatReadNoFurtherThanWeightsArePadded) {
  ForEachKernels([](const KernelsEntry& entry, const Kernels& kernels) {
    EXPECT_EQ(PaddingOf(entry.weights) % kernels.padding, 0);
    EXPECT_EQ(kernels.padding % GroupOf(entry.weights), 0);
  });
}

// Integers that every type holds, so that all products and sums are exact.
std::vector<int> Integers(Dim count, uint32_t seed, int lowest, int highest) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> uniform(lowest, highest);
  std::vector<int> values(static_cast<size_t>(count));
  for (int& value : values) value = uniform(random);
  return values;
}

template <class T>
void Append(T value, std::vector<char>* bytes) {
  const char* from = reinterpret_cast<const char*>(&value);
  bytes->insert(bytes->end(), from, from + sizeof value);
}

std::vector<char> As(DataType type, const std::vector<int>& values) {
  std::vector<char> bytes;
  for (const int value : values) {
    if (type == DataType::kU8) Append(static_cast<uint8_t>(value), &bytes);
    if (type == DataType::kS32) Append(value, &bytes);
    if (type == DataType::kBf16) Append(FloatToBf16(static_cast<float>(value)), &bytes);
    if (type == DataType::kF32) Append(static_cast<float>(value), &bytes);
  }
  return bytes;
}

struct Operands {
  int lowest_weight = -7, highest_weight = 7, lowest_a = 0, highest_a = 7;
};

// out = init + a * weights, `gates` gates of kUnits units.
class Product {
 public:
  Product(const KernelsEntry& entry, const Kernels& kernels, Dim gates, const Operands& operands = {})
      : kernels_(kernels),
        columns_(gates * kUnits),
        sums_(kernels.operand == DataType::kU8 ? DataType::kS32 : DataType::kF32),
        plain_weights_(Integers(kLong * columns_, 1, operands.lowest_weight, operands.highest_weight)),
        plain_a_(Integers(kRows * kLong, 2, operands.lowest_a, operands.highest_a)),
        plain_init_(Integers(kRows * columns_, 3, -50, 50)),
        a_(As(kernels.operand, plain_a_)),
        init_(As(sums_, plain_init_)) {
    const MemoryDesc md = MakeDense({1, 1, kLong, gates, kUnits}, DataType::kF32);
    layout_ = MakePackedLayout(md, PackedKind::kForward, entry.weights, GatePasses::kOne);
    weights_.resize(layout_.bytes);
    WeightsPacker(md, layout_, entry.weights).Pack(As(DataType::kF32, plain_weights_).data(), weights_.data());
    tile.op = TileOp::kStore;
    tile.product.weights = weights_.data();
    tile.gates = gates;
    tile.panel_blocks = layout_.part[0].panel_blocks;
    tile.total_blocks = layout_.blocks;
    tile.product.k = kLong;
    tile.product.k_padded = layout_.k_padded;
    tile.product.a = a_.data();
    tile.product.a_row = kLong;
    tile.rows = {0, kRows};
    tile.blocks = {0, layout_.blocks};
    tile.init = init_.data();
    tile.init_row = tile.out_row = columns_;
  }

  std::vector<char> Run() {
    std::vector<char> out(static_cast<size_t>(std::max(kRows, tile.rows.end) * columns_) * SizeOf(sums_));
    tile.out = out.data();
    const KernelsThread thread(kernels_);
    kernels_.run(tile);
    return out;
  }

  // Returns the expected sums if all rows of init equal row `init_row`, or if init is as it is (-1).
  std::vector<char> Expected(Dim init_row = -1) const {
    std::vector<int> out(plain_init_.size());
    for (Dim row = 0; row < kRows; ++row) {
      for (Dim gate = 0; gate < tile.gates; ++gate) {
        for (Dim unit = 0; unit < kUnits; ++unit) {
          const Dim column = Column(layout_, gate, unit);
          int sum = plain_init_[(init_row < 0 ? row : init_row) * columns_ + column];
          for (Dim k = 0; k < kLong; ++k) {
            sum += (plain_a_[row * kLong + k] - kernels_.offset) * plain_weights_[k * columns_ + gate * kUnits + unit];
          }
          out[row * columns_ + column] = sum;
        }
      }
    }
    return As(sums_, out);
  }

  // The rows of A and of weights from `k` on, a multiple of the group.
  void StartAt(Dim k) {
    tile.product.a = a_.data() + k * static_cast<Dim>(SizeOf(kernels_.operand));
    tile.product.weights = weights_.data() + k * kBlock * static_cast<Dim>(SizeOf(layout_.storage));
  }

  TileArgs tile;

 private:
  Kernels kernels_;
  Dim columns_;
  DataType sums_;
  std::vector<int> plain_weights_, plain_a_, plain_init_;
  std::vector<char> a_, init_, weights_;
  PackedLayout layout_;
};

TEST(Product, IsExactForIntegers) {
  ForEachKernels([](const KernelsEntry& entry, const Kernels& kernels) {
    for (const Dim gates : {1, 2, 3, 4}) {
      Product product(entry, kernels, gates);
      EXPECT_EQ(product.Run(), product.Expected()) << gates << " gates";
    }
  });
}

// One tile of each height, then more tiles than one.
TEST(Product, OfEachNumberOfRowsIsThatOfAll) {
  ForEachKernels([](const KernelsEntry& entry, const Kernels& kernels) {
    for (const Dim gates : {1, 3, 4}) {
      Product product(entry, kernels, gates);
      const std::vector<char> all = product.Run();
      for (Dim rows = 1; rows < kRows; ++rows) {
        product.tile.rows.end = rows;
        std::vector<char> expected = all;
        std::fill(expected.begin() + static_cast<Dim>(expected.size()) / kRows * rows, expected.end(), 0);
        EXPECT_EQ(product.Run(), expected) << rows << " rows, " << gates << " gates";
      }
    }
  });
}

// Rows 4 KB apart, which share sets of the L1 cache.
TEST(Product, OfDistantRowsIsThatOfEachRow) {
  constexpr Dim kDistance = 4096, kMost = 12;
  ForEachKernels([](const KernelsEntry& entry, const Kernels& kernels) {
    Product product(entry, kernels, 4);
    product.tile.product.a_row = kDistance / static_cast<Dim>(SizeOf(kernels.operand));
    product.tile.product.k = 40;
    if (product.tile.product.a_row * kMost > kRows * kLong) product.tile.product.a_row = kRows * kLong / kMost;
    for (Dim rows = 7; rows <= kMost; ++rows) {
      product.tile.rows = {0, rows};
      const std::vector<char> together = product.Run();
      std::vector<char> alone(together.size());
      for (Dim row = 0; row < rows; ++row) {
        product.tile.rows = {row, row + 1};
        const std::vector<char> one = product.Run();
        const Dim size = static_cast<Dim>(one.size()) / kRows;
        std::copy_n(one.begin() + row * size, size, alone.begin() + row * size);
      }
      EXPECT_EQ(together, alone) << rows << " rows";
    }
  });
}

const KernelsEntry& EntryNamed(const std::string& name) {
  for (const KernelsEntry& entry : KernelsRegistry()) {
    if (entry.name == name) return entry;
  }
  throw std::invalid_argument(name);
}

// Numbers that bf16 has to round; k has several pieces.
TEST(Product, OfNarrowedRowsIsThatOfRowsThatAreNarrow) {
  const KernelsEntry &narrowing = EntryNamed("Bf16Narrowing"), &narrow = EntryNamed("Bf16Dot");
  const Operands operands = {-7, 7, -99999, 99999};
  for (const Target& target : TargetsOfThisMachine()) {
    const Kernels kernels = narrowing.kernels(target);
    EXPECT_EQ(kernels.run == nullptr, narrow.kernels(target).run == nullptr);
    if (kernels.run == nullptr) continue;
    for (const Dim gates : {1, 3, 4}) {
      Product got(narrowing, kernels, gates, operands), expected(narrow, narrow.kernels(target), gates, operands);
      const std::vector<float> bias(static_cast<size_t>(gates * kUnits), 0.3f);
      got.tile.bias = expected.tile.bias = bias.data();
      for (const Dim rows : {Dim{1}, Dim{2}, Dim{7}, kRows}) {
        got.tile.rows.end = expected.tile.rows.end = rows;
        for (const Dim k : {Dim{1}, Dim{33}, kLong}) {
          got.tile.product.k = expected.tile.product.k = k;
          EXPECT_EQ(got.Run(), expected.Run()) << gates << " gates, " << rows << " rows, k " << k;
        }
      }
    }
  }
}

TEST(ProductDeathTest, AsksForItsContract) {
  if (!ContractsAreChecked()) GTEST_SKIP() << "TANDEM_CHECK_CONTRACTS is not set";
  testing::FLAGS_gtest_death_test_style = std::getenv("TANDEM_EMULATOR") == nullptr ? "threadsafe" : "fast";
  ForEachKernels([](const KernelsEntry& entry, const Kernels& kernels) {
    Product product(entry, kernels, 1);
    product.tile.blocks.end = product.tile.total_blocks + 1;
    EXPECT_DEATH_IF_SUPPORTED(product.Run(), "total_blocks");
    EXPECT_DEATH_IF_SUPPORTED(kernels.run(product.tile), "kernels_begun");
  });
}

// A thread's work may end with an exception.
TEST(KernelsThread, BeginsOnceAndEndsOnceHoweverTheWorkEnds) {
  static std::string calls;
  Kernels kernels;
  kernels.begin = [] { calls += "begin "; };
  kernels.end = [] { calls += "end"; };
  try {
    const KernelsThread thread(kernels);
    EXPECT_EQ(calls, "begin ");
    throw std::runtime_error("the work failed");
  } catch (const std::runtime_error&) {
    EXPECT_EQ(calls, "begin end");
  }
}

TEST(Product, StartsFromOneRowThatAllRowsShare) {
  ForEachKernels([](const KernelsEntry& entry, const Kernels& kernels) {
    Product product(entry, kernels, 1);
    product.tile.init_row = 0;
    EXPECT_EQ(product.Run(), product.Expected(0));
  });
}

// A long k is walked in pieces; each sum goes on where the piece before left it.
TEST(Product, OfALongKIsTheSumsOfItsPiecesBitForBit) {
  ForEachKernels([](const KernelsEntry& entry, const Kernels& kernels) {
    Product product(entry, kernels, 4);
    const std::vector<char> whole = product.Run();
    std::vector<char> out;
    for (const Range k : {Range{0, 700}, Range{700, 1652}, Range{1652, kLong}}) {
      product.StartAt(k.begin);
      product.tile.product.k = k.size();
      const std::vector<char> before = out;
      if (!before.empty()) product.tile.init = before.data();
      out = product.Run();
    }
    EXPECT_EQ(out, whole);
  });
}

// f32 has to round these sums: in another order they would have other bits.
TEST(Product, OfFewRowsHasTheSameBitsWithWeightsFromL3) {
  ForEachKernels([](const KernelsEntry& entry, const Kernels& kernels) {
    const bool f32 = entry.weights == DataType::kF32;
    for (const Dim gates : {1, 2, 3, 4}) {
      Product product(entry, kernels, gates, f32 ? Operands{-99999, 99999, 0, 99999} : Operands{});
      for (const Dim rows : {1, 2, 3}) {
        product.tile.rows.end = rows;
        for (const Dim k : {Dim{1}, Dim{37}, kLong}) {
          product.tile.product.k = k;
          product.tile.weights_in = WeightsIn::kL2;
          const std::vector<char> expected = product.Run();
          product.tile.weights_in = WeightsIn::kL3;
          EXPECT_EQ(product.Run(), expected) << gates << " gates, " << rows << " rows, k " << k;
        }
      }
    }
  });
}

// Neither pairs of products nor sums of some of them may be too large for what holds them.
TEST(Product, IsExactForTheLargestBytes) {
  ForEachKernels([](const KernelsEntry& entry, const Kernels& kernels) {
    if (kernels.operand != DataType::kU8) return;
    for (const Operands& operands : {Operands{-128, -128, 255, 255}, Operands{127, 127, 255, 255},
                                     Operands{-128, 127, 0, 255}, Operands{-128, 127, 255, 255}}) {
      Product product(entry, kernels, 3, operands);
      const std::vector<char> expected = product.Expected();
      EXPECT_EQ(product.Run(), expected) << operands.lowest_weight << " to " << operands.highest_weight;
      for (const Dim rows : {1, 2}) {
        product.tile.rows.end = rows;
        const std::vector<char> out = product.Run();
        const auto end = static_cast<Dim>(expected.size()) / kRows * rows;
        EXPECT_TRUE(std::equal(expected.begin(), expected.begin() + end, out.begin())) << rows << " rows";
      }
    }
  });
}

// Rows of a long k are divided, so that their pieces stay in a cache.
TEST(Product, OfALongKAndManyRowsIsThatOfEachRow) {
  ForEachKernels([](const KernelsEntry& entry, const Kernels& kernels) {
    for (const Range rows : {Range{0, 133}, Range{5, 300}}) {
      Product product(entry, kernels, 3);
      product.tile.product.a_row = product.tile.init_row = 0;
      product.tile.rows = {0, 1};
      std::vector<char> row = product.Run();
      row.resize(row.size() / kRows);
      product.tile.rows = rows;
      const std::vector<char> out = product.Run();
      for (Dim i = 0; i < rows.end; ++i) {
        const auto from = out.begin() + i * static_cast<Dim>(row.size());
        const std::vector<char> expected = i < rows.begin ? std::vector<char>(row.size()) : row;
        ASSERT_TRUE(std::equal(expected.begin(), expected.end(), from)) << "row " << i << " of " << rows.end;
      }
    }
  });
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
