// The oracle of backward propagation: forward again with bounds, then the reference's backward stack.
#ifndef TANDEM_CONFORMANCE_ORACLE_ORACLE_BACKWARD_H_
#define TANDEM_CONFORMANCE_ORACLE_ORACLE_BACKWARD_H_

#include "conformance/oracle/oracle.h"

namespace tandem::conformance {

// Visible states are taken from the dst_layer of `inputs`, which the implementation's own forward has written. The
// gradients that travel through time and layers are hidden: bounds grow with both.
OracleResult RunBackwardOracle(const RnnProblem& problem, const TensorSet& inputs, const OracleOptions& options);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_ORACLE_ORACLE_BACKWARD_H_
