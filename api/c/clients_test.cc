// The clients in C. Each prints what it finds wrong.
#include <gtest/gtest.h>

extern "C" {
int GatesInC(void);
int Generation2InC(void);
int Generation3InC(void);
int UnwantedResultsInC(void);
}

namespace {

TEST(ClientsInC, OfGeneration2FindNothingWrong) { EXPECT_EQ(Generation2InC(), 0); }
TEST(ClientsInC, OfGeneration3FindNothingWrong) { EXPECT_EQ(Generation3InC(), 0); }
TEST(ClientsInC, OfGatesFindNothingWrong) { EXPECT_EQ(GatesInC(), 0); }
TEST(ClientsInC, ThatWantNoResultFindNothingWrong) { EXPECT_EQ(UnwantedResultsInC(), 0); }

}  // namespace
