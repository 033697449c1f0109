#include "api/library/installed_reading.h"

const tandem::Reading tandem::kInstalledReading = tandem::Reading::kSpec;
