package org.pecf.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Coverage-guided fuzzing of the readers, in a process of its own. Every build has a short run of
 * all readers together, with the same inputs each time; {@code -Dfuzz.seconds=300} fuzzes each
 * reader for that long and goes on where the last such run ended. A finding is left in {@code
 * target/fuzz}; when it is mended, it belongs in the corpus.
 */
class FuzzingTest {
  private static final int SECONDS = Integer.getInteger("fuzz.seconds", 0);
  private static final String FEW_RUNS = "-runs=600";

  /** The seconds that one input may take. */
  private static final int SLOWEST = 60;

  private final Path results = Path.of("target", "fuzz");

  @TempDir private Path folder;

  static Stream<List<Readers>> readers() {
    String names = System.getProperty("fuzz.readers", "").toUpperCase(Locale.ROOT);
    List<Readers> chosen =
        names.isEmpty()
            ? List.of(Readers.values())
            : Stream.of(names.split(",")).map(Readers::valueOf).toList();
    return SECONDS == 0 ? Stream.of(chosen) : chosen.stream().map(List::of);
  }

  @ParameterizedTest
  @MethodSource("readers")
  void noInputIsAFinding(List<Readers> readers) throws IOException, InterruptedException {
    assumeTrue(fuzzerHasNatives(), "the fuzzer has no native library for this system");
    String name = readers.size() > 1 ? "together" : readers.get(0).name().toLowerCase(Locale.ROOT);
    Path corpus = SECONDS == 0 ? folder.resolve("corpus") : results.resolve(name);
    Files.createDirectories(corpus);
    Files.createDirectories(results);
    Path work = Files.createDirectory(folder.resolve("work"));
    int number = 0;
    for (byte[] seed : new AnyReader(readers, work).seeds()) {
      Files.write(corpus.resolve("seed-" + number++), seed);
    }
    Path log = results.resolve(name + ".log");

    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(arguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("com.code_intelligence.jazzer.Jazzer");
    command.add("--target_class=" + FuzzEntry.class.getName());
    command.add(
        "--target_args="
            + work
            + " "
            + readers.stream().map(Enum::name).collect(Collectors.joining(" ")));
    command.add("--instrumentation_includes=org.pecf.**:org.apache.arrow.**");
    // It asks DuckDB in ways that DuckDB's driver does not expect.
    command.add("--disabled_hooks=com.code_intelligence.jazzer.sanitizers.SqlInjection");
    command.add("--reproducer_path=" + results);
    command.add(corpus.toString());
    command.add("-artifact_prefix=" + results + File.separator + name + "-");
    command.add("-timeout=" + SLOWEST);
    command.add("-rss_limit_mb=4096");
    command.add("-max_len=8192");
    command.add("-print_final_stats=1");
    if (SECONDS == 0) {
      command.addAll(List.of(FEW_RUNS, "-seed=1"));
    } else {
      command.add("-max_total_time=" + SECONDS);
    }
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      assertEquals(0, process.waitFor(), () -> "a finding, see " + log.toAbsolutePath());
    } finally {
      process.destroyForcibly();
    }
  }

  /** Return the arguments of this process that concern Java's modules and our logging. */
  private static List<String> arguments() {
    List<String> arguments =
        new ArrayList<>(
            ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--") || argument.startsWith("-Dlog4j2"))
                .toList());
    arguments.add("-Xmx1g");
    arguments.add("-XX:+EnableDynamicAgentLoading");
    return arguments;
  }

  private static boolean fuzzerHasNatives() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String name = system.startsWith("mac") ? "macos" : system.split(" ")[0];
    String processor = System.getProperty("os.arch").replace("amd64", "x86_64");
    String driver = "jazzer_driver_" + name + "_" + processor;
    String file = System.mapLibraryName("jazzer_driver");
    return FuzzingTest.class.getResource(
            "/com/code_intelligence/jazzer/driver/" + driver + "/" + file)
        != null;
  }
}
