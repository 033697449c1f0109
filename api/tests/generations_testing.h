// One network, written for either generation of the API: tests over Generations compile and run their body twice.
#ifndef TANDEM_API_TESTS_GENERATIONS_TESTING_H_
#define TANDEM_API_TESTS_GENERATIONS_TESTING_H_

#include <gtest/gtest.h>

#include "dnnl.hpp"

namespace tandem {
namespace testing {

// Operation descriptors (oneDNN 2).
struct Generation2 {
  template <class Forward, class... Args>
  static typename Forward::primitive_desc Make(const dnnl::engine& engine, const dnnl::primitive_attr& attr,
                                               const Args&... args) {
    const typename Forward::desc op(args...);
    return typename Forward::primitive_desc(op, attr, engine);
  }
  template <class Backward, class Hint, class... Args>
  static typename Backward::primitive_desc MakeBackward(const dnnl::engine& engine, const dnnl::primitive_attr& attr,
                                                        const Hint& hint, const Args&... args) {
    const typename Backward::desc op(args...);
    return typename Backward::primitive_desc(op, attr, engine, hint);
  }
};

// Primitive descriptors alone (oneDNN 3).
struct Generation3 {
  template <class Forward, class... Args>
  static typename Forward::primitive_desc Make(const dnnl::engine& engine, const dnnl::primitive_attr& attr,
                                               const Args&... args) {
    return typename Forward::primitive_desc(engine, args..., attr);
  }
  template <class Backward, class Hint, class... Args>
  static typename Backward::primitive_desc MakeBackward(const dnnl::engine& engine, const dnnl::primitive_attr& attr,
                                                        const Hint& hint, const Args&... args) {
    return typename Backward::primitive_desc(engine, args..., hint, attr);
  }
};

using Generations = ::testing::Types<Generation2, Generation3>;

}  // namespace testing
}  // namespace tandem

#endif  // TANDEM_API_TESTS_GENERATIONS_TESTING_H_
