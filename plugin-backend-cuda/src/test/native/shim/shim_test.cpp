// Does the shim notice what it is there to notice? Kernels of its own, good and bad ones.

#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "cuda_on_host.h"
#include "kernel_table.h"
#include "shim.h"

namespace {

/* Reverse a block's numbers through shared memory. */
void reverse(const int *in, int *out) {
  __shared__ int numbers[256];
  unsigned at = blockIdx.x * 256 + threadIdx.x;
  numbers[threadIdx.x] = in[at];
  __syncthreads();
  out[at] = numbers[255 - threadIdx.x];
}

void reverse_without_barrier(const int *in, int *out) {
  __shared__ int numbers[256];
  unsigned at = blockIdx.x * 256 + threadIdx.x;
  numbers[threadIdx.x] = in[at];
  out[at] = numbers[255 - threadIdx.x];
}

/* Every lane adds up its warp. */
void add_lanes(const int *in, int *out) {
  int sum = in[threadIdx.x];
  for (int step = 16; step > 0; step /= 2) {
    sum += __shfl_xor_sync(0xffffffffu, sum, step);
  }
  unsigned odd = __ballot_sync(0xffffffffu, in[threadIdx.x] % 2 != 0);
  int before = __shfl_up_sync(0xffffffffu, in[threadIdx.x], 1);
  int third = __shfl_sync(0xffffffffu, in[threadIdx.x], 3);
  out[4 * threadIdx.x] = sum;
  out[4 * threadIdx.x + 1] = static_cast<int>(odd);
  out[4 * threadIdx.x + 2] = before;
  out[4 * threadIdx.x + 3] = third;
}

/* What a block finds in shared memory before anybody has written to it. */
void read_first(float *out) {
  __shared__ float numbers[4];
  DYNAMIC_SHARED(float, more);
  out[2 * blockIdx.x] = numbers[2];
  out[2 * blockIdx.x + 1] = more[1];
  numbers[2] = more[1] = 7;
}

void leave_early(const int *, int *) {
  if (threadIdx.x == 70) {
    return;
  }
  __syncthreads();
}

void part_ways(const int *, int *) {
  if (threadIdx.x < 64) {
    __syncthreads();
  } else {
    __syncthreads();
  }
}

void call_alone(const int *, int *) {
  if (threadIdx.x % 32 == 5) {
    __ballot_sync(0xffffffffu, true);
  }
}

void call_apart(const int *, int *) {
  if (threadIdx.x % 2 == 0) {
    __ballot_sync(0xffffffffu, true);
  } else {
    __ballot_sync(0xffffffffu, false);
  }
}

void call_some(const int *, int *) { __ballot_sync(0x0000ffffu, true); }

void write_beyond(const int *, int *out) { out[256 + threadIdx.x] = 1; }

void write_beyond_dynamic(const int *, int *) {
  DYNAMIC_SHARED(int, memory);
  memory[threadIdx.x == 255 ? 256 : 0] = 1;
}

void write_beyond_static(const int *in, int *out) {
  __shared__ int memory[16];
  int *hidden = memory;
  hidden[in[0] + 16] = 1;
  out[0] = memory[0];
}

void overflow(const int *in, int *out) { out[0] = (in[0] + 65536) * 65536; }

void take_all_kinds(char, short, int, long long, float, double, int *, const float *) {}

int failures = 0;

void check(bool holds, const std::string &what) {
  if (!holds) {
    std::printf("FAILED %s (%s)\n", what.c_str(), shim_error());
    failures++;
  }
}

int run(const char *name, const std::vector<int> &in, std::vector<int> &out, unsigned grid = 1,
        unsigned threads = 256) {
  const int *source = in.data();
  int *target = out.data();
  void *params[] = {&source, &target};
  return shim_launch(name, grid, 1, 1, threads, 1, 1, 1024, params);
}

std::vector<int> count_up(int count) {
  std::vector<int> numbers;
  for (int k = 0; k < count; k++) {
    numbers.push_back(k);
  }
  return numbers;
}

bool reversed(const std::vector<int> &out) {
  for (int k = 0; k < 1024; k++) {
    if (out[static_cast<std::size_t>(k)] != k / 256 * 256 + 255 - k % 256) {
      return false;
    }
  }
  return true;
}

void runs_blocks_in_every_order() {
  int noticed = 0;
  for (int order = 0; order < SHIM_ORDERS; order++) {
    shim_set_order(order, 5);
    std::vector<int> out(1024);
    check(run("reverse", count_up(1024), out, 4) == SHIM_OK && reversed(out), "a good kernel");
    shim_take_barriers();
    run("reverse_without_barrier", count_up(1024), out, 4);
    check(!reversed(out), "a missing barrier under order " + std::to_string(order));
    noticed += shim_take_barriers();
  }
  check(noticed == 0, "barriers were met that are not there");
}

void skips_barriers() {
  std::vector<int> out(1024);
  shim_take_barriers();
  run("reverse", count_up(1024), out, 4);
  check(shim_take_barriers() == 1, "the barriers of a kernel");
  shim_skip_barrier(shim_barrier_line(0));
  run("reverse", count_up(1024), out, 4);
  check(!reversed(out), "a skipped barrier");
  shim_skip_barrier(0);
  run("reverse", count_up(1024), out, 4);
  check(reversed(out), "no barrier is skipped");
}

void exchanges_between_lanes() {
  for (int order = 0; order < SHIM_ORDERS; order++) {
    shim_set_order(order, 6);
    std::vector<int> out(4 * 64);
    check(run("add_lanes", count_up(64), out, 1, 64) == SHIM_OK, "warp functions");
    for (int k = 0; k < 64; k++) {
      int first = k / 32 * 32;
      const int *found = &out[static_cast<std::size_t>(4 * k)];
      check(found[0] == 32 * first + 31 * 16, "a sum over lanes");
      check(static_cast<unsigned>(found[1]) == 0xaaaaaaaau, "a ballot");
      check(found[2] == (k == first ? k : k - 1), "the value of the lane before");
      check(found[3] == first + 3, "the value of a lane");
    }
  }
}

void shows_no_stale_shared_memory() {
  std::vector<float> out(6, 0);
  float *target = out.data();
  void *params[] = {&target};
  check(shim_launch("read_first", 3, 1, 1, 1, 1, 1, 16, params) == SHIM_OK, "shared memory");
  for (float value : out) {
    check(std::isnan(value), "shared memory of another block was seen");
  }
}

void check_failure(const char *name, const char *message, unsigned threads = 256) {
  for (int order = 0; order < SHIM_ORDERS; order++) {
    shim_set_order(order, 7);
    std::vector<int> out(256);
    check(run(name, count_up(256), out, 1, threads) == SHIM_FAILED, name);
    check(std::string(shim_error()).find(message) != std::string::npos,
          std::string(name) + " does not say: " + message);
  }
}

void reports_threads_that_do_not_meet() {
  check_failure("leave_early", "thread (70, 0, 0) of block (0, 0, 0) never reaches");
  check_failure("part_ways", "waits at the barrier in line");
  check_failure("call_alone", "for lanes that do not come");
  check_failure("call_apart", "others of its warp in line");
  check_failure("call_some", "not those of a whole warp");
  check_failure("add_lanes", "not those of a whole warp", 40);
}

void refuses_bad_launches() {
  std::vector<int> out(256);
  check(run("no_such_kernel", out, out) == SHIM_NOT_FOUND, "an unknown kernel");
  check(run("reverse", out, out, 0) == SHIM_BAD_LAUNCH, "no block");
  check(run("reverse", out, out, 1, 257) == SHIM_BAD_LAUNCH, "threads beyond the launch bound");
  check(!shim_has_kernel("no_such_kernel") && shim_has_kernel("reverse"), "names of kernels");
}

void knows_parameters() {
  const int expected[] = {1, 2, 4, 8, 4, 8, -8, -8};
  check(shim_argument_count("take_all_kinds") == 8, "the number of parameters");
  for (int k = 0; k < 8; k++) {
    check(shim_argument_size("take_all_kinds", k) == expected[k], "the size of a parameter");
  }
  check(shim_argument_size("take_all_kinds", 8) == 0, "a parameter too many");
}

std::vector<int> hidden;

void translates_pointers() {
  std::vector<int> in = count_up(1024);
  hidden.assign(1024, 0);
  shim_set_translate([](void *pointer) -> void * {
    return reinterpret_cast<uintptr_t>(pointer) == 64 ? hidden.data() : pointer;
  });
  const int *source = in.data();
  int *target = reinterpret_cast<int *>(64);
  void *params[] = {&source, &target};
  check(shim_launch("reverse", 4, 1, 1, 256, 1, 1, 0, params) == SHIM_OK && reversed(hidden),
        "a translated pointer");
  shim_set_translate(nullptr);
}

/* The sanitizers end the program: in a process of its own. */
void check_ended(const char *name) {
  std::fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    // What they say is not of interest.
    std::fclose(stderr);
    std::vector<int> out(256);
    run(name, std::vector<int>(256, 0), out);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  check(!WIFEXITED(status) || WEXITSTATUS(status) != 0, std::string(name) + " was not noticed");
}

void is_watched_by_sanitizers() {
#if defined(__SANITIZE_ADDRESS__)
  shim_set_order(SHIM_ASCENDING, 0);
  check_ended("write_beyond");
  check_ended("write_beyond_dynamic");
  check_ended("write_beyond_static");
  check_ended("overflow");
#endif
}

}  // namespace

#define KERNEL(name) kernel<name>(#name, 256)

const shim::Kernel shim::all_kernels[] = {
    KERNEL(reverse),      KERNEL(reverse_without_barrier),
    KERNEL(add_lanes),    KERNEL(read_first),
    KERNEL(leave_early),  KERNEL(part_ways),
    KERNEL(call_alone),   KERNEL(call_apart),
    KERNEL(call_some),    KERNEL(write_beyond),
    KERNEL(overflow),     KERNEL(write_beyond_dynamic),
    KERNEL(take_all_kinds), KERNEL(write_beyond_static),
    {nullptr, 0, nullptr, 0, nullptr},
};

int main() {
  runs_blocks_in_every_order();
  skips_barriers();
  exchanges_between_lanes();
  shows_no_stale_shared_memory();
  reports_threads_that_do_not_meet();
  refuses_bad_launches();
  knows_parameters();
  translates_pointers();
  is_watched_by_sanitizers();
  std::printf("the shim: %d failures\n", failures);
  return failures > 0;
}
