#!/bin/sh
# Every public header stands alone, in every language and dialect that a client
# may compile it in, without a warning; and a client written for C compiles.
set -eu
include=api/include
strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow"
status=0
count=0
shards=${TEST_TOTAL_SHARDS:-1}
[ -z "${TEST_SHARD_STATUS_FILE:-}" ] || : >"$TEST_SHARD_STATUS_FILE"

# Compiles FILE COMPILER FLAGS... says something and counts it if it fails. Each shard does one in `shards`.
Compile() {
  file=$1
  shift
  count=$((count + 1))
  [ $((count % shards)) = "${TEST_SHARD_INDEX:-0}" ] || return 0
  case $file in
    *.cc) set -- "$@" -Wold-style-cast ;;
  esac
  # shellcheck disable=SC2086
  "$@" $strict -Werror -I "$include" -fsyntax-only "$file" || {
    echo "FAILED: $*: $(cat "$file")"
    status=1
  }
}

Compilers() {
  for compiler in "$@"; do
    command -v "$compiler" >/dev/null 2>&1 && echo "$compiler"
  done
}
# clang has no such warning.
Casts() {
  [ "$1" != g++ ] || echo -Wuseless-cast
}
cxx=$(Compilers g++ clang++-14)
c=$(Compilers gcc clang-14)
[ "$(echo "$cxx" | wc -w)" -ge 1 ] || {
  echo "FAILED: there is no C++ compiler"
  exit 1
}
echo "compilers: $cxx $c" | tr '\n' ' '

# One compiler shows that a header stands alone; each sees all of them.
headers=$(cd "$include" && find . -name '*.h' -o -name '*.hpp' | sed 's,^\./,,' | sort)
# Headers CXX C HEADER...: compiles a file that includes the headers, twice.
Headers() {
  of_cxx=$1 of_c=$2
  shift 2
  printf '#include "%s"\n' "$@" "$@" >"$TEST_TMPDIR/headers.cc"
  printf '#include "%s"\n' "$@" "$@" | grep -v hpp >"$TEST_TMPDIR/headers.c" || :
  for compiler in $of_cxx; do
    # shellcheck disable=SC2046
    Compile "$TEST_TMPDIR/headers.cc" "$compiler" -std=c++11 -Wsign-conversion $(Casts "$compiler")
  done
  [ -s "$TEST_TMPDIR/headers.c" ] || return 0
  echo 'typedef int not_empty;' >>"$TEST_TMPDIR/headers.c"
  for compiler in $of_c; do
    Compile "$TEST_TMPDIR/headers.c" "$compiler" -std=c99 -Wsign-conversion
  done
}
for header in $headers; do
  Headers "$(echo "$cxx" | tail -n 1)" "$(echo "$c" | tail -n 1)" "$header"
done
# shellcheck disable=SC2086
Headers "$cxx" "$c" $headers

# The two ways in which a client chooses a generation, and what it gets without one.
cat >"$TEST_TMPDIR/generation2.cc" <<'END'
#include <type_traits>

#include "dnnl.hpp"
#if DNNL_VERSION_MAJOR >= 3
#error "asked for 2"
#endif
dnnl_memory_desc_t md = dnnl::memory::desc({1}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::x).data;
using dnnl::primitive_attr;
static_assert(std::is_same<decltype(&primitive_attr::set_fpmath_mode),
                           void (primitive_attr::*)(dnnl::fpmath_mode)>::value, "one parameter");
static_assert(std::is_same<decltype(&primitive_attr::get_fpmath_mode),
                           dnnl::fpmath_mode (primitive_attr::*)() const>::value, "none");
END
cat >"$TEST_TMPDIR/generation3.cc" <<'END'
#include <type_traits>

#include "dnnl.hpp"
dnnl::memory::desc md({1}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::x);
dnnl_memory_desc_t pointer = md.get();
using dnnl::primitive_attr;
static_assert(std::is_same<decltype(&primitive_attr::set_fpmath_mode),
                           void (primitive_attr::*)(dnnl::fpmath_mode, bool)>::value, "two parameters");
void Set(primitive_attr* attr);
void Set(primitive_attr* attr) { attr->set_fpmath_mode(dnnl::fpmath_mode::bf16); }
END
cat >"$TEST_TMPDIR/generation2.c" <<'END'
#include "dnnl.h"
dnnl_dim_t FirstDim(dnnl_memory_desc_t md);
dnnl_dim_t FirstDim(dnnl_memory_desc_t md) { return md.dims[0]; }
END
cat >"$TEST_TMPDIR/generation3.c" <<'END'
#include "dnnl.h"
dnnl_dim_t FirstDim(const_dnnl_memory_desc_t md);
dnnl_dim_t FirstDim(const_dnnl_memory_desc_t md) { return md->dims[0]; }
END
for compiler in $c; do
  Compile "$TEST_TMPDIR/generation2.c" "$compiler" -std=c99 -DDNNL_VERSION_MAJOR=2
  Compile "$TEST_TMPDIR/generation3.c" "$compiler" -std=c99 -DDNNL_VERSION_MAJOR=3
  Compile "$TEST_TMPDIR/generation3.c" "$compiler" -std=c99
done
for compiler in $cxx; do
  Compile "$TEST_TMPDIR/generation2.cc" "$compiler" -std=c++11 -DDNNL_VERSION_MAJOR=2
  Compile "$TEST_TMPDIR/generation3.cc" "$compiler" -std=c++11 -DDNNL_VERSION_MAJOR=3
  Compile "$TEST_TMPDIR/generation3.cc" "$compiler" -std=c++11
done

# A client that declares the handles before it includes a header, as oneDNN's own headers allow. (C99 has no repeated typedef.)
cat >"$TEST_TMPDIR/declared.cc" <<'END'
typedef struct dnnl_engine* dnnl_engine_t;
typedef struct dnnl_stream* dnnl_stream_t;
typedef struct dnnl_memory* dnnl_memory_t;
typedef struct dnnl_primitive* dnnl_primitive_t;
typedef struct dnnl_primitive_desc* dnnl_primitive_desc_t;
typedef const struct dnnl_primitive_desc* const_dnnl_primitive_desc_t;
typedef struct dnnl_primitive_attr* dnnl_primitive_attr_t;
typedef struct dnnl_post_ops* dnnl_post_ops_t;
#include "dnnl.hpp"
#include "dnnl.h"
dnnl_engine_t handle(const dnnl::engine& engine) { return engine.get(); }
END
for compiler in $cxx; do
  Compile "$TEST_TMPDIR/declared.cc" "$compiler" -std=c++11
done

# Every instruction set that oneDNN 3 names.
cat >"$TEST_TMPDIR/isas.cc" <<'END'
#include "dnnl.h"
#include "dnnl.hpp"
int of_classes(dnnl::cpu_isa isa) {
  switch (isa) {
    case dnnl::cpu_isa::isa_default: return 0;
    case dnnl::cpu_isa::avx10_1_512_amx_fp16: return 1;
    case dnnl::cpu_isa::avx10_2: return 2;
    case dnnl::cpu_isa::avx10_2_amx_2: return 3;
    default: return isa == dnnl::cpu_isa::avx10_2_512 || isa == dnnl::cpu_isa::avx10_2_512_amx_2;
  }
}
int of_c(dnnl_cpu_isa_t isa) { return isa == dnnl_cpu_isa_avx10_2_512 || isa == dnnl_cpu_isa_avx10_2_512_amx_2; }
END
for compiler in $cxx; do
  Compile "$TEST_TMPDIR/isas.cc" "$compiler" -std=c++11
done

# Macros are expanded in the client's own lines, where its warnings hold.
cat >"$TEST_TMPDIR/macros.cc" <<'END'
#include "dnnl.h"
#include "dnnl.hpp"
void* none = DNNL_MEMORY_NONE;
void* allocate = DNNL_MEMORY_ALLOCATE;
size_t runtime_size = DNNL_RUNTIME_SIZE_VAL;
dnnl_dim_t runtime_dim = DNNL_RUNTIME_DIM_VAL;
float runtime_f32 = DNNL_RUNTIME_F32_VAL;
int runtime_s32 = DNNL_RUNTIME_S32_VAL;
float runtime_f32_of_union = DNNL_RUNTIME_F32_VAL_REP.f;
unsigned runtime_f32_bits = DNNL_RUNTIME_F32_VAL_REP.u;
int runtime_s32_of_constant = DNNL_RUNTIME_S32_VAL_REP;
int post_op = DNNL_ARG_ATTR_MULTIPLE_POST_OP(1) | DNNL_ARG_SRC_1;
dnnl::memory::dim one = 1;
auto same = dnnl::memory::data_type_size(dnnl::memory::data_type::f32);
dnnl::rnn_flags flags = dnnl::rnn_flags::undef | dnnl::rnn_flags::diff_weights_overwrite;
END
for compiler in $cxx; do
  casts=$(Casts "$compiler")
  for dialect in c++11 c++14 c++17 c++20; do
    # shellcheck disable=SC2086
    Compile "$TEST_TMPDIR/macros.cc" "$compiler" "-std=$dialect" $casts
    Compile "${0%/*}/no_exceptions_client.cc" "$compiler" "-std=$dialect" -fno-exceptions
    Compile "${0%/*}/no_exceptions_client.cc" "$compiler" "-std=$dialect" -DDNNL_ENABLE_EXCEPTIONS=0
  done
done

# The programs that stand for clients, in the oldest and the newest dialect.
for client in "$@"; do
  for compiler in $cxx; do
    for dialect in c++11 c++20; do
      Compile "$client" "$compiler" "-std=$dialect"
    done
  done
done
echo "$count compilations, one in $shards here"
exit $status
