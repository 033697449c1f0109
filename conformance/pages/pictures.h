// The pictures of the HTML report are SVG with a caption, and with a name for those who cannot see it.
#ifndef TANDEM_CONFORMANCE_PAGES_PICTURES_H_
#define TANDEM_CONFORMANCE_PAGES_PICTURES_H_

#include <string>

#include "conformance/judge/verdict/compare.h"

namespace tandem::conformance {

// Returns three significant digits.
std::string ShortNumber(double value);

// Returns a histogram of |error| / allowed, logarithmic. Right of the line at 1 none conforms. `what` names elements ("f32").
std::string RatioPlot(const std::string& what, const RatioHistogram& histogram);

// Shows where the elements of an output fail.
std::string FailureHeatMap(Tensor tensor, const FailurePicture& picture);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_PAGES_PICTURES_H_
