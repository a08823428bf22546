// The few functions of NVRTC that are called. Nothing is compiled: the "PTX" is the source under a
// header, and the stand-in driver looks kernels up by name in it.
#include "device.h"

#include <cstdlib>
#include <cstring>
#include <set>
#include <string>

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
  program->output = ".version 8.5\n.target sm_" + target + "\n" + program->source;
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
