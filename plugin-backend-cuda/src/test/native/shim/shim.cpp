// Threads of a block as fibers, and launches by name.

#include "shim.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "cuda_on_host.h"
#include "kernel_table.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

// Where the linker puts what kernels declare __shared__; weak, as there may be nothing.
extern "C" {
extern char __start_pecf_shared[] __attribute__((weak));
extern char __stop_pecf_shared[] __attribute__((weak));
}

// ---------------------------------------------------------------------------------------------
// Switching stacks

#if defined(__x86_64__)

// Save what a function must preserve on the stack, exchange stacks, and restore.
asm(R"(
.text
.globl pecf_switch_stack
.type pecf_switch_stack, @function
pecf_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size pecf_switch_stack, .-pecf_switch_stack
)");

extern "C" void pecf_switch_stack(void **save, void *load);

#endif

namespace shim {

Thread *thread;
Index block;
Index block_size;
Index grid_size;
void *dynamic_shared;

namespace {

constexpr unsigned kLanes = 32;
constexpr unsigned kMostThreads = 1024;  // of a block, on any device
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t kStackBytes = 256 * 1024;
#else
constexpr std::size_t kStackBytes = 64 * 1024;
#endif
// How far the frames of a fiber are moved from those of the one before, and how often.
constexpr std::size_t kShift = 5 * 64;
constexpr std::size_t kShifts = 64;
// What every device has without asking; a launch with more must ask by an attribute.
constexpr unsigned kMostSharedBytes = 227 * 1024;

enum State : unsigned char { kNotStarted, kRunnable, kAtBarrier, kInWarp, kDone };

/* Memory for the frames of one fiber at a time. */
struct Stack {
  char *bottom;
  char *top;  // where frames begin
};

/* In one line of the cache: a block has many of them. */
struct alignas(64) Fiber {
  Thread thread;
  int line;         // where it waits
  unsigned parity;  // of the number of warp functions called
  Stack stack;      // from its first step to its last
#if defined(__x86_64__)
  void *pointer;
#else
  ucontext_t context;
#endif
#if defined(__SANITIZE_ADDRESS__)
  void *fake_stack;
#endif
};

struct Warp {
  unsigned arrived;
  int line;
  unsigned first;  // the first place of its threads in the order
  uint64_t values[2][kLanes];
};

/* Random numbers that are the same everywhere. */
struct Random {
  uint64_t state;

  unsigned below(unsigned bound) {
    state += 0x9e3779b97f4a7c15ull;
    uint64_t z = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return static_cast<unsigned>((z ^ (z >> 31)) >> 32) % bound;
  }
};

Fiber fibers[kMostThreads];
unsigned char states[kMostThreads];  // of the fibers
Warp warps[kMostThreads / kLanes];
std::vector<Stack> stacks;          // all there are
Stack idle_stacks[kMostThreads];    // those of no fiber; the last one was used last
unsigned idle;                      // how many
Fiber *current;
unsigned thread_count;
unsigned order[kMostThreads];  // in which the threads of the block run
unsigned place;                // in the order, of the fiber that runs
unsigned resumed;              // the first place in the order of a fiber that has become runnable
unsigned waiting;              // how many fibers wait at a barrier
int waiting_line;              // of the first of them
bool apart;                    // whether others wait in another line
unsigned done;                 // how many fibers are
unsigned started;              // how many stacks the block has begun to use
Random randomness;
void (*body)(void **);
void **body_arguments;
std::string failure;
bool failed;

void *(*translate_pointer)(void *);
int thread_order = SHIM_ASCENDING;
unsigned long long order_seed;
int skipped_line;
std::vector<char> met;  // whether the barrier of a line was met
std::vector<int> listed_lines;
std::string preferred_ending;

/* The caller of the launch, whom the last fiber of a block returns to. */
Fiber host;
#if defined(__SANITIZE_ADDRESS__)
const void *host_bottom;
std::size_t host_size;
#endif

/* Note that the stack of a fiber was switched to, by the host if it is the first of a block. */
void arrived([[maybe_unused]] Fiber *self, [[maybe_unused]] bool first) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(self->fake_stack, first ? &host_bottom : nullptr,
                                  first ? &host_size : nullptr);
#endif
}

/* Leave a fiber, for good if it is done, for another one that has a stack. */
void switch_to(Fiber *from, Fiber *to, [[maybe_unused]] bool for_good) {
  current = to;
  thread = &to->thread;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(for_good ? nullptr : &from->fake_stack,
                                 to == &host ? host_bottom : to->stack.bottom,
                                 to == &host ? host_size : kStackBytes);
#endif
#if defined(__x86_64__)
  pecf_switch_stack(&from->pointer, to->pointer);
#else
  swapcontext(&from->context, &to->context);
#endif
  arrived(from, false);
}

Fiber *next_to_run();
void fiber_main();

unsigned number_of(const Fiber *fiber) { return static_cast<unsigned>(fiber - fibers); }

/* Let a fiber begin on a stack. */
void begin(Fiber *fiber, const Stack &stack) {
  fiber->stack = stack;
  fiber->line = 0;
  fiber->parity = 0;
  states[number_of(fiber)] = kRunnable;
}

/* Let a fiber begin on a stack of its own when it is switched to. */
void begin_apart(Fiber *fiber) {
  begin(fiber, idle_stacks[--idle]);
#if defined(__SANITIZE_ADDRESS__)
  fiber->fake_stack = nullptr;
#endif
#if defined(__x86_64__)
  // What pecf_switch_stack restores, and returns to; the stack is aligned as after a call.
  void **top = reinterpret_cast<void **>(fiber->stack.top) - 1;
  *top = nullptr;
  *--top = reinterpret_cast<void *>(&fiber_main);
  for (int saved = 0; saved < 6; saved++) {
    *--top = nullptr;
  }
  fiber->pointer = top;
#else
  getcontext(&fiber->context);
  fiber->context.uc_stack.ss_sp = fiber->stack.bottom;
  fiber->context.uc_stack.ss_size = static_cast<std::size_t>(fiber->stack.top - fiber->stack.bottom);
  fiber->context.uc_link = nullptr;
  makecontext(&fiber->context, fiber_main, 0);
#endif
}

/* Let others run until this fiber can. */
void wait() {
  Fiber *self = current;
  Fiber *next = next_to_run();
  if (next == self) {
    return;
  }
  if (next != &host && states[number_of(next)] == kNotStarted) {
    begin_apart(next);
  }
  switch_to(self, next, false);
}

/* Run threads on one stack, each to its end, until one that has another stack is next; return it. */
__attribute__((noinline)) Fiber *run_threads() {
  for (;;) {
    Fiber *self = current;
    body(body_arguments);
    states[number_of(self)] = kDone;
    done++;
    Fiber *next = next_to_run();
    if (next == &host || states[number_of(next)] != kNotStarted) {
      idle_stacks[idle++] = self->stack;
      return next;
    }
    begin(next, self->stack);
    current = next;
    thread = &next->thread;
  }
}

/* Where a stack begins. Nothing of it is left on the stack when it ends. */
void fiber_main() {
  bool first = started == 0;
  started++;
  arrived(current, first);
  Fiber *next = run_threads();
  switch_to(current, next, true);
  std::abort();
}

/* Allocate a stack with a page below that cannot be touched. */
Stack allocate_stack() {
  constexpr std::size_t guard = 64 * 1024;
  void *memory = mmap(nullptr, guard + kStackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, guard, PROT_NONE) != 0) {
    std::perror("shim: a stack");
    std::abort();
  }
  // Frames at the same distance from a page would all compete for the same lines of the cache.
  std::size_t shift = stacks.size() % kShifts * kShift;
  char *bottom = static_cast<char *>(memory) + guard;
  return {bottom, bottom + kStackBytes - shift};
}

// ---------------------------------------------------------------------------------------------
// Blocks

/* Choose the order in which the threads of a block run. */
void choose_order() {
  unsigned n = thread_count;
  for (unsigned k = 0; k < n; k++) {
    order[k] = k;
  }
  switch (thread_order) {
    case SHIM_DESCENDING:
      for (unsigned k = 0; k < n; k++) {
        order[k] = n - 1 - k;
      }
      break;
    case SHIM_SHUFFLED:
      for (unsigned k = n; k > 1; k--) {
        std::swap(order[k - 1], order[randomness.below(k)]);
      }
      break;
    case SHIM_WARPS_REVERSED: {
      unsigned k = 0;
      for (unsigned warp = (n + kLanes - 1) / kLanes; warp-- > 0;) {
        for (unsigned lane = warp * kLanes; lane < n && lane < (warp + 1) * kLanes; lane++) {
          order[k++] = lane;
        }
      }
      break;
    }
    case SHIM_STRIDED: {
      unsigned stride = n % 37 == 0 ? 41 : 37;
      for (unsigned k = 0; k < n; k++) {
        order[k] = static_cast<unsigned>(static_cast<uint64_t>(k) * stride % n);
      }
      break;
    }
    default:
      break;
  }
  for (unsigned k = n; k-- > 0;) {
    warps[order[k] / kLanes].first = k;
  }
}

std::string where(const Fiber &fiber) {
  const Index &index = fiber.thread.index;
  return "thread (" + std::to_string(index.x) + ", " + std::to_string(index.y) + ", " +
         std::to_string(index.z) + ") of block (" + std::to_string(block.x) + ", " +
         std::to_string(block.y) + ", " + std::to_string(block.z) + ")";
}

void fail(const std::string &message) {
  if (!failed) {
    failure = message;
    failed = true;
  }
}

/* Say who is missing where threads do not all wait at the same barrier. */
void fail_apart() {
  const Fiber *at_barrier = nullptr;
  const Fiber *missing = nullptr;
  for (unsigned k = 0; k < thread_count; k++) {
    const Fiber &fiber = fibers[k];
    if (states[k] == kInWarp) {
      fail(where(fiber) + " waits in line " + std::to_string(fiber.line) +
           " for lanes that do not come");
      return;
    }
    if (states[k] == kDone) {
      missing = &fiber;
    } else if (at_barrier == nullptr) {
      at_barrier = &fiber;
    } else if (at_barrier->line != fiber.line) {
      fail(where(*at_barrier) + " waits at the barrier in line " +
           std::to_string(at_barrier->line) + ", " + where(fiber) + " at that in line " +
           std::to_string(fiber.line));
      return;
    }
  }
  fail(where(*at_barrier) + " waits at the barrier in line " + std::to_string(at_barrier->line) +
       ", which " + where(*missing) + " never reaches");
}

/* Let threads that all wait at the same barrier go on; else say who is missing. */
bool release() {
  if (waiting < thread_count || apart) {
    fail_apart();
    return false;
  }
  std::size_t line = static_cast<std::size_t>(waiting_line);
  if (line >= met.size()) {
    met.resize(line + 1000);
  }
  met[line] = 1;
  waiting = 0;
  std::memset(states, kRunnable, thread_count);
  return true;
}

/*
 * Return who runs next: always the first that can, so that some get as far ahead of others as they
 * can; the host if the block is done or has failed.
 */
Fiber *next_to_run() {
  if (failed) {
    return &host;
  }
  place = resumed <= place ? resumed : place + 1;
  resumed = thread_count;
  for (;;) {
    for (; place < thread_count; place++) {
      if (states[order[place]] <= kRunnable) {
        return &fibers[order[place]];
      }
    }
    if (done == thread_count || !release()) {
      return &host;
    }
    if (thread_order == SHIM_SHUFFLED) {
      choose_order();
    }
    place = 0;
  }
}

/* Fill memory with bytes that make every float and double NaN, and no useful index. */
#if defined(__GNUC__)
__attribute__((no_sanitize("address", "undefined"), noinline))
#endif
void poison(char *from, char *to) {
  volatile char *at = from;
  for (; to - at >= 8 && reinterpret_cast<uintptr_t>(at) % 8 == 0; at = at + 8) {
    *reinterpret_cast<volatile uint64_t *>(at) = ~uint64_t{0};
  }
  for (; at < to; at = at + 1) {
    *at = static_cast<char>(0xff);
  }
}

/* Run the threads of a block to their ends. */
bool run_block(const std::vector<char *> &stale) {
  for (std::size_t k = 0; k + 1 < stale.size(); k += 2) {
    poison(stale[k], stale[k + 1]);
  }
  std::memset(states, kNotStarted, thread_count);
  for (unsigned k = 0; k * kLanes < thread_count; k++) {
    warps[k].arrived = 0;
  }
  if (thread_order == SHIM_SHUFFLED) {
    choose_order();
  }
  done = 0;
  started = 0;
  waiting = 0;
  apart = false;
  place = 0;
  resumed = thread_count;
  Fiber *first = &fibers[order[0]];
  begin_apart(first);
  switch_to(&host, first, false);
  return !failed;
}

/* Forget what was on the stacks of fibers that were not run to their ends. */
void abandon_fibers() {
  idle = 0;
  for (const Stack &stack : stacks) {
    idle_stacks[idle++] = stack;
  }
#if defined(__SANITIZE_ADDRESS__)
  for (const Stack &stack : stacks) {
    __asan_unpoison_memory_region(stack.bottom, kStackBytes);
  }
#endif
}

/* Make as many fibers as a block has threads. */
void prepare_fibers(const Index &size) {
  unsigned count = size.x * size.y * size.z;
  while (stacks.size() < count) {
    stacks.push_back(allocate_stack());
    idle_stacks[idle++] = stacks.back();
  }
  if (size.x != block_size.x || size.y != block_size.y || size.z != block_size.z) {
    for (unsigned k = 0; k < count; k++) {
      Index index = {k % size.x, k / size.x % size.y, k / (size.x * size.y)};
      fibers[k].thread = Thread{index, k % kLanes};
    }
  }
  block_size = size;
  thread_count = count;
  randomness.state = order_seed;
  choose_order();
}

const Kernel *find_exactly(const char *name) {
  for (const Kernel *kernel = all_kernels; kernel->name != nullptr; kernel++) {
    if (std::strcmp(kernel->name, name) == 0) {
      return kernel;
    }
  }
  return nullptr;
}

/* The arguments of a launch, copied, with pointers of the host. */
struct Arguments {
  std::vector<uint64_t> values;
  std::vector<void *> addresses;

  Arguments(const Kernel &kernel, void **params) {
    std::size_t words = 0;
    for (int k = 0; k < kernel.count; k++) {
      words += words_of(kernel, k);
    }
    values.resize(words);
    uint64_t *next = values.data();
    for (int k = 0; k < kernel.count; k++) {
      std::memcpy(next, params[k], static_cast<std::size_t>(std::abs(kernel.sizes[k])));
      if (kernel.sizes[k] < 0 && translate_pointer != nullptr) {
        void *pointer = nullptr;
        std::memcpy(&pointer, next, sizeof(pointer));
        pointer = pointer == nullptr ? nullptr : translate_pointer(pointer);
        std::memcpy(next, &pointer, sizeof(pointer));
      }
      addresses.push_back(next);
      next += words_of(kernel, k);
    }
  }

  static std::size_t words_of(const Kernel &kernel, int argument) {
    return (static_cast<std::size_t>(std::abs(kernel.sizes[argument])) + 7) / 8;
  }
};

const Kernel *find(const char *name) {
  const Kernel *preferred =
      preferred_ending.empty() ? nullptr : find_exactly((name + preferred_ending).c_str());
  return preferred != nullptr ? preferred : find_exactly(name);
}

}  // namespace

void barrier(int line) {
  if (line == skipped_line) {
    return;
  }
  if (waiting == 0) {
    waiting_line = line;
  }
  apart = apart || line != waiting_line;
  waiting++;
  states[number_of(current)] = kAtBarrier;
  current->line = line;
  wait();
}

const uint64_t *exchange(unsigned mask, uint64_t value, int line) {
  Fiber *self = current;
  unsigned number = number_of(self);
  Warp *warp = &warps[number / kLanes];
  if (mask != 0xffffffffu || (number / kLanes + 1) * kLanes > thread_count) {
    fail(where(*self) + " names lanes in line " + std::to_string(line) +
         " that are not those of a whole warp");
    wait();
  }
  if (warp->arrived == 0) {
    warp->line = line;
  } else if (warp->line != line) {
    fail(where(*self) + " calls a warp function in line " + std::to_string(line) +
         ", others of its warp in line " + std::to_string(warp->line));
    wait();
  }
  // Nobody calls again before all have called, nor twice before all have read: two rows will do.
  uint64_t *values = warp->values[self->parity];
  self->parity ^= 1;
  values[self->thread.lane] = value;
  warp->arrived |= 1u << self->thread.lane;
  if (warp->arrived == 0xffffffffu) {
    warp->arrived = 0;
    std::memset(&states[number / kLanes * kLanes], kRunnable, kLanes);
    resumed = warp->first < resumed ? warp->first : resumed;
  } else {
    states[number] = kInWarp;
    self->line = line;
    wait();
  }
  return values;
}

}  // namespace shim

// ---------------------------------------------------------------------------------------------
// The interface

using namespace shim;

int shim_launch(const char *name, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                unsigned blockY, unsigned blockZ, unsigned sharedBytes, void **params) {
  failure.clear();
  failed = false;
  const Kernel *kernel = find(name);
  if (kernel == nullptr) {
    failure = std::string("there is no kernel ") + name;
    return SHIM_NOT_FOUND;
  }
  uint64_t threads = static_cast<uint64_t>(blockX) * blockY * blockZ;
  if (gridX == 0 || gridY == 0 || gridZ == 0 || gridX > 0x7fffffffu || gridY > 65535 ||
      gridZ > 65535 || blockZ > 64 || threads == 0 || threads > kernel->most_threads ||
      sharedBytes > kMostSharedBytes) {
    failure = std::string(name) + " cannot be launched with this grid, block or shared memory";
    return SHIM_BAD_LAUNCH;
  }
  Arguments arguments(*kernel, params);
  body = kernel->run;
  body_arguments = arguments.addresses.data();
  grid_size = {gridX, gridY, gridZ};
  prepare_fibers({blockX, blockY, blockZ});
  // Exactly as large as asked for, so that a sanitizer sees what goes beyond.
  char *shared = sharedBytes == 0 ? nullptr : static_cast<char *>(std::malloc(sharedBytes));
  dynamic_shared = shared;
  std::vector<char *> stale = {__start_pecf_shared, __stop_pecf_shared};
  if (shared != nullptr) {
    stale.insert(stale.end(), {shared, shared + sharedBytes});
  }
  uint64_t blocks = static_cast<uint64_t>(gridX) * gridY * gridZ;
  bool backwards = thread_order == SHIM_DESCENDING || thread_order == SHIM_WARPS_REVERSED;
  bool good = true;
  for (uint64_t k = 0; k < blocks && good; k++) {
    uint64_t at = backwards ? blocks - 1 - k : k;
    block = {static_cast<unsigned>(at % gridX), static_cast<unsigned>(at / gridX % gridY),
             static_cast<unsigned>(at / gridX / gridY)};
    good = run_block(stale);
  }
  std::free(shared);
  dynamic_shared = nullptr;
  body = nullptr;
  if (!good) {
    abandon_fibers();
    failure = std::string(name) + ": " + failure;
    return SHIM_FAILED;
  }
  return SHIM_OK;
}

void shim_prefer(const char *ending) { preferred_ending = ending == nullptr ? "" : ending; }

int shim_launch_bound(const char *name) {
  const Kernel *kernel = find(name);
  return kernel == nullptr ? 0 : static_cast<int>(kernel->most_threads);
}

int shim_has_kernel(const char *name) { return find(name) != nullptr; }

int shim_kernel_count(void) {
  int count = 0;
  while (all_kernels[count].name != nullptr) {
    count++;
  }
  return count;
}

const char *shim_kernel_name(int index) { return all_kernels[index].name; }

int shim_argument_count(const char *name) {
  const Kernel *kernel = find(name);
  return kernel == nullptr ? -1 : kernel->count;
}

int shim_argument_size(const char *name, int argument) {
  const Kernel *kernel = find(name);
  return kernel == nullptr || argument < 0 || argument >= kernel->count ? 0
                                                                        : kernel->sizes[argument];
}

void shim_set_translate(void *(*translate)(void *)) { translate_pointer = translate; }

void shim_set_order(int order, unsigned long long seed) {
  thread_order = order;
  order_seed = seed;
}

void shim_skip_barrier(int line) { skipped_line = line; }

int shim_take_barriers(void) {
  listed_lines.clear();
  for (std::size_t line = 0; line < met.size(); line++) {
    if (met[line] != 0) {
      listed_lines.push_back(static_cast<int>(line));
    }
  }
  met.clear();
  return static_cast<int>(listed_lines.size());
}

int shim_barrier_line(int index) { return listed_lines.at(static_cast<std::size_t>(index)); }

const char *shim_error(void) { return failure.c_str(); }
