/* This plugin tests the runner: it fills outputs with ones or TANDEM_BROKEN_VALUE, then misbehaves as TANDEM_BROKEN says. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/plugin.h"

static int Is(const char* what) {
  const char* asked = getenv("TANDEM_BROKEN");
  return asked != NULL && strcmp(asked, what) == 0;
}

static void FillRow(const tandem_tensor* t, int axis, int64_t offset, float value) {
  if (axis == t->ndims) {
    ((float*)t->data)[offset] = value;
    return;
  }
  for (int64_t i = 0; i < t->dims[axis]; ++i) FillRow(t, axis + 1, offset + i * t->strides[axis], value);
}
static void Fill(const tandem_tensor* t, float value) { FillRow(t, 0, 0, value); }

/* Writes to read-only memory after changing its protection. */
static void Overwrite(float* data) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  void* start = (void*)((uintptr_t)data & ~(page - 1));
  mprotect(start, page, PROT_READ | PROT_WRITE);
  data[0] += 1;
  mprotect(start, page, PROT_READ);
}

/* Writes to the guard page before or after the buffer that `byte` lies in. */
static void Unguard(char* byte, int pages) {
  const intptr_t page = sysconf(_SC_PAGESIZE);
  char* guard = (char*)((intptr_t)byte & ~(page - 1)) + pages * page;
  if (mprotect(guard, (size_t)page, PROT_READ | PROT_WRITE) == 0) guard[page / 2] += 1;
}

static int64_t LastOffset(const tandem_tensor* t) {
  int64_t offset = 0;
  for (int i = 0; i < t->ndims; ++i) offset += (t->dims[i] - 1) * t->strides[i];
  return offset;
}

/* Calls `act` for every mapping of the file `name`: the judge shares "memfd:tandem ", the worker has "memfd:tandem_own ". */
static void ForEachSharedMapping(const char* file, void (*act)(char* begin, char* end)) {
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[512], protection[8];
  unsigned long begin, end;
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    if (sscanf(line, "%lx-%lx %7s", &begin, &end, protection) == 3 && protection[3] == 's' &&
        strstr(line, file) != NULL) {
      act((char*)begin, (char*)end);
    }
  }
  if (maps != NULL) fclose(maps);
}

static void Zero(char* begin, char* end) {
  if (mprotect(begin, (size_t)(end - begin), PROT_READ | PROT_WRITE) == 0) memset(begin, 0, (size_t)(end - begin));
}

/* Opens the file behind a mapping for writing; only root may. */
static int Reopen(const char* begin, const char* end) {
  char path[100];
  snprintf(path, sizeof path, "/proc/self/map_files/%lx-%lx", (unsigned long)begin, (unsigned long)end);
  return open(path, O_RDWR);
}
static void Resize(char* begin, char* end) {
  const int fd = Reopen(begin, end);
  if (fd < 0) return;
  if (ftruncate(fd, 0) == 0 || ftruncate(fd, 1L << 40) == 0) abort();
  close(fd);
}
static void MapAgain(char* begin, char* end) {
  const int fd = Reopen(begin, end);
  const size_t size = (size_t)(end - begin);
  void* again = fd < 0 ? MAP_FAILED : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (fd >= 0) close(fd);
  if (again != MAP_FAILED) memset(again, 0, size);
}

/* Returns the file by which a test and this plugin wait for each other. */
static const char* Mark(void) {
  const char* mark = getenv("TANDEM_BROKEN_MARK");
  return mark != NULL ? mark : "/dev/null";
}

/* Ends the process when the test says so. */
static void* DieOutside(void* unused) {
  (void)unused;
  while (access(Mark(), F_OK) != 0) usleep(1000);
  abort();
}

/* Says that it has begun, and does not return. */
static void Hang(void) {
  close(open(Mark(), O_WRONLY | O_CREAT, 0600));
  for (;;) sleep(1);
}

static int IsSocket(int fd) {
  struct stat is;
  return fstat(fd, &is) == 0 && S_ISSOCK(is.st_mode);
}

/* Takes messages of the judge to the worker: it waits before the worker does. */
static void* Steal(void* socket) {
  char bytes[1 << 16];
  for (;;) (void)!recv((int)(intptr_t)socket, bytes, sizeof bytes, 0);
  return NULL;
}
static void StealTasks(void) {
  static int begun = 0;
  pthread_t thread;
  for (int fd = 3; fd < 64 && !begun; ++fd) {
    if (IsSocket(fd) && pthread_create(&thread, NULL, Steal, (void*)(intptr_t)fd) == 0) pthread_detach(thread);
  }
  begun = 1;
  usleep(10000);
}

/* The worker writes into a socket that nobody reads. */
static void ReplaceSockets(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) return;
  for (int fd = 3; fd < 64; ++fd) {
    if (fd != ends[0] && fd != ends[1] && IsSocket(fd)) dup2(ends[0], fd);
  }
}

/* Starts a process in a session of its own, no child of this one. Returns once it has its own name: it closes the pipe. */
static void StartDaemon(void) {
  int running[2];
  char none;
  if (pipe2(running, O_CLOEXEC) != 0) abort();
  const pid_t child = fork();
  if (child != 0) {
    close(running[1]);
    waitpid(child, NULL, 0);
    if (read(running[0], &none, 1) != 0) abort();
    close(running[0]);
    return;
  }
  setsid();
  if (fork() == 0) execl("/bin/sleep", "sleep", "1000", (char*)NULL);
  _exit(0);
}

/* Starts a helper that ends with this process's group. */
static void StartHelper(void) {
  if (fork() == 0) execl("/bin/sleep", "sleep", "1000", (char*)NULL);
}

static void* Sleep(void* unused) {
  for (;;) sleep(1);
  return unused;
}

/* Keeps something that grows with the calls. */
static void Leak(void) {
  static int calls = 0;
  static void* volatile kept;
  ++calls;
  if (Is("leak-memory") || (Is("cache") && calls <= 200)) kept = malloc(16);
  if (Is("leak-pages")) {
    kept = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (kept != MAP_FAILED) memset(kept, 1, 1 << 16);
  }
  if (Is("leak-descriptors") || Is("crash-after-many-runs") || Is("spill-after-many-runs")) (void)!dup(1);
  if (Is("leak-threads")) {
    pthread_t thread;
    pthread_create(&thread, NULL, Sleep, NULL);
  }
}

/* Leaves something changed in the calling thread. */
static void ChangeThread(void) {
#if defined(__x86_64__)
  if (Is("leave-ftz")) __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 1u << 15);
  if (Is("leave-daz")) __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 1u << 6);
#endif
  if (Is("leave-rounding")) fesetround(FE_UPWARD);
  if (Is("leave-locale")) setlocale(LC_ALL, "C.UTF-8");
  if (Is("leave-environment")) setenv("OMP_NUM_THREADS", "7", 1);
  if (Is("leave-handler")) signal(SIGPIPE, SIG_IGN);
  if (Is("leave-umask")) umask(0777);
  if (Is("leave-folder")) (void)!chdir("/");
  if (Is("leave-processors")) {
    const unsigned long one = 1ul << sched_getcpu() % 64;
    sched_setaffinity(0, sizeof one, (const cpu_set_t*)&one);
  }
  if (Is("leave-signals-blocked")) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
  }
}

/* Behaves as if its scratchpad were static: waits for another call, and returns true if that begins before this one ends. */
static int LosesStaticScratchpad(const float* data) {
  static const float* volatile owner;
  static _Atomic int begun;
  owner = data;
  const int mine = ++begun;
  for (int i = 0; i < 1000 && begun == mine; ++i) sched_yield();
  return owner != data;
}

/* Allocates up to 50 GiB, in pieces. */
static int Allocate(void) {
  for (int i = 0; i < 50; ++i) {
    void* piece = mmap(NULL, 1L << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (piece == MAP_FAILED) return 0;
  }
  return 1;
}

static void WriteToAllDescriptors(void) {
  for (int fd = 3; fd < 1024; ++fd) (void)!write(fd, "all conform", 11);
}

/* This is TANDEM_BROKEN_LOADED_VALUE from when this file was loaded, or null. */
static const char* loaded_value;

__attribute__((constructor)) static void OnLoad(void) {
  loaded_value = getenv("TANDEM_BROKEN_LOADED_VALUE");
  if (Is("exit-when-loaded")) {
    puts("reference: 1 of 1 problems pass\nall conform: reports are in report/");
    exit(0);
  }
  if (Is("close-all-when-loaded")) closefrom(0);
}

static const tandem_description* Describe(const tandem_plugin* self) {
  static const tandem_description description = {
      .size = sizeof description, .name = "broken", .version = "1", .readings = 3, .tensor_count = TANDEM_NUM_TENSORS};
  (void)self;
  static tandem_description serial;
  serial = description;
  serial.one_call_at_a_time = 1;
  static const tandem_description without_name = {.size = sizeof without_name, .readings = 1};
  if (Is("static-scratchpad-and-says-so")) return &serial;
  if (Is("no-description")) return NULL;
  if (Is("no-name")) return &without_name;
  if (Is("crash-when-described")) abort();
  if (Is("exit-when-described")) _exit(0);
  if (Is("thread-when-described")) {
    pthread_t thread;
    pthread_create(&thread, NULL, Sleep, NULL);
    pthread_detach(thread);
  }
  if (Is("hang-when-described")) Hang();
  return &description;
}

static int32_t Supports(const tandem_plugin* self, const tandem_problem* problem, tandem_requirements* needs,
                        char* reason, size_t reason_size) {
  (void)self;
  (void)problem;
  static int asked = 0;
  needs->workspace_bytes = problem->propagation == tandem_forward_inference ? 0 : 100;
  needs->scratchpad_bytes = 100;
  if (Is("crash-when-asked-often") && ++asked == 10) abort();
  if (Is("refuse") || Is("crash-when-asked-often")) {
    strncpy(reason, "it does not feel like it", reason_size);
    return tandem_not_supported;
  }
  if (Is("write-past-reason")) reason[reason_size] = 1;
  if (Is("write-before-reason")) reason[-1] = 1;
  if (Is("refuse-silently")) return tandem_not_supported;
  if (Is("crash-when-asked")) abort();
  return tandem_ok;
}

/* These attacks would hurt the judge if it shared more than memory and a socket with this process. */
static void Attack(void) {
  if (Is("scribble")) ForEachSharedMapping("memfd:tandem ", Zero);
  if (Is("scribble-own")) ForEachSharedMapping("memfd:tandem_own ", Zero);
  if (Is("resize")) ForEachSharedMapping("memfd:tandem", Resize);
  if (Is("map-again")) ForEachSharedMapping("memfd:tandem", MapAgain);
  if (Is("kill-group")) kill(0, SIGKILL);
  if (Is("kill-parent")) {
    kill(getppid(), SIGKILL);
    for (;;) pause();
  }
  if (Is("daemon") || Is("daemon-and-crash") || Is("daemon-and-hang")) StartDaemon();
  if (Is("daemon-and-crash")) abort();
  if (Is("daemon-and-hang")) pause();
  if (Is("helper")) StartHelper();
  if (Is("stop-parent")) kill(getppid(), SIGSTOP);
  if (Is("replace-sockets")) ReplaceSockets();
  if (Is("steal")) StealTasks();
  if (Is("close-all")) closefrom(0);
  if (Is("write-to-all")) WriteToAllDescriptors();
  if (Is("print")) {
    puts("\nall conform: reports are in report/");
    fflush(stdout);
    abort();
  }
}

static int32_t Run(const tandem_plugin* self, const tandem_problem* problem, const tandem_plugin_memory* memory,
                   char* message, size_t message_size) {
  static int runs = 0;
  static _Thread_local int runs_here = 0;
  const int is_new_thread = runs_here++ == 0 && runs != 0;
  const int backward = problem->propagation == tandem_backward;
  const int first = backward ? tandem_diff_src_layer : tandem_dst_layer;
  const int last = backward ? tandem_diff_bias : tandem_dst_iter_c;
  const tandem_tensor* dst = &problem->tensor[first];
  float* data = dst->data;
  (void)self;
  const char* value = getenv("TANDEM_BROKEN_VALUE");
  if (value == NULL) value = loaded_value;
  ++runs;
  for (int i = first; i <= last; ++i)
    if (problem->tensor[i].ndims != 0) Fill(&problem->tensor[i], value != NULL ? strtof(value, NULL) : 1.0f);
  memset(memory->scratchpad, 1, memory->scratchpad_bytes);
  Attack();
  Leak();
  if (Is("die-later") && runs == 2) {
    pthread_t thread;
    pthread_create(&thread, NULL, DieOutside, NULL);
    pthread_detach(thread);
  }
  if (Is("allocate") && !Allocate()) {
    strncpy(message, "no memory", message_size);
    return tandem_failed;
  }
  if (Is("crash")) raise(SIGSEGV);
  if (Is("exit")) _exit(0);
  if (Is("hang")) Hang();
  if (Is("spin")) {
    for (;;) ((volatile float*)data)[0] = 1;
  }
  if (Is("stop")) raise(SIGSTOP);
  if (Is("refuse-no-steps") && ((const int32_t*)problem->tensor[tandem_sequence_lengths].data)[0] == 0) {
    return tandem_not_supported;
  }
  if (Is("fail")) {
    strncpy(message, "out of luck", message_size);
    return tandem_failed;
  }
  if (Is("write-past-end")) data[LastOffset(dst) + 1] = 1;
  if (Is("write-before-start")) data[-1] = 1;
  if (Is("read-past-end")) (void)((volatile float*)data)[LastOffset(dst) + 1];
  if (Is("write-gap")) data[dst->dims[2]] = 1;
  if (Is("write-input")) ((float*)problem->tensor[tandem_src_layer].data)[0] = 1;
  if (Is("unprotect-input")) Overwrite(problem->tensor[tandem_src_layer].data);
  if (Is("unprotect-dst-layer") && backward) Overwrite(problem->tensor[tandem_dst_layer].data);
  if (Is("unguard-before")) Unguard((char*)data, -1);
  if (Is("unguard-after")) Unguard((char*)(data + LastOffset(dst)), 1);
  if (Is("unguard-scratchpad")) Unguard((char*)memory->scratchpad, -1);
  if (Is("crash-after-many-runs") && runs == 100) raise(SIGSEGV);
  if (Is("spill-after-many-runs") && runs == 100) Unguard((char*)data, -1);
  if (Is("wrong-after-many-runs") && runs > 200) Fill(dst, 7);
  if (Is("wrong-once-after-many-runs") && runs == 201) Fill(dst, 7);
  if ((Is("static-scratchpad") || Is("static-scratchpad-and-says-so")) && LosesStaticScratchpad(data)) data[0] = 7;
  ChangeThread();
  if (Is("wrong-in-new-thread") && is_new_thread) data[0] = 7;
  if (Is("wrong-in-batch") && problem->mb > 1) data[0] = 7;
  if (Is("count-threads") || Is("count-threads-and-spill")) data[0] = (float)problem->threads;
  if (Is("count-threads-and-spill") && problem->threads > 1) Unguard((char*)data, -1);
  if (Is("write-past-scratchpad")) ((char*)memory->scratchpad)[memory->scratchpad_bytes] = 1;
  if (Is("write-before-scratchpad")) ((char*)memory->scratchpad)[-1] = 1;
  if (Is("write-past-message")) memset(message, 'x', message_size + 1);
  if (Is("write-before-message")) message[-1] = 1;
  if (Is("other-each-time")) data[0] = (float)runs;
  if (Is("nan-covers-others")) {
    Fill(dst, runs == 1 ? 1.0f : 12345.0f);
    data[0] = runs == 1 ? NAN : -NAN;
  }
  if (Is("leave-unwritten")) memset(&data[1], runs == 1 ? 0xff : 0x5c, sizeof(float));
  return tandem_ok;
}

const tandem_plugin* tandem_get_plugin(uint32_t host_abi) {
  static const tandem_plugin plugin = {sizeof plugin, TANDEM_PLUGIN_ABI, Describe, Supports, Run};
  static const tandem_plugin of_other_abi = {sizeof of_other_abi, TANDEM_PLUGIN_ABI + 1, Describe, Supports, Run};
  static const tandem_plugin without_run = {sizeof without_run, TANDEM_PLUGIN_ABI, Describe, Supports, NULL};
  if (Is("no-plugin")) return NULL;
  if (Is("other-abi")) return &of_other_abi;
  if (Is("no-run")) return &without_run;
  return host_abi == TANDEM_PLUGIN_ABI ? &plugin : NULL;
}
