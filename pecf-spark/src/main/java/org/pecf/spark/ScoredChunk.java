package org.pecf.spark;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Some cells and their scores on their way into a block. The rows of a chunk ascend, and the other
 * rows within a row; those of a chunk of a lower number are before those of a higher one.
 */
final class ScoredChunk implements Serializable {
  private static final long serialVersionUID = 1;

  private final int number;
  private int[] rows = new int[16];
  private int[] others = new int[16];
  private float[] scores = new float[16];
  private int count;

  ScoredChunk(int number) {
    this.number = number;
  }

  /** Add a cell. */
  void add(int row, int other, float score) {
    if (count == rows.length) {
      rows = Arrays.copyOf(rows, 2 * count);
      others = Arrays.copyOf(others, 2 * count);
      scores = Arrays.copyOf(scores, 2 * count);
    }
    rows[count] = row;
    others[count] = other;
    scores[count++] = score;
  }

  /** Release the room that was not needed. */
  ScoredChunk trimmed() {
    rows = Arrays.copyOf(rows, count);
    others = Arrays.copyOf(others, count);
    scores = Arrays.copyOf(scores, count);
    return this;
  }

  /** Return whether there are no cells. */
  boolean isEmpty() {
    return count == 0;
  }

  /**
   * Join the chunks of a block, in any order.
   *
   * @param positives the positives of the block
   */
  static ScoredBlock join(List<ScoredChunk> chunks, CellBlock positives) {
    List<ScoredChunk> ordered =
        chunks.stream().sorted(Comparator.comparingInt(chunk -> chunk.number)).toList();
    int first = positives.first();
    int[] starts = new int[positives.rows() + 1];
    for (ScoredChunk chunk : ordered) {
      for (int p = 0; p < chunk.count; p++) {
        starts[chunk.rows[p] - first + 1]++;
      }
    }
    for (int row = 0; row < positives.rows(); row++) {
      starts[row + 1] = Math.addExact(starts[row + 1], starts[row]);
    }
    int[] next = starts.clone();
    int[] others = new int[starts[positives.rows()]];
    float[] scores = new float[others.length];
    for (ScoredChunk chunk : ordered) {
      for (int p = 0; p < chunk.count; p++) {
        int at = next[chunk.rows[p] - first]++;
        others[at] = chunk.others[p];
        scores[at] = chunk.scores[p];
      }
    }
    return ScoredBlock.of(CellBlock.ofSorted(first, starts, others), scores, positives);
  }
}
