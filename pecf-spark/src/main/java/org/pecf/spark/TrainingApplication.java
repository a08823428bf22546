package org.pecf.spark;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.spark.ml.param.Param;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.pecf.api.PecfException;
import org.pecf.engine.evaluate.UserSample;
import org.pecf.engine.model.ModelStore;

/**
 * The application for {@code spark-submit}: it reads positives, holds some out, trains on the
 * others, measures, and keeps the model and lists. {@code pecf-run --backend spark} starts it.
 */
public final class TrainingApplication {
  /** The options of the estimator: their names on the command line, and its parameters. */
  private static final Map<String, String> PARAMETERS =
      Map.ofEntries(
          Map.entry("positive", "positive"),
          Map.entry("construction", "construction"),
          Map.entry("rounds", "rounds"),
          Map.entry("rank", "rank"),
          Map.entry("iterations", "iterations"),
          Map.entry("lambda", "lambda"),
          Map.entry("wmf.rank", "rank"),
          Map.entry("wmf.iterations", "iterations"),
          Map.entry("wmf.lambda", "lambda"),
          Map.entry("wmf.frequency-exponent", "frequencyExponent"),
          Map.entry("wmf.deviation", "deviation"),
          Map.entry("posterior.nu", "nu"),
          Map.entry("posterior.sigma", "sigma"),
          Map.entry("posterior.scaling", "scaling"),
          Map.entry("hard-zeros", "hardZeros"),
          Map.entry("weight-error", "weightError"),
          Map.entry("alpha", "alpha"),
          Map.entry("seed", "seed"),
          Map.entry("blocks", "numBlocks"));

  private static final String DATA = "data";
  private static final String OUT = "out";
  private static final String STORE = "store";
  private static final String LISTS = "lists";
  private static final String HOLD_OUT = "hold-out";
  private static final String REFIT = "refit";
  private static final String CUTOFF = "cutoff";
  private static final String USERS = "sample-users";
  private static final String CONFIDENCE = "confidence";

  private static final List<String> OWN =
      List.of(DATA, OUT, STORE, LISTS, HOLD_OUT, REFIT, CUTOFF, USERS, CONFIDENCE);

  private final Map<String, String> options;

  private TrainingApplication(Map<String, String> options) {
    this.options = options;
  }

  /** Train as the options say: names with two dashes, each followed by its value. */
  public static void main(String[] arguments) {
    try {
      TrainingApplication application = of(arguments);
      SparkSession session = SparkSession.builder().appName("PECF").getOrCreate();
      try {
        application.run(session);
      } finally {
        session.stop();
      }
    } catch (PecfException e) {
      System.err.println("error: " + e.getMessage());
      System.exit(e.code().exitCode());
    }
  }

  /** Read options, all of which must be known. */
  static TrainingApplication of(String... arguments) {
    Map<String, String> options = new LinkedHashMap<>();
    for (int k = 0; k < arguments.length; k += 2) {
      String name = arguments[k].replaceFirst("^--", "");
      boolean known = PARAMETERS.containsKey(name) || OWN.contains(name);
      if (!arguments[k].startsWith("--") || !known) {
        throw PecfException.badOption(
            "Training on Spark has no option %s. It has: %s.", arguments[k], names());
      }
      if (k + 1 == arguments.length) {
        throw PecfException.badOption("Option %s has no value. Write one after it.", arguments[k]);
      }
      options.put(name, arguments[k + 1]);
    }
    if (!options.containsKey(DATA)) {
      throw PecfException.badOption("There is no data. Name ratings by the option 'data'.");
    }
    return new TrainingApplication(options);
  }

  private static String names() {
    return "--"
        + String.join(
            ", --", Stream.concat(OWN.stream(), PARAMETERS.keySet().stream()).sorted().toList());
  }

  /** Train, measure and keep. */
  void run(SparkSession session) {
    Pecf estimator = estimator();
    double share = share();
    int cutoff = cutoff();
    boolean refit = refit() && share > 0;
    UserSample sample = UserSample.parse(options.getOrDefault(USERS, "10000"));
    checkPlaces(session);
    Dataset<Row> positives = estimator.positives(ratings(session)).distinct().persist();
    // Which cells are held out depends on the cells alone, not on partitions.
    long seed = (Long) estimator.getOrDefault(estimator.seed());
    Dataset<Row> marked =
        positives.withColumn(
            "held",
            functions
                .pmod(
                    functions.xxhash64(
                        functions.col(TrainingCells.USER),
                        functions.col(TrainingCells.ITEM),
                        functions.lit(seed)),
                    functions.lit(1_000_000))
                .lt(share * 1e6));
    Dataset<Row> training = marked.filter("not held").drop("held");
    Dataset<Row> heldOut = marked.filter("held").drop("held");
    PecfModel model = estimator.setPositive("all").setRatingCol("").fit(training);
    model.reports().forEach(report -> System.out.println("member: " + report));
    if (share > 0) {
      System.out.println(RankingReport.of(model, training, heldOut, cutoff, sample));
    }
    if (refit) {
      keep(estimator.fit(positives), positives, heldOut.limit(0), cutoff);
    } else {
      keep(model, training, heldOut, cutoff);
    }
    positives.unpersist();
  }

  private double share() {
    String text = options.getOrDefault(HOLD_OUT, "0.1");
    try {
      double share = Double.parseDouble(text);
      if (share >= 0 && share < 1) {
        return share;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw PecfException.badOption(
        "The share that is held out is '%s'. Give --%s a number from 0 to below 1.",
        text, HOLD_OUT);
  }

  private int cutoff() {
    String text = options.getOrDefault(CUTOFF, "20");
    try {
      int cutoff = Integer.parseInt(text);
      if (cutoff >= 1) {
        return cutoff;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw PecfException.badOption(
        "Lists of '%s' items are not possible. Give --%s a whole number from 1.", text, CUTOFF);
  }

  private boolean refit() {
    String text = options.getOrDefault(REFIT, "false");
    if (!List.of("true", "false").contains(text)) {
      throw PecfException.badOption("--%s is '%s'. Write true or false.", REFIT, text);
    }
    return text.equals("true");
  }

  /** Refuse places that are taken, before the training rather than after it. */
  private void checkPlaces(SparkSession session) {
    if (options.containsKey(OUT)) {
      ModelStore.checkPlace(java.nio.file.Path.of(options.get(OUT)), false);
    }
    for (String name : List.of(STORE, LISTS)) {
      if (options.containsKey(name)) {
        Path place = new Path(options.get(name));
        try {
          if (place.getFileSystem(session.sparkContext().hadoopConfiguration()).exists(place)) {
            throw PecfException.badOption(
                "%s exists already. Give --%s another place, or delete it.", place, name);
          }
        } catch (IOException e) {
          throw PecfException.badOption(
              "%s cannot be reached: %s. Give --%s another place.", place, e.getMessage(), name);
        }
      }
    }
  }

  /**
   * Store what is asked for.
   *
   * @param heldOut the positives that the model has not seen: cells that are not recommended, too
   */
  private void keep(PecfModel model, Dataset<Row> training, Dataset<Row> heldOut, int cutoff) {
    try {
      if (options.containsKey(STORE)) {
        model.write().save(options.get(STORE));
        System.out.println("model for Spark in " + options.get(STORE));
      }
    } catch (IOException e) {
      throw PecfException.badOption(
          "The model cannot be stored in %s: %s.", options.get(STORE), e.getMessage());
    }
    if (options.containsKey(LISTS)) {
      model.recommendForAllUsers(cutoff).write().parquet(options.get(LISTS));
      System.out.println("lists of all users in " + options.get(LISTS));
    }
    if (options.containsKey(OUT)) {
      model.exportTo(options.get(OUT), training, heldOut);
      System.out.println("model in " + options.get(OUT));
    }
  }

  /** Read ratings: users, items and perhaps ratings are the first columns. */
  private Dataset<Row> ratings(SparkSession session) {
    String path = Objects.requireNonNull(options.get(DATA));
    Dataset<Row> read;
    try {
      read =
          path.matches(".*\\.(csv|tsv|txt)(\\.gz)?")
              ? session
                  .read()
                  .option("header", true)
                  .option("inferSchema", true)
                  .option("sep", path.contains(".csv") ? "," : "\t")
                  .csv(path)
              : session.read().parquet(path);
    } catch (Exception e) {
      // Exceptions of Scala, which are not declared.
      if (e instanceof AnalysisException) {
        throw PecfException.badData(
            "%s cannot be read: %s Name a table of ratings by --%s.", path, e.getMessage(), DATA);
      }
      throw e;
    }
    String[] columns = read.columns();
    if (columns.length < 2) {
      throw PecfException.badData(
          "%s has one column. Users and items are the first two of a table with a header.", path);
    }
    return read.withColumnRenamed(columns[0], TrainingCells.USER)
        .withColumnRenamed(columns[1], TrainingCells.ITEM)
        .transform(
            table -> columns.length > 2 ? table.withColumnRenamed(columns[2], "rating") : table);
  }

  /** Return the estimator that the options describe. */
  private Pecf estimator() {
    Pecf estimator = new Pecf().setUserCol(TrainingCells.USER).setItemCol(TrainingCells.ITEM);
    PARAMETERS.forEach(
        (name, parameter) ->
            Optional.ofNullable(options.get(name))
                .ifPresent(text -> set(estimator, name, parameter, text)));
    if (!options.getOrDefault("positive", "all").equals("all")) {
      estimator.setRatingCol("rating");
    }
    Optional.ofNullable(options.get(CONFIDENCE))
        .ifPresent(
            text -> {
              String[] weights = text.split(":");
              if (weights.length != 2) {
                throw PecfException.badOption(
                    "'%s' is not a confidence. Write the weights of positives and zeros: 1:0.01.",
                    text);
              }
              set(estimator, CONFIDENCE, "positiveWeight", weights[0]);
              set(estimator, CONFIDENCE, "zeroWeight", weights[1]);
            });
    return estimator;
  }

  private static void set(Pecf estimator, String name, String parameter, String text) {
    Param<Object> param = estimator.getParam(parameter);
    Object value = estimator.getOrDefault(param);
    try {
      if (value instanceof Integer) {
        value = Integer.valueOf(text);
      } else if (value instanceof Long) {
        value = Long.valueOf(text);
      } else if (value instanceof Double) {
        value = Double.valueOf(text);
      } else {
        value = text;
      }
      estimator.set(param, value);
    } catch (IllegalArgumentException e) {
      throw PecfException.badOption(
          "--%s cannot be '%s'. Give it another value: it is %s.", name, text, param.doc());
    }
  }
}
