// The process has one runtime of OpenMP: the one that is loaded already, the system's libgomp.so.1, or none. A library or a
// program that was linked with libgomp would not start if it is not installed. Only our own code sees these functions.
#include <dlfcn.h>
#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdlib>
#include <type_traits>

extern "C" {
// The compiler calls these functions for `#pragma omp`.
void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags);
void GOMP_barrier();
void GOMP_atomic_start();
void GOMP_atomic_end();
}

namespace {

std::atomic<int> wanted_threads{0};

int ProcessorsOfThisThread() {
  cpu_set_t processors;
  return sched_getaffinity(0, sizeof processors, &processors) == 0 ? CPU_COUNT(&processors) : 1;
}

int WantedThreads() {
  if (const int wanted = wanted_threads.load(std::memory_order_relaxed)) return wanted;
  const char* const said = secure_getenv("OMP_NUM_THREADS");
  const int number = said == nullptr ? 0 : std::atoi(said);
  return number > 0 ? number : ProcessorsOfThisThread();
}

// These are the functions of the runtime. If there is none, they are those of a runtime whose regions have one thread.
struct Runtime {
  void (*parallel)(void (*)(void*), void*, unsigned, unsigned) = [](void (*body)(void*), void* data, unsigned,
                                                                    unsigned) { body(data); };
  void (*barrier)() = [] {};
  void (*atomic_start)() = [] {};
  void (*atomic_end)() = [] {};
  void (*set_num_threads)(int) = [](int threads) {
    wanted_threads.store(std::max(threads, 1), std::memory_order_relaxed);
  };
  int (*get_max_threads)() = WantedThreads;
  int (*get_num_procs)() = ProcessorsOfThisThread;
  int (*get_num_threads)() = [] { return 1; };
  int (*get_thread_num)() = [] { return 0; };
  int (*get_thread_limit)() = [] { return INT_MAX; };
  int (*in_parallel)() = [] { return 0; };
  omp_proc_bind_t (*get_proc_bind)() = [] { return omp_proc_bind_false; };
  int (*get_num_places)() = [] { return 0; };
  int (*get_place_num)() = [] { return -1; };
  int (*get_place_num_procs)(int) = [](int) { return 0; };
  void (*get_place_proc_ids)(int, int*) = [](int, int*) {};

  Runtime() {
    void* from = RTLD_DEFAULT;
    if (dlsym(from, "GOMP_parallel") == nullptr) from = dlopen("libgomp.so.1", RTLD_NOW);
    if (from == nullptr) return;
    const auto find = [from](auto* function, const char* name) {
      using Function = std::remove_pointer_t<decltype(function)>;
      if (void* const found = dlsym(from, name)) *function = reinterpret_cast<Function>(found);
    };
    find(&parallel, "GOMP_parallel");
    find(&barrier, "GOMP_barrier");
    find(&atomic_start, "GOMP_atomic_start");
    find(&atomic_end, "GOMP_atomic_end");
    find(&set_num_threads, "omp_set_num_threads");
    find(&get_max_threads, "omp_get_max_threads");
    find(&get_num_procs, "omp_get_num_procs");
    find(&get_num_threads, "omp_get_num_threads");
    find(&get_thread_num, "omp_get_thread_num");
    find(&get_thread_limit, "omp_get_thread_limit");
    find(&in_parallel, "omp_in_parallel");
    find(&get_proc_bind, "omp_get_proc_bind");
    find(&get_num_places, "omp_get_num_places");
    find(&get_place_num, "omp_get_place_num");
    find(&get_place_num_procs, "omp_get_place_num_procs");
    find(&get_place_proc_ids, "omp_get_place_proc_ids");
  }
};

// The runtime is looked for at the first use, because a process may load its own after us.
const Runtime& OpenMp() {
  static const Runtime runtime;
  return runtime;
}

}  // namespace

#pragma GCC visibility push(hidden)
extern "C" {
void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags) {
  OpenMp().parallel(body, data, threads, flags);
}
void GOMP_barrier() { OpenMp().barrier(); }
void GOMP_atomic_start() { OpenMp().atomic_start(); }
void GOMP_atomic_end() { OpenMp().atomic_end(); }
void omp_set_num_threads(int threads) noexcept { OpenMp().set_num_threads(threads); }
int omp_get_max_threads() noexcept { return OpenMp().get_max_threads(); }
int omp_get_num_procs() noexcept { return OpenMp().get_num_procs(); }
int omp_get_num_threads() noexcept { return OpenMp().get_num_threads(); }
int omp_get_thread_num() noexcept { return OpenMp().get_thread_num(); }
int omp_get_thread_limit() noexcept { return OpenMp().get_thread_limit(); }
int omp_in_parallel() noexcept { return OpenMp().in_parallel(); }
omp_proc_bind_t omp_get_proc_bind() noexcept { return OpenMp().get_proc_bind(); }
int omp_get_num_places() noexcept { return OpenMp().get_num_places(); }
int omp_get_place_num() noexcept { return OpenMp().get_place_num(); }
int omp_get_place_num_procs(int place) noexcept { return OpenMp().get_place_num_procs(place); }
void omp_get_place_proc_ids(int place, int* ids) noexcept { OpenMp().get_place_proc_ids(place, ids); }
}
#pragma GCC visibility pop
