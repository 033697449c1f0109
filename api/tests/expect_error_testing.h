// Expecting dnnl::error: its class and words of its message.
#ifndef TANDEM_API_TESTS_EXPECT_ERROR_TESTING_H_
#define TANDEM_API_TESTS_EXPECT_ERROR_TESTING_H_

#include <gtest/gtest.h>

#include <functional>
#include <initializer_list>
#include <string>

#include "dnnl.hpp"

namespace tandem {
namespace testing {

inline void ExpectError(dnnl_status_t status, std::initializer_list<const char*> words,
                        const std::function<void()>& body) {
  try {
    body();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const dnnl::error& e) {
    EXPECT_EQ(dnnl_status2str(e.status), std::string(dnnl_status2str(status))) << e.message;
    for (const char* word : words) {
      EXPECT_NE(std::string(e.message).find(word), std::string::npos)
          << "\"" << e.message << "\" does not say \"" << word << "\"";
    }
  }
}

inline void ExpectInvalid(std::initializer_list<const char*> words, const std::function<void()>& body) {
  ExpectError(dnnl_invalid_arguments, words, body);
}

inline void ExpectUnimplemented(std::initializer_list<const char*> words, const std::function<void()>& body) {
  ExpectError(dnnl_unimplemented, words, body);
}

}  // namespace testing
}  // namespace tandem

#endif  // TANDEM_API_TESTS_EXPECT_ERROR_TESTING_H_
