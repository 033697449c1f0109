// The model of role.h held against a simulation of machines that have more cores than any on which it was measured. The
// simulation executes each thread's share, as MakeRole() gives it, step by step, and knows what the model leaves out: uneven
// shares, layers of caches for groups of cores, barriers that cost more where more cores meet. Its rates are the table's,
// measured on one core and two, and scaled on paper.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "optimized/threads/role.h"

namespace tandem {
namespace optimized {
namespace {

struct Machine {
  const char* name;
  int cores_of_l3;      // that share one L3 cache
  double l3_per_cycle;  // bytes that each core gets while all read
  double far_barrier;   // a barrier of cores of several L3 caches costs so many times that of one's
};
constexpr Machine kMachines[] = {{"8 cores for each L3 cache", 8, 27, 3}, {"one L3 cache behind a mesh", 64, 10, 1}};

// Each doubling of the cores that meet adds a transfer of a cache line to the two of a barrier of two cores.
double BarrierCycles(const Machine& machine, const TeamTuning& tuning, int threads) {
  const double transfers = 2 + std::log2(threads / 2.);
  return tuning.barrier * transfers / 2 * (threads > machine.cores_of_l3 ? machine.far_barrier : 1);
}

// One thread's part of a product of `rows` rows, of which `resident` bytes are read from the L2 cache.
double ProductCycles(const Machine& machine, const WorkShape& work, const ProductShape& product, double share, Dim rows,
                     double resident) {
  const double bytes = share * product.weight_bytes, near = std::min(bytes, resident);
  const double reading = near / work.tuning.l2_bytes_per_cycle + (bytes - near) / machine.l3_per_cycle;
  return reading + share * static_cast<double>(rows) * product.row_cycles;
}

// One layer of the slowest group; groups never wait for one another. `threads` of a group differ in their units alone.
double GroupCycles(const Machine& machine, const WorkShape& work, const Role& first) {
  double step = 0, chunk = 0;
  for (int i = 0; i < first.unit_count; ++i) {
    const double share =
        static_cast<double>(Share(work.blocks, i, first.unit_count).size()) / static_cast<double>(work.blocks);
    const Dim rows = first.rows.size();
    step = std::max(step, ProductCycles(machine, work, work.iter, share, rows, work.l2_bytes));
    chunk = std::max(chunk, ProductCycles(machine, work, work.layer, share, rows * work.chunk, 0));
  }
  const double barrier = first.unit_count > 1 ? BarrierCycles(machine, work.tuning, first.unit_count) : 0;
  const double chunks = static_cast<double>(CeilDiv(work.n_iter, work.chunk));
  const double cycles =
      static_cast<double>(work.n_iter) * (step + work.barriers_per_step * barrier) + chunks * (chunk + barrier);
  return static_cast<double>(first.dirs.size()) * cycles;
}

double SimulatedCycles(const Machine& machine, const WorkShape& work, const Division& division) {
  double slowest = 0;
  for (int thread = 0; thread < division.threads(); thread += division.units) {
    slowest = std::max(slowest, GroupCycles(machine, work, MakeRole(work, division, thread)));
  }
  const double start = division.threads() > 1 ? work.tuning.region * std::log2(2. * division.threads()) / 2 : 0;
  return start + static_cast<double>(work.n_layer) * slowest;
}

// Returns the cycles of the best division among at most `team` threads.
double BestCycles(const Machine& machine, const WorkShape& work, int team) {
  double best = HUGE_VAL;
  for (int dirs = 1; dirs <= work.n_dir; ++dirs) {
    for (int rows = 1; rows <= work.mb && dirs * rows <= team; ++rows) {
      for (int units = 1; units <= work.blocks && dirs * rows * units <= team; ++units) {
        best = std::min(best, SimulatedCycles(machine, work, {dirs, rows, units}));
      }
    }
  }
  return best;
}

// An LSTM in f32 with AVX2: 16 multiply-adds per cycle.
WorkShape Lstm(Dim channels, Dim n_iter, Dim mb, Dim n_dir) {
  WorkShape work;
  work.n_dir = n_dir;
  work.n_iter = n_iter;
  work.chunk = std::min(n_iter, std::max<Dim>(1, 128 / mb));
  work.mb = mb;
  work.blocks = CeilDiv(channels, Dim{16});
  work.l2_bytes = 0.75 * (1 << 20);
  const double weights = 4. * static_cast<double>(channels * channels);
  work.layer = work.iter = {4 * weights, weights / 16};
  return work;
}

std::vector<WorkShape> Networks() {
  std::vector<WorkShape> networks;
  for (const Dim channels : {64, 128, 256, 512, 1024}) {
    for (const Dim mb : {1, 4, 16, 64, 256}) {
      for (const Dim n_iter : {1, 50}) {
        for (const Dim n_dir : {1, 2}) networks.push_back(Lstm(channels, n_iter, mb, n_dir));
      }
    }
  }
  return networks;
}

// The chosen division takes at most 5 % more time than the best one, in the mean.
TEST(RoleSimulation, TheModelChoosesNearlyTheBestDivisionOfManyCores) {
  for (const Machine& machine : kMachines) {
    for (const int team : {8, 16, 64}) {
      double logs = 0, worst = 1;
      const std::vector<WorkShape> networks = Networks();
      for (const WorkShape& work : networks) {
        const Division chosen = FastestDivision(work, team, TeamStart::kSpinning);
        const double ratio = SimulatedCycles(machine, work, chosen) / BestCycles(machine, work, team);
        EXPECT_GE(ratio, 1 - 1e-9);
        logs += std::log(ratio);
        worst = std::max(worst, ratio);
      }
      const double mean = std::exp(logs / static_cast<double>(networks.size()));
      std::printf("%s, %d threads: chosen / best %.3f, worst %.2f\n", machine.name, team, mean, worst);
      EXPECT_LE(mean, 1.05) << machine.name << ", " << team << " threads";
    }
  }
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
