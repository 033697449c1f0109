# Installs the library as `./tandem install --prefix` does (tools/package/install.sh), from the same templates. Without shared
# libraries tandem::tandem is the static one.
install(DIRECTORY api/include/ DESTINATION include FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(FILES LICENSE third_party/NOTICE DESTINATION share/doc/tandem)

set(tandem_suffix "${tandem_suffix_${TANDEM_READING}}")
install(TARGETS tandem tandem_c
  RUNTIME DESTINATION bin
  LIBRARY DESTINATION lib NAMELINK_SKIP
  ARCHIVE DESTINATION lib)
if(BUILD_SHARED_LIBS)
  if(UNIX)
    # A program is linked with -ltandem, whatever the reading.
    set(version ".${tandem_VERSION_MAJOR}")
    foreach(name tandem tandem_c)
      string(CONCAT soname lib${name}${tandem_suffix}
        $<IF:$<PLATFORM_ID:Darwin>,${version}${CMAKE_SHARED_LIBRARY_SUFFIX},${CMAKE_SHARED_LIBRARY_SUFFIX}${version}>)
      install(CODE "file(CREATE_LINK \"${soname}\"
        \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/lib${name}${CMAKE_SHARED_LIBRARY_SUFFIX}\" SYMBOLIC)")
    endforeach()
  endif()
  set_target_properties(tandem_static PROPERTIES EXCLUDE_FROM_ALL OFF)
  install(TARGETS tandem_static ARCHIVE DESTINATION lib)
endif()

# Users start from these programs, which Bazel installs, too.
file(READ examples/BUILD programs)
string(REGEX MATCH "name = \"programs\",[ \n]*srcs = \\[([^]]*)\\]" _ "${programs}")
string(REGEX MATCHALL "[a-z0-9_]+\\.[a-z]+" programs "${CMAKE_MATCH_1}")
list(TRANSFORM programs PREPEND examples/)
install(FILES ${programs} DESTINATION share/tandem/examples)

# tandem_fill(NAME FOLDER) installs FOLDER/NAME, with the words of tools/package/install.sh in its template.
function(tandem_fill name folder)
  set(VERSION "${tandem_VERSION}")
  set(MAJOR "${tandem_VERSION_MAJOR}")
  set(READING "${TANDEM_READING}")
  set(SUFFIX "${tandem_suffix}")
  set(HIGHWAY "${tandem_highway_target}")
  string(REPLACE ";" " " OPENMP "${tandem_openmp}")
  foreach(part MAJOR MINOR PATCH)
    file(STRINGS api/include/oneapi/dnnl/dnnl_version.h line REGEX "^#define DNNL_VERSION_${part} ")
    string(REGEX REPLACE ".* " "" DNNL_${part} "${line}")
  endforeach()
  set(filled "${CMAKE_CURRENT_BINARY_DIR}/package/${name}")
  configure_file("tools/package/${name}.in" "${filled}" @ONLY)
  install(FILES "${filled}" DESTINATION ${folder})
endfunction()
tandem_fill(tandem.pc lib/pkgconfig)
tandem_fill(tandem_c.pc lib/pkgconfig)
tandem_fill(tandemConfig.cmake lib/cmake/tandem)
tandem_fill(tandemConfigVersion.cmake lib/cmake/tandem)
if(TANDEM_AS_DNNL)
  tandem_fill(dnnl.pc lib/pkgconfig)
  tandem_fill(dnnl-config.cmake lib/cmake/dnnl)
  tandem_fill(dnnl-config-version.cmake lib/cmake/dnnl)
endif()
