package org.pecf.plugin.backend.cuda.device;

/**
 * The blocks and threads of a kernel launch.
 *
 * @param blocksX the blocks in the first dimension
 * @param blocksY the blocks in the second dimension, at most {@link #MOST_BLOCKS_Y}
 * @param threadsX the threads of a block in the first dimension
 * @param threadsY the threads of a block in the second dimension
 */
public record LaunchGrid(int blocksX, int blocksY, int threadsX, int threadsY) {
  /** The threads of a block: THREADS of the kernels' source. */
  public static final int THREADS = 256;

  /** The most blocks that CUDA launches in the second dimension. */
  public static final int MOST_BLOCKS_Y = 65535;

  /** The most blocks in the first dimension: more than any device runs at once. */
  public static final int MOST_BLOCKS = 1 << 14;

  /** Return one block per row; beyond {@link #MOST_BLOCKS} rows, blocks take several each. */
  public static LaunchGrid rows(int rows) {
    return new LaunchGrid(Math.min(rows, MOST_BLOCKS), 1, THREADS, 1);
  }

  /** Return one thread per element; on large grids threads take several each. */
  public static LaunchGrid elements(long elements) {
    return rows((int) Math.min(MOST_BLOCKS, (elements + THREADS - 1) / THREADS));
  }
}
