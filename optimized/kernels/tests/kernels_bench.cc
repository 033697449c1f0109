// The kernels alone, on one thread and in CPU time: run by hand, for example
//   bazel run //optimized/kernels/tests:kernels_bench -- --benchmark_filter=Product
// "MAC/s" counts multiply-adds; divide by the clock for multiply-adds per cycle.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "hwy/aligned_allocator.h"
#include "optimized/kernels/backward_kernels.h"
#include "optimized/kernels/kernels.h"
#include "optimized/machine/target.h"

namespace tandem {
namespace optimized {
namespace {

hwy::AlignedFreeUniquePtr<float[]> Floats(Dim count) {
  auto floats = hwy::AllocateAligned<float>(static_cast<size_t>(count));
  for (Dim i = 0; i < count; ++i) floats[i] = 0.001f * static_cast<float>(i % 1000) - 0.5f;
  return floats;
}

void CountMacs(benchmark::State& state, double macs) {
  state.counters["MAC/s"] = benchmark::Counter(macs, benchmark::Counter::kIsIterationInvariantRate);
}

std::vector<char> Bytes(Dim count, DataType type) {
  return std::vector<char>(static_cast<size_t>(count) * SizeOf(type), 0x3c);  // 0.01 to 1 in floating types
}

// rows x k times k x units, as W x, dX and the gradients of the weights are computed.
void BM_Product(benchmark::State& state, const KernelsEntry& entry) {
  const Dim rows = state.range(0), k = state.range(1), units = state.range(2);
  const Kernels kernels = entry.kernels(TargetInForce());
  if (kernels.run == nullptr) return state.SkipWithError("not on this target");
  const auto a = Bytes(rows * k, kernels.operand), b = Bytes(k * units, entry.weights);
  auto c = Bytes(rows * units, DataType::kF32);
  TileArgs tile;
  tile.op = TileOp::kStore;
  tile.product.weights = b.data();
  tile.gates = 1;
  tile.panel_blocks = kMaxPanelVectors;
  tile.total_blocks = units / kBlock;
  tile.product.k = tile.product.k_padded = k;
  tile.product.a = a.data();
  tile.product.a_row = k;
  tile.rows = {0, rows};
  tile.blocks = {0, units / kBlock};
  tile.init = c.data();
  tile.init_row = units;
  tile.out = c.data();
  tile.out_row = units;
  const KernelsThread thread(kernels);
  for (auto _ : state) kernels.run(tile);
  CountMacs(state, static_cast<double>(rows) * k * units);
}

void RegisterProducts() {
  for (const KernelsEntry& entry : KernelsRegistry()) {
    const std::string name = std::string("BM_Product/") + entry.name;
    benchmark::RegisterBenchmark(name.c_str(), BM_Product, entry)
        ->ArgNames({"rows", "k", "units"})
        ->Args({384, 512, 2048})  // W x
        ->Args({384, 2048, 512})  // dX
        ->Args({64, 2048, 512})   // dh of 64 minibatch rows
        ->Args({512, 384, 64})    // a panel of a weights' gradient
        ->Args({512, 384, 2048})
        ->Args({1, 512, 2048});
  }
}

void BM_PackGradient(benchmark::State& state) {
  const Dim count = state.range(0), row = state.range(1);
  const auto rows = Floats(count * row), packed = Floats(count * 64), sums = Floats(64);
  const BackwardKernels kernels = BackwardKernelsFor(TargetInForce());
  for (auto _ : state) kernels.pack_gradient({rows.get(), row, count, 64, DataType::kF32, packed.get(), sums.get()});
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * count * 64 * 4);
}
BENCHMARK(BM_PackGradient)->ArgNames({"count", "row"})->Args({384, 2048})->Args({384, 768});

void BM_BackwardCell(benchmark::State& state, Cell cell) {
  const Dim rows = 64, units = 512, columns = units * NumGates(cell);
  const auto gates = Floats(rows * columns), diff_gates = Floats(rows * columns), diff_iter = Floats(rows * columns);
  const auto h = Floats(rows * units), c = Floats(rows * units), diff_h = Floats(rows * units);
  const auto diff_c = Floats(rows * units), direct = Floats(rows * units), product = Floats(rows * units);
  BackwardCellArgs args;
  args.cell = cell;
  args.units = units;
  args.rows = {0, rows};
  args.from_above = {diff_h.get(), units};
  args.gates = {gates.get(), columns};
  args.h = args.h_prev = args.linear = {h.get(), units};
  args.c = args.c_prev = {c.get(), units};
  args.diff_c = {diff_c.get(), units};
  args.diff_gates = {diff_gates.get(), columns};
  args.diff_gates_iter = {diff_iter.get(), columns};
  args.diff_h_prev = {direct.get(), units};
  args.through_reset = {direct.get(), units};
  args.saved_product = cell == Cell::kLstm ? Rows{} : Rows{product.get(), units};
  const BackwardKernels kernels = BackwardKernelsFor(TargetInForce());
  for (auto _ : state) kernels.cell(args);
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * rows * units);
}
BENCHMARK_CAPTURE(BM_BackwardCell, rnn, Cell::kVanillaRnn);
BENCHMARK_CAPTURE(BM_BackwardCell, lstm, Cell::kLstm);
BENCHMARK_CAPTURE(BM_BackwardCell, gru, Cell::kGru);
BENCHMARK_CAPTURE(BM_BackwardCell, lbr_gru, Cell::kLbrGru);

}  // namespace
}  // namespace optimized
}  // namespace tandem

int main(int argc, char** argv) {
  tandem::optimized::RegisterProducts();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
