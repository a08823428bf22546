// What inverting a large matrix by blocks needs.

#include "support.h"

namespace test {

namespace {

/* A positive definite matrix of full storage whose lower triangle is NaN. */
std::vector<float> upper(int order, int stride, uint64_t seed) {
  Random random(seed);
  std::vector<float> vectors = random.normals(static_cast<long long>(order) * (order + 3));
  std::vector<float> matrix(static_cast<std::size_t>(order) * stride, NAN);
  for (int a = 0; a < order; a++) {
    for (int b = a; b < order; b++) {
      double sum = a == b ? 0.5 : 0;
      for (int k = 0; k < order + 3; k++) {
        sum += static_cast<double>(vectors[a * (order + 3) + k]) * vectors[b * (order + 3) + k];
      }
      matrix[static_cast<std::size_t>(a) * stride + b] = static_cast<float>(sum);
    }
  }
  return matrix;
}

void factors_blocks() {
  for (int order : {1, 2, 7, 33, 50, 109}) {
    int stride = order + 5;
    std::vector<float> before = upper(order, stride, 7);
    Buffer<float> matrix(before);
    Buffer<int> status(std::vector<int>{0});
    launch("factor_block", {1}, matrix.data(), static_cast<long long>(stride), order, 40,
           status.data());
    matrix.note();
    check(status[0] == 0, "a positive definite matrix was refused");
    for (int a = 0; a < order; a++) {
      for (int b = 0; b < stride; b++) {
        if (b < a || b >= order) {
          check(std::isnan(matrix[a * stride + b]), "the lower triangle was written");
          continue;
        }
        double sum = 0;
        double size = 0;
        for (int k = 0; k <= a; k++) {
          double term = static_cast<double>(matrix[k * stride + a]) * matrix[k * stride + b];
          sum += term;
          size += std::fabs(term);
        }
        check_near(before[a * stride + b], sum, 3e-6 * size, "U'U");
      }
    }
  }
}

void reports_blocks_without_a_factor() {
  for (float bad : {0.0f, -1.0f, NAN, INFINITY}) {
    for (int at : {0, 5, 39}) {
      int order = 40;
      std::vector<float> values(static_cast<std::size_t>(order * order), 0.0f);
      for (int k = 0; k < order; k++) {
        values[k * order + k] = k == at ? bad : 2;
      }
      Buffer<float> matrix(values);
      Buffer<int> status(std::vector<int>{0});
      launch("factor_block", {1}, matrix.data(), static_cast<long long>(order), order, 100,
             status.data());
      check(status[0] == 100 + at + 1, "the place of a bad pivot");
      launch("factor_block", {1}, matrix.data(), static_cast<long long>(order), order, 200,
             status.data());
      status.note();
      check(status[0] == 100 + at + 1, "the first bad pivot was forgotten");
    }
  }
}

void mirrors_triangles() {
  for (int order : {1, 7, 31, 32, 33, 64, 109}) {
    std::vector<float> before = upper(order, order, 8);
    Buffer<float> matrix(before);
    unsigned tiles = static_cast<unsigned>(order + 31) / 32;
    launch("mirror_triangle", {tiles, tiles, 32, 8}, matrix.data(), order);
    matrix.note();
    for (int a = 0; a < order; a++) {
      for (int b = 0; b < order; b++) {
        float expected = before[std::min(a, b) * order + std::max(a, b)];
        check_same(&expected, &matrix[a * order + b], 1, "a mirrored matrix");
      }
    }
  }
}

void writes_identities_and_rows() {
  for (int order : {1, 7, 50}) {
    Buffer<float> matrix(static_cast<long long>(order) * order);
    launch("set_identity", {2, 1, 64}, matrix.data(), order);
    matrix.note();
    for (int k = 0; k < order * order; k++) {
      check(matrix[k] == (k / order == k % order ? 1.0f : 0.0f), "the identity");
    }
    Buffer<float> vector(Random(9).normals(order));
    Buffer<float> rows(3LL * order);
    launch("repeat_row", {2, 1, 64}, vector.data(), 3, order, rows.data());
    for (int row = 0; row < 3; row++) {
      check_same(vector.data(), rows.data() + row * order, vector.size(), "a repeated row");
    }
  }
}

}  // namespace

std::vector<Test> matrix_tests() {
  return {{"factors blocks", factors_blocks},
          {"reports blocks without a factor", reports_blocks_without_a_factor},
          {"mirrors triangles", mirrors_triangles},
          {"writes identities and rows", writes_identities_and_rows}};
}

}  // namespace test
