package org.pecf.benchmarks.peer;

import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.RunListener;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.data.Dataset;
import org.pecf.engine.data.DuplicatePolicy;
import org.pecf.engine.data.PositiveRule;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.request.ComputeRequest;
import org.pecf.engine.resource.Workspace;

/**
 * The comparison of libraries: generates one file, measures each library on it in a process of its
 * own, and prints a table.
 *
 * <p>The first argument is the folder of this module, as built with {@code -Pbenchmarks}; further
 * arguments name the libraries to measure, all of them if there are none.
 */
public final class Comparison {
  private static final int USERS = 6_000;
  private static final int ITEMS = 4_000;
  private static final int POSITIVES = 600_000;
  private static final int TRAINING = 480_000;
  private static final int RANK = 64;

  /**
   * How often the libraries are measured in turn, but for the slowest: what else the machine does
   * changes from minute to minute, and should disturb none of them more than others.
   */
  private static final int PASSES = 3;

  private final Path module;
  private final Path folder;
  private final PrintStream out;

  private Comparison(Path module, Path folder, PrintStream out) {
    this.module = module;
    this.folder = folder;
    this.out = out;
  }

  /**
   * A library and the way to run it.
   *
   * @param id its name on the command line, and of its module after {@code peer-}
   * @param peer its {@link Peer}
   * @param few sweeps of the shorter training
   * @param more sweeps of the longer training
   * @param repetitions how often both are timed
   * @param arguments the options that it needs of Java
   */
  private record Entry(
      String id, String peer, int few, int more, int repetitions, List<String> arguments) {}

  private static final String OPEN = "--add-opens=java.base/%s=ALL-UNNAMED";

  /** The options that Spark's documentation asks for on Java 17 and later. */
  private static final List<String> SPARK_ARGUMENTS =
      Stream.concat(
              Stream.of("-XX:+IgnoreUnrecognizedVMOptions", "--add-modules=jdk.incubator.vector"),
              Stream.of(
                      "java.lang",
                      "java.lang.invoke",
                      "java.lang.reflect",
                      "java.io",
                      "java.net",
                      "java.nio",
                      "java.util",
                      "java.util.concurrent",
                      "java.util.concurrent.atomic",
                      "sun.nio.ch",
                      "sun.nio.cs",
                      "sun.security.action",
                      "sun.util.calendar")
                  .map(name -> String.format(Locale.ROOT, OPEN, name)))
          .toList();

  /** The options that our own launcher gives, on a class path. */
  private static final List<String> PECF_ARGUMENTS =
      List.of(
          "--add-opens=java.base/java.nio=ALL-UNNAMED", "-Darrow.enable_null_check_for_get=false");

  private static final List<Entry> ENTRIES =
      List.of(
          new Entry("pecf", PecfPeer.class.getName(), 4, 24, 5, PECF_ARGUMENTS),
          new Entry("spark", "org.pecf.benchmarks.spark.SparkPeer", 3, 8, 5, SPARK_ARGUMENTS),
          new Entry("ranksys", "org.pecf.benchmarks.ranksys.PztPeer", 2, 8, 5, List.of()),
          new Entry("ranksys", "org.pecf.benchmarks.ranksys.HkvPeer", 1, 2, 1, List.of()),
          new Entry("librec", "org.pecf.benchmarks.librec.LibRecPeer", 0, 2, 1, List.of()));

  /** Compare. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("pecf-peers");
    try {
      new Comparison(Path.of(arguments[0]), folder, System.out)
          .run(List.of(arguments).subList(1, arguments.length));
    } finally {
      delete(folder);
    }
  }

  private void run(List<String> wanted) throws IOException, InterruptedException {
    prepare();
    Map<Entry, List<PeerResult>> results = new LinkedHashMap<>();
    for (int pass = 0; pass < PASSES; pass++) {
      for (Entry entry : ENTRIES) {
        if ((wanted.isEmpty() || wanted.contains(entry.id()))
            && (pass == 0 || entry.repetitions() > 1)) {
          measure(entry)
              .ifPresent(
                  result -> results.computeIfAbsent(entry, key -> new ArrayList<>()).add(result));
        }
      }
    }
    print(results.values().stream().map(Comparison::middle).toList());
  }

  /** Return the result in the middle of several by processor time. */
  private static PeerResult middle(List<PeerResult> results) {
    return results.stream()
        .sorted(Comparator.comparingDouble(PeerResult::cpuSeconds))
        .skip((results.size() - 1) / 2)
        .findFirst()
        .orElseThrow();
  }

  /** Generate the files. */
  private void prepare() throws IOException {
    DataRequest request =
        new DataRequest(
            "builtin:peer",
            Optional.empty(),
            Optional.empty(),
            new ProviderChoice(
                "synthetic",
                Map.of(
                    "users", Integer.toString(USERS),
                    "items", Integer.toString(ITEMS),
                    "positives", Integer.toString(POSITIVES))),
            PositiveRule.all(),
            0,
            0,
            DuplicatePolicy.LAST);
    try (Workspace workspace =
            new Workspace(
                PluginCatalog.builtIn(),
                ComputeRequest.standard(),
                RunListener.none(),
                () -> false);
        Dataset dataset = workspace.load(request)) {
      Positives shuffled = shuffled(dataset.positives());
      shuffled.range(0, TRAINING).write(training());
      shuffled.range(TRAINING, POSITIVES).write(heldOut());
    }
  }

  private Path training() {
    return folder.resolve("training.csv");
  }

  private Path heldOut() {
    return folder.resolve("held-out.csv");
  }

  private static Positives shuffled(SparseCells cells) {
    int[] userOf = new int[cells.count()];
    int[] itemOf = new int[cells.count()];
    SplittableRandom random = new SplittableRandom(1);
    int count = 0;
    for (int user = 0; user < cells.users(); user++) {
      for (int k = cells.userStart(user); k < cells.userStart(user + 1); k++) {
        int place = random.nextInt(count + 1);
        userOf[count] = userOf[place];
        itemOf[count++] = itemOf[place];
        userOf[place] = user;
        itemOf[place] = cells.itemAt(k);
      }
    }
    return new Positives(USERS, ITEMS, userOf, itemOf);
  }

  private Optional<PeerResult> measure(Entry entry) throws IOException, InterruptedException {
    Path result = folder.resolve(entry.peer() + ".properties");
    Path log = folder.resolve(entry.peer() + ".log");
    Files.deleteIfExists(result);
    Optional<String> classPath = classPath(entry.id());
    if (classPath.isEmpty()) {
      out.println(entry.peer() + ": not built; build with -Pbenchmarks");
      return Optional.empty();
    }
    PeerTask task =
        new PeerTask(
            entry.peer(),
            training().toString(),
            heldOut().toString(),
            result.toString(),
            USERS,
            ITEMS,
            RANK,
            entry.few(),
            entry.more(),
            entry.repetitions());
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx4g", "-XX:+UseParallelGC"));
    command.addAll(entry.arguments());
    command.addAll(List.of("-cp", classPath.get(), PeerProcess.class.getName()));
    command.addAll(task.words());
    int exit =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .waitFor();
    if (!Files.exists(result)) {
      out.println(entry.peer() + " ended with " + exit + " and without a result:");
      Files.readAllLines(log).stream().limit(40).forEach(out::println);
      return Optional.empty();
    }
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(result)) {
      properties.load(reader);
    }
    return Optional.of(PeerResult.of(properties));
  }

  private Optional<String> classPath(String id) throws IOException {
    if (id.equals("pecf")) {
      return Optional.of(System.getProperty("java.class.path"));
    }
    Path target = module.resolve("peer-" + id).resolve("target");
    Path list = target.resolve("class-path");
    return Files.exists(list)
        ? Optional.of(
            target.resolve("classes") + java.io.File.pathSeparator + Files.readString(list).trim())
        : Optional.empty();
  }

  private void print(List<PeerResult> results) {
    out.printf(
        Locale.ROOT,
        "%,d x %,d, %,d training positives, rank %d; Java %s%n",
        USERS,
        ITEMS,
        TRAINING,
        RANK,
        Runtime.version());
    out.println();
    out.println(
        "| library | CPU s a sweep | wall s a sweep | CPU time beside PECF | load s | Recall@50 |");
    out.println("|---|---|---|---|---|---|");
    double own = results.isEmpty() ? Double.NaN : results.get(0).cpuSeconds();
    for (PeerResult result : results) {
      out.printf(
          Locale.ROOT,
          "| %s | %.3f | %.3f | %.1f | %.1f | %.3f after %d sweeps |%n",
          result.name(),
          result.cpuSeconds(),
          result.wallSeconds(),
          result.cpuSeconds() / own,
          result.loadSeconds(),
          result.recall(),
          result.sweeps());
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      paths
          .sorted(Comparator.reverseOrder())
          .forEach(
              path -> {
                try {
                  Files.delete(path);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }
}
