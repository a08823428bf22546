package org.pecf.cli.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.cli.option.RecordOptions;
import org.pecf.cli.option.Section;

/**
 * A training that Spark runs: the command line of {@code spark-submit} with the jar of PECF for
 * Spark. Options are passed to its application as they are, except those named {@code spark.x},
 * which are Spark's own.
 *
 * @param command the command and its arguments
 */
public record SparkSubmission(List<String> command) {
  private static final String BACKEND = "backend";
  private static final String SPARK = "spark";
  private static final String HOME = "SPARK_HOME";
  private static final String JAR = "PECF_SPARK_JAR";
  private static final String APPLICATION = "org.pecf.spark.TrainingApplication";

  /** The options that only trainings on Spark have. */
  public record Options(
      @Option(
              value = Options.ON_SPARK + "the share of positives to measure on, 0 for none",
              label = "SHARE",
              unset = "0.1")
          Optional<String> holdOut,
      @Option(
              value = Options.ON_SPARK + "the length of lists, measured and stored",
              label = "M",
              unset = "20")
          Optional<String> cutoff,
      @Option(
              value =
                  Options.ON_SPARK
                      + "whether all cells are scanned for badly predicted zeros: auto, scan or"
                      + " none",
              label = "HOW",
              unset = "auto")
          Optional<String> hardZeros,
      @Option(
              value = Options.ON_SPARK + "the most blocks of a side",
              label = "N",
              unset = "the parallelism of the cluster")
          Optional<String> blocks,
      @Option(value = Options.ON_SPARK + "store the model as one of Spark's", label = "PATH")
          Optional<String> store,
      @Option(value = Options.ON_SPARK + "store the lists of all users as Parquet", label = "PATH")
          Optional<String> lists) {
    private static final String ON_SPARK = "With --backend spark, ";

    /** Return the options of a command line. */
    public static RecordOptions<Options> options() {
      return RecordOptions.of(
          Section.COMPUTING, OptionSchema.of(MethodHandles.lookup(), Options.class));
    }
  }

  /** Return whether options ask for Spark. */
  public static boolean isAsked(Map<String, String> given) {
    return SPARK.equals(given.get(BACKEND));
  }

  /**
   * Prepare a training.
   *
   * @param given the options. Not modified.
   * @param out the folder of the model, if it is kept
   * @param environment the variables that say where Spark and the jar are. Not modified.
   * @throws PecfException if one of them is not there
   */
  public static SparkSubmission of(
      Map<String, String> given, Optional<Path> out, Map<String, String> environment) {
    Path submit =
        file(environment, HOME, "bin/spark-submit")
            .orElseThrow(
                () ->
                    PecfException.unavailable(
                        "Spark is not there: %s does not name a folder with bin/spark-submit. Set"
                            + " it to a distribution of Spark 4.1, or train on this machine with"
                            + " --backend cpu.",
                        HOME));
    Path jar =
        file(environment, JAR, "")
            .orElseThrow(
                () ->
                    PecfException.unavailable(
                        "The jar of PECF for Spark is not there. Set %s to it; 'mvn -B install"
                            + " -Pspark -pl pecf-spark -am' builds it.",
                        JAR));
    List<String> command = new ArrayList<>(List.of(submit.toString()));
    given.forEach(
        (key, value) -> {
          if (key.startsWith(SPARK + ".")) {
            command.addAll(List.of("--conf", key + "=" + value));
          }
        });
    command.addAll(List.of("--class", APPLICATION, jar.toString()));
    given.forEach(
        (key, value) -> {
          if (!key.startsWith(SPARK + ".") && !key.equals(BACKEND)) {
            command.addAll(List.of("--" + key, value));
          }
        });
    out.ifPresent(folder -> command.addAll(List.of("--out", folder.toString())));
    return new SparkSubmission(List.copyOf(command));
  }

  private static Optional<Path> file(Map<String, String> environment, String name, String below) {
    return Optional.ofNullable(environment.get(name))
        .filter(text -> !text.isBlank())
        .map(text -> Path.of(text).resolve(below))
        .filter(Files::isRegularFile);
  }

  /**
   * Train, with the output of Spark on that of this process.
   *
   * @return the exit code
   */
  public int run() {
    Process process;
    try {
      process = new ProcessBuilder(command).inheritIO().start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw PecfException.cancelled();
    }
  }
}
