#include "optimized/threads/role.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "api/core/environment_testing.h"
#include "gtest/gtest.h"

namespace tandem {
namespace optimized {
namespace {

WorkShape MakeWork(Dim n_dir, Dim mb, Dim blocks) {
  WorkShape work;
  work.n_dir = n_dir;
  work.n_iter = 50;
  work.mb = mb;
  work.blocks = blocks;
  const double columns = static_cast<double>(blocks) * 64;
  const double k = static_cast<double>(blocks) * 16;
  work.layer = work.iter = {columns * k * 4, columns * k / 16};
  return work;
}

std::vector<WorkShape> Shapes() {
  std::vector<WorkShape> shapes;
  for (const Dim n_dir : {1, 2}) {
    for (const Dim mb : {1, 2, 7, 16, 27, 640}) {
      for (const Dim blocks : {1, 2, 5, 32}) shapes.push_back(MakeWork(n_dir, mb, blocks));
    }
  }
  // Rows are worth dividing here, units are not worth a barrier.
  WorkShape small = MakeWork(1, 2, 2);
  small.layer = small.iter = {4000, 100};
  shapes.push_back(small);
  // Directions are divided last here.
  WorkShape large = MakeWork(2, 1, 16);
  large.l2_bytes = 0.75 * (1 << 20);
  large.layer.row_cycles = large.iter.row_cycles /= 2;
  shapes.push_back(large);
  return shapes;
}

TEST(Range, HasEvenParts) {
  for (Dim most = 1; most <= 24; ++most) {
    for (Dim n = 1; n <= 60; ++n) {
      const Dim part = EvenPart(n, most), parts = CeilDiv(n, part);
      EXPECT_LE(part, most);
      EXPECT_EQ(parts, CeilDiv(n, most)) << n << " by " << most;
      EXPECT_EQ(part, CeilDiv(n, parts)) << n << " by " << most;
    }
  }
  EXPECT_EQ(EvenPart(0, 24), 1);
}

TEST(Role, EveryUnitOfEveryRowAndDirectionBelongsToOneThread) {
  for (const WorkShape& work : Shapes()) {
    for (const int team : {1, 2, 3, 5, 8, 64}) {
      const Division division = DivisionForTeam(work, team);
      ASSERT_LE(division.threads(), team);
      std::vector<int> owners(work.n_dir * work.mb * work.blocks);
      for (int thread = 0; thread < team; ++thread) {
        const Role role = MakeRole(work, division, thread);
        if (!role.active) continue;
        const Range units = Share(work.blocks, role.unit_index, role.unit_count);
        for (Dim d = role.dirs.begin; d < role.dirs.end; ++d) {
          for (Dim n = role.rows.begin; n < role.rows.end; ++n) {
            for (Dim unit = units.begin; unit < units.end; ++unit) ++owners[(d * work.mb + n) * work.blocks + unit];
          }
        }
      }
      EXPECT_EQ(owners, std::vector<int>(owners.size(), 1)) << "mb " << work.mb << ", team " << team;
    }
  }
}

TEST(Role, ThreadsOfOneGroupAreNeighboursWithTheSameRowsAndDirections) {
  for (const WorkShape& work : Shapes()) {
    const Division division = DivisionForTeam(work, 8);
    for (int thread = 0; thread < division.threads(); ++thread) {
      const Role role = MakeRole(work, division, thread);
      EXPECT_EQ(role.first_thread + role.unit_index, thread);
      const Role first = MakeRole(work, division, role.first_thread);
      EXPECT_EQ(first.group, role.group);
      EXPECT_EQ(first.rows.begin, role.rows.begin);
      EXPECT_EQ(first.dirs.begin, role.dirs.begin);
    }
  }
}

TEST(Role, RowsKeptByAllGroupsStayWithinTheBoundForEverySmallerTeam) {
  constexpr Dim kMost = 128;
  for (const WorkShape& work : Shapes()) {
    for (const int threads : {1, 2, 3, 8}) {
      for (int team = 1; team <= threads; ++team) {
        const Division division = DivisionForTeam(work, team);
        const Dim rows = std::min(CeilDiv(work.mb, division.rows), kMost);
        EXPECT_LE(division.dirs * division.rows * rows, MostGroupRows(work, threads, kMost))
            << "mb " << work.mb << ", team " << team << " of " << threads;
      }
    }
  }
}

TEST(Model, NoOtherDivisionIsFasterThanTheChosenOne) {
  for (const WorkShape& work : Shapes()) {
    for (int team = 1; team <= 12; ++team) {
      const Division chosen = DivisionForTeam(work, team);
      const double cycles = ModelCycles(work, chosen);
      for (int dirs = 1; dirs <= std::min<Dim>(work.n_dir, team); ++dirs) {
        for (int rows = 1; rows <= std::min<Dim>(work.mb, team / dirs); ++rows) {
          for (int units = 1; units <= std::min<Dim>(work.blocks, team / dirs / rows); ++units) {
            EXPECT_LE(cycles, ModelCycles(work, {dirs, rows, units}))
                << "mb " << work.mb << ", blocks " << work.blocks << ", team " << team << ": " << dirs << " x " << rows
                << " x " << units;
          }
        }
      }
    }
  }
}

TEST(Model, NoDivisionIsFasterThanItsThreadsAllow) {
  for (WorkShape work : Shapes()) {
    work.l2_bytes = 0;  // The caches of several cores hold more than one.
    for (const int team : {2, 3, 8, 64}) {
      const Division division = DivisionForTeam(work, team);
      // Rounding of the sums only.
      EXPECT_GE(ModelCycles(work, division) * division.threads() * (1 + 1e-12), ModelCycles(work, Division()));
    }
  }
}

TEST(Model, MoreWorkTakesLongerHoweverItIsDivided) {
  for (const WorkShape& work : Shapes()) {
    for (const Division& division : {Division{1, 1, 1}, Division{2, 1, 1}, Division{1, 2, 1}, Division{1, 1, 2}}) {
      const double cycles = ModelCycles(work, division);
      WorkShape more = work;
      more.n_iter = work.n_iter + 1;
      EXPECT_GT(ModelCycles(more, division), cycles);
      more = work;
      more.n_layer = 2;
      EXPECT_GT(ModelCycles(more, division), cycles);
      more = work;
      more.mb = work.mb + division.rows;
      EXPECT_GT(ModelCycles(more, division), cycles);
      more = work;
      more.iter.weight_bytes *= 1.01;
      EXPECT_GT(ModelCycles(more, division), cycles);
      if (division.units == 1) continue;
      more = work;
      more.barriers_per_step = 2;
      EXPECT_GT(ModelCycles(more, division), cycles);
    }
  }
}

TEST(Model, MoreThreadsAreNeverExpectedToBeSlower) {
  for (const WorkShape& work : Shapes()) {
    for (const TeamStart start : {TeamStart::kSpinning, TeamStart::kSleeping}) {
      double before = ModelCycles(work, Division());
      for (const int available : {1, 2, 4, 8, 16, 64}) {
        const Division division = FastestDivision(work, available, start);
        const double cycles = ModelCycles(work, division) + (division.threads() > 1 ? StartCycles(start) : 0);
        EXPECT_LE(cycles, before) << "mb " << work.mb << ", " << available << " threads";
        before = cycles;
      }
    }
  }
}

TEST(Role, DirectionsAreDividedFirst) {
  const Division division = DivisionForTeam(MakeWork(2, 1, 32), 2);
  EXPECT_EQ(division.dirs, 2);
  EXPECT_EQ(division.units, 1);
}

// U of a direction is 1 MB, and the bound of what stays in L2 lies below it.
TEST(Role, DirectionsAreNotDividedWhereUnitsOfAllThreadsFitL2) {
  WorkShape work = MakeWork(2, 1, 16);
  work.l2_bytes = 0.75 * (1 << 20);
  work.layer.row_cycles = work.iter.row_cycles /= 2;
  const Division division = DivisionForTeam(work, 2);
  EXPECT_EQ(division.dirs, 1);
  EXPECT_EQ(division.rows, 1);
  EXPECT_EQ(division.units, 2);
  work.l2_bytes *= 4;
  EXPECT_EQ(DivisionForTeam(work, 2).dirs, 2);
  work.l2_bytes = 0;
  EXPECT_EQ(DivisionForTeam(work, 2).dirs, 2);
}

TEST(Role, ManyRowsAreDividedAndFewAreNot) {
  EXPECT_EQ(DivisionForTeam(MakeWork(1, 64, 32), 2).rows, 2);
  EXPECT_EQ(DivisionForTeam(MakeWork(1, 1, 32), 2).units, 2);
}

TEST(Role, SleepingThreadsAreWokenOnlyForLongerWork) {
  WorkShape small = MakeWork(1, 1, 8);
  small.n_iter = 1;
  EXPECT_EQ(FastestDivision(small, 2, TeamStart::kSpinning).threads(), 2);
  EXPECT_EQ(FastestDivision(small, 2, TeamStart::kSleeping).threads(), 1);
  EXPECT_EQ(FastestDivision(MakeWork(1, 64, 32), 2, TeamStart::kSleeping).threads(), 2);
  EXPECT_EQ(FastestDivision(MakeWork(1, 1, 1), 2, TeamStart::kSpinning).threads(), 1);
}

TEST(Team, IsAsLargeAsTheWorkPaysFor) {
  TeamWork work;
  work.steps.mb = 64;
  work.barriers = 8;
  EXPECT_EQ(FastestTeam(work, 8, TeamStart::kSpinning), 1);
  work.steps.iter.row_cycles = 160;
  work.shared_cycles = 10000;
  EXPECT_EQ(FastestTeam(work, 2, TeamStart::kSpinning), 2);
  EXPECT_EQ(FastestTeam(work, 8, TeamStart::kSleeping), 1);
  work.steps.iter.row_cycles = 160000;
  work.shared_cycles = 1e7;
  EXPECT_EQ(FastestTeam(work, 8, TeamStart::kSleeping), 8);
  EXPECT_EQ(FastestTeam(work, 6, TeamStart::kSleeping), 6);
  EXPECT_EQ(FastestTeam(work, 1, TeamStart::kSpinning), 1);
}

// One row, and weights that take longer to be read than a barrier does.
TEST(Team, OfOneRowDividesItsUnits) {
  TeamWork work;
  work.steps = MakeWork(1, 1, 32);
  EXPECT_EQ(FastestTeam(work, 2, TeamStart::kSpinning), 2);
  EXPECT_EQ(DivisionForTeam(work.steps, 2).units, 2);
}

TEST(TeamStart, FollowsTheWaitPolicyInEitherCase) {
  for (const char* policy : {"passive", "PASSIVE", "Passive"}) {
    SetVariable("OMP_WAIT_POLICY", policy);
    EXPECT_EQ(TeamStartFromEnvironment(), TeamStart::kSleeping) << policy;
  }
  SetVariable("OMP_WAIT_POLICY", "active");
  EXPECT_EQ(TeamStartFromEnvironment(), TeamStart::kSpinning);
  UnsetVariable("OMP_WAIT_POLICY");
  EXPECT_EQ(TeamStartFromEnvironment(), TeamStart::kSpinning);
}

TEST(Role, AnImposedDivisionHoldsAsFarAsTheWorkAllows) {
  WorkShape many = MakeWork(1, 16, 5), few = MakeWork(1, 1, 2);
  many.imposed = few.imposed = Division{1, 2, 3};
  const Division large = FastestDivision(many, 6, TeamStart::kSleeping);
  EXPECT_EQ(large.rows, 2);
  EXPECT_EQ(large.units, 3);
  const Division small = FastestDivision(few, 6, TeamStart::kSleeping);
  EXPECT_EQ(small.rows, 1);
  EXPECT_EQ(small.units, 2);
  WorkShape both = MakeWork(2, 16, 5);
  both.imposed = Division{1, 2, 1};
  EXPECT_EQ(FastestDivision(both, 2, TeamStart::kSpinning).dirs, 1);
  EXPECT_EQ(FastestDivision(both, 2, TeamStart::kSpinning).rows, 2);
}

// Three groups of rows of a minibatch.
TEST(Role, RowsKeptByImposedGroupsStayWithinTheBound) {
  WorkShape work = MakeWork(2, 640, 5);
  work.imposed = Division{1, 3, 1};
  const Division division = DivisionForTeam(work, 3);
  EXPECT_EQ(division.rows, 3);
  EXPECT_LE(3 * std::min<Dim>(CeilDiv(640, 3), 128), MostGroupRows(work, 3, 128));
}

}  // namespace
}  // namespace optimized
}  // namespace tandem
