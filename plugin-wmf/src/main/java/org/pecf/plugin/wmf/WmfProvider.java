package org.pecf.plugin.wmf;

import java.lang.invoke.MethodHandles;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.Ridge;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.filter.SettingsSpace;
import org.pecf.api.filter.SettingsSpace.Axis;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.RowRule;
import org.pecf.api.memory.RowRules;
import org.pecf.api.memory.Side;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of weighted matrix factorisation. */
public final class WmfProvider implements BaseFilterProvider<WmfProvider.Options> {
  static final String ID = "wmf";

  private static final String CONFIDENCE = "confidence";
  private static final int SWEEPS = 8;

  /** The users or items, whichever are fewer, per factor. */
  private static final double ROWS_PER_FACTOR = 25;

  private static final double LEAST_RANK = 16;
  private static final double MOST_RANK = 200;
  private static final double MOST_ZERO = 0.5;

  /** The hyper-parameters of weighted matrix factorisation. */
  public record Options(
      @Option(value = "number of factors", defaultValue = "50", min = 1, max = 4096) int rank,
      @Option(value = "most sweeps", defaultValue = "8", min = 1, max = 100000) int iterations,
      @Option(value = "penalty of users and items", defaultValue = "4", min = 1e-9) double lambda,
      @Option(value = "penalty of users, if different from lambda", defaultValue = "", min = 1e-9)
          OptionalDouble lambdaUser,
      @Option(value = "penalty of items, if different from lambda", defaultValue = "", min = 1e-9)
          OptionalDouble lambdaItem,
      @Option(
              value = "a row's penalty grows with its weight to this power; the mean stays lambda",
              defaultValue = "1",
              min = 0,
              max = 1)
          double frequencyExponent,
      @Option(
              value =
                  "stop when a sweep lowers the objective by less than this fraction; 0 = never",
              defaultValue = "0",
              min = 0,
              max = 1)
          double tolerance,
      @Option(
              value = "standard deviation of the random start",
              defaultValue = "0.1",
              min = 1e-6,
              max = 100)
          double deviation) {

    /** Return options with one penalty, without a tolerance. */
    static Options of(
        int rank, int iterations, double lambda, double frequencyExponent, double deviation) {
      OptionalDouble same = OptionalDouble.empty();
      return new Options(rank, iterations, lambda, same, same, frequencyExponent, 0, deviation);
    }

    /** Return the same with another penalty of both sides. */
    Options withLambda(double other) {
      OptionalDouble same = OptionalDouble.empty();
      return new Options(
          rank, iterations, other, same, same, frequencyExponent, tolerance, deviation);
    }

    /** Return the penalties. */
    Ridge ridge() {
      return new Ridge(lambdaUser.orElse(lambda), lambdaItem.orElse(lambda), frequencyExponent);
    }

    /** Return the rules by which a problem solves rows, for rows that come later. */
    RowRules rules(LeastSquares problem) {
      return new RowRules(rule(problem, Side.USERS), rule(problem, Side.ITEMS));
    }

    private RowRule rule(LeastSquares problem, Side side) {
      return new RowRule.LeastSquares(problem.unitPenalty(side), frequencyExponent);
    }
  }

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID, "weighted matrix factorisation by alternating least squares (ALS)", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public BaseFilter create(Options options) {
    return new WeightedMatrixFactorisation(options);
  }

  /**
   * Return settings made from the shape of the data. What suits data sets differs by orders of
   * magnitude; relative to these three numbers it hardly does:
   *
   * <ul>
   *   <li>the weight of a zero, relative to the density of positives;
   *   <li>the penalty, relative to the weight of a typical row: the geometric mean of the mean
   *       weights of users and items;
   *   <li>the rank, relative to the smaller side of the grid.
   * </ul>
   */
  @Override
  public Optional<SettingsSpace> settingsSpace(
      GridShape shape, long positives, Map<String, String> given) {
    double density = (double) positives / shape.users() / shape.items();
    int smaller = Math.min(shape.users(), shape.items());
    double usual =
        Math.min(
            smaller, Math.max(LEAST_RANK, Math.min(MOST_RANK, (double) smaller / ROWS_PER_FACTOR)));
    List<Axis> axes =
        List.of(
            new Axis("penalty", 0.05, 2, 1e-4, 10),
            new Axis("zero weight", 5, 2, 0.1, 200),
            new Axis("rank", usual, 2, 1, Math.max(usual, Math.min(smaller, 1024))));
    return Optional.of(
        new SettingsSpace(
            axes,
            point -> {
              String confidence =
                  given.getOrDefault(
                      CONFIDENCE,
                      "1:" + SettingsSpace.text(Math.min(MOST_ZERO, point[1] * density)));
              Map<String, String> settings = new LinkedHashMap<>();
              settings.put("rank", Long.toString(Math.round(point[2])));
              settings.put(
                  "lambda", SettingsSpace.text(point[0] * rowWeight(shape, positives, confidence)));
              settings.put(CONFIDENCE, confidence);
              return settings;
            },
            point -> SWEEPS * sweep(shape, positives, point[2])));
  }

  private static double rowWeight(GridShape shape, long positives, String confidence) {
    String[] weights = confidence.split(":", -1);
    double positive = Double.parseDouble(weights[0]);
    double zero = Double.parseDouble(weights[1]);
    double ofUser = positive * positives / shape.users() + zero * shape.items();
    double ofItem = positive * positives / shape.items() + zero * shape.users();
    return Math.sqrt(ofUser * ofItem);
  }

  /** Return the processor seconds of a sweep, by a fit to measurements of docs/performance.md. */
  private static double sweep(GridShape shape, long positives, double rank) {
    return 4.6e-9
        * Math.pow(positives, 0.74)
        * Math.pow(rank, 0.91)
        * Math.pow(shape.users(), 0.39);
  }
}
