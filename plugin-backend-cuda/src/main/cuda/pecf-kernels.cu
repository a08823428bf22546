// The kernels of the CUDA backend. Everything else it computes with is cuBLAS.
//
// Conventions
//   * Matrices are float32, row after row. A tile holds cells of the grid: `rows` users by `columns`
//     items from (firstUser, firstItem), cell (r, c) at r * columns + c. Backends cut tiles along
//     users only, so that a row of a tile is a whole row of the grid and no result depends on how
//     many rows a tile has.
//   * A list of cells is a tile of one row whose users and items are given one by one.
//   * Marks are one bit a cell: `words_of(columns)` words a row, cell c in bit c % 32 of word c / 32.
//   * A packed triangle holds a <= b at `packed(order, a) + b - a`: the upper triangle row after row,
//     order * (order + 1) / 2 floats. Triangles that follow each other start a multiple of 32 floats
//     apart, so that products of them can read four floats at a time.
//   * Cells are counted in 64 bits, users and items in 32.
//   * Compile with --fmad=false (g++: -ffp-contract=off): products are fused with sums only where
//     fmaf says so. The arithmetic then gives the same bits on every device and in the host tests,
//     except where exp and log of the device's library come in.
//   * Each kernel says how it is launched. THREADS is the block size of all that say "a block"; rows
//     are dealt out to however many blocks there are.
//   * No kernel adds floats atomically unless it says so, so equal inputs give equal bits.
//
// The file includes nothing, so that NVRTC needs no headers. The tests compile it for the host too.

#define THREADS 256
#define WARP 32
#define WARPS (THREADS / WARP)
#define ALL_LANES 0xffffffffu
// One block a multiprocessor is enough: the assembler would rather spill registers for more.
#define BLOCK_BOUNDS __launch_bounds__(THREADS, 1)

#ifndef DYNAMIC_SHARED
#define DYNAMIC_SHARED(type, name) extern __shared__ type name[]
#endif

// ---------------------------------------------------------------------------------------------
// What kernels share

/* Return how many words hold the marks of a row. */
static __device__ int words_of(int columns) { return (int)(((long long)columns + 31) / 32); }

/* Return where row a of a packed triangle starts: at its diagonal element. */
static __device__ long long packed(int order, int a) {
  return (long long)a * order - (long long)a * (a - 1) / 2;
}

/* Return how many floats there are from the start of a packed triangle to that of the next. */
static __device__ long long triangle_stride(int order) {
  return (packed(order, order) + 31) / 32 * 32;
}

/* Return the first position from start to end whose item is not below the given one, or end. */
static __device__ int lower_bound(const int *items, int start, int end, int item) {
  int low = start;
  int high = end;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (items[middle] < item) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* Return whether a sorted list holds an item. */
static __device__ bool holds(const int *items, int start, int end, int item) {
  int position = lower_bound(items, start, end, item);
  return position < end && items[position] == item;
}

/* Mix 64 bits: the finalizer of SplitMix64. */
static __device__ unsigned long long mix(unsigned long long bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ull;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebull;
  return bits ^ (bits >> 31);
}

/* Hash a cell to 32 bits, as org.pecf.api.field.CellPartition defines. */
static __device__ unsigned cell_hash(unsigned long long seed, int user, int item) {
  unsigned long long key = mix(seed + 0x9e3779b97f4a7c15ull * ((unsigned long long)user + 1));
  unsigned h = (unsigned)(key >> 32) + 0x9e3779b9u * (unsigned)item;
  h = (h ^ (h >> 16)) * 0x85ebca6bu;
  h = (h ^ (h >> 13)) * 0xc2b2ae35u;
  return h ^ (h >> 16);
}

/*
 * Return e^x to about two units in the last place; 0 below e^-87, infinite above e^88, NaN for NaN.
 * By x = p ln 2 + r and the series of e^r, all in single precision: most devices have thirty times
 * as many units for that as for double precision.
 */
static __device__ float exponential(float x) {
  if (!(x > -87)) {
    return x != x ? x : 0;
  }
  if (x > 88) {
    return __uint_as_float(0x7f800000u);
  }
  float t = x * 1.44269504f;
  int power = (int)(t < 0 ? t - 0.5f : t + 0.5f);
  // ln 2 in two parts, of which the first has zeros at its end: its multiples are exact.
  float r = fmaf((float)-power, 0.693359375f, x);
  r = fmaf((float)-power, -2.12194440e-4f, r);
  float series = fmaf(r, 1.0f / 5040, 1.0f / 720);
  series = fmaf(r, series, 1.0f / 120);
  series = fmaf(r, series, 1.0f / 24);
  series = fmaf(r, series, 1.0f / 6);
  series = fmaf(r, series, 0.5f);
  series = fmaf(r, series, 1);
  series = fmaf(r, series, 1);
  return series * __uint_as_float((unsigned)(power + 127) << 23);
}

/* Add up one number a lane in a fixed tree; every lane gets the sum. */
static __device__ float warp_sum(float value) {
  for (int step = WARP / 2; step > 0; step /= 2) {
    value += __shfl_xor_sync(ALL_LANES, value, step);
  }
  return value;
}

/* Add up one number a lane in a fixed tree; every lane gets the sum. */
static __device__ double warp_sum(double value) {
  for (int step = WARP / 2; step > 0; step /= 2) {
    value += __shfl_xor_sync(ALL_LANES, value, step);
  }
  return value;
}

/*
 * Add up one number a thread of a block in a fixed order; thread 0 gets the sum. Every thread must
 * call it; `partial` holds WARPS numbers, which nobody may touch before the next barrier.
 */
static __device__ double block_sum(double value, double *partial) {
  value = warp_sum(value);
  if (threadIdx.x % WARP == 0) {
    partial[threadIdx.x / WARP] = value;
  }
  __syncthreads();
  double sum = 0;
  if (threadIdx.x == 0) {
    for (int warp = 0; warp < WARPS; warp++) {
      sum += partial[warp];
    }
  }
  return sum;
}

// ---------------------------------------------------------------------------------------------
// Functions of a cell

/* Return 1 for a cell of a part, whose hash lies between two bounds, both included, else 0. */
static __device__ float in_part(unsigned long long seed, unsigned first, unsigned last, int user,
                                int item) {
  unsigned hash = cell_hash(seed, user, item);
  return hash >= first && hash <= last ? 1 : 0;
}

/* Return scale / (1 + nu exp(factor e^2)). */
static __device__ float posterior(float nu, float factor, float scale, float error) {
  return scale / (1 + nu * exponential(factor * error * error));
}

/*
 * Return the lesser of a square and that of a component's error, which counts if the component has
 * a share. NaN is less than anything, once and for all. The first square is infinite.
 */
static __device__ float lesser_square(float least, float share, float error) {
  float square = error * error;
  return share > 0 && (square < least || square != square) ? square : least;
}

/* Return share e^-(e^2 - least) / (2 s^2): a component's part of the density, up to a factor. */
static __device__ float component_term(float precision, float share, float error, float least) {
  float excess = error * error - least;
  // A component without a share may have a smaller error.
  excess = excess < 0 ? 0 : excess;
  return share * exponential(-precision * excess);
}

/* Return the logarithm of a density from the sum of its terms. */
static __device__ float log_density(float precision, float normaliser, float sum, float least) {
  return logf(sum) - precision * least - normaliser;
}

// ---------------------------------------------------------------------------------------------
// Marks and scores of cells

/*
 * Mark the cells of a set that lie in a tile.
 *
 *   starts, items  the set by user: items of user i at starts[i] .. starts[i + 1] - 1, ascending
 *   marks          rows * words_of(columns) words. Modified: cleared first, unless `keep` is not 0
 *
 * Launch: any number of blocks of THREADS.
 */
extern "C" __global__ void BLOCK_BOUNDS
    mark_cells(const int *starts, const int *items, int firstUser, int firstItem, int rows,
               int columns, int keep, unsigned *marks) {
  int words = words_of(columns);
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    unsigned *line = marks + (long long)row * words;
    if (!keep) {
      for (int word = threadIdx.x; word < words; word += THREADS) {
        line[word] = 0;
      }
      __syncthreads();
    }
    int end = starts[firstUser + row + 1];
    int position = lower_bound(items, starts[firstUser + row], end, firstItem) + (int)threadIdx.x;
    for (; position < end; position += THREADS) {
      int column = items[position] - firstItem;
      if (column >= columns) {
        break;
      }
      atomicOr(&line[column / 32], 1u << (column % 32));
    }
  }
}

/*
 * Mark the cells of a list that are in a set.
 *
 *   starts, items         the set by user
 *   cellUsers, cellItems  the list
 *   marks                 words_of(count) words. Modified
 *
 * Launch: any number of blocks of THREADS.
 */
extern "C" __global__ void BLOCK_BOUNDS
    test_cells(const int *starts, const int *items, const int *cellUsers, const int *cellItems,
               int count, unsigned *marks) {
  int words = words_of(count);
  int lane = threadIdx.x % WARP;
  for (long long word = (long long)blockIdx.x * WARPS + threadIdx.x / WARP; word < words;
       word += (long long)gridDim.x * WARPS) {
    long long cell = word * 32 + lane;
    bool found = false;
    if (cell < count) {
      int user = cellUsers[cell];
      found = holds(items, starts[user], starts[user + 1], cellItems[cell]);
    }
    unsigned mark = __ballot_sync(ALL_LANES, found);
    if (lane == 0) {
      marks[word] = mark;
    }
  }
}

/*
 * Mark the cells of a tile scored beyond a bound: |score| > bound. NaN is not beyond it.
 *
 *   scores  the tile
 *   marks   Modified: marks are added to those there
 *
 * Launch: any number of blocks of THREADS.
 */
extern "C" __global__ void BLOCK_BOUNDS
    mark_beyond(const float *scores, float bound, int rows, int columns, unsigned *marks) {
  int words = words_of(columns);
  int lane = threadIdx.x % WARP;
  long long total = (long long)rows * words;
  for (long long word = (long long)blockIdx.x * WARPS + threadIdx.x / WARP; word < total;
       word += (long long)gridDim.x * WARPS) {
    long long row = word / words;
    long long column = (word - row * words) * 32 + lane;
    bool beyond = column < columns && fabsf(scores[row * columns + column]) > bound;
    unsigned mark = __ballot_sync(ALL_LANES, beyond);
    if (lane == 0) {
      marks[word] |= mark;
    }
  }
}

/*
 * Compute the scores of listed cells: scores = coefficient users_i . items_j (+ scores).
 *
 *   users, items          factors of `rank`
 *   cellUsers, cellItems  the list
 *   scores                count floats. Modified: added to if `keep` is not 0
 *
 * Launch: any number of blocks of THREADS.
 */
extern "C" __global__ void BLOCK_BOUNDS
    score_cells(const float *users, const float *items, int rank, float coefficient,
                const int *cellUsers, const int *cellItems, int count, int keep, float *scores) {
  int lane = threadIdx.x % WARP;
  for (long long cell = (long long)blockIdx.x * WARPS + threadIdx.x / WARP; cell < count;
       cell += (long long)gridDim.x * WARPS) {
    const float *user = users + (long long)cellUsers[cell] * rank;
    const float *item = items + (long long)cellItems[cell] * rank;
    float sum = 0;
    for (int k = lane; k < rank; k += WARP) {
      sum = fmaf(user[k], item[k], sum);
    }
    sum = warp_sum(sum);
    if (lane == 0) {
      float before = keep ? scores[cell] : 0;
      scores[cell] = before + coefficient * sum;
    }
  }
}

/*
 * Read scores that are kept for every cell of the grid.
 *
 *   kept       users x items
 *   sign       what they are multiplied by
 *   cellUsers, cellItems  the cells of a list (rows must be 1), or both null for a tile
 *   scores     the tile or list. Modified
 *
 * Launch: any number of blocks of up to THREADS.
 */
extern "C" __global__ void BLOCK_BOUNDS
    read_scores(const float *kept, int items, float sign, const int *cellUsers,
                const int *cellItems, int firstUser, int firstItem, int rows, int columns,
                float *scores) {
  long long cells = (long long)rows * columns;
  for (long long cell = (long long)blockIdx.x * blockDim.x + threadIdx.x; cell < cells;
       cell += (long long)gridDim.x * blockDim.x) {
    long long row = cell / columns;
    long long user = cellUsers ? cellUsers[cell] : firstUser + row;
    long long item = cellItems ? cellItems[cell] : firstItem + (cell - row * columns);
    scores[cell] = sign * kept[user * items + item];
  }
}

// ---------------------------------------------------------------------------------------------
// Fields

// Instructions of a field program: four ints each, the operation and a, b, c.
#define PUSH_CONSTANT 0   // push constants[a]
#define PUSH_TILE 1       // push the cell of tile a
#define PUSH_OBSERVED 2   // push constants[b] where the cell is marked in marks a, else [c]
#define PUSH_PART 3       // push 1 where first <= cell_hash <= last, else 0; program[a ..] holds the
                          // lower and the upper half of the seed, first, and last
#define COPY 4            // push what lies a below the top: 0 is the top itself
#define MULTIPLY_ADD 5    // pop y, then x; push x + constants[a] * y
#define MULTIPLY 6        // pop y, then x; push x * y * ... * y, a times
#define POSTERIOR 7       // pop e; push posterior(e); constants[a ..] hold nu, factor, scale
#define RESPONSIBILITY 8  // pop b errors e_0 .. ; push the probability of component c, or, if c is
                          // below 0, those of all components, the last on top
#define LOG_DENSITY 9     // pop b errors e_0 .. ; push log sum_k pi_k N(e_k; 0, s^2)
                          // both: constants[a ..] hold 1 / (2 s^2), log s + log(2 pi) / 2, pi_0, ...
#define STORE 10          // pop x; write it to output a

// The cells that a thread computes at once: to read an instruction takes longer than to follow it.
#define CELLS 4

/* A value of CELLS cells, which are read and written together. */
struct alignas(4 * CELLS) Value {
  float of[CELLS];
};

/*
 * The values that a thread computes with: the top one in registers, the others below it in shared
 * memory, one for every thread of the block between each and the next.
 */
struct Stack {
  Value top;
  Value *below;

  /* Let the top be below a new one, which is yet to be set. */
  __device__ void push() {
    below += blockDim.x;
    *below = top;
  }

  /* Drop the top. */
  __device__ void pop() {
    top = *below;
    below -= blockDim.x;
  }
};

/*
 * Replace the errors of a mixture's components by what each component adds to the density, up to a
 * factor.
 *
 *   errors  `components` values, as they are on the stack. Modified
 *   least   the least squares of errors. Modified
 *   sum     the sums of what components add. Modified
 */
static __device__ void component_terms(const float *mixture, int components, Value *errors,
                                       Value &least, Value &sum) {
  for (int k = 0; k < CELLS; k++) {
    least.of[k] = __uint_as_float(0x7f800000u);
    sum.of[k] = 0;
  }
  for (int component = 0; component < components; component++) {
    Value error = errors[component * blockDim.x];
    for (int k = 0; k < CELLS; k++) {
      least.of[k] = lesser_square(least.of[k], mixture[2 + component], error.of[k]);
    }
  }
  for (int component = 0; component < components; component++) {
    Value term = errors[component * blockDim.x];
    for (int k = 0; k < CELLS; k++) {
      term.of[k] = component_term(mixture[0], mixture[2 + component], term.of[k], least.of[k]);
      sum.of[k] += term.of[k];
    }
    errors[component * blockDim.x] = term;
  }
}

/*
 * Evaluate fields at all cells of a tile or list, in one pass.
 *
 *   program    `length` instructions, four ints each, and behind them the words of PUSH_PART
 *   constants  what instructions refer to
 *   tiles      tile after tile, tileStride floats apart: scores, and what the host has filled in
 *   marks      marks after marks, markStride words apart
 *   cellUsers, cellItems  the cells of a list (rows must be 1), or both null for a tile
 *   outputs    tile after tile, outputStride floats apart. Modified
 *
 * Launch: grid (any x, any y), blocks of up to THREADS, dynamic shared memory of
 * (depth + 1) * CELLS * blockDim.x floats, where depth is the most values on the stack at a time.
 */
extern "C" __global__ void BLOCK_BOUNDS
    evaluate_fields(const int *program, int length, const float *constants, const float *tiles,
                    long long tileStride, const unsigned *marks, long long markStride,
                    const int *cellUsers, const int *cellItems, int firstUser, int firstItem,
                    int rows, int columns, float *outputs, long long outputStride) {
  DYNAMIC_SHARED(Value, stacks);
  int words = words_of(columns);
  int threads = blockDim.x;
  for (int row = blockIdx.y; row < rows; row += gridDim.y) {
    for (long long start = (long long)blockIdx.x * CELLS * threads + threadIdx.x; start < columns;
         start += (long long)gridDim.x * CELLS * threads) {
      long long line = (long long)row * columns;
      // Where the row has ended, its last cell is computed and stored once more.
      int column[CELLS];
      for (int k = 0; k < CELLS; k++) {
        column[k] = start + k * threads < columns ? (int)start + k * threads : columns - 1;
      }
      Stack stack = {{}, stacks + threadIdx.x - threads};
      for (int at = 0; at < length; at++) {
        int operation = program[4 * at];
        int a = program[4 * at + 1];
        int b = program[4 * at + 2];
        int c = program[4 * at + 3];
        switch (operation) {
          case PUSH_CONSTANT: {
            stack.push();
            float value = constants[a];
            for (int k = 0; k < CELLS; k++) {
              stack.top.of[k] = value;
            }
            break;
          }
          case PUSH_TILE: {
            stack.push();
            const float *tile = tiles + a * tileStride + line;
            for (int k = 0; k < CELLS; k++) {
              stack.top.of[k] = tile[column[k]];
            }
            break;
          }
          case PUSH_OBSERVED: {
            stack.push();
            const unsigned *marked = marks + a * markStride + (long long)row * words;
            float inside = constants[b];
            float outside = constants[c];
            for (int k = 0; k < CELLS; k++) {
              stack.top.of[k] = marked[column[k] / 32] >> (column[k] % 32) & 1 ? inside : outside;
            }
            break;
          }
          case PUSH_PART: {
            stack.push();
            unsigned long long seed =
                (unsigned long long)(unsigned)program[a + 1] << 32 | (unsigned)program[a];
            for (int k = 0; k < CELLS; k++) {
              int user = cellUsers ? cellUsers[column[k]] : firstUser + row;
              int item = cellItems ? cellItems[column[k]] : firstItem + column[k];
              stack.top.of[k] =
                  in_part(seed, (unsigned)program[a + 2], (unsigned)program[a + 3], user, item);
            }
            break;
          }
          case COPY: {
            stack.push();
            stack.top = *(stack.below - a * threads);
            break;
          }
          case MULTIPLY_ADD: {
            float factor = constants[a];
            Value term = stack.top;
            stack.pop();
            for (int k = 0; k < CELLS; k++) {
              stack.top.of[k] += factor * term.of[k];
            }
            break;
          }
          case MULTIPLY: {
            Value factor = stack.top;
            stack.pop();
            for (int power = 0; power < a; power++) {
              for (int k = 0; k < CELLS; k++) {
                stack.top.of[k] *= factor.of[k];
              }
            }
            break;
          }
          case POSTERIOR: {
            float nu = constants[a];
            float factor = constants[a + 1];
            float scale = constants[a + 2];
            for (int k = 0; k < CELLS; k++) {
              stack.top.of[k] = posterior(nu, factor, scale, stack.top.of[k]);
            }
            break;
          }
          case RESPONSIBILITY: {
            // With the last error below the top, all of them are in shared memory.
            stack.push();
            Value *terms = stack.below - (b - 1) * threads;
            Value least;
            Value sum;
            component_terms(constants + a, b, terms, least, sum);
            if (c >= 0) {
              Value own = terms[c * threads];
              for (int k = 0; k < CELLS; k++) {
                stack.top.of[k] = own.of[k] / sum.of[k];
              }
              stack.below = terms - threads;
            } else {
              for (int component = 0; component < b; component++) {
                Value own = terms[component * threads];
                for (int k = 0; k < CELLS; k++) {
                  own.of[k] /= sum.of[k];
                }
                terms[component * threads] = own;
              }
              stack.pop();
            }
            break;
          }
          case LOG_DENSITY: {
            stack.push();
            Value *terms = stack.below - (b - 1) * threads;
            Value least;
            Value sum;
            component_terms(constants + a, b, terms, least, sum);
            for (int k = 0; k < CELLS; k++) {
              stack.top.of[k] =
                  log_density(constants[a], constants[a + 1], sum.of[k], least.of[k]);
            }
            stack.below = terms - threads;
            break;
          }
          case STORE: {
            float *output = outputs + a * outputStride + line;
            for (int k = 0; k < CELLS; k++) {
              output[column[k]] = stack.top.of[k];
            }
            stack.pop();
            break;
          }
        }
      }
    }
  }
}

/*
 * Sum each row of a matrix in double precision: sums_i = sum_j values_ij squared_ij^2, where either
 * may be null, which stands for ones.
 *
 *   values, squared  rows x columns
 *   sums             one double a row. Modified
 *
 * Launch: any number of blocks of THREADS. The order of summation depends on `columns` alone.
 */
extern "C" __global__ void BLOCK_BOUNDS
    sum_rows(const float *values, const float *squared, int rows, int columns, double *sums) {
  __shared__ double partial[WARPS];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    double sum = 0;
    for (int column = threadIdx.x; column < columns; column += THREADS) {
      long long cell = (long long)row * columns + column;
      double term = values ? (double)values[cell] : 1;
      if (squared) {
        double factor = squared[cell];
        term = term * factor * factor;
      }
      sum += term;
    }
    sum = block_sum(sum, partial);
    if (threadIdx.x == 0) {
      sums[row] = sum;
    }
    __syncthreads();
  }
}

/*
 * Add each column of a matrix to a sum in double precision, row after row: sums_j += sum_i m_ij.
 * Calls for one tile after the other give the bits of one call for all.
 *
 *   matrix  rows x columns
 *   sums    one double a column. Modified
 *
 * Launch: any number of blocks of up to THREADS.
 */
extern "C" __global__ void BLOCK_BOUNDS
    sum_columns(const float *matrix, int rows, int columns, double *sums) {
  for (long long column = (long long)blockIdx.x * blockDim.x + threadIdx.x; column < columns;
       column += (long long)gridDim.x * blockDim.x) {
    double sum = sums[column];
    for (int row = 0; row < rows; row++) {
      sum += matrix[(long long)row * columns + column];
    }
    sums[column] = sum;
  }
}

// ---------------------------------------------------------------------------------------------
// Normal equations

/*
 * Write the Khatri-Rao panel of some rows of factors: row j is the packed triangle of v_j v_j'.
 * With W the weights, W times the panel are the packed normal equations.
 *
 *   factors  rows x rank
 *   panel    rows x triangle_stride(rank), zeros at the end of each. Modified
 *
 * Launch: any number of blocks of THREADS, dynamic shared memory of rank floats.
 */
extern "C" __global__ void BLOCK_BOUNDS
    khatri_rao(const float *factors, int rows, int rank, float *panel) {
  DYNAMIC_SHARED(float, vector);
  int lane = threadIdx.x % WARP;
  long long triangle = packed(rank, rank);
  long long stride = triangle_stride(rank);
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    for (int k = threadIdx.x; k < rank; k += THREADS) {
      vector[k] = factors[(long long)row * rank + k];
    }
    __syncthreads();
    float *line = panel + row * stride;
    if (triangle + threadIdx.x < stride) {
      line[triangle + threadIdx.x] = 0;
    }
    for (int a = threadIdx.x / WARP; a < rank; a += WARPS) {
      float left = vector[a];
      float *target = line + packed(rank, a) - a;
      for (int b = a + lane; b < rank; b += WARP) {
        target[b] = left * vector[b];
      }
    }
    __syncthreads();
  }
}

// The side of the square of equations that a thread holds in registers.
#define SIDE 4

/* Four floats that are read at once. */
struct alignas(16) Four {
  float element[SIDE];
};

/* Return how many squares of SIDE cover the upper triangle of a matrix. */
static __device__ int squares_of(int order) {
  int side = (order + SIDE - 1) / SIDE;
  return side * (side + 1) / 2;
}

/* Return where the factors of exceptions are staged that follow each other: a multiple of SIDE. */
static __device__ int staged_width(int rank) { return (rank + SIDE - 1) / SIDE * SIDE; }

/*
 * Correct the equations of a background at exceptions: A_i = gramian + sum_p excess_p v v' and
 * b_i = b_i + sum_p pull_p v, with v the factors of others(p). Long rows are cut into parts of
 * `most` exceptions; the first is added to the background, add_parts adds the others.
 *
 *   gramian  order x order, of which the upper triangle is read
 *   partRows for each part, its row plus firstRow; the parts of a row follow each other
 *   starts   rows + 1 positions: row i has exceptions starts[i] .. starts[i + 1] - 1
 *   others   rows of the other side, by position
 *   excess   what their equations are multiplied by, by position
 *   pull     what they add to the right-hand side, by position
 *   factors  the factors of the other side, `rank` each
 *   chunk    how many exceptions are staged in shared memory at a time; bits do not depend on it
 *   equations  rows packed triangles. Modified
 *   rights     rows x rank. Modified
 *   partials   for each part but the first of its row, triangle_stride(rank) + rank floats: its
 *              equations and right-hand side. Modified
 *
 * Launch: as many blocks as parts, of any number of threads up to THREADS, dynamic shared memory of
 * chunk * (staged_width(rank) + 2) floats.
 */
extern "C" __global__ void BLOCK_BOUNDS
    correct_equations(const float *gramian, const int *partRows, int firstRow,
                      const long long *starts, const int *others, const float *excess,
                      const float *pull, const float *factors, int rank, int most, int chunk,
                      float *equations, float *rights, float *partials) {
  DYNAMIC_SHARED(Four, staged);
  int width = staged_width(rank);
  int fours = width / SIDE;
  float *elements = (float *)staged;
  float *weights = elements + (long long)chunk * width;
  float *pulls = weights + chunk;
  long long stride = triangle_stride(rank);
  int squares = squares_of(rank);
  int part = blockIdx.x;
  int row = partRows[part] - firstRow;
  int turn = 0;
  while (turn < part && partRows[part - turn - 1] == partRows[part]) {
    turn++;
  }
  float *equation = equations + row * stride;
  float *right = rights + (long long)row * rank;
  if (turn > 0) {
    // The parts before this one, less the first one of each row up to this.
    equation = partials + (part - row - 1) * (stride + rank);
    right = equation + stride;
  }
  long long begin = starts[row] + (long long)turn * most;
  long long end = starts[row + 1] < begin + most ? starts[row + 1] : begin + most;
  long long first = begin;
  do {
    int count = (int)(end - first < chunk ? end - first : chunk);
    for (int index = threadIdx.x; index < count * width; index += blockDim.x) {
      int p = index / width;
      int k = index - p * width;
      elements[index] = k < rank ? factors[(long long)others[first + p] * rank + k] : 0;
    }
    for (int p = threadIdx.x; p < count; p += blockDim.x) {
      weights[p] = excess[first + p];
      pulls[p] = pull[first + p];
    }
    __syncthreads();
    for (int square = threadIdx.x; square < squares; square += blockDim.x) {
      // The squares row after row: those before row i are i * fours - i (i - 1) / 2.
      int i = 0;
      int j = square;
      while (j >= fours - i) {
        j -= fours - i;
        i++;
      }
      j += i;
      float sums[SIDE][SIDE];
#pragma unroll
      for (int x = 0; x < SIDE; x++) {
        int a = i * SIDE + x;
#pragma unroll
        for (int y = 0; y < SIDE; y++) {
          int b = j * SIDE + y;
          float before = 0;
          if (a <= b && b < rank) {
            before = first != begin ? equation[packed(rank, a) + b - a]
                     : turn == 0    ? gramian[(long long)a * rank + b]
                                    : 0;
          }
          sums[x][y] = before;
        }
      }
      for (int p = 0; p < count; p++) {
        Four left = staged[p * fours + i];
        Four other = staged[p * fours + j];
        float weight = weights[p];
#pragma unroll
        for (int x = 0; x < SIDE; x++) {
          float weighted = weight * left.element[x];
#pragma unroll
          for (int y = 0; y < SIDE; y++) {
            sums[x][y] = fmaf(weighted, other.element[y], sums[x][y]);
          }
        }
      }
#pragma unroll
      for (int x = 0; x < SIDE; x++) {
        int a = i * SIDE + x;
#pragma unroll
        for (int y = 0; y < SIDE; y++) {
          int b = j * SIDE + y;
          if (a <= b && b < rank) {
            equation[packed(rank, a) + b - a] = sums[x][y];
          }
        }
      }
    }
    for (int k = threadIdx.x; k < rank; k += blockDim.x) {
      float sum = turn > 0 && first == begin ? 0 : right[k];
      for (int p = 0; p < count; p++) {
        sum = fmaf(pulls[p], elements[p * width + k], sum);
      }
      right[k] = sum;
    }
    __syncthreads();
    first += chunk;
  } while (first < end);
}

/*
 * Add the parts of long rows to their equations, one after the other.
 *
 *   firstParts  rows + 1 numbers: the parts of row i are firstParts[i] .. firstParts[i + 1] - 1, all
 *               plus firstParts[0]
 *   the rest    as in correct_equations
 *
 * Launch: any number of blocks of up to THREADS.
 */
extern "C" __global__ void BLOCK_BOUNDS
    add_parts(const int *firstParts, const float *partials, int rows, int rank, float *equations,
              float *rights) {
  long long stride = triangle_stride(rank);
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    int begin = firstParts[row] - firstParts[0] - row;
    int end = firstParts[row + 1] - firstParts[0] - row - 1;
    if (begin == end) {
      continue;
    }
    for (long long k = threadIdx.x; k < stride + rank; k += blockDim.x) {
      if (k >= packed(rank, rank) && k < stride) {
        continue;
      }
      float *target =
          k < stride ? equations + row * stride + k : rights + (long long)row * rank + (k - stride);
      float sum = *target;
      for (int part = begin; part < end; part++) {
        sum += partials[part * (stride + rank) + k];
      }
      *target = sum;
    }
  }
}

/*
 * Solve symmetric positive definite systems (A_i + ridge_i I) x_i = b_i by Cholesky factorisation,
 * one block a system.
 *
 *   equations   rows packed triangles A
 *   ridges      one a system; 0 marks a system without any weight, whose solution is 0
 *   rights      rows x order: b
 *   workspace   null if a triangle fits in shared memory, else gridDim.x packed triangles. Modified
 *   solutions   rows x order: x; 0 where there is none. Modified
 *   products    b . x a system, in double precision. Modified
 *   status      0 if solved; k + 1 if the matrix is not positive definite in single precision, seen
 *               at column k; order + 1 if the solution is not finite. Modified
 *
 * Launch: any number of blocks of THREADS, dynamic shared memory of 2 * order floats, and of a
 * packed triangle more without workspace.
 */
extern "C" __global__ void BLOCK_BOUNDS
    solve_cholesky(const float *equations, const float *ridges, const float *rights, int rows,
                   int order, float *workspace, float *solutions, double *products, int *status) {
  DYNAMIC_SHARED(float, memory);
  float *right = memory;
  float *solution = memory + order;
  long long triangle = packed(order, order);
  long long stride = triangle_stride(order);
  // The upper triangle by rows is the lower one by columns: row a holds column a of the factor
  // below the diagonal, and on it the square of the diagonal element.
  float *factor = workspace ? workspace + blockIdx.x * triangle : memory + 2 * order;
  int lane = threadIdx.x % WARP;
  int warp = threadIdx.x / WARP;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const float *equation = equations + row * stride;
    float ridge = ridges[row];
    for (int a = warp; a < order; a += WARPS) {
      long long start = packed(order, a);
      for (int b = a + lane; b < order; b += WARP) {
        float element = equation[start + b - a];
        factor[start + b - a] = b == a ? element + ridge : element;
      }
    }
    for (int k = threadIdx.x; k < order; k += THREADS) {
      right[k] = rights[(long long)row * order + k];
    }
    __syncthreads();
    int failure = 0;
    for (int k = 0; k < order && ridge != 0; k++) {
      float *column = factor + packed(order, k) - k;
      float pivot = column[k];
      if (!(pivot > 0)) {
        failure = k + 1;
        break;
      }
      float inverse = 1 / sqrtf(pivot);
      for (int b = k + 1 + threadIdx.x; b < order; b += THREADS) {
        column[b] *= inverse;
      }
      __syncthreads();
      float known = right[k] * inverse;
      for (int b = k + 1 + threadIdx.x; b < order; b += THREADS) {
        right[b] = fmaf(-column[b], known, right[b]);
      }
      for (int a = k + 1 + warp; a < order; a += WARPS) {
        float *target = factor + packed(order, a) - a;
        float left = -column[a];
        for (int b = a + lane; b < order; b += WARP) {
          target[b] = fmaf(left, column[b], target[b]);
        }
      }
      __syncthreads();
    }
    // Going back, one warp does: lane b % WARP alone reads and writes element b of the solution.
    if (warp == 0) {
      bool solvable = failure == 0 && ridge != 0;
      double product = 0;
      for (int k = order - 1; k >= 0 && solvable; k--) {
        const float *column = factor + packed(order, k) - k;
        float sum = 0;
        for (int b = k + 1 + ((lane - k - 1) & (WARP - 1)); b < order; b += WARP) {
          sum = fmaf(column[b], solution[b], sum);
        }
        float inverse = 1 / sqrtf(column[k]);
        float value = (right[k] * inverse - warp_sum(sum)) * inverse;
        if (lane == (k & (WARP - 1))) {
          solution[k] = value;
          product += (double)rights[(long long)row * order + k] * value;
        }
      }
      product = warp_sum(product);
      if (!(product - product == 0)) {
        failure = order + 1;
        product = 0;
      }
      solvable = failure == 0 && ridge != 0;
      for (int k = lane; k < order; k += WARP) {
        solutions[(long long)row * order + k] = solvable ? solution[k] : 0;
      }
      if (lane == 0) {
        products[row] = product;
        status[row] = failure;
      }
    }
    __syncthreads();
  }
}

// The elements of a vector that a lane holds: those of the largest block.
#define HELD (THREADS / WARP)

// What becomes of a row that is solved in steps.
#define STEPPING 0
#define SOLVED 1
#define FAILED 2

/* Return the sum of products of two vectors of `rank` in shared memory; for all lanes of a warp. */
static __device__ float warp_dot(const float *left, const float *right, int rank) {
  float sum = 0;
  for (int k = threadIdx.x % WARP; k < rank; k += WARP) {
    sum = fmaf(left[k], right[k], sum);
  }
  return warp_sum(sum);
}

/*
 * Solve rows by conjugate gradients in coordinates in which the equations of the background are
 * diagonal: (G_i + sum_p excess_p q q') z_i = h_i + sum_p pull_p q, with q the factors of others(p)
 * in these coordinates and G_i the diagonal (eigenvalue_k + ridge_i) scale_k, by which steps are
 * preconditioned. Most eigenvalues are then close to one, so that few steps suffice. They start from
 * zero and end when the residual is `precision` of the first step.
 *
 *   starts, others, excess, pull  as in correct_equations
 *   factors     the factors of the other side in these coordinates, `rank` each
 *   rank        at most THREADS
 *   ridges      one a row; 0 marks a row without any weight, whose solution is 0
 *   rights      rows x rank: h
 *   capacity    how many exceptions of a row are staged in shared memory; bits do not depend on it
 *   longest     the most exceptions of a row that is solved here
 *   most        the most steps of a row
 *   solutions   rows x rank: z; 0 where there is none. Modified
 *   products    what a row lowers the objective by, h . z up to rounding. Modified
 *   status      0 if solved; 1 if the row must be solved otherwise. Modified
 *
 * Launch: any number of blocks of whole warps up to THREADS, dynamic shared memory of
 * 6 * rank + longest + capacity * rank floats.
 */
extern "C" __global__ void BLOCK_BOUNDS
    solve_whitened(const long long *starts, const int *others, const float *excess,
                   const float *pull, const float *factors, int rank, const float *eigenvalues,
                   const float *scales, const float *ridges, const float *rights, int rows,
                   int capacity, int longest, int most, float precision, float *solutions,
                   double *products, int *status) {
  DYNAMIC_SHARED(float, memory);
  __shared__ int state;
  float *diagonal = memory;
  float *right = diagonal + rank;
  float *residual = right + rank;
  float *direction = residual + rank;
  float *image = direction + rank;
  float *solution = image + rank;
  float *scores = solution + rank;
  float *staged = scores + longest;
  int lane = threadIdx.x % WARP;
  int warp = threadIdx.x / WARP;
  int warps = blockDim.x / WARP;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    long long first = starts[row];
    float ridge = ridges[row];
    float *target = solutions + (long long)row * rank;
    if (ridge == 0 || starts[row + 1] - first > longest) {
      for (int k = threadIdx.x; k < rank; k += blockDim.x) {
        target[k] = 0;
      }
      if (threadIdx.x == 0) {
        products[row] = 0;
        status[row] = ridge == 0 ? 0 : 1;
      }
      continue;
    }
    int count = (int)(starts[row + 1] - first);
    int kept = count < capacity ? count : capacity;
    for (int p = warp; p < kept; p += warps) {
      const float *source = factors + (long long)others[first + p] * rank;
      for (int k = lane; k < rank; k += WARP) {
        staged[p * rank + k] = source[k];
      }
    }
    __syncthreads();
    for (int k = threadIdx.x; k < rank; k += blockDim.x) {
      float sum = rights[(long long)row * rank + k];
      for (int p = 0; p < kept; p++) {
        sum = fmaf(pull[first + p], staged[p * rank + k], sum);
      }
      for (int p = kept; p < count; p++) {
        sum = fmaf(pull[first + p], factors[(long long)others[first + p] * rank + k], sum);
      }
      float element = (eigenvalues[k] + ridge) * scales[k];
      diagonal[k] = element;
      right[k] = sum;
      residual[k] = sum;
      direction[k] = sum / element;
      solution[k] = 0;
    }
    __syncthreads();
    // The first warp alone knows how far the row is.
    float squares = 0;
    float enough = 0;
    if (warp == 0) {
      squares = warp_dot(residual, direction, rank);
      if (lane == 0) {
        state = squares == 0 ? SOLVED : squares - squares == 0 ? STEPPING : FAILED;
      }
    }
    __syncthreads();
    for (int step = 1; state == STEPPING; step++) {
      float held[HELD];
#pragma unroll
      for (int part = 0; part < HELD; part++) {
        int k = part * WARP + lane;
        held[part] = k < rank ? direction[k] : 0;
      }
      for (int p = warp; p < count; p += warps) {
        const float *line =
            p < kept ? staged + p * rank : factors + (long long)others[first + p] * rank;
        float sum = 0;
#pragma unroll
        for (int part = 0; part < HELD; part++) {
          int k = part * WARP + lane;
          if (k < rank) {
            sum = fmaf(line[k], held[part], sum);
          }
        }
        sum = warp_sum(sum);
        if (lane == 0) {
          scores[p] = excess[first + p] * sum;
        }
      }
      __syncthreads();
      for (int k = threadIdx.x; k < rank; k += blockDim.x) {
        float sum = diagonal[k] * direction[k];
        for (int p = 0; p < kept; p++) {
          sum = fmaf(scores[p], staged[p * rank + k], sum);
        }
        for (int p = kept; p < count; p++) {
          sum = fmaf(scores[p], factors[(long long)others[first + p] * rank + k], sum);
        }
        image[k] = sum;
      }
      __syncthreads();
      if (warp == 0) {
        float curvature = warp_dot(direction, image, rank);
        float length = squares / curvature;
        if (step == 1) {
          enough = precision * length * precision * length * squares;
        }
        float left = 0;
        for (int k = lane; k < rank; k += WARP) {
          float rest = residual[k] - length * image[k];
          residual[k] = rest;
          left = fmaf(rest, rest / diagonal[k], left);
        }
        left = warp_sum(left);
        float share = left / squares;
        for (int k = lane; k < rank; k += WARP) {
          float before = direction[k];
          solution[k] = fmaf(length, before, solution[k]);
          direction[k] = fmaf(share, before, residual[k] / diagonal[k]);
        }
        squares = left;
        if (lane == 0) {
          bool sound = curvature > 0 && left - left == 0;
          state = !sound ? FAILED : left <= enough ? SOLVED : step == most ? FAILED : STEPPING;
        }
      }
      __syncthreads();
    }
    if (warp == 0) {
      double product = 0;
      for (int k = lane; k < rank; k += WARP) {
        product += ((double)right[k] + residual[k]) * solution[k];
      }
      product = warp_sum(product);
      bool solved = state == SOLVED && product - product == 0;
      for (int k = lane; k < rank; k += WARP) {
        target[k] = solved ? solution[k] : 0;
      }
      if (lane == 0) {
        products[row] = solved ? product : 0;
        status[row] = solved ? 0 : 1;
      }
    }
  }
}

/*
 * Write one vector into every row: matrix_i = vector.
 *
 * Launch: any number of blocks of up to THREADS.
 */
extern "C" __global__ void BLOCK_BOUNDS
    repeat_row(const float *vector, int rows, int columns, float *matrix) {
  long long count = (long long)rows * columns;
  for (long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x; at < count;
       at += (long long)gridDim.x * blockDim.x) {
    matrix[at] = vector[at % columns];
  }
}

// ---------------------------------------------------------------------------------------------
// Exceptions to a background: listed by user, evaluated, then put in order by item

/*
 * Count the marks of each row.
 *
 *   counts  one int a row. Modified
 *
 * Launch: any number of blocks of THREADS.
 */
extern "C" __global__ void BLOCK_BOUNDS
    count_rows(const unsigned *marks, int rows, int columns, int *counts) {
  int words = words_of(columns);
  int lane = threadIdx.x % WARP;
  for (long long row = (long long)blockIdx.x * WARPS + threadIdx.x / WARP; row < rows;
       row += (long long)gridDim.x * WARPS) {
    int count = 0;
    for (int word = lane; word < words; word += WARP) {
      count += __popc(marks[row * words + word]);
    }
    for (int step = WARP / 2; step > 0; step /= 2) {
      count += __shfl_xor_sync(ALL_LANES, count, step);
    }
    if (lane == 0) {
      counts[row] = count;
    }
  }
}

/*
 * Write the items of the marked cells of a tile by user, ascending.
 *
 *   starts  where each row of the tile begins in the output; of rows + 1
 *   items   by position. Modified
 *
 * Launch: any number of blocks of THREADS.
 */
extern "C" __global__ void BLOCK_BOUNDS
    list_marks(const unsigned *marks, const long long *starts, int rows, int columns, int *items) {
  __shared__ int counts[WARPS];
  int words = words_of(columns);
  int lane = threadIdx.x % WARP;
  int warp = threadIdx.x / WARP;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    long long before = starts[row];
    for (int first = 0; first < words; first += THREADS) {
      int word = first + (int)threadIdx.x;
      unsigned mark = word < words ? marks[(long long)row * words + word] : 0;
      // Where a thread writes: after all of the threads before it.
      int count = __popc(mark);
      int upTo = count;
      for (int step = 1; step < WARP; step *= 2) {
        int other = __shfl_up_sync(ALL_LANES, upTo, step);
        upTo += lane >= step ? other : 0;
      }
      if (lane == WARP - 1) {
        counts[warp] = upTo;
      }
      __syncthreads();
      long long position = before + upTo - count;
      for (int other = 0; other < WARPS; other++) {
        position += other < warp ? counts[other] : 0;
        before += counts[other];
      }
      while (mark != 0) {
        items[position] = word * 32 + __ffs((int)mark) - 1;
        mark &= mark - 1;
        position++;
      }
      __syncthreads();
    }
  }
}

/*
 * Write the number of each row where its cells are.
 *
 *   starts   where each row begins, of rows + 1; all plus starts[0]
 *   numbers  by position. Modified
 *
 * Launch: any number of blocks of THREADS.
 */
extern "C" __global__ void BLOCK_BOUNDS
    list_rows(const long long *starts, int firstRow, int rows, int *numbers) {
  for (long long row = (long long)blockIdx.x * WARPS + threadIdx.x / WARP; row < rows;
       row += (long long)gridDim.x * WARPS) {
    long long end = starts[row + 1] - starts[0];
    for (long long p = starts[row] - starts[0] + threadIdx.x % WARP; p < end; p += WARP) {
      numbers[p] = firstRow + (int)row;
    }
  }
}

/*
 * Write the exceptions of some rows from their weights w and targets t, given the background's b
 * and t_b.
 *
 *   starts      where each row begins in the outputs, of rows + 1; in the inputs less starts[0]
 *   background  b, the weight of a background cell
 *   weights, targets  w and t
 *   plain       t_b; null stands for plainTarget everywhere
 *   excess      w - b. Modified
 *   pull        w t - b t_b. Modified
 *   squares     sum of w t^2 - b t_b^2 a row. Modified
 *
 * Launch: any number of blocks of THREADS.
 */
extern "C" __global__ void BLOCK_BOUNDS
    write_exceptions(const long long *starts, double background, const float *weights,
                     const float *targets, const float *plain, float plainTarget, int rows,
                     float *excess, float *pull, double *squares) {
  int lane = threadIdx.x % WARP;
  for (long long row = (long long)blockIdx.x * WARPS + threadIdx.x / WARP; row < rows;
       row += (long long)gridDim.x * WARPS) {
    double sum = 0;
    for (long long p = starts[row] + lane; p < starts[row + 1]; p += WARP) {
      long long from = p - starts[0];
      double weight = weights[from];
      double target = targets[from];
      double usual = plain ? plain[from] : plainTarget;
      double pulled = weight * target;
      double expected = background * usual;
      excess[p] = (float)(weight - background);
      pull[p] = (float)(pulled - expected);
      sum += pulled * target - expected * usual;
    }
    sum = warp_sum(sum);
    if (lane == 0) {
      squares[row] = sum;
    }
  }
}

/*
 * Sum values row by row in double precision.
 *
 *   starts  where each row begins, of rows + 1
 *   sums    one a row. Modified
 *
 * Launch: any number of blocks of THREADS.
 */
extern "C" __global__ void BLOCK_BOUNDS
    sum_segments(const long long *starts, const float *values, int rows, double *sums) {
  int lane = threadIdx.x % WARP;
  for (long long row = (long long)blockIdx.x * WARPS + threadIdx.x / WARP; row < rows;
       row += (long long)gridDim.x * WARPS) {
    double sum = 0;
    for (long long p = starts[row] + lane; p < starts[row + 1]; p += WARP) {
      sum += values[p];
    }
    sum = warp_sum(sum);
    if (lane == 0) {
      sums[row] = sum;
    }
  }
}

/*
 * Count the cells of each column in each group of `height` consecutive rows.
 *
 *   starts, items  the cells by row: those of row i at starts[i] .. starts[i + 1] - 1
 *   counts         groups x columns. Modified: added to
 *
 * Launch: a block of THREADS a group.
 */
extern "C" __global__ void BLOCK_BOUNDS
    count_groups(const long long *starts, const int *items, int rows, int height, int columns,
                 int *counts) {
  int first = blockIdx.x * height;
  int last = rows - first < height ? rows : first + height;
  int *own = counts + (long long)blockIdx.x * columns;
  for (long long p = starts[first] + threadIdx.x; p < starts[last]; p += THREADS) {
    atomicAdd(&own[items[p]], 1);
  }
}

/*
 * Replace counts by those of all groups before, column by column.
 *
 *   counts  groups x columns. Modified
 *   totals  the counts of all groups, one a column. Modified
 *
 * Launch: any number of blocks of up to THREADS.
 */
extern "C" __global__ void BLOCK_BOUNDS
    add_groups(int *counts, int groups, int columns, int *totals) {
  for (long long column = (long long)blockIdx.x * blockDim.x + threadIdx.x; column < columns;
       column += (long long)gridDim.x * blockDim.x) {
    int total = 0;
    for (int group = 0; group < groups; group++) {
      int *count = counts + (long long)group * columns + column;
      int own = *count;
      *count = total;
      total += own;
    }
    totals[column] = total;
  }
}

/*
 * Put cells in order by column, and within a column by row. A row has no column twice.
 *
 *   starts, items  the cells by row
 *   excess, pull   by position in that order
 *   columnStarts   where each column begins
 *   before         groups x columns: how many cells of a column the groups before have. Modified
 *   users, columnExcess, columnPull  rows, excess and pull by position in the new order. Modified
 *
 * Launch: a block of THREADS a group.
 */
extern "C" __global__ void BLOCK_BOUNDS
    transpose_rows(const long long *starts, const int *items, const float *excess,
                   const float *pull, int rows, int height, int columns,
                   const long long *columnStarts, int *before, int *users, float *columnExcess,
                   float *columnPull) {
  int first = blockIdx.x * height;
  int last = rows - first < height ? rows : first + height;
  int *own = before + (long long)blockIdx.x * columns;
  for (int row = first; row < last; row++) {
    for (long long p = starts[row] + threadIdx.x; p < starts[row + 1]; p += THREADS) {
      int item = items[p];
      int place = own[item];
      own[item] = place + 1;
      long long position = columnStarts[item] + place;
      users[position] = row;
      columnExcess[position] = excess[p];
      columnPull[position] = pull[p];
    }
    __syncthreads();
  }
}

// ---------------------------------------------------------------------------------------------
// Ranking

/*
 * Return a key that is larger the higher a score is, equal for equal scores, and 0 for cells that
 * are not ranked: NaN, barred, or no candidate.
 */
static __device__ unsigned rank_key(const float *scores, const float *candidates,
                                    const unsigned *barred, int column) {
  float score = scores[column];
  if (score != score || (candidates && candidates[column] == 0) ||
      (barred && (barred[column / 32] >> (column % 32) & 1))) {
    return 0;
  }
  // Adding 0 makes -0 a 0.
  unsigned bits = __float_as_uint(score + 0.0f);
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}

/*
 * Find the highest-scored items of each row, best first, equal scores ordered by item. A tile must
 * hold whole rows.
 *
 *   scores      the tile; NaN is never ranked
 *   candidates  null, or a tile that is 0 where cells are not ranked
 *   barred      null, or marks of cells that are not ranked
 *   depth       how many items a row at most, at least 1
 *   size        the smallest power of two that is not below depth
 *   workspace   null if `size` 64-bit numbers fit in shared memory, else gridDim.x times as many.
 *               Modified
 *   counts      how many items were found a row. Modified
 *   items, best rows x depth: the items and their scores. Modified up to the count
 *
 * Launch: any number of blocks of THREADS; without workspace dynamic shared memory of `size` 64-bit
 * numbers.
 */
extern "C" __global__ void BLOCK_BOUNDS
    rank_items(const float *scores, const float *candidates, const unsigned *barred, int rows,
               int columns, int depth, int size, unsigned long long *workspace, int *counts,
               int *items, float *best) {
  DYNAMIC_SHARED(unsigned long long, sorted);
  __shared__ int histogram[256];
  __shared__ unsigned threshold;
  __shared__ int missing;
  __shared__ int above[WARPS];
  __shared__ int equal[WARPS];
  unsigned long long *found = workspace ? workspace + (long long)blockIdx.x * size : sorted;
  int lane = threadIdx.x % WARP;
  int warp = threadIdx.x / WARP;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const float *line = scores + (long long)row * columns;
    const float *allowed = candidates ? candidates + (long long)row * columns : candidates;
    const unsigned *closed = barred ? barred + (long long)row * words_of(columns) : barred;

    // The key of the last item that makes it, digit by digit from the highest; `missing` is how
    // many of the items with the digits so far are still to be taken.
    unsigned prefix = 0;
    int wanted = depth;
    for (int shift = 24; shift >= 0; shift -= 8) {
      for (int digit = threadIdx.x; digit < 256; digit += THREADS) {
        histogram[digit] = 0;
      }
      __syncthreads();
      for (int column = threadIdx.x; column < columns; column += THREADS) {
        unsigned key = rank_key(line, allowed, closed, column);
        if (key != 0 && (shift == 24 || key >> (shift + 8) == prefix >> (shift + 8))) {
          atomicAdd(&histogram[key >> shift & 255], 1);
        }
      }
      __syncthreads();
      if (threadIdx.x == 0) {
        int left = wanted;
        int digit = 255;
        while (digit > 0 && histogram[digit] < left) {
          left -= histogram[digit];
          digit--;
        }
        threshold = prefix | (unsigned)digit << shift;
        missing = left;
      }
      __syncthreads();
      prefix = threshold;
      wanted = missing;
    }

    // All above the threshold, and the first of those at it.
    int strictly = depth - wanted;
    int seenAbove = 0;
    int seenEqual = 0;
    for (int first = 0; first < columns; first += THREADS) {
      int column = first + (int)threadIdx.x;
      unsigned key = column < columns ? rank_key(line, allowed, closed, column) : 0;
      unsigned aboveLanes = __ballot_sync(ALL_LANES, key > prefix);
      unsigned equalLanes = __ballot_sync(ALL_LANES, key == prefix && key != 0);
      if (lane == 0) {
        above[warp] = __popc(aboveLanes);
        equal[warp] = __popc(equalLanes);
      }
      __syncthreads();
      unsigned lower = (1u << lane) - 1;
      int placeAbove = seenAbove + __popc(aboveLanes & lower);
      int placeEqual = seenEqual + __popc(equalLanes & lower);
      for (int other = 0; other < WARPS; other++) {
        placeAbove += other < warp ? above[other] : 0;
        placeEqual += other < warp ? equal[other] : 0;
        seenAbove += above[other];
        seenEqual += equal[other];
      }
      unsigned long long entry = (unsigned long long)~key << 32 | (unsigned)column;
      if (key > prefix) {
        found[placeAbove] = entry;
      } else if (key == prefix && key != 0 && placeEqual < wanted) {
        found[strictly + placeEqual] = entry;
      }
      __syncthreads();
    }
    int count = seenAbove + (seenEqual < wanted ? seenEqual : wanted);

    // Fill up with what sorts last, and sort: bitonic.
    for (int place = count + (int)threadIdx.x; place < size; place += THREADS) {
      found[place] = ~0ull;
    }
    __syncthreads();
    for (int length = 2; length <= size; length *= 2) {
      for (int distance = length / 2; distance > 0; distance /= 2) {
        for (int place = threadIdx.x; place < size; place += THREADS) {
          int other = place ^ distance;
          if (other > place) {
            unsigned long long one = found[place];
            unsigned long long two = found[other];
            if (((place & length) == 0) == (one > two)) {
              found[place] = two;
              found[other] = one;
            }
          }
        }
        __syncthreads();
      }
    }
    for (int place = threadIdx.x; place < count; place += THREADS) {
      int item = (int)(unsigned)found[place];
      items[(long long)row * depth + place] = item;
      best[(long long)row * depth + place] = line[item];
    }
    if (threadIdx.x == 0) {
      counts[row] = count;
    }
  }
}

// ---------------------------------------------------------------------------------------------
// Pairwise training

#define TRIES 64
#define SATURATED 80.0f
#define LARGE_PRODUCT 1e250

/* Add to a factor: alone with the row, or next to others who add to it at the same time. */
static __device__ void move_factor(float *factor, float before, float after, bool alone) {
  if (alone) {
    *factor = after;
  } else {
    atomicAdd(factor, after - before);
  }
}

/*
 * Make the gradient steps of some runs of samples, one warp a run, each sample after the other:
 * with x = u . (p - n) and g = 1 / (1 + e^x), u = keepUser u + rate g (p - n), p = keepPositive p +
 * rate g u, n = keepNegative n - rate g u, all from the values before the step.
 *
 *   users, items   factors of `rank`. Modified
 *   itemBias       if not 0, the last factor of users counts as 1 and stays
 *   samples        user in the upper, positive item in the lower 32 bits
 *   runStarts, runEnds, runBlocks, runSeeds  for each run, where its samples start and end, which
 *                  block of items negatives are drawn from, and the start of its random numbers
 *   firstRun       the run of the launch's first block
 *   order          the items, block after block: block b at b * itemCount / blockCount
 *   keep, alias    null to draw each item of a block alike; else tables of the alias method, by place
 *   barredStarts, barredItems  by user, ascending: what is not drawn as a negative
 *   masked         if not 0, only cells with partFirst <= cell_hash(partSeed) <= partLast are drawn
 *   alone          not 0 promises that no two runs of the launch share a row: then equal inputs give
 *                  equal bits. Else rows are moved by atomic additions, in no fixed order
 *   sampleCounts, losses, halves  for each run: how many samples had a negative, the sum of
 *                  log(1 + e^-x), and twice the number ranked right, draws counting half. Modified
 *
 * Launch: as many blocks of one warp as runs.
 */
extern "C" __global__ void __launch_bounds__(WARP)
    run_pairwise(float *users, float *items, int rank, int itemBias, float rate, float keepUser,
                 float keepPositive, float keepNegative, const long long *samples,
                 const long long *runStarts, const long long *runEnds, const int *runBlocks,
                 const long long *runSeeds, int firstRun, const int *order, int itemCount,
                 int blockCount, const float *keep, const int *alias, const int *barredStarts,
                 const int *barredItems, int masked, long long partSeed, unsigned partFirst,
                 unsigned partLast, int alone, long long *sampleCounts, double *losses,
                 long long *halves) {
  int run = firstRun + blockIdx.x;
  int lane = threadIdx.x;
  int block = runBlocks[run];
  int from = (int)((long long)block * itemCount / blockCount);
  int width = (int)(((long long)block + 1) * itemCount / blockCount) - from;
  unsigned long long state = (unsigned long long)runSeeds[run];
  long long end = runEnds[run];
  long long updates = 0;
  long long twice = 0;
  double loss = 0;
  // The logarithm of a product of many costs less than one of each.
  double product = 1;
  for (long long at = runStarts[run]; at < end; at++) {
    int user = (int)(samples[at] >> 32);
    int positive = (int)samples[at];

    // Lanes look at as many draws at a time; the first that will do is taken.
    int negative = -1;
    for (int tried = 0; tried < TRIES && negative < 0; tried += WARP) {
      unsigned long long bits = mix(state + 0x9e3779b97f4a7c15ull * (unsigned)(lane + 1));
      int place = from + (int)((bits >> 32) * (unsigned long long)width >> 32);
      if (keep && (float)(bits & 0xffffff) * (1.0f / (1 << 24)) >= keep[place]) {
        place = alias[place];
      }
      int drawn = order[place];
      bool good = !holds(barredItems, barredStarts[user], barredStarts[user + 1], drawn);
      if (masked) {
        unsigned hash = cell_hash((unsigned long long)partSeed, user, drawn);
        good = good && hash >= partFirst && hash <= partLast;
      }
      int first = __ffs((int)__ballot_sync(ALL_LANES, good)) - 1;
      state += 0x9e3779b97f4a7c15ull * (unsigned)(first < 0 ? WARP : first + 1);
      if (first >= 0) {
        negative = __shfl_sync(ALL_LANES, drawn, first);
      }
    }
    if (negative < 0) {
      continue;
    }

    // A lane reads and writes the same factors of every row, so lanes need not wait for each other.
    float *u = users + (long long)user * rank;
    float *p = items + (long long)positive * rank;
    float *n = items + (long long)negative * rank;
    float x = 0;
    for (int k = lane; k < rank; k += WARP) {
      float factor = itemBias && k == rank - 1 ? 1 : u[k];
      x = fmaf(factor, p[k] - n[k], x);
    }
    x = warp_sum(x);
    updates++;
    twice += x > 0 ? 2 : x == 0 ? 1 : 0;
    float g;
    if (x >= SATURATED) {
      g = 0;
    } else if (x <= -SATURATED) {
      g = 1;
      loss -= x;
    } else {
      float odds = exponential(-x);
      product *= 1 + (double)odds;
      g = odds / (1 + odds);
      if (product > LARGE_PRODUCT) {
        loss += log(product);
        product = 1;
      }
    }
    float step = rate * g;
    for (int k = lane; k < rank; k += WARP) {
      bool bias = itemBias && k == rank - 1;
      float factor = bias ? 1 : u[k];
      float liked = p[k];
      float other = n[k];
      if (!bias) {
        move_factor(u + k, factor, keepUser * factor + step * (liked - other), alone);
      }
      move_factor(p + k, liked, keepPositive * liked + step * factor, alone);
      move_factor(n + k, other, keepNegative * other - step * factor, alone);
    }
  }
  if (lane == 0) {
    sampleCounts[run] = updates;
    losses[run] = loss + log(product);
    halves[run] = twice;
  }
}

// ---------------------------------------------------------------------------------------------
// Large matrices, what cuBLAS leaves to do when one is inverted by blocks

/*
 * Factor a diagonal block of a symmetric matrix in place, A = U'U, U upper triangular; the lower
 * triangle is neither read nor written.
 *
 *   matrix  the block's first element
 *   stride  floats from a row to the next
 *   first   the block's first row within the matrix
 *   status  nothing is done unless it is 0. Modified: first + k + 1 if the matrix is not positive
 *           definite, seen at row k of the block
 *
 * Launch: one block of THREADS.
 */
extern "C" __global__ void BLOCK_BOUNDS
    factor_block(float *matrix, long long stride, int order, int first, int *status) {
  int lane = threadIdx.x % WARP;
  int warp = threadIdx.x / WARP;
  if (*status != 0) {
    return;
  }
  for (int k = 0; k < order; k++) {
    float *line = matrix + k * stride;
    float pivot = line[k];
    if (!(pivot > 0 && pivot < __uint_as_float(0x7f800000u))) {
      if (threadIdx.x == 0) {
        *status = first + k + 1;
      }
      return;
    }
    float root = sqrtf(pivot);
    for (int b = k + 1 + threadIdx.x; b < order; b += THREADS) {
      line[b] /= root;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      line[k] = root;
    }
    for (int a = k + 1 + warp; a < order; a += WARPS) {
      float *target = matrix + a * stride;
      float left = -line[a];
      for (int b = a + lane; b < order; b += WARP) {
        target[b] = fmaf(left, line[b], target[b]);
      }
    }
    __syncthreads();
  }
}

/*
 * Copy the upper triangle of a square matrix into the lower one.
 *
 * Launch: grid (t, t), where t = ceil(order / 32); blocks of (32, 8).
 */
extern "C" __global__ void BLOCK_BOUNDS mirror_triangle(float *matrix, int order) {
  __shared__ float tile[32][33];
  if (blockIdx.x < blockIdx.y) {
    return;
  }
  int column = blockIdx.x * 32 + threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += blockDim.y) {
    int row = blockIdx.y * 32 + y;
    if (row < order && column < order) {
      tile[y][threadIdx.x] = matrix[(long long)row * order + column];
    }
  }
  __syncthreads();
  int mirrored = blockIdx.y * 32 + threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += blockDim.y) {
    int row = blockIdx.x * 32 + y;
    if (row < order && mirrored < row) {
      matrix[(long long)row * order + mirrored] = tile[threadIdx.x][y];
    }
  }
}

/*
 * Write the identity.
 *
 * Launch: any number of blocks of up to THREADS.
 */
extern "C" __global__ void BLOCK_BOUNDS set_identity(float *matrix, int order) {
  long long count = (long long)order * order;
  for (long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x; at < count;
       at += (long long)gridDim.x * blockDim.x) {
    matrix[at] = at % (order + 1LL) == 0 ? 1 : 0;
  }
}
