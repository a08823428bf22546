package org.pecf.spark;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import org.pecf.api.PecfException;
import org.pecf.api.compute.Ridge;
import org.pecf.engine.construct.Construction;

/**
 * The settings of a training.
 *
 * @param construction how members come together
 * @param members the number of members
 * @param rank the number of factors of each
 * @param iterations the sweeps of each
 * @param ridge the penalties
 * @param deviation the standard deviation of the random start
 * @param positive the weight of positives
 * @param zero the weight of zeros
 * @param weighting how cells are weighted for members after the first
 * @param hardZeros whether all cells are scanned for zeros that are predicted badly
 * @param weightError the largest relative error of the weight of a zero, where cells are scanned
 * @param alpha how much a new member counts
 * @param seed the root of all randomness
 * @param checkpointInterval the sweeps between two checkpoints, if the application has a folder for
 *     them
 */
record TrainingSettings(
    Construction construction,
    int members,
    int rank,
    int iterations,
    Ridge ridge,
    double deviation,
    float positive,
    float zero,
    Weighting weighting,
    HardZeros hardZeros,
    double weightError,
    AlphaRule alpha,
    long seed,
    int checkpointInterval) {
  static final String EXPONENT = "wmf.frequency-exponent";

  /** Return whether factors are written to the checkpoint folder. */
  boolean checkpoints(JavaSparkContext context) {
    return checkpointInterval > 0 && context.getCheckpointDir().isPresent();
  }

  /** Return the settings by their names on the command line. */
  Map<String, String> options() {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("construction", construction.id());
    options.put("rank", Integer.toString(rank));
    options.put("iterations", Integer.toString(iterations));
    options.put("lambda", Double.toString(ridge.users()));
    options.put(EXPONENT, Double.toString(ridge.exponent()));
    options.put("wmf.deviation", Double.toString(deviation));
    options.put("confidence", positive + ":" + zero);
    options.put("seed", Long.toString(seed));
    if (construction != Construction.SINGLE) {
      options.put("rounds", Integer.toString(members - 1));
      options.put("alpha", alpha.toString());
    }
    if (construction.reweighs()) {
      options.put("weight-error", Double.toString(weightError));
      options.put("posterior.nu", Double.toString(weighting.nu()));
      options.put("posterior.sigma", Double.toString(weighting.sigma()));
      options.put("posterior.scaling", weighting.scaling().name().toLowerCase(Locale.ROOT));
    }
    return options;
  }

  /** The rule by which all cells are scanned for zeros that the ensemble predicts badly. */
  enum HardZeros {
    /** Scan up to {@link #LIMIT} cells, and none above. */
    AUTO,
    /** Scan. */
    SCAN,
    /** Do not scan. */
    NONE;

    /** The cells up to which a scan takes minutes to hours, not days. */
    static final double LIMIT = 1e12;

    /** Return the rule of a name. */
    static HardZeros named(String name) {
      for (HardZeros rule : values()) {
        if (rule.name().toLowerCase(Locale.ROOT).equals(name)) {
          return rule;
        }
      }
      throw PecfException.badOption(
          "There is no rule '%s' for hard zeros. Use auto, scan or none.", name);
    }

    /** Return whether a grid is scanned. */
    boolean scans(double cells) {
      return this == SCAN || this == AUTO && cells <= LIMIT;
    }
  }
}
