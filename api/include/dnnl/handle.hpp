// Shared ownership of a library object: what engines, streams, memory, attributes, descriptors and primitives are.
#ifndef DNNL_HANDLE_HPP
#define DNNL_HANDLE_HPP

#include "dnnl/error.hpp"

namespace dnnl {
inline namespace tandem_v1 {

// The name of an object in messages.
template <typename T>
struct handle_traits {
  static const char* name() { return "object"; }
};
template <>
struct handle_traits<dnnl_engine_t> {
  static const char* name() { return "engine"; }
};
template <>
struct handle_traits<dnnl_stream_t> {
  static const char* name() { return "stream"; }
};
template <>
struct handle_traits<dnnl_memory_t> {
  static const char* name() { return "memory"; }
};
template <>
struct handle_traits<dnnl_post_ops_t> {
  static const char* name() { return "post_ops"; }
};
template <>
struct handle_traits<dnnl_primitive_attr_t> {
  static const char* name() { return "attributes"; }
};
template <>
struct handle_traits<dnnl_primitive_desc_t> {
  static const char* name() { return "primitive descriptor"; }
};
template <>
struct handle_traits<dnnl_primitive_t> {
  static const char* name() { return "primitive"; }
};

// A copy refers to the same object: a change through one is seen through all
// (spec/introduction.txt, "Copying is always shallow"). A default-constructed handle is empty.
template <typename T, typename traits = handle_traits<T>>
struct handle {
  handle() = default;
  handle(const handle& other) : object_(other.object_) { retain(); }
  handle(handle&& other) noexcept : object_(other.object_) { other.object_ = nullptr; }
  // Takes over the caller's reference; with `weak`, the caller keeps it and the handle takes one of its own.
  explicit handle(T object, bool weak = false) : object_(object) {
    if (weak) retain();
  }
  ~handle() { release(); }

  handle& operator=(const handle& other) {
    handle copy(other);
    swap(copy);
    return *this;
  }
  // The other handle is empty afterwards; the object that was here is released at once.
  handle& operator=(handle&& other) noexcept {
    handle taken(static_cast<handle&&>(other));
    swap(taken);
    return *this;
  }

  void reset(T object, bool weak = false) {
    handle fresh(object, weak);
    swap(fresh);
  }

  // Throws invalid_arguments if the handle is empty, unless allow_empty.
  T get(bool allow_empty = false) const {
    if (object_ == nullptr && !allow_empty) {
      detail::fail_invalid(std::string(traits::name()) + ": is empty, but a valid one is needed");
    }
    return object_;
  }
  explicit operator T() const { return get(true); }
  explicit operator bool() const { return object_ != nullptr; }

  // Same underlying object; all empty handles are equal.
  bool operator==(const handle& other) const { return object_ == other.object_; }
  bool operator!=(const handle& other) const { return object_ != other.object_; }

 protected:
  bool operator==(const T other) const { return object_ == other; }
  bool operator!=(const T other) const { return object_ != other; }

 private:
  void swap(handle& other) noexcept {
    T object = object_;
    object_ = other.object_;
    other.object_ = object;
  }
  void retain() const {
    if (object_ != nullptr) tandem_retain(reinterpret_cast<tandem_object*>(object_));
  }
  void release() const {
    if (object_ != nullptr) tandem_release(reinterpret_cast<tandem_object*>(object_));
  }

  T object_ = nullptr;
};

}  // namespace tandem_v1
}  // namespace dnnl

#endif
