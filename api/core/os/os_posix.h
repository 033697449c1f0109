// Parts of Thread that the systems of POSIX do differently.
#ifndef TANDEM_API_CORE_OS_OS_POSIX_H_
#define TANDEM_API_CORE_OS_OS_POSIX_H_

#include <pthread.h>

#include <vector>

namespace tandem {
namespace os {

// A thread that is made with `attributes` runs on these processors only. False if it cannot.
bool SetProcessors(pthread_attr_t* attributes, const std::vector<int>& processors);

}  // namespace os
}  // namespace tandem

#endif  // TANDEM_API_CORE_OS_OS_POSIX_H_
