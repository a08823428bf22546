// The few functions of NVRTC that are called. The "PTX" is the source under a header, and the
// stand-in driver looks kernels up by name in it. The driver has the kernels of pecf-kernels.cu
// already; any other kernel is compiled here, by g++, into a library that the header names.
#include "device.h"

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>

#include "shim.h"

namespace {

enum Status : int { SUCCESS = 0, INVALID_INPUT = 3, INVALID_PROGRAM = 4, INVALID_OPTION = 5, COMPILATION = 6 };

struct Program {
  std::string source;
  std::string output;
  std::string log;
};

std::set<Program*> programs;

Program* program_of(void* handle) {
  auto* known = static_cast<Program*>(handle);
  return programs.count(known) != 0 ? known : nullptr;
}

// Returns the name of the first kernel in a source that the driver does not have, or nothing.
std::string unknown_kernel(const std::string& source) {
  const std::string start = "extern \"C\" __global__ void";
  for (std::size_t at = source.find(start); at != std::string::npos; at = source.find(start, at + 1)) {
    std::size_t begin = source.find_first_not_of(" \n", at + start.size());
    if (source.compare(begin, 12, "BLOCK_BOUNDS") == 0) {
      begin = source.find_first_not_of(" \n", begin + 12);
    } else {
      begin = source.find_first_not_of(" \n", source.find(')', begin) + 1);
    }
    std::string name = source.substr(begin, source.find('(', begin) - begin);
    if (shim_has_kernel(name.c_str()) == 0) {
      return name;
    }
  }
  return "";
}

std::string content(const std::string& file) {
  std::string text;
  if (std::FILE* in = std::fopen(file.c_str(), "r")) {
    for (int next = std::fgetc(in); next != EOF; next = std::fgetc(in)) {
      text.push_back(char(next));
    }
    std::fclose(in);
  }
  return text;
}

// Returns the name of a library: by the kernel's name and a hash of its source.
std::string stem_of(const std::string& source, const std::string& kernel) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (unsigned char next : source) {
    hash = (hash ^ next) * 0x100000001b3ull;
  }
  return PECF_STANDIN "/generated/" + kernel + "-" + std::to_string(hash);
}

// Compiles a kernel for the host; returns its library, or nothing, with the compiler's words in the
// log. A library is named by what it is made from, so that nothing is compiled twice.
std::string compile(const std::string& source, const std::string& kernel, std::string* log) {
  if (!standin::may_compile()) {
    *log = "pecf.cu(1): error: asked to fail";
    return "";
  }
  const std::string stem = stem_of(source, kernel);
  const std::string library = stem + ".so";
  if (access(library.c_str(), R_OK) == 0) {
    return library;
  }
  // Another process may compile the same.
  const std::string own = stem + "-" + std::to_string(getpid());
  std::FILE* out = std::fopen((own + ".cpp").c_str(), "w");
  if (out == nullptr) {
    *log = own + ".cpp cannot be written";
    return "";
  }
  std::fprintf(out, "#include \"kernel_table.h\"\n#line 1\n%s\nPECF_GENERATED(%s)\n", source.c_str(),
               kernel.c_str());
  std::fclose(out);
  const std::string command = std::string(PECF_COMPILE) + " " + own + ".cpp -L" PECF_STANDIN
                              " -l:libcuda.so.1 -o " + own + ".so >" + own + ".log 2>&1";
  int status = std::system(command.c_str());
  if (status != 0 || std::rename((own + ".so").c_str(), library.c_str()) != 0) {
    *log = content(own + ".log");
    return "";
  }
  return library;
}

}  // namespace

extern "C" {

int nvrtcVersion(int* major, int* minor) {
  *major = 12;
  *minor = 6;
  return SUCCESS;
}

const char* nvrtcGetErrorString(int status) {
  return status == SUCCESS ? "NVRTC_SUCCESS" : "NVRTC_ERROR_COMPILATION";
}

int nvrtcCreateProgram(void** program, const char* source, const char* name, int headers,
                       const char* const* header_sources, const char* const* header_names) {
  (void)name;
  (void)header_sources;
  (void)header_names;
  if (source == nullptr || headers != 0) {
    return INVALID_INPUT;
  }
  auto* made = new Program{source, "", ""};
  programs.insert(made);
  standin::note_handle(1);
  *program = made;
  return SUCCESS;
}

int nvrtcDestroyProgram(void** program) {
  if (programs.erase(static_cast<Program*>(*program)) == 0) {
    return INVALID_PROGRAM;
  }
  delete static_cast<Program*>(*program);
  standin::note_handle(-1);
  *program = nullptr;
  return SUCCESS;
}

int nvrtcCompileProgram(void* handle, int count, const char* const* options) {
  Program* program = program_of(handle);
  if (program == nullptr) {
    return INVALID_PROGRAM;
  }
  if (std::getenv("PECF_STANDIN_NVRTC_FAILS") != nullptr) {
    program->log = "pecf.cu(1): error: asked to fail";
    return COMPILATION;
  }
  std::string target;
  for (int k = 0; k < count; k++) {
    const std::string architecture = "--gpu-architecture=compute_";
    if (std::strncmp(options[k], architecture.c_str(), architecture.size()) == 0) {
      target = options[k] + architecture.size();
    }
    if (std::strstr(options[k], "fast_math") != nullptr) {
      return INVALID_OPTION;  // not the arithmetic that the kernels are written for
    }
  }
  if (target.empty()) {
    return INVALID_OPTION;
  }
  std::string header = ".version 8.5\n.target sm_" + target + "\n";
  std::string kernel = unknown_kernel(program->source);
  if (!kernel.empty()) {
    std::string library = compile(program->source, kernel, &program->log);
    if (library.empty()) {
      return COMPILATION;
    }
    header += "// library " + library + "\n";
  }
  program->output = header + program->source;
  return SUCCESS;
}

int nvrtcGetPTXSize(void* handle, std::size_t* bytes) {
  Program* program = program_of(handle);
  if (program == nullptr) {
    return INVALID_PROGRAM;
  }
  *bytes = program->output.size() + 1;
  return SUCCESS;
}

int nvrtcGetPTX(void* handle, char* text) {
  Program* program = program_of(handle);
  if (program == nullptr) {
    return INVALID_PROGRAM;
  }
  std::memcpy(text, program->output.c_str(), program->output.size() + 1);
  return SUCCESS;
}

int nvrtcGetProgramLogSize(void* handle, std::size_t* bytes) {
  Program* program = program_of(handle);
  if (program == nullptr) {
    return INVALID_PROGRAM;
  }
  *bytes = program->log.size() + 1;
  return SUCCESS;
}

int nvrtcGetProgramLog(void* handle, char* text) {
  Program* program = program_of(handle);
  if (program == nullptr) {
    return INVALID_PROGRAM;
  }
  std::memcpy(text, program->log.c_str(), program->log.size() + 1);
  return SUCCESS;
}

}  // extern "C"
