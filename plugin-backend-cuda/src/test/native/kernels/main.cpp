// Run the native tests under every order of threads, or without one barrier.
//
//   kernel_tests                 every test under every order; all orders must give the same bits
//   kernel_tests --list          the kernels and their launch bounds, one a line
//   kernel_tests --mutants       after that, without each barrier in turn: is it noticed?
//   kernel_tests --faulty TEST.. tests by name, with the faulty kernels that there are

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <map>

#include "support.h"

namespace {

/* The exit code of a process in which a test failed. */
constexpr int kNoticed = 3;

const char *const kOrders[SHIM_ORDERS] = {"ascending", "descending", "shuffled",
                                          "warps reversed", "strided"};

std::vector<test::Test> all_tests() {
  std::vector<test::Test> all;
  for (const auto &some :
       {test::cell_tests(), test::field_tests(), test::equation_tests(), test::exception_tests(),
        test::ranking_tests(), test::pairwise_tests(), test::matrix_tests()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

/* Run a test under every order; return what was noticed first, or nothing. */
std::string run(const test::Test &one) {
  uint64_t first = 0;
  for (int order = 0; order < SHIM_ORDERS; order++) {
    shim_set_order(order, 99);
    test::take_digest();
    std::string noticed;
    try {
      one.run();
      uint64_t digest = test::take_digest();
      first = order == 0 ? digest : first;
      if (digest != first) {
        noticed = "other bits than under the first order";
      }
    } catch (const test::Failure &failure) {
      noticed = failure.what();
    }
    if (!noticed.empty()) {
      return std::string(one.name) + ", threads " + kOrders[order] + ": " + noticed;
    }
  }
  return "";
}

/* Run tests with a barrier that does not wait; return whether that was noticed. */
bool notices(int line, const std::vector<test::Test> &tests) {
  std::printf("line %d: ", line);
  std::fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    // A mutant may run wild: that is noticed too, and what sanitizers say of it is too long. Time
    // of the processor is limited, not of the clock: a busy machine must not look like a mutant.
    rlimit seconds = {60, 60};
    if (setrlimit(RLIMIT_CPU, &seconds) != 0 ||
        std::freopen("/dev/null", "w", stderr) == nullptr) {
      _exit(0);
    }
    shim_skip_barrier(line);
    for (const test::Test &one : tests) {
      std::string noticed = run(one);
      if (!noticed.empty()) {
        std::printf("%s\n", noticed.c_str());
        std::fflush(stdout);
        _exit(kNoticed);
      }
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) {
    std::printf("ended by signal %d\n", WTERMSIG(status));
    return true;
  }
  if (WEXITSTATUS(status) == 0) {
    std::printf("NOT NOTICED\n");
    return false;
  }
  if (WEXITSTATUS(status) != kNoticed) {
    std::printf("ended by a sanitizer\n");
  }
  return true;
}

/* Return tests by name. */
std::vector<test::Test> named(const std::vector<std::string> &names) {
  std::vector<test::Test> chosen;
  for (const test::Test &one : all_tests()) {
    if (std::find(names.begin(), names.end(), one.name) != names.end()) {
      chosen.push_back(one);
    }
  }
  return chosen;
}

/* Run tests; return which barriers each of them meets. */
std::map<int, std::vector<test::Test>> run_all(const std::vector<test::Test> &tests,
                                               int &failures) {
  std::map<int, std::vector<test::Test>> meeting;
  for (const test::Test &one : tests) {
    std::clock_t start = std::clock();
    std::string noticed = run(one);
    if (!noticed.empty()) {
      std::printf("FAILED %s\n", noticed.c_str());
      failures++;
    }
    std::printf("%6.2f s  %s\n", static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC,
                one.name);
    for (int k = 0, lines = shim_take_barriers(); k < lines; k++) {
      meeting[shim_barrier_line(k)].push_back(one);
    }
  }
  return meeting;
}

}  // namespace

int main(int count, char **arguments) {
  if (count == 2 && std::strcmp(arguments[1], "--list") == 0) {
    for (int k = 0; k < shim_kernel_count(); k++) {
      const char *name = shim_kernel_name(k);
      std::printf("%s %d\n", name, shim_launch_bound(name));
    }
    return 0;
  }
  bool mutants = count == 2 && std::strcmp(arguments[1], "--mutants") == 0;
  bool faulty = count > 2 && std::strcmp(arguments[1], "--faulty") == 0;
  if (count != 1 && !mutants && !faulty) {
    std::fprintf(stderr, "usage: kernel_tests [--list | --mutants | --faulty TEST...]\n");
    return 2;
  }
  shim_prefer(faulty ? "_faulty" : nullptr);
  std::vector<test::Test> tests = faulty ? named({arguments + 2, arguments + count}) : all_tests();
  int failures = 0;
  std::map<int, std::vector<test::Test>> meeting = run_all(tests, failures);
  std::printf("%zu tests under %d orders of threads, %d failures\n", tests.size(), SHIM_ORDERS,
              failures);
  if (failures == 0 && mutants) {
    for (const auto &barrier : meeting) {
      failures += notices(barrier.first, barrier.second) ? 0 : 1;
    }
    std::printf("%zu barriers, %d not noticed when missing\n", meeting.size(), failures);
  }
  return failures > 0;
}
