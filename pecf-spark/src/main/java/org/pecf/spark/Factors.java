package org.pecf.spark;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;

/**
 * The factors of one side, resident in the executors, and what the driver knows of them.
 *
 * @param blocks the factors, block by block
 * @param triangle the triangle of their Gramian
 * @param explained the amount by which the half-sweep lowered the objective
 * @param penalty the sum of the rows' penalties
 * @param libraries the names of the libraries that the blocks were computed with
 */
record Factors(
    JavaRDD<FactorBlock> blocks,
    double[] triangle,
    double explained,
    double penalty,
    List<String> libraries) {
  /** The report of one block to the driver. */
  private static final class Report implements Serializable {
    private static final long serialVersionUID = 1;

    private final GroupSums gramians;
    private final double explained;
    private final double penalty;
    private final String library;

    Report(GroupSums gramians, FactorBlock block, String library) {
      this.gramians = gramians;
      this.explained = block.explained();
      this.penalty = block.penalty();
      this.library = library;
    }
  }

  /**
   * Compute factors, and keep them where they are.
   *
   * @param description the description of the job
   * @param rows the number of rows of the side
   * @param checkpoint whether they are written to the checkpoint folder of the application, until
   *     they are {@linkplain #discard discarded} or it ends
   */
  static Factors of(
      String description, JavaRDD<FactorBlock> blocks, int rank, int rows, boolean checkpoint) {
    blocks.persist(StorageLevel.MEMORY_AND_DISK());
    if (checkpoint) {
      blocks.checkpoint();
    }
    List<Report> reports =
        Jobs.collect(
            description,
            blocks.map(
                block ->
                    new Report(HalfSweep.gramians(block, rank, rows), block, TaskAlgebra.name())));
    if (checkpoint) {
      delete(blocks, false);
    }
    List<GroupSums> gramians = new ArrayList<>();
    double explained = 0;
    double penalty = 0;
    for (Report report : reports) {
      gramians.add(report.gramians);
      explained += report.explained;
      penalty += report.penalty;
    }
    return new Factors(
        blocks,
        GroupSums.total(gramians),
        explained,
        penalty,
        reports.stream().map(report -> report.library).distinct().sorted().toList());
  }

  /** Return whether they were written to the checkpoint folder. */
  boolean checkpointed() {
    return blocks.isCheckpointed();
  }

  /** Delete the checkpoint, on which nothing must stand any more. */
  void discard() {
    delete(blocks, true);
  }

  private static void delete(JavaRDD<FactorBlock> blocks, boolean now) {
    Path file = new Path(blocks.getCheckpointFile().get());
    try {
      FileSystem files = file.getFileSystem(blocks.context().hadoopConfiguration());
      if (now) {
        files.delete(file, true);
      } else {
        files.deleteOnExit(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Release the memory of the executors. */
  void release() {
    blocks.unpersist();
  }
}
