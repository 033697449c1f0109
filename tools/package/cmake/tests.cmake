# Each test of api/tests is a program, but those that need a main program of their own or RapidCheck. ctest runs them. Build
# with --target NAME, such as execute_test, to have single ones.
find_package(GTest REQUIRED)
file(GLOB tandem_tests CONFIGURE_DEPENDS api/tests/*_test.cc)
list(FILTER tandem_tests EXCLUDE REGEX "/(allocation_failure|soak)_test\\.cc$")

tandem_objects_library(tandem_tested STATIC spec)
target_sources(tandem_tested PRIVATE api/tests/rnn_client_testing.cc)
target_include_directories(tandem_tested PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(tandem_tested PUBLIC tandem_highway GTest::gtest GTest::gtest_main)
foreach(source ${tandem_tests})
  get_filename_component(name "${source}" NAME_WE)
  add_executable(${name} "${source}")
  set_target_properties(${name} PROPERTIES CXX_STANDARD 17 CXX_EXTENSIONS OFF)
  target_compile_options(${name} PRIVATE -ffp-contract=off ${tandem_openmp})
  target_link_libraries(${name} PRIVATE tandem_tested)
  add_test(NAME ${name} COMMAND ${name})
endforeach()
