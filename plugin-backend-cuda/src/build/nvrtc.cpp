// Compile CUDA C++ to PTX by a given NVRTC library: nvrtc LIBRARY SOURCE ARCHITECTURE > PTX

#include <dlfcn.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

namespace {

void *library;

template <typename Function>
Function *function(const char *name) {
  void *address = dlsym(library, name);
  if (address == nullptr) {
    std::cerr << "there is no " << name << " in the library\n";
    std::exit(1);
  }
  return reinterpret_cast<Function *>(address);
}

/* Read a text whose size is told first. */
std::string text(void *program, const char *size, const char *content) {
  std::size_t length = 0;
  function<int(void *, std::size_t *)>(size)(program, &length);
  std::string result(length, '\0');
  function<int(void *, char *)>(content)(program, &result[0]);
  return result.c_str();
}

}  // namespace

int main(int count, char **arguments) {
  if (count != 4) {
    std::cerr << "usage: nvrtc LIBRARY SOURCE ARCHITECTURE\n";
    return 2;
  }
  library = dlopen(arguments[1], RTLD_NOW);
  if (library == nullptr) {
    std::cerr << dlerror() << "\n";
    return 1;
  }
  std::ifstream file(arguments[2]);
  std::string source((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  void *program = nullptr;
  function<int(void **, const char *, const char *, int, const char *const *, const char *const *)>(
      "nvrtcCreateProgram")(&program, source.c_str(), "pecf-kernels.cu", 0, nullptr, nullptr);
  std::string architecture = std::string("--gpu-architecture=") + arguments[3];
  // Those that the kernels are written for.
  const char *options[] = {architecture.c_str(), "--std=c++17", "--fmad=false"};
  int result = function<int(void *, int, const char *const *)>("nvrtcCompileProgram")(
      program, 3, options);
  std::string log = text(program, "nvrtcGetProgramLogSize", "nvrtcGetProgramLog");
  // NVRTC 12.9 says that old architectures will go one day; nothing else may be said.
  if (log.find("Architectures prior to") != std::string::npos) {
    log.erase(0, log.find('\n') + 1);
  }
  std::cerr << log;
  if (result != 0 || log.find_first_not_of(" \n") != std::string::npos) {
    std::cerr << arguments[1] << " does not compile " << arguments[2] << " for " << arguments[3]
              << " without complaint\n";
    return 1;
  }
  std::cout << text(program, "nvrtcGetPTXSize", "nvrtcGetPTX");
  return 0;
}
