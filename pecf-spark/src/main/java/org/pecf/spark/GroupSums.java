package org.pecf.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.pecf.backend.leastsquares.Gramians;

/**
 * Sums of the groups of some rows, on their way to the driver. The groups of a run that is whole in
 * a block are added there already; the order of additions is that of {@link Gramians}, wherever
 * they are made.
 */
final class GroupSums implements Serializable {
  private static final long serialVersionUID = 1;

  private final ArrayList<Part> parts = new ArrayList<>();

  /** The sum of consecutive groups: of one, or of a whole run. */
  private static final class Part implements Serializable {
    private static final long serialVersionUID = 1;

    private final int group;
    private final double[] sum;

    Part(int group, double[] sum) {
      this.group = group;
      this.sum = sum;
    }
  }

  /** The source of the sums of single groups. */
  interface Source {
    /** Return the sum of a group. */
    double[] of(int group);
  }

  /**
   * Add up groups.
   *
   * @param first the first of them
   * @param count how many there are
   * @param all the number of groups of the side
   */
  static GroupSums of(int first, int count, int all, Source source) {
    GroupSums sums = new GroupSums();
    int group = first;
    while (group < first + count) {
      int run = group / Gramians.RUN * Gramians.RUN;
      int end = Math.min(all, run + Gramians.RUN);
      if (group == run && end <= first + count) {
        double[] sum = {};
        for (; group < end; group++) {
          sum = added(sum, source.of(group));
        }
        sums.parts.add(new Part(run, sum));
      } else {
        sums.parts.add(new Part(group, source.of(group)));
        group++;
      }
    }
    return sums;
  }

  /** Return the sum of all groups of a side. */
  static double[] total(List<GroupSums> blocks) {
    List<Part> all = new ArrayList<>();
    blocks.forEach(block -> all.addAll(block.parts));
    all.sort(Comparator.comparingInt(part -> part.group));
    double[] total = {};
    double[] run = {};
    int number = -1;
    for (Part part : all) {
      if (part.group / Gramians.RUN != number && number >= 0) {
        total = added(total, run);
        run = new double[0];
      }
      number = part.group / Gramians.RUN;
      run = added(run, part.sum);
    }
    return added(total, run);
  }

  /**
   * Return sums over all rows of a side.
   *
   * @param description the description of the job
   * @param blocks the sums of the groups of each block, by kind of sum
   */
  static double[] ofRows(String description, JavaRDD<double[][]> blocks) {
    double[] sums = {};
    for (double[][] block : Jobs.collect(description, blocks)) {
      if (sums.length == 0) {
        sums = new double[block.length];
      }
      for (int k = 0; k < sums.length; k++) {
        for (double group : block[k]) {
          sums[k] += group;
        }
      }
    }
    return sums;
  }

  /** Add to a sum, which is empty at first. */
  private static double[] added(double[] sum, double[] part) {
    double[] result = sum.length == 0 ? new double[part.length] : sum;
    for (int k = 0; k < part.length; k++) {
      result[k] += part[k];
    }
    return result;
  }
}
