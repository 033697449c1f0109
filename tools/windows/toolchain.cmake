# Cross-compiles for Windows x86-64 on Debian 12: clang over the headers and libraries of MinGW-w64 (tools/windows.packages).
# GCC is not used, because it does not align the stack of Windows for vectors of 32 and 64 bytes (its bug 54412).
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(tandem_triple x86_64-w64-mingw32)
file(GLOB tandem_gcc /usr/lib/gcc/${tandem_triple}/*-posix)

foreach(language C CXX)
  set(CMAKE_${language}_COMPILER_TARGET ${tandem_triple})
endforeach()
set(CMAKE_C_COMPILER clang-14)
set(CMAKE_CXX_COMPILER clang++-14)
set(CMAKE_AR /usr/bin/${tandem_triple}-ar)
set(CMAKE_RANLIB /usr/bin/${tandem_triple}-ranlib)
set(CMAKE_RC_COMPILER /usr/bin/${tandem_triple}-windres)
# GCC for Windows has no weak symbols, so only its library has this comparison of types.
set(CMAKE_CXX_FLAGS_INIT "-nostdinc++ -D__GXX_TYPEINFO_EQUALITY_INLINE=0")
foreach(folder "" /${tandem_triple} /backward)
  string(APPEND CMAKE_CXX_FLAGS_INIT " -isystem ${tandem_gcc}/include/c++${folder}")
endforeach()
# The C++ runtime is linked statically: a program needs no DLL of MinGW's.
foreach(kind EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "-B${tandem_gcc} -L${tandem_gcc} -static -pthread -Wl,--no-insert-timestamp")
endforeach()

# Programs run in wine. `wine` is a package of 32-bit programs on some machines.
set(CMAKE_CROSSCOMPILING_EMULATOR /usr/lib/wine/wine64)
set(CMAKE_FIND_ROOT_PATH /usr/${tandem_triple})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
