// s8 weights: what follows from the attributes for each column of a product, the same in every layer and direction.
#ifndef TANDEM_OPTIMIZED_FORWARD_COLUMN_SCALES_H_
#define TANDEM_OPTIMIZED_FORWARD_COLUMN_SCALES_H_

#include <vector>

#include "api/core/rnn/rnn_problem.h"
#include "optimized/weights/layout.h"

namespace tandem {
namespace optimized {

// In the order of Column(). Units beyond the tensor have the last unit's.
struct ColumnScales {
  std::vector<float> weight;   // a weight's byte is its value times this
  std::vector<float> product;  // a sum of products with the bytes times this is the sum of the products of values
};

// Returns the scales of weights_layer and weights_iter, or those of weights_projection.
ColumnScales GateScales(const RnnProblem& problem, const PackedLayout& layout);
ColumnScales ProjectionScales(const RnnProblem& problem, const PackedLayout& layout);

}  // namespace optimized
}  // namespace tandem

#endif  // TANDEM_OPTIMIZED_FORWARD_COLUMN_SCALES_H_
