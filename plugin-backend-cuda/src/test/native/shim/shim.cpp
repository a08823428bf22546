// Threads of a block as fibers, and launches by name.

#include "shim.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
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

enum class State { kRunnable, kAtBarrier, kInWarp, kDone };

struct Fiber {
  Thread thread;
  State state;
  int line;         // where it waits
  unsigned place;   // in the order
  unsigned parity;  // of the number of warp functions called
  char *stack;
  char *top;        // where its frames begin
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
  uint64_t values[2][kLanes];
};

std::vector<Fiber> fibers;  // one for each thread that a block has ever had
std::vector<Warp> warps;
Fiber *current;
unsigned thread_count;
unsigned resumed;  // the first place in the order of a fiber that has become runnable
void (*body)(void **);
void **body_arguments;
std::string failure;

void *(*translate_pointer)(void *);
int thread_order = SHIM_ASCENDING;
unsigned long long order_seed;
int skipped_line;
std::vector<char> met;  // whether the barrier of a line was met
std::vector<int> listed_lines;
std::string preferred_ending;

#if defined(__x86_64__)
void *scheduler_pointer;
#else
ucontext_t scheduler_context;
#endif
#if defined(__SANITIZE_ADDRESS__)
void *scheduler_fake_stack;
const void *scheduler_bottom;
std::size_t scheduler_size;
#endif

/* Return from a fiber to the scheduler, for good if it is done. */
void to_scheduler() {
  Fiber *self = current;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(self->state == State::kDone ? nullptr : &self->fake_stack,
                                 scheduler_bottom, scheduler_size);
#endif
#if defined(__x86_64__)
  pecf_switch_stack(&self->pointer, scheduler_pointer);
#else
  swapcontext(&self->context, &scheduler_context);
#endif
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(self->fake_stack, &scheduler_bottom, &scheduler_size);
#endif
}

/* Where a fiber starts. */
void fiber_main() {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, &scheduler_bottom, &scheduler_size);
#endif
  body(body_arguments);
  current->state = State::kDone;
  to_scheduler();
  std::abort();
}

/* Run a fiber until it waits or is done. */
void run(Fiber *fiber) {
  current = fiber;
  thread = &fiber->thread;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&scheduler_fake_stack, fiber->stack, kStackBytes);
#endif
#if defined(__x86_64__)
  pecf_switch_stack(&scheduler_pointer, fiber->pointer);
#else
  swapcontext(&scheduler_context, &fiber->context);
#endif
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(scheduler_fake_stack, nullptr, nullptr);
#endif
}

/* Let a fiber start from the beginning when it is run next. */
void reset(Fiber *fiber) {
  fiber->state = State::kRunnable;
  fiber->line = 0;
  fiber->parity = 0;
#if defined(__x86_64__)
  // What pecf_switch_stack restores, and returns to; the stack is aligned as after a call.
  void **top = reinterpret_cast<void **>(fiber->top) - 1;
  *top = nullptr;
  *--top = reinterpret_cast<void *>(&fiber_main);
  for (int saved = 0; saved < 6; saved++) {
    *--top = nullptr;
  }
  fiber->pointer = top;
#else
  getcontext(&fiber->context);
  fiber->context.uc_stack.ss_sp = fiber->stack;
  fiber->context.uc_stack.ss_size = static_cast<std::size_t>(fiber->top - fiber->stack);
  fiber->context.uc_link = nullptr;
  makecontext(&fiber->context, fiber_main, 0);
#endif
}

/* Allocate a stack with a page below that cannot be touched. */
char *allocate_stack() {
  constexpr std::size_t guard = 64 * 1024;
  void *memory = mmap(nullptr, guard + kStackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, guard, PROT_NONE) != 0) {
    std::perror("shim: a stack");
    std::abort();
  }
  return static_cast<char *>(memory) + guard;
}

// ---------------------------------------------------------------------------------------------
// Blocks

/* Return the order in which n things are taken. */
std::vector<unsigned> ordered(unsigned n, std::mt19937_64 &random) {
  std::vector<unsigned> order(n);
  std::iota(order.begin(), order.end(), 0u);
  switch (thread_order) {
    case SHIM_DESCENDING:
      std::reverse(order.begin(), order.end());
      break;
    case SHIM_SHUFFLED:
      std::shuffle(order.begin(), order.end(), random);
      break;
    case SHIM_WARPS_REVERSED:
      std::stable_sort(order.begin(), order.end(),
                       [](unsigned a, unsigned b) { return a / kLanes > b / kLanes; });
      break;
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
  return order;
}

std::string where(const Fiber &fiber) {
  const Index &index = fiber.thread.index;
  return "thread (" + std::to_string(index.x) + ", " + std::to_string(index.y) + ", " +
         std::to_string(index.z) + ") of block (" + std::to_string(block.x) + ", " +
         std::to_string(block.y) + ", " + std::to_string(block.z) + ")";
}

void fail(const std::string &message) {
  if (failure.empty()) {
    failure = message;
  }
}

/* Let threads that all wait at the same barrier go on; else say who is missing. */
bool release() {
  const Fiber *waiting = nullptr;
  const Fiber *missing = nullptr;
  for (unsigned k = 0; k < thread_count; k++) {
    const Fiber &fiber = fibers[k];
    if (fiber.state == State::kInWarp) {
      fail(where(fiber) + " waits in line " + std::to_string(fiber.line) +
           " for lanes that do not come");
      return false;
    }
    if (fiber.state == State::kDone) {
      missing = &fiber;
    } else if (waiting == nullptr) {
      waiting = &fiber;
    } else if (waiting->line != fiber.line) {
      fail(where(*waiting) + " waits at the barrier in line " + std::to_string(waiting->line) +
           ", " + where(fiber) + " at that in line " + std::to_string(fiber.line));
      return false;
    }
  }
  if (missing != nullptr) {
    fail(where(*waiting) + " waits at the barrier in line " + std::to_string(waiting->line) +
         ", which " + where(*missing) + " never reaches");
    return false;
  }
  for (unsigned k = 0; k < thread_count; k++) {
    fibers[k].state = State::kRunnable;
  }
  return true;
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
bool run_block(std::mt19937_64 &random, std::vector<unsigned> &order, std::vector<char *> &stale) {
  for (std::size_t k = 0; k + 1 < stale.size(); k += 2) {
    poison(stale[k], stale[k + 1]);
  }
  for (unsigned k = 0; k < thread_count; k++) {
    reset(&fibers[k]);
  }
  for (Warp &warp : warps) {
    warp.arrived = 0;
  }
  unsigned done = 0;
  do {
    if (order.empty() || thread_order == SHIM_SHUFFLED) {
      order = ordered(thread_count, random);
      for (unsigned place = 0; place < thread_count; place++) {
        fibers[order[place]].place = place;
      }
    }
    // The first that can run always does, so that some get as far ahead of others as they can.
    for (unsigned place = 0; place < thread_count; place++) {
      Fiber *fiber = &fibers[order[place]];
      if (fiber->state != State::kRunnable) {
        continue;
      }
      resumed = thread_count;
      run(fiber);
      if (!failure.empty()) {
        return false;
      }
      done += fiber->state == State::kDone ? 1 : 0;
      if (resumed <= place) {
        place = resumed - 1;
      }
    }
    if (done == thread_count) {
      return true;
    }
  } while (release());
  return false;
}

/* Forget what was on the stacks of fibers that were not run to their ends. */
void abandon_fibers() {
#if defined(__SANITIZE_ADDRESS__)
  for (const Fiber &fiber : fibers) {
    __asan_unpoison_memory_region(fiber.stack, kStackBytes);
  }
#endif
}

void prepare_fibers(unsigned count) {
  fibers.reserve(kMostThreads);
  while (fibers.size() < count) {
    // Frames at the same distance from a page would all compete for the same lines of the cache.
    std::size_t shift = fibers.size() % kShifts * kShift;
    fibers.emplace_back();
    fibers.back().stack = allocate_stack();
    fibers.back().top = fibers.back().stack + kStackBytes - shift;
  }
  thread_count = count;
  warps.assign((count + kLanes - 1) / kLanes, Warp());
  for (unsigned k = 0; k < count; k++) {
    Index index = {k % block_size.x, k / block_size.x % block_size.y,
                   k / (block_size.x * block_size.y)};
    fibers[k].thread = Thread{index, k % kLanes};
  }
}

std::vector<const Kernel *> added;

const Kernel *find_exactly(const std::string &name) {
  for (const Kernel *kernel = all_kernels; kernel->name != nullptr; kernel++) {
    if (kernel->name == name) {
      return kernel;
    }
  }
  for (const Kernel *kernel : added) {
    if (kernel->name == name) {
      return kernel;
    }
  }
  return nullptr;
}

/* The arguments of a launch, copied, with pointers of the host. */
struct Arguments {
  std::vector<std::vector<char>> values;
  std::vector<void *> addresses;

  Arguments(const Kernel &kernel, void **params) {
    for (int k = 0; k < kernel.count; k++) {
      const char *value = static_cast<const char *>(params[k]);
      values.emplace_back(value, value + std::abs(kernel.sizes[k]));
      void *pointer = nullptr;
      if (kernel.sizes[k] < 0 && translate_pointer != nullptr) {
        std::memcpy(&pointer, value, sizeof(pointer));
        pointer = pointer == nullptr ? nullptr : translate_pointer(pointer);
        std::memcpy(values.back().data(), &pointer, sizeof(pointer));
      }
    }
    for (std::vector<char> &value : values) {
      addresses.push_back(value.data());
    }
  }
};

const Kernel *find(const char *name) {
  const Kernel *preferred =
      preferred_ending.empty() ? nullptr : find_exactly(name + preferred_ending);
  return preferred != nullptr ? preferred : find_exactly(name);
}

}  // namespace

void barrier(int line) {
  if (static_cast<std::size_t>(line) >= met.size()) {
    met.resize(static_cast<std::size_t>(line) + 1000);
  }
  met[static_cast<std::size_t>(line)] = 1;
  if (line == skipped_line) {
    return;
  }
  current->state = State::kAtBarrier;
  current->line = line;
  to_scheduler();
}

const uint64_t *exchange(unsigned mask, uint64_t value, int line) {
  Fiber *self = current;
  unsigned number = static_cast<unsigned>(self - fibers.data());
  Warp *warp = &warps[number / kLanes];
  if (mask != 0xffffffffu || (number / kLanes + 1) * kLanes > thread_count) {
    fail(where(*self) + " names lanes in line " + std::to_string(line) +
         " that are not those of a whole warp");
    to_scheduler();
  }
  if (warp->arrived == 0) {
    warp->line = line;
  } else if (warp->line != line) {
    fail(where(*self) + " calls a warp function in line " + std::to_string(line) +
         ", others of its warp in line " + std::to_string(warp->line));
    to_scheduler();
  }
  // Nobody calls again before all have called, nor twice before all have read: two rows will do.
  uint64_t *values = warp->values[self->parity];
  self->parity ^= 1;
  values[self->thread.lane] = value;
  warp->arrived |= 1u << self->thread.lane;
  if (warp->arrived == 0xffffffffu) {
    warp->arrived = 0;
    Fiber *first = &fibers[number / kLanes * kLanes];
    for (unsigned lane = 0; lane < kLanes; lane++) {
      if (first[lane].state == State::kInWarp) {
        first[lane].state = State::kRunnable;
        resumed = std::min(resumed, first[lane].place);
      }
    }
  } else {
    self->state = State::kInWarp;
    self->line = line;
    to_scheduler();
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
  block_size = {blockX, blockY, blockZ};
  prepare_fibers(static_cast<unsigned>(threads));
  // Exactly as large as asked for, so that a sanitizer sees what goes beyond.
  char *shared = sharedBytes == 0 ? nullptr : static_cast<char *>(std::malloc(sharedBytes));
  dynamic_shared = shared;
  std::vector<char *> stale = {__start_pecf_shared, __stop_pecf_shared};
  if (shared != nullptr) {
    stale.insert(stale.end(), {shared, shared + sharedBytes});
  }
  std::mt19937_64 random(order_seed);
  std::vector<unsigned> order;
  uint64_t blocks = static_cast<uint64_t>(gridX) * gridY * gridZ;
  bool backwards = thread_order == SHIM_DESCENDING || thread_order == SHIM_WARPS_REVERSED;
  bool good = true;
  for (uint64_t k = 0; k < blocks && good; k++) {
    uint64_t at = backwards ? blocks - 1 - k : k;
    block = {static_cast<unsigned>(at % gridX), static_cast<unsigned>(at / gridX % gridY),
             static_cast<unsigned>(at / gridX / gridY)};
    good = run_block(random, order, stale);
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

void shim_add_kernel(const void *generated) {
  const auto *kernel = static_cast<const Kernel *>(generated);
  if (find_exactly(kernel->name) == nullptr) {
    added.push_back(kernel);
  }
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
