#include "api/library/primitives/primitive_cache.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <list>
#include <mutex>
#include <new>
#include <string_view>
#include <unordered_map>

#include "api/core/environment.h"
#include "api/core/os/os.h"
#include "api/library/guard.h"
#include "dnnl/abi.h"

namespace tandem {
namespace {

constexpr int kDefaultCapacity = 1024;
constexpr int kUnread = -1;

std::atomic<int> capacity{kUnread};

// A word that is no number counts as 0, as in oneDNN.
int CapacityFromEnvironment() {
  for (const Variable variable : {Variable::kOnednnPrimitiveCacheCapacity, Variable::kDnnlPrimitiveCacheCapacity}) {
    const std::string word = Environment({variable});
    if (!word.empty()) return std::max(0, std::atoi(word.c_str()));
  }
  return kDefaultCapacity;
}

struct HashOfKey {
  size_t operator()(const CacheKey& key) const {
    return std::hash<std::string_view>()({reinterpret_cast<const char*>(key.data()), key.size()});
  }
};

// Nothing here allocates but Keep(), and what is dropped is destroyed by the caller, who does not hold the lock.
class PrimitiveCache {
 public:
  struct Entry {
    const CacheKey* key;
    Ref<const PrimitiveDesc> desc;
  };
  using Entries = std::list<Entry>;

  Ref<const PrimitiveDesc> Find(const CacheKey& key) {
    const auto at = index_.find(key);
    if (at == index_.end()) return {};
    entries_.splice(entries_.begin(), entries_, at->second);
    return at->second->desc;
  }
  // Throws std::bad_alloc, and is then unchanged.
  void Keep(CacheKey key, const Ref<const PrimitiveDesc>& made) {
    Entries added;
    added.push_back({nullptr, made});
    const auto [at, is_new] = index_.emplace(std::move(key), added.begin());
    if (!is_new) return;  // another thread was faster
    added.front().key = &at->first;
    made->SetCached(true);
    entries_.splice(entries_.begin(), added);
  }
  // The entries beyond the first `most`.
  Entries Shrink(size_t most) {
    Entries dropped;
    while (entries_.size() > most) {
      const Entry& last = entries_.back();
      last.desc->SetCached(false);
      index_.erase(index_.find(*last.key));
      dropped.splice(dropped.end(), entries_, std::prev(entries_.end()));
    }
    if (most == 0) index_ = Index();  // which has memory even if it is empty
    return dropped;
  }

 private:
  using Index = std::unordered_map<CacheKey, Entries::iterator, HashOfKey>;

  Entries entries_;  // the last that was asked for first
  Index index_;
};

// The process's cache, as long as the library lives: what a client's static object creates after that is made anew.
class Lifetime {
 public:
  // Calls use(cache) under the lock.
  template <class Use>
  static void WithCache(const Use& use) {
    PrimitiveCache* const cache = &TheOne().cache_;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (is_open_) use(cache);
  }

 private:
  static Lifetime& TheOne() {
    static Lifetime lifetime;
    return lifetime;
  }
  Lifetime() {
    // A child of fork() gets the cache as it is, and no lock that a thread of its parent holds.
    is_open_ = os::OnFork([] { mutex_.lock(); }, [] { mutex_.unlock(); }, [] { mutex_.unlock(); });
  }
  ~Lifetime() {
    PrimitiveCache::Entries dropped;
    const std::lock_guard<std::mutex> lock(mutex_);
    is_open_ = false;
    dropped = cache_.Shrink(0);
  }

  static std::mutex mutex_;
  static bool is_open_;
  PrimitiveCache cache_;
};

std::mutex Lifetime::mutex_;
bool Lifetime::is_open_ = false;

void SetCapacity(int value) {
  capacity = value;
  PrimitiveCache::Entries dropped;
  Lifetime::WithCache([&](PrimitiveCache* cache) { dropped = cache->Shrink(static_cast<size_t>(value)); });
}

}  // namespace

int PrimitiveCacheCapacity() {
  int known = capacity.load(std::memory_order_relaxed);
  if (known != kUnread) return known;
  const int read = CapacityFromEnvironment();
  return capacity.compare_exchange_strong(known, read) ? read : known;
}

Ref<const PrimitiveDesc> FindInCache(const CacheKey& key) noexcept {
  Ref<const PrimitiveDesc> found;
  Lifetime::WithCache([&](PrimitiveCache* cache) { found = cache->Find(key); });
  return found;
}

void KeepInCache(CacheKey key, const Ref<const PrimitiveDesc>& made) noexcept {
  PrimitiveCache::Entries dropped;
  try {
    Lifetime::WithCache([&](PrimitiveCache* cache) {
      cache->Keep(std::move(key), made);
      dropped = cache->Shrink(static_cast<size_t>(PrimitiveCacheCapacity()));
    });
  } catch (const std::bad_alloc&) {
  }
}

}  // namespace tandem

using namespace tandem;

dnnl_status_t tandem_get_primitive_cache_capacity(int* result) {
  return Guard([&] { NotNull(result, "primitive cache: pointer for the capacity") = PrimitiveCacheCapacity(); });
}

dnnl_status_t tandem_set_primitive_cache_capacity(int value) {
  return Guard([&] {
    if (value < 0) {
      ThrowInvalid("primitive cache: capacity is " + std::to_string(value) + ", but must not be negative");
    }
    SetCapacity(value);
  });
}
