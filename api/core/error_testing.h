// A test expects an error with a status and with words that its message must hold.
#ifndef TANDEM_API_CORE_ERROR_TESTING_H_
#define TANDEM_API_CORE_ERROR_TESTING_H_

#include <gtest/gtest.h>

#include <string>

#include "api/core/error.h"

namespace tandem {

// Fails the test unless `action` throws tandem::Error with `status` and a message that holds `words`.
template <class Action>
void ExpectError(dnnl_status_t status, const std::string& words, Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), status) << error.what();
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos)
        << "message: " << error.what() << "\nlacks:   " << words;
    return;
  }
  ADD_FAILURE() << "nothing was thrown; expected: " << words;
}

}  // namespace tandem

#endif  // TANDEM_API_CORE_ERROR_TESTING_H_
