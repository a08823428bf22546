package org.pecf.spark;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.ml.param.Param;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.pecf.api.PecfException;
import org.pecf.engine.evaluate.UserSample;

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
      TrainingApplication application = new TrainingApplication(parse(arguments));
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
  private static Map<String, String> parse(String[] arguments) {
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
    return options;
  }

  private static String names() {
    return "--"
        + String.join(
            ", --", Stream.concat(OWN.stream(), PARAMETERS.keySet().stream()).sorted().toList());
  }

  private void run(SparkSession session) {
    Pecf estimator = estimator();
    Dataset<Row> positives = estimator.positives(ratings(session)).distinct().persist();
    double share = number(HOLD_OUT, 0.1);
    if (!(share >= 0 && share < 1)) {
      throw PecfException.badOption(
          "The share that is held out is %s. Give the option 'hold-out' one from 0 to below 1.",
          share);
    }
    // Which cells are held out depends on the cells alone, not on partitions.
    long seed = (Long) estimator.getOrDefault(estimator.seed());
    Dataset<Row> marked =
        positives.withColumn(
            "held",
            functions
                .pmod(
                    functions.xxhash64(
                        functions.col(Grid.USER), functions.col(Grid.ITEM), functions.lit(seed)),
                    functions.lit(1_000_000))
                .lt(share * 1e6));
    Dataset<Row> training = marked.filter("not held").drop("held");
    Dataset<Row> heldOut = marked.filter("held").drop("held");
    PecfModel model = estimator.setPositive("all").setRatingCol("").fit(training);
    model.reports().forEach(report -> System.out.println("member: " + report));
    if (share > 0) {
      UserSample sample = UserSample.parse(options.getOrDefault(USERS, "10000"));
      System.out.println(RankingReport.of(model, training, heldOut, count(CUTOFF, 20), sample));
    }
    boolean refit = share > 0 && Boolean.parseBoolean(options.get(REFIT));
    keep(refit ? estimator.fit(positives) : model, refit ? positives : training);
    positives.unpersist();
  }

  /** Store what is asked for. */
  private void keep(PecfModel model, Dataset<Row> training) {
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
      model.recommendForAllUsers(count(CUTOFF, 20)).write().parquet(options.get(LISTS));
      System.out.println("lists of all users in " + options.get(LISTS));
    }
    if (options.containsKey(OUT)) {
      model.exportTo(options.get(OUT), training);
      System.out.println("model in " + options.get(OUT));
    }
  }

  /** Read ratings: users, items and perhaps ratings are the first columns. */
  private Dataset<Row> ratings(SparkSession session) {
    String path = Objects.requireNonNull(options.get(DATA));
    boolean text = path.matches(".*\\.(csv|tsv|txt)(\\.gz)?");
    Dataset<Row> read =
        text
            ? session
                .read()
                .option("header", true)
                .option("inferSchema", true)
                .option("sep", path.contains(".csv") ? "," : "\t")
                .csv(path)
            : session.read().parquet(path);
    String[] columns = read.columns();
    if (columns.length < 2) {
      throw PecfException.badData(
          "%s has one column. Users and items are the first two of a table with a header.", path);
    }
    return read.withColumnRenamed(columns[0], Grid.USER)
        .withColumnRenamed(columns[1], Grid.ITEM)
        .transform(
            table -> columns.length > 2 ? table.withColumnRenamed(columns[2], "rating") : table);
  }

  /** Return the estimator that the options describe. */
  private Pecf estimator() {
    Pecf estimator = new Pecf().setUserCol(Grid.USER).setItemCol(Grid.ITEM);
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
              estimator
                  .setPositiveWeight(number(CONFIDENCE, weights[0]))
                  .setZeroWeight(number(CONFIDENCE, weights[1]));
            });
    return estimator;
  }

  private static void set(Pecf estimator, String name, String parameter, String text) {
    Param<Object> param = estimator.getParam(parameter);
    Object value = estimator.getOrDefault(param);
    if (value instanceof Integer) {
      value = Math.toIntExact(whole(name, text));
    } else if (value instanceof Long) {
      value = whole(name, text);
    } else if (value instanceof Double) {
      value = number(name, text);
    } else {
      value = text;
    }
    estimator.set(param, value);
  }

  private static long whole(String name, String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw PecfException.badOption("'%s' is not a whole number. Write one for --%s.", text, name);
    }
  }

  private int count(String name, int otherwise) {
    return options.containsKey(name) ? Math.toIntExact(whole(name, options.get(name))) : otherwise;
  }

  private double number(String name, double otherwise) {
    return options.containsKey(name) ? number(name, options.get(name)) : otherwise;
  }

  private static double number(String name, String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw PecfException.badOption("'%s' is not a number. Write one for --%s.", text, name);
    }
  }
}
