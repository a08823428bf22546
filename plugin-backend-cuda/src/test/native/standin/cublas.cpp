// The few functions of cuBLAS that are called, by OpenBLAS, queued on the handle's stream.
#include "device.h"

#include <cstdlib>
#include <set>

extern "C" {
void cblas_sgemm(int order, int transa, int transb, int m, int n, int k, float alpha, const float* a,
                 int lda, const float* b, int ldb, float beta, float* c, int ldc);
void cblas_strsm(int order, int side, int uplo, int trans, int diag, int m, int n, float alpha,
                 const float* a, int lda, float* b, int ldb);
void openblas_set_num_threads(int threads);
}

namespace {

enum Status : int {
  SUCCESS = 0,
  NOT_INITIALIZED = 1,
  ALLOC_FAILED = 3,
  INVALID_VALUE = 7,
  EXECUTION_FAILED = 13,
};

struct Handle {
  standin::Stream* stream;
};

constexpr int COLUMN_MAJOR = 102;
constexpr int PLAIN = 111;
constexpr int TRANSPOSED = 112;
constexpr int UPPER = 121;
constexpr int LOWER = 122;
constexpr int NON_UNIT = 131;
constexpr int UNIT = 132;
constexpr int LEFT = 141;
constexpr int RIGHT = 142;

// The bytes of a matrix by columns.
std::size_t bytes(int rows, int columns, int stride) {
  return rows == 0 || columns == 0
             ? std::size_t(0)
             : (std::size_t(columns - 1) * std::size_t(stride) + std::size_t(rows)) * sizeof(float);
}

std::set<Handle*> handles;

Handle* handle_of(void* handle) {
  auto* known = static_cast<Handle*>(handle);
  return handles.count(known) != 0 ? known : nullptr;
}

}  // namespace

extern "C" {

int cublasCreate_v2(void** handle) {
  // Products of one thread have the same bits every time.
  openblas_set_num_threads(1);
  auto* made = new Handle{standin::stream_of(nullptr)};
  handles.insert(made);
  standin::note_handle(1);
  *handle = made;
  return SUCCESS;
}

int cublasDestroy_v2(void* handle) {
  if (handles.erase(static_cast<Handle*>(handle)) == 0) {
    return NOT_INITIALIZED;
  }
  delete static_cast<Handle*>(handle);
  standin::note_handle(-1);
  return SUCCESS;
}

int cublasGetVersion_v2(void* handle, int* version) {
  (void)handle;
  *version = standin::cublas_version();
  return SUCCESS;
}

int cublasSetStream_v2(void* handle, void* stream) {
  Handle* known = handle_of(handle);
  if (known == nullptr || standin::stream_of(stream) == nullptr) {
    return NOT_INITIALIZED;
  }
  known->stream = standin::stream_of(stream);
  return SUCCESS;
}

int cublasSetMathMode(void* handle, int mode) {
  if (handle_of(handle) == nullptr) {
    return NOT_INITIALIZED;
  }
  standin::note_math_mode(mode);
  return SUCCESS;
}

int cublasSetAtomicsMode(void* handle, int mode) {
  (void)mode;
  return handle_of(handle) == nullptr ? NOT_INITIALIZED : SUCCESS;
}

int cublasSetPointerMode_v2(void* handle, int mode) {
  return handle_of(handle) == nullptr ? NOT_INITIALIZED : mode == 0 ? SUCCESS : INVALID_VALUE;
}

int cublasGetPointerMode_v2(void* handle, int* mode) {
  *mode = 0;
  return handle_of(handle) == nullptr ? NOT_INITIALIZED : SUCCESS;
}

int cublasSgemm_v2(void* handle, int transa, int transb, int m, int n, int k, const float* alpha,
                   const float* a, int lda, const float* b, int ldb, const float* beta, float* c,
                   int ldc) {
  Handle* known = handle_of(handle);
  if (known == nullptr) {
    return NOT_INITIALIZED;
  }
  if (m < 0 || n < 0 || k < 0 || lda < (transa ? k : m) || ldb < (transb ? n : k) || ldc < m || lda < 1 ||
      ldb < 1 || ldc < 1) {
    return INVALID_VALUE;
  }
  if (standin::fails(standin::FAIL_PRODUCT)) {
    return ALLOC_FAILED;
  }
  if (m == 0 || n == 0) {
    return SUCCESS;
  }
  standin::note_product();
  float by = *alpha;
  float keep = *beta;
  int result = standin::submit(known->stream, [=] {
    float nothing = 0;
    auto* left = k == 0 ? &nothing
                        : static_cast<float*>(standin::memory(
                              std::uint64_t(a), transa ? bytes(k, m, lda) : bytes(m, k, lda)));
    auto* right = k == 0 ? &nothing
                         : static_cast<float*>(standin::memory(
                               std::uint64_t(b), transb ? bytes(n, k, ldb) : bytes(k, n, ldb)));
    auto* product = static_cast<float*>(standin::memory(std::uint64_t(c), bytes(m, n, ldc)));
    if (left == nullptr || right == nullptr || product == nullptr) {
      return standin::device_status();
    }
    cblas_sgemm(COLUMN_MAJOR, transa ? TRANSPOSED : PLAIN, transb ? TRANSPOSED : PLAIN, m, n, k, by, left,
                lda, right, ldb, keep, product, ldc);
    return 0;
  });
  return result == 0 ? SUCCESS : EXECUTION_FAILED;
}

int cublasStrsm_v2(void* handle, int side, int uplo, int trans, int diag, int m, int n,
                   const float* alpha, const float* a, int lda, float* b, int ldb) {
  Handle* known = handle_of(handle);
  if (known == nullptr) {
    return NOT_INITIALIZED;
  }
  int order = side == 0 ? m : n;
  if (m < 0 || n < 0 || lda < order || lda < 1 || ldb < m || ldb < 1) {
    return INVALID_VALUE;
  }
  if (standin::fails(standin::FAIL_PRODUCT)) {
    return ALLOC_FAILED;
  }
  if (m == 0 || n == 0) {
    return SUCCESS;
  }
  float by = *alpha;
  int result = standin::submit(known->stream, [=] {
    auto* triangle = static_cast<float*>(standin::memory(std::uint64_t(a), bytes(order, order, lda)));
    auto* solved = static_cast<float*>(standin::memory(std::uint64_t(b), bytes(m, n, ldb)));
    if (triangle == nullptr || solved == nullptr) {
      return standin::device_status();
    }
    cblas_strsm(COLUMN_MAJOR, side == 0 ? LEFT : RIGHT, uplo == 0 ? LOWER : UPPER,
                trans ? TRANSPOSED : PLAIN, diag == 0 ? NON_UNIT : UNIT, m, n, by, triangle, lda, solved,
                ldb);
    return 0;
  });
  return result == 0 ? SUCCESS : EXECUTION_FAILED;
}

}  // extern "C"
