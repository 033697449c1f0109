// Eigen's matrices. Include it in place of Eigen/Core: all of a program must agree on the limit.
#ifndef TANDEM_THIRD_PARTY_EIGEN_H_
#define TANDEM_THIRD_PARTY_EIGEN_H_

// Products have two buffers, which Eigen puts on the stack up to 128 KB each. A client's thread may have less than that.
#define EIGEN_STACK_ALLOCATION_LIMIT 4096

#include <Eigen/Core>

#endif  // TANDEM_THIRD_PARTY_EIGEN_H_
