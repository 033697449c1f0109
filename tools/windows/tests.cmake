# These tests run in wine (tools/windows/windows_test.sh), of a build of the root's CMakeLists.txt with toolchain.cmake.
enable_language(C)
set(CMAKE_CXX_STANDARD 17)

set(googletest /usr/src/googletest/googletest)
add_library(gtest_main STATIC ${googletest}/src/gtest-all.cc ${googletest}/src/gtest_main.cc)
target_include_directories(gtest_main PRIVATE ${googletest})

# Only the headers of gtest and nlohmann_json are taken from Debian's /usr/include.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/include)
foreach(folder gtest nlohmann)
  file(CREATE_LINK /usr/include/${folder} ${CMAKE_BINARY_DIR}/include/${folder} SYMBOLIC)
endforeach()
target_include_directories(gtest_main SYSTEM PUBLIC ${CMAKE_BINARY_DIR}/include)

# Tests(RESULT PATTERN...) collects the sources that match. The list names those that Windows or this build cannot have.
function(Tests result)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${ARGN})
  set(kept)
  foreach(source ${sources})
    file(READ ${source} text)
    if(text MATCHES "rapidcheck|random_rnn_testing|memory_desc_testing|reference/reorder/reorder_testing")
      message("not run on Windows: ${source} (RapidCheck)")
    elseif(source MATCHES "^api/tests/" AND text MATCHES "\"api/library/")
      message("not run on Windows: ${source} (the DLL does not export what it calls)")
    elseif(text MATCHES "(<sys/|<unistd|<dlfcn|<omp|<mpfr|fork\\(|fail_each|forbidden_testing|popen\\()")
      message("not run on Windows: ${source} (${CMAKE_MATCH_1})")
    else()
      list(APPEND kept ${source})
    endif()
  endforeach()
  set(${result} ${kept} PARENT_SCOPE)
endfunction()

# Program(NAME SOURCE...) adds a test.
function(Program name)
  add_executable(${name} ${ARGN})
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} api/include)
  target_link_libraries(${name} PRIVATE gtest_main)
  target_compile_options(${name} PRIVATE -O1 -ffp-contract=off)
endfunction()

set(internals $<TARGET_OBJECTS:tandem_objects> api/library/installed_reading_spec.cc)

Tests(of_core api/core/*_test.cc api/library/*_test.cc)
Tests(of_optimized optimized/*_test.cc)
Tests(of_reference reference/numerics/*_test.cc reference/tests/*_test.cc)
Program(core_tests ${of_core} ${internals})
Program(optimized_tests ${of_optimized} ${internals})
Program(reference_tests ${of_reference} ${internals})
foreach(program core_tests optimized_tests reference_tests)
  target_link_libraries(${program} PRIVATE tandem_highway tandem_eigen ${tandem_links} ssp)
endforeach()

# The tests of the API see the DLL as a client does.
Tests(of_api api/tests/*_test.cc)
file(GLOB helpers api/tests/*_testing.cc)
Program(api_tests ${of_api} ${helpers} tools/windows/read_environment_again.cc api/core/float16.cc)
target_link_libraries(api_tests PRIVATE tandem)

Tests(of_c api/c/*_test.cc api/c/*_test.c)
Program(c_tests ${of_c})
target_link_libraries(c_tests PRIVATE tandem_c tandem)

# This test compares the bits of 207 problems (docs/numerics.md).
file(GLOB judges conformance/problem/*.cc conformance/problem/base/*.cc conformance/oracle/*.cc
  conformance/judge/verdict/*.cc)
list(FILTER judges EXCLUDE REGEX "_test\\.cc$")
Program(problem_list conformance/tests/problem_list_test.cc conformance/tests/in_process.cc ${judges} ${internals})
target_link_libraries(problem_list PRIVATE tandem_highway tandem_eigen ${tandem_links} ssp)

# These are clients of each language.
add_executable(client tools/package/client.cc)
add_executable(c_client tools/package/client.c)
target_link_libraries(client PRIVATE tandem)
target_link_libraries(c_client PRIVATE tandem_c tandem)
