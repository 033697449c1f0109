// The library objects behind the public handles: reference-counted, so that copies of a handle share one object.
#ifndef TANDEM_API_LIBRARY_OBJECT_H_
#define TANDEM_API_LIBRARY_OBJECT_H_

#include <atomic>
#include <type_traits>
#include <utility>

#include "api/core/error.h"

// In the global namespace because the C-level handles point to it. First base of every object, so
// that a handle's address is also its tandem_object's.
struct tandem_object {
  virtual ~tandem_object() = default;
  mutable std::atomic<long> references{1};

 protected:
  tandem_object() = default;
  tandem_object(const tandem_object&) = delete;
  tandem_object& operator=(const tandem_object&) = delete;
};

namespace tandem {

// One reference to an object.
template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(const Ref& other) : object_(other.object_) { Retain(); }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  // To a base class, or to const.
  template <class U, class = std::enable_if_t<std::is_convertible_v<U*, T*>>>
  Ref(Ref<U> other) noexcept : object_(other.Detach()) {}
  ~Ref() { Release(); }
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }

  // A further reference to `object`.
  static Ref Share(T* object) {
    Ref ref;
    ref.object_ = object;
    ref.Retain();
    return ref;
  }
  // The first reference to a new object.
  static Ref Adopt(T* object) {
    Ref ref;
    ref.object_ = object;
    return ref;
  }

  // Gives the reference away, as functions of the C level do.
  T* Detach() { return std::exchange(object_, nullptr); }
  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  void Retain() {
    if (object_ != nullptr) object_->references.fetch_add(1, std::memory_order_relaxed);
  }
  void Release() {
    if (object_ != nullptr && object_->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      delete object_;
    }
  }

  T* object_ = nullptr;
};

template <class T, class... Args>
Ref<T> MakeRef(Args&&... args) {
  return Ref<T>::Adopt(new T(std::forward<Args>(args)...));
}

// A handle that came from a client, or where it wants a result. `role`: whose it is, in a call that takes several.
template <class T>
T& NotNull(T* object, const char* what, const char* role = nullptr) {
  if (object == nullptr) {
    ThrowInvalid(std::string(what) + (role == nullptr ? "" : std::string(": ") + role) +
                 ": is empty, but a valid one is needed");
  }
  return *object;
}

}  // namespace tandem

#endif  // TANDEM_API_LIBRARY_OBJECT_H_
