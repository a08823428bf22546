// The kernels, compiled for the host, and their table: the source, or what PECF_KERNELS names, which
// may list more of them as MORE_KERNELS.

#include "cuda_on_host.h"

#ifndef PECF_KERNELS
#define PECF_KERNELS "pecf-kernels.cu"
#endif
#include PECF_KERNELS

#include "kernel_table.h"

#define KERNEL(name) kernel<name>(#name, THREADS)
#ifndef MORE_KERNELS
#define MORE_KERNELS
#endif

namespace shim {

const Kernel all_kernels[] = {
    KERNEL(mark_cells),
    KERNEL(test_cells),
    KERNEL(mark_beyond),
    KERNEL(score_cells),
    KERNEL(read_scores),
    KERNEL(evaluate_fields),
    KERNEL(sum_rows),
    KERNEL(sum_columns),
    KERNEL(khatri_rao),
    KERNEL(correct_equations),
    KERNEL(add_parts),
    KERNEL(solve_cholesky),
    KERNEL(solve_whitened),
    KERNEL(repeat_row),
    KERNEL(count_rows),
    KERNEL(list_marks),
    KERNEL(list_rows),
    KERNEL(write_exceptions),
    KERNEL(sum_segments),
    KERNEL(count_groups),
    KERNEL(add_groups),
    KERNEL(transpose_rows),
    KERNEL(rank_items),
    kernel<run_pairwise>("run_pairwise", WARP),
    KERNEL(factor_block),
    KERNEL(mirror_triangle),
    KERNEL(set_identity),
    MORE_KERNELS
    {nullptr, 0, nullptr, 0, nullptr},
};

}  // namespace shim
