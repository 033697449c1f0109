#include "api/core/threadpool.h"

namespace tandem {
namespace {

thread_local const tandem_threadpool_t* current = nullptr;
thread_local int max_concurrency = 0;

}  // namespace

ThreadPoolScope::ThreadPoolScope(const tandem_threadpool_t* pool) : before_(current) { current = pool; }
ThreadPoolScope::~ThreadPoolScope() { current = before_; }
const tandem_threadpool_t* ThreadPoolScope::Current() { return current; }

int MaxConcurrency() { return max_concurrency; }
void SetMaxConcurrency(int threads) { max_concurrency = threads; }

}  // namespace tandem
