// Counts what code in real time must not do. A program that links this has other functions of libc.
#ifndef TANDEM_API_TESTS_REALTIME_FORBIDDEN_TESTING_H_
#define TANDEM_API_TESTS_REALTIME_FORBIDDEN_TESTING_H_

#include <functional>
#include <string>

namespace tandem {
namespace testing {

// Runs `body` and names what it did: "2 allocations, 1 locks". Empty: nothing.
std::string WhatIsForbidden(const std::function<void()>& body);
// Runs `body` in a child that the kernel ends at the first call of the system. Empty: there was none.
std::string CallOfTheSystem(const std::function<void()>& body);

// Each does one of these things.
void TakeALock();
void TouchANewPage();
void CallTheSystem();

}  // namespace testing
}  // namespace tandem

#endif  // TANDEM_API_TESTS_REALTIME_FORBIDDEN_TESTING_H_
