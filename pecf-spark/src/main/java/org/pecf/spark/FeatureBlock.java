package org.pecf.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** The ids and features of some rows of one side, as lists of recommendations are made from. */
final class FeatureBlock implements Serializable {
  private static final long serialVersionUID = 1;

  private final long[] ids;
  private final float[] rows;
  private final long[][] known;

  private FeatureBlock(long[] ids, float[] rows, long[][] known) {
    this.ids = ids;
    this.rows = rows;
    this.known = known;
  }

  /**
   * Cut the features of a side into blocks.
   *
   * @param features the columns id and features, and perhaps the known rows of the other side
   * @param size the most rows of a block
   */
  static JavaRDD<FeatureBlock> of(Dataset<Row> features, int size) {
    return features.toJavaRDD().mapPartitions(rows -> new PartitionBlocks(rows, size));
  }

  /** The blocks of a partition, one after the other. */
  private static final class PartitionBlocks implements Iterator<FeatureBlock> {
    private final Iterator<Row> rows;
    private final int size;

    PartitionBlocks(Iterator<Row> rows, int size) {
      this.rows = rows;
      this.size = size;
    }

    @Override
    public boolean hasNext() {
      return rows.hasNext();
    }

    @Override
    public FeatureBlock next() {
      List<Row> taken = new ArrayList<>();
      while (rows.hasNext() && taken.size() < size) {
        taken.add(rows.next());
      }
      long[] ids = new long[taken.size()];
      float[][] all = new float[ids.length][];
      long[][] known = new long[ids.length][];
      for (int k = 0; k < ids.length; k++) {
        ids[k] = taken.get(k).getLong(0);
        all[k] = floats(taken.get(k).getList(1));
        known[k] = known(taken.get(k));
      }
      int width = all[0].length;
      float[] features = new float[ids.length * width];
      for (int k = 0; k < ids.length; k++) {
        System.arraycopy(all[k], 0, features, k * width, width);
      }
      return new FeatureBlock(ids, features, known);
    }
  }

  private static long[] known(Row row) {
    if (row.size() < 3 || row.isNullAt(2)) {
      return new long[0];
    }
    return row.<Long>getList(2).stream().mapToLong(Long::longValue).sorted().toArray();
  }

  /** Return the ids, ascending, that a row is not recommended. */
  long[] known(int row) {
    return known[row];
  }

  /** Return the block with the features of each member multiplied by its weight. */
  FeatureBlock weighted(double[] weights) {
    float[] changed = rows.clone();
    int rank = width() / weights.length;
    for (int k = 0; k < changed.length; k++) {
      changed[k] = (float) (weights[k / rank % weights.length] * changed[k]);
    }
    return new FeatureBlock(ids, changed, known);
  }

  /** Return the ids. */
  long[] ids() {
    return ids;
  }

  /** Return the features, row after row. */
  float[] rows() {
    return rows;
  }

  /** Return the number of features of a row. */
  int width() {
    return rows.length / ids.length;
  }

  /** Return numbers as an array. */
  static float[] floats(List<Float> list) {
    float[] floats = new float[list.size()];
    for (int k = 0; k < floats.length; k++) {
      floats[k] = list.get(k);
    }
    return floats;
  }
}
