// Settings of the whole process that new attributes start with.
#ifndef TANDEM_API_LIBRARY_DEFAULTS_H_
#define TANDEM_API_LIBRARY_DEFAULTS_H_

#include "api/core/attributes/attributes.h"

namespace tandem {

// DNNL's numbering of fpmath modes differs from ours (it put tf32 last).
FpmathMode FpmathModeFromC(int mode);
dnnl_fpmath_mode_t FpmathModeToC(FpmathMode mode);

// Attributes as primitive_attr() makes them: with the current default fpmath mode and reading.
// Throws invalid_arguments if TANDEM_READING is set to something that is no reading.
Attributes DefaultAttributes();

}  // namespace tandem

#endif  // TANDEM_API_LIBRARY_DEFAULTS_H_
