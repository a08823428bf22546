// Normal equations and their solutions, against loops in double precision.

#include <algorithm>

#include "support.h"

namespace test {

namespace {

constexpr int kRanks[] = {1, 7, 50, 109, 150, 257};

void writes_khatri_rao_panels() {
  for (int rank : kRanks) {
    int rows = rank > 100 ? 2 : 7;
    Buffer<float> factors(Random(10).normals(static_cast<long long>(rows) * rank));
    Launch shape;
    shape.sharedBytes = static_cast<unsigned>(rank) * 4;
    for (unsigned grid : {1u, 9u}) {
      shape.gridX = grid;
      Buffer<float> panel(rows * stride(rank));
      launch("khatri_rao", shape, factors.data(), rows, rank, panel.data());
      panel.note();
      for (int row = 0; row < rows; row++) {
        long long at = row * stride(rank);
        for (int a = 0; a < rank; a++) {
          for (int b = a; b < rank; b++) {
            float expected = factors[row * rank + a] * factors[row * rank + b];
            check_same(&expected, &panel[at++], 1, "a Khatri-Rao panel");
          }
        }
        for (; at < (row + 1) * stride(rank); at++) {
          check(panel[at] == 0, "there is something between triangles");
        }
      }
    }
  }
}

/* Sparse rows: none, one, and many cells. */
struct Sparse {
  std::vector<long long> starts{0};
  std::vector<int> others;
  std::vector<float> excess;
  std::vector<float> pull;

  Sparse(const std::vector<int> &counts, int columns, uint64_t seed) {
    Random random(seed);
    for (int count : counts) {
      for (int k = 0; k < count; k++) {
        others.push_back(random.below(columns));
        excess.push_back(random.normal());
        pull.push_back(random.normal());
      }
      starts.push_back(static_cast<long long>(others.size()));
    }
  }
  int rows() const { return static_cast<int>(starts.size()) - 1; }
};

const std::vector<int> kCounts = {0, 1, 40, 0, 13};

/* The equations of some rows in parts of up to `most` exceptions, staged `chunk` at a time. */
struct Corrected {
  Buffer<float> equations;
  Buffer<float> rights;

  Corrected(const Sparse &sparse, Buffer<float> &gramian, Buffer<float> &factors, int rank,
            int most, int chunk, unsigned threads)
      : equations(sparse.rows() * stride(rank)),
        rights(static_cast<long long>(sparse.rows()) * rank) {
    constexpr int kFirstRow = 17;
    constexpr int kFirstPart = 23;
    Buffer<long long> starts(sparse.starts);
    Buffer<int> others(sparse.others);
    Buffer<float> excess(sparse.excess), pull(sparse.pull);
    std::vector<int> partRows, firstParts;
    for (int row = 0; row < sparse.rows(); row++) {
      long long count = sparse.starts[row + 1] - sparse.starts[row];
      firstParts.push_back(kFirstPart + static_cast<int>(partRows.size()));
      for (long long part = 0; part == 0 || part * most < count; part++) {
        partRows.push_back(kFirstRow + row);
      }
    }
    firstParts.push_back(kFirstPart + static_cast<int>(partRows.size()));
    long long further = static_cast<long long>(partRows.size()) - sparse.rows();
    Buffer<int> rows(partRows), firsts(firstParts);
    Buffer<float> partials(further * (stride(rank) + rank));
    rights.fill(0.75f);
    Launch shape;
    shape.gridX = static_cast<unsigned>(partRows.size());
    shape.blockX = threads;
    shape.sharedBytes = static_cast<unsigned>(chunk * ((rank + 3) / 4 * 4 + 2)) * 4;
    launch("correct_equations", shape, gramian.data(), rows.data(), kFirstRow, starts.data(),
           others.data(), excess.data(), pull.data(), factors.data(), rank, most, chunk,
           equations.data(), rights.data(), partials.data());
    launch("add_parts", {2, 1, 96}, firsts.data(), partials.data(), sparse.rows(), rank,
           equations.data(), rights.data());
    equations.note();
    rights.note();
  }
};

void corrects_equations_at_exceptions() {
  for (int rank : kRanks) {
    Sparse sparse(kCounts, 20, 13);
    Buffer<float> factors(Random(14).normals(20LL * rank));
    Buffer<float> gramian(Random(15).normals(static_cast<long long>(rank) * rank));
    for (int a = 0; a < rank; a++) {
      for (int b = 0; b < a; b++) {
        gramian[a * rank + b] = NAN;
      }
    }
    // In one part, and in several.
    for (int most : {100, 12}) {
      unsigned threads = rank > 60 ? 256 : 96;
      Corrected first(sparse, gramian, factors, rank, most, 32, threads);
      if (rank <= 60) {
        for (int chunk : {5, 1}) {
          Corrected second(sparse, gramian, factors, rank, most, chunk, chunk == 5 ? 32 : 256);
          check_same(first.equations.data(), second.equations.data(), first.equations.size(),
                     "equations by other chunks");
          check_same(first.rights.data(), second.rights.data(), first.rights.size(),
                     "right-hand sides by other chunks");
        }
      }
      for (int row = 0; row < sparse.rows(); row++) {
        long long at = row * stride(rank);
        for (int a = 0; a < rank; a++) {
          double right = 0.75;
          double rightSize = right;
          for (long long p = sparse.starts[row]; p < sparse.starts[row + 1]; p++) {
            double term = static_cast<double>(sparse.pull[p]) * factors[sparse.others[p] * rank + a];
            right += term;
            rightSize += std::fabs(term);
          }
          check_near(right, first.rights[static_cast<long long>(row) * rank + a], 1e-5 * rightSize,
                     "a right-hand side");
          for (int b = a; b < rank; b++) {
            double sum = gramian[a * rank + b];
            double size = std::fabs(sum);
            for (long long p = sparse.starts[row]; p < sparse.starts[row + 1]; p++) {
              double term = static_cast<double>(sparse.excess[p]) *
                            factors[sparse.others[p] * rank + a] *
                            factors[sparse.others[p] * rank + b];
              sum += term;
              size += std::fabs(term);
            }
            check_near(sum, first.equations[at++], 1e-5 * size, "corrected equations");
          }
        }
      }
    }
  }
}

/* Systems A x = b, packed, of which A is positive definite once the ridge is added. */
struct Systems {
  int order;
  int rows;
  std::vector<float> equations;
  std::vector<float> ridges;
  std::vector<float> rights;

  Systems(int order, int rows, uint64_t seed) : order(order), rows(rows) {
    Random random(seed);
    for (int row = 0; row < rows; row++) {
      int vectors = order / 2 + 1;
      std::vector<float> v = random.normals(static_cast<long long>(vectors) * order);
      for (int a = 0; a < order; a++) {
        for (int b = a; b < order; b++) {
          double sum = 0;
          for (int k = 0; k < vectors; k++) {
            sum += static_cast<double>(v[k * order + a]) * v[k * order + b];
          }
          equations.push_back(static_cast<float>(sum));
        }
      }
      equations.resize(static_cast<std::size_t>((row + 1) * stride(order)), NAN);
      ridges.push_back(0.5f + static_cast<float>(row) + 0.05f * static_cast<float>(order));
      std::vector<float> right = random.normals(order);
      rights.insert(rights.end(), right.begin(), right.end());
    }
  }

  long long at(int row, int a, int b) const {
    return row * stride(order) + static_cast<long long>(a) * order -
           static_cast<long long>(a) * (a - 1) / 2 + b - a;
  }

  /* Solve one system in double precision. */
  std::vector<double> solution(int row) const {
    std::vector<double> factor(static_cast<std::size_t>(order) * order);
    std::vector<double> x(static_cast<std::size_t>(order));
    for (int i = 0; i < order; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = equations[at(row, j, i)] + (i == j ? ridges[row] : 0.0f);
        for (int k = 0; k < j; k++) {
          sum -= factor[i * order + k] * factor[j * order + k];
        }
        factor[i * order + j] = i == j ? std::sqrt(sum) : sum / factor[j * order + j];
      }
    }
    for (int i = 0; i < order; i++) {
      double sum = rights[static_cast<std::size_t>(row) * order + i];
      for (int k = 0; k < i; k++) {
        sum -= factor[i * order + k] * x[k];
      }
      x[i] = sum / factor[i * order + i];
    }
    for (int i = order - 1; i >= 0; i--) {
      double sum = x[i];
      for (int k = i + 1; k < order; k++) {
        sum -= factor[k * order + i] * x[k];
      }
      x[i] = sum / factor[i * order + i];
    }
    return x;
  }
};

struct Solved {
  Buffer<float> solutions;
  Buffer<double> products;
  Buffer<int> status;

  Solved(const Systems &systems, unsigned grid, bool workspace)
      : solutions(static_cast<long long>(systems.rows) * systems.order),
        products(systems.rows),
        status(systems.rows) {
    Buffer<float> equations(systems.equations), ridges(systems.ridges), rights(systems.rights);
    Buffer<float> space(workspace ? grid * triangle(systems.order) : 0);
    Launch shape;
    shape.gridX = grid;
    shape.sharedBytes = static_cast<unsigned>(
        4 * (2 * systems.order + (workspace ? 0 : triangle(systems.order))));
    launch("solve_cholesky", shape, equations.data(), ridges.data(), rights.data(), systems.rows,
           systems.order, workspace ? space.data() : static_cast<float *>(nullptr),
           solutions.data(), products.data(), status.data());
    solutions.note();
    products.note();
    status.note();
  }
};

void check_solved(const Systems &systems, const Solved &solved, int row) {
  int order = systems.order;
  std::string what = "order " + std::to_string(order) + ", system " + std::to_string(row);
  check(solved.status[row] == 0, what + ": status");
  std::vector<double> expected = systems.solution(row);
  double length = 0;
  double distance = 0;
  double product = 0;
  for (int k = 0; k < order; k++) {
    double x = solved.solutions[static_cast<long long>(row) * order + k];
    check(std::isfinite(x), what + ": not finite");
    length += expected[k] * expected[k];
    distance += (x - expected[k]) * (x - expected[k]);
    product += x * systems.rights[static_cast<std::size_t>(row) * order + k];
  }
  check_near(0, std::sqrt(distance), 2e-5 * std::sqrt(length), what + ": distance");
  check_near(product, solved.products[row], 1e-12 * std::fabs(product) + 1e-30, what + ": b . x");
}

void solves_systems_of_any_order() {
  for (int order : kRanks) {
    int rows = order > 200 ? 1 : order > 100 ? 2 : 5;
    Systems systems(order, rows, 16);
    bool fits = order < 160;
    Solved first(systems, 1, !fits);
    for (int row = 0; row < rows; row++) {
      check_solved(systems, first, row);
    }
    if (order < 60) {
      Solved second(systems, static_cast<unsigned>(rows) + 1, true);
      check_same(first.solutions.data(), second.solutions.data(), first.solutions.size(),
                 "solutions in global memory");
    }
  }
}

/* Every kind of failure between systems that can be solved. */
void reports_what_cannot_be_solved() {
  for (int order : {1, 7, 50}) {
    for (bool workspace : {false, true}) {
      Systems systems(order, 7, 17);
      int last = order - 1;
      systems.equations[systems.at(1, last, last)] = -1e6f;
      systems.ridges[2] = 0;
      systems.equations[systems.at(3, 0, 0)] = NAN;
      systems.rights[static_cast<std::size_t>(4) * order + last] = INFINITY;
      systems.equations[systems.at(5, last, last)] = NAN;
      Solved solved(systems, 2, workspace);
      check_solved(systems, solved, 0);
      check_solved(systems, solved, 6);
      const int expected[] = {0, last + 1, 0, 1, order + 1, last + 1, 0};
      for (int row = 0; row < 7; row++) {
        check(solved.status[row] == expected[row], "the status of system " + std::to_string(row));
        if (row >= 1 && row <= 5) {
          check(solved.products[row] == 0, "the product of an unsolved system");
          for (int k = 0; k < order; k++) {
            check(solved.solutions[row * order + k] == 0, "an unsolved system has a solution");
          }
        }
      }
    }
  }
}

/* Rows to be solved in coordinates in which their background is diagonal. */
struct Whitened {
  int rank;
  Sparse sparse;
  std::vector<float> factors, eigenvalues, scales, ridges, rights;

  Whitened(int rank, const std::vector<int> &counts)
      : rank(rank), sparse(counts, 30, 18), factors(Random(19).normals(30LL * rank)) {
    Random random(20);
    for (float &factor : factors) {
      factor *= 0.3f;
    }
    for (float &excess : sparse.excess) {
      excess = std::fabs(excess) + 0.1f;
    }
    for (int k = 0; k < rank; k++) {
      eigenvalues.push_back(static_cast<float>(random.uniform()) * 9);
      scales.push_back(1 / (eigenvalues.back() + 0.7f));
    }
    for (int row = 0; row < sparse.rows(); row++) {
      ridges.push_back(0.3f + 0.2f * static_cast<float>(row));
    }
    rights = random.normals(static_cast<long long>(sparse.rows()) * rank);
  }

  /* The right-hand side of a row, and its matrix times a vector, in double precision. */
  std::vector<double> right(int row) const {
    std::vector<double> h(rights.begin() + row * rank, rights.begin() + (row + 1) * rank);
    for (long long p = sparse.starts[row]; p < sparse.starts[row + 1]; p++) {
      for (int k = 0; k < rank; k++) {
        h[k] += static_cast<double>(sparse.pull[p]) * factors[sparse.others[p] * rank + k];
      }
    }
    return h;
  }
  std::vector<double> times(int row, const float *z) const {
    std::vector<double> image;
    for (int k = 0; k < rank; k++) {
      image.push_back((static_cast<double>(eigenvalues[k]) + ridges[row]) * scales[k] * z[k]);
    }
    for (long long p = sparse.starts[row]; p < sparse.starts[row + 1]; p++) {
      const float *q = &factors[sparse.others[p] * rank];
      double score = 0;
      for (int k = 0; k < rank; k++) {
        score += static_cast<double>(q[k]) * z[k];
      }
      for (int k = 0; k < rank; k++) {
        image[k] += sparse.excess[p] * score * q[k];
      }
    }
    return image;
  }
};

struct InSteps {
  Buffer<float> solutions;
  Buffer<double> products;
  Buffer<int> status;

  InSteps(const Whitened &rows, unsigned grid, int capacity, int longest, int most)
      : solutions(static_cast<long long>(rows.sparse.rows()) * rows.rank),
        products(rows.sparse.rows()),
        status(rows.sparse.rows()) {
    Buffer<long long> starts(rows.sparse.starts);
    Buffer<int> others(rows.sparse.others);
    Buffer<float> excess(rows.sparse.excess), pull(rows.sparse.pull), factors(rows.factors),
        eigenvalues(rows.eigenvalues), scales(rows.scales), ridges(rows.ridges),
        rights(rows.rights);
    Launch shape;
    shape.gridX = grid;
    shape.blockX = static_cast<unsigned>((rows.rank + 31) / 32 * 32);
    shape.sharedBytes = static_cast<unsigned>(6 * rows.rank + longest + capacity * rows.rank) * 4;
    launch("solve_whitened", shape, starts.data(), others.data(), excess.data(), pull.data(),
           factors.data(), rows.rank, eigenvalues.data(), scales.data(), ridges.data(),
           rights.data(), rows.sparse.rows(), capacity, longest, most, 3e-6f, solutions.data(),
           products.data(), status.data());
    solutions.note();
    products.note();
    status.note();
  }

  /* Check that a row is solved: what is left of its right-hand side is next to nothing. */
  void check_row(const Whitened &rows, int row) {
    std::string what = "rank " + std::to_string(rows.rank) + ", row " + std::to_string(row);
    check(status[row] == 0, what + ": status");
    const float *z = &solutions[static_cast<long long>(row) * rows.rank];
    std::vector<double> h = rows.right(row), image = rows.times(row, z);
    double length = 0, rest = 0, product = 0;
    for (int k = 0; k < rows.rank; k++) {
      length += h[k] * h[k];
      rest += (h[k] - image[k]) * (h[k] - image[k]);
      product += (2 * h[k] - image[k]) * z[k];
    }
    check_near(0, std::sqrt(rest), 2e-5 * std::sqrt(length), what + ": residual");
    check_near(product, products[row], 1e-4 * std::fabs(product), what + ": h . z");
  }

  void check_unsolved(const Whitened &rows, int row, int expected) {
    check(status[row] == expected, "the status of row " + std::to_string(row));
    check(products[row] == 0, "the product of an unsolved row");
    for (int k = 0; k < rows.rank; k++) {
      check(solutions[row * rows.rank + k] == 0, "an unsolved row has a solution");
    }
  }
};

void solves_rows_in_steps() {
  for (int rank : {1, 50, 109, 256}) {
    Whitened rows(rank, rank > 100 ? std::vector<int>{0, 9} : kCounts);
    InSteps first(rows, 2, 40, 40, 40);
    for (int row = 0; row < rows.sparse.rows(); row++) {
      first.check_row(rows, row);
    }
    for (int capacity : {3, 0}) {
      InSteps second(rows, 9, capacity, 60, 40);
      check_same(first.solutions.data(), second.solutions.data(), first.solutions.size(),
                 "solutions with others staged");
    }
  }
}

/* Rows that are too long, or that steps do not solve, between those that are solved. */
void leaves_rows_that_steps_do_not_solve() {
  Whitened rows(50, {4, 41, 5, 6, 7, 8});
  rows.ridges[2] = 0;
  rows.rights[3 * 50 + 7] = NAN;
  for (long long p = rows.sparse.starts[4]; p < rows.sparse.starts[5]; p++) {
    rows.sparse.excess[p] = -50;
  }
  InSteps solved(rows, 2, 10, 40, 40);
  solved.check_row(rows, 0);
  solved.check_unsolved(rows, 1, 1);
  solved.check_unsolved(rows, 2, 0);
  solved.check_unsolved(rows, 3, 1);
  solved.check_unsolved(rows, 4, 1);
  solved.check_row(rows, 5);
  InSteps stopped(rows, 2, 10, 40, 2);
  stopped.check_unsolved(rows, 0, 1);
}

}  // namespace

std::vector<Test> equation_tests() {
  return {{"writes Khatri-Rao panels", writes_khatri_rao_panels},
          {"corrects equations at exceptions", corrects_equations_at_exceptions},
          {"solves systems of any order", solves_systems_of_any_order},
          {"reports what cannot be solved", reports_what_cannot_be_solved},
          {"solves rows in steps", solves_rows_in_steps},
          {"leaves rows that steps do not solve", leaves_rows_that_steps_do_not_solve}};
}

}  // namespace test
