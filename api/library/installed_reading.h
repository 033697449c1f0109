#ifndef TANDEM_API_LIBRARY_INSTALLED_READING_H_
#define TANDEM_API_LIBRARY_INSTALLED_READING_H_

#include "api/core/attributes/attributes.h"

namespace tandem {

// The reading of a process in which neither set_default_reading() nor TANDEM_READING chooses one. Two files define it;
// a library is linked with one of them (`./tandem install --reading=`, api:dnnl and api:dnnl_onednn).
extern const Reading kInstalledReading;

}  // namespace tandem

#endif  // TANDEM_API_LIBRARY_INSTALLED_READING_H_
