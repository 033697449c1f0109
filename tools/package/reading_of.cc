// This shared object uses Tandem, as a plugin of some host program does. The host sees one C function.
#include "dnnl.hpp"

extern "C" __attribute__((visibility("default"))) const char* DefaultReading();
const char* DefaultReading() { return dnnl::get_default_reading() == dnnl::reading::spec ? "spec" : "onednn"; }
