# Sets tandem_sources, which are compiled into every library, and the options that single sources need. Bazel's BUILD files
# decide the same: //:cmake_sources_test compares.
file(GLOB_RECURSE tandem_sources CONFIGURE_DEPENDS
  RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} api/core/*.cc api/library/*.cc optimized/*.cc reference/*.cc)
list(FILTER tandem_sources EXCLUDE REGEX "/(tests|teaching)/|_test\\.cc$|/lstm_and_gru\\.cc$|/installed_reading_")

# Each of these has another file in its place on some systems.
if(CMAKE_SYSTEM_NAME STREQUAL Linux)
  list(FILTER tandem_sources EXCLUDE REGEX "/(os_portable|os_windows|verbose_filter_(none|windows))\\.cc$")
elseif(WIN32)
  list(FILTER tandem_sources EXCLUDE REGEX "/(os_linux|os_portable|os_posix|verbose_filter(_none)?)\\.cc$")
else()
  list(FILTER tandem_sources EXCLUDE REGEX "/(os_linux|os_windows|verbose_filter_(none|windows))\\.cc$")
endif()
if(TANDEM_THREADS STREQUAL none)
  list(FILTER tandem_sources EXCLUDE REGEX
    "/threads/(barrier|client_pool|openmp[a-z_]*|threading|waiting|worker_pool)\\.cc$")
elseif(TANDEM_THREADS STREQUAL pool)
  list(FILTER tandem_sources EXCLUDE REGEX "/threads/(one_thread|openmp)\\.cc$")
else()
  list(FILTER tandem_sources EXCLUDE REGEX "/threads/(one_thread|openmp_none)\\.cc$")
endif()

# GCC schedules for Arm before it allocates registers, and then spills sums.
if(tandem_processor STREQUAL aarch64)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    set_property(SOURCE ${tandem_sources} APPEND PROPERTY COMPILE_OPTIONS -fno-schedule-insns)
  endif()
else()
  list(FILTER tandem_sources EXCLUDE REGEX "/kernels_s8_dot\\.cc$")
endif()

set(tandem_library_sources ${tandem_sources})
list(FILTER tandem_library_sources INCLUDE REGEX "^api/library/")
set_property(SOURCE ${tandem_library_sources} APPEND PROPERTY COMPILE_DEFINITIONS TANDEM_LIBRARY)
set(tandem_openmp_sources ${tandem_sources})
list(FILTER tandem_openmp_sources INCLUDE REGEX "^optimized/threads/")

list(TRANSFORM tandem_highway_sources PREPEND "${tandem_highway_folder}/")
list(APPEND tandem_sources ${tandem_highway_sources})
