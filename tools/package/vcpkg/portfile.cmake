# Builds the tree that this file is in, with the Highway that third_party/deps.bzl pins.
vcpkg_download_distfile(highway
  URLS https://github.com/google/highway/archive/refs/tags/1.2.0.tar.gz
  FILENAME google-highway-1.2.0.tar.gz
  SHA512 e94b9cc51c81157ccd6bf4d6163445b1acc1a2667dc2650d1c4aea0a5021989c08dafcb92564fcbecb9445ab2f1779051260be2f5b29c3932803b8a42ed2f824)
set(source "${CMAKE_CURRENT_LIST_DIR}/../../..")

# The package names one library, which serves debug builds, too.
set(VCPKG_BUILD_TYPE release)
vcpkg_cmake_configure(SOURCE_PATH "${source}"
  OPTIONS -DTANDEM_INSTALL=ON -DTANDEM_EIGEN=system "-DTANDEM_HIGHWAY=${highway}")
vcpkg_cmake_install()

# vcpkg has CMake packages in share/, one folder nearer to the prefix.
file(RENAME "${CURRENT_PACKAGES_DIR}/lib/cmake/tandem" "${CURRENT_PACKAGES_DIR}/share/tandem/cmake")
file(GLOB configs "${CURRENT_PACKAGES_DIR}/share/tandem/cmake/*.cmake")
file(COPY ${configs} DESTINATION "${CURRENT_PACKAGES_DIR}/share/tandem")
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/lib/cmake" "${CURRENT_PACKAGES_DIR}/share/tandem/cmake")
vcpkg_replace_string("${CURRENT_PACKAGES_DIR}/share/tandem/tandemConfig.cmake"
  "CMAKE_CURRENT_LIST_DIR}/../../.." "CMAKE_CURRENT_LIST_DIR}/../..")
vcpkg_fixup_pkgconfig()
vcpkg_install_copyright(FILE_LIST "${source}/LICENSE" "${source}/third_party/NOTICE")
