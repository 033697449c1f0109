#include "conformance/cli/bench/tune.h"

#include <cmath>
#include <map>
#include <set>

#include "conformance/problem/problem_notation.h"
#include "gtest/gtest.h"

namespace tandem::conformance {
namespace {

NumberToTune Number() { return {"n", TuneThreads::kOne, {"1", "2", "3"}, {}}; }

// A table says the times of settings, in the first measurement and in the next.
class Times {
 public:
  Times(std::map<std::string, double> first, std::map<std::string, double> again) : times_{first, again} {}
  MeasureSettings Measure() {
    return [this](const NumberToTune&, const std::vector<std::string>& settings) {
      std::vector<double> ratios;
      for (const std::string& setting : settings) {
        ratios.push_back(times_[count_].at(setting) / times_[count_].at(settings[0]));
      }
      ++count_;
      return ratios;
    };
  }
  int count() const { return count_; }

 private:
  std::map<std::string, double> times_[2];
  int count_ = 0;
};

TEST(TuneNumber, TakesTheFastestValueWithWhatItSavesTheSecondTime) {
  Times times({{"", 10}, {"n=1", 9}, {"n=2", 6}, {"n=3", 7}}, {{"", 10}, {"n=2", 8}});
  const TunedNumber tuned = TuneNumber(Number(), "", times.Measure());
  EXPECT_EQ(tuned.value, "2");
  EXPECT_DOUBLE_EQ(tuned.ratio, 0.8);
  EXPECT_EQ(tuned.ratios, (std::vector<double>{0.9, 0.6, 0.7}));
}

TEST(TuneNumber, KeepsWhatWasTunedBefore) {
  Times times({{"m=5", 10}, {"m=5,n=1", 9}, {"m=5,n=2", 11}, {"m=5,n=3", 12}}, {{"m=5", 10}, {"m=5,n=1", 9}});
  EXPECT_EQ(TuneNumber(Number(), "m=5", times.Measure()).value, "1");
}

TEST(TuneNumber, StaysIfNothingSavesMoreThanNoise) {
  Times times({{"", 100}, {"n=1", 99}, {"n=2", 98.5}, {"n=3", NAN}}, {});
  EXPECT_EQ(TuneNumber(Number(), "", times.Measure()).value, "");
  EXPECT_EQ(times.count(), 1);
}

TEST(TuneNumber, StaysIfTheSecondMeasurementSavesNothing) {
  for (const double again : {99., 100., std::nan("")}) {
    Times times({{"", 100}, {"n=1", 50}, {"n=2", 98}, {"n=3", 120}}, {{"", 100}, {"n=1", again}});
    const TunedNumber tuned = TuneNumber(Number(), "", times.Measure());
    EXPECT_EQ(tuned.value, "") << again;
    EXPECT_EQ(tuned.ratio, 1) << again;
  }
}

TEST(NumbersToTune, HaveProblemsAndValues) {
  std::set<std::string> names;
  for (const NumberToTune& number : NumbersToTune()) {
    EXPECT_TRUE(names.insert(number.name).second) << number.name;
    EXPECT_GE(number.values.size(), 2u) << number.name;
    EXPECT_GE(number.problems.size(), 2u) << number.name;
  }
}

}  // namespace
}  // namespace tandem::conformance
