// clang's OpenMP runtime never frees what it allocates for a thread that joined a team and ended. AddressSanitizer's
// leak check asks for this function; nothing else calls it.
extern "C" const char* __lsan_default_suppressions() { return "leak:libomp.so\n"; }
