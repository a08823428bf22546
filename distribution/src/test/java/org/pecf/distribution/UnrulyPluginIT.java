package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.distribution.Distribution.Outcome;

/** Use plugins that do what none should: they harm nobody's results, and are named. */
class UnrulyPluginIT {
  private static final String PROVIDER =
      """
      package com.example.unruly;

      import java.util.Set;
      import org.pecf.api.filter.*;
      import org.pecf.api.memory.*;
      import org.pecf.api.plugin.*;

      public final class Unruly implements BaseFilterProvider<NoOptions> {
        @Override
        public ProviderDescription describe() {
          return new ProviderDescription("unruly", "does as it likes", SpiVersion.CURRENT);
        }

        @Override
        public OptionSchema<NoOptions> options() {
          return NoOptions.schema();
        }

        @Override
        public BaseFilter create(NoOptions options) {
          return new BaseFilter() {
            @Override
            public Set<FilterCapability> capabilities() {
              return Set.of(FilterCapability.CELL_WEIGHTS);
            }

            @Override
            public long memoryEstimate(GridShape shape, int positives) {
              return 4L * (shape.users() + shape.items());
            }

            @Override
            public ScoreModel train(TrainingTask task, TrainingContext context) {
              misbehave(task, context);
              FactorModel model = FactorModel.allocate(context.run().allocator(), task.shape(), 1);
              for (int user = 0; user < task.shape().users(); user++) {
                model.users().set(user, 0, 1);
              }
              for (int item = 0; item < task.shape().items(); item++) {
                model.items().set(item, 0, task.positives().itemCount(item) / 1e4f);
              }
              return model;
            }
          };
        }

        static void misbehave(TrainingTask task, TrainingContext context) {
          %s
        }

        static void sleepForEver() {
          try {
            Thread.sleep(Long.MAX_VALUE);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        }
      }
      """;

  private static final String WEIGHTING =
      """
      package com.example.unruly;

      import org.pecf.api.ensemble.*;
      import org.pecf.api.field.*;
      import org.pecf.api.plugin.*;

      public final class Biased implements WeightingSchemeProvider<NoOptions> {
        @Override
        public ProviderDescription describe() {
          return new ProviderDescription("biased", "weighs as it likes", SpiVersion.CURRENT);
        }

        @Override
        public OptionSchema<NoOptions> options() {
          return NoOptions.schema();
        }

        @Override
        public WeightingScheme create(NoOptions options) {
          return (state, kernels) -> new Field(state.confidence());
        }

        record Field(CellField confidence) implements HostField {
          @Override
          public float valueAt(int user, int item) {
            return user %% 50 == 7 ? %s : confidence.valueAt(user, item);
          }
        }
      }
      """;

  private static final String MODULE =
      """
      module com.example.unruly {
        requires org.pecf.api;
        provides org.pecf.api.filter.BaseFilterProvider with com.example.unruly.Unruly;
        %s
      }
      """;

  private static final String EXIT = "System.exit(0);";
  private static final String LEAVE_THREAD =
      "new Thread(Unruly::sleepForEver, \"unruly-thread\").start();";

  @TempDir private Path folder;

  private Path jar(String statement) throws IOException {
    return jar(statement, "");
  }

  /** Pack a filter that does something, and a weighting scheme that weighs some cells alike. */
  private Path jar(String statement, String weight) throws IOException {
    return jar(statement, weight, UnaryOperator.identity());
  }

  private Path jar(String statement, String weight, UnaryOperator<String> change)
      throws IOException {
    Path sources =
        Files.createDirectories(folder.resolve("project/src/main/java/com/example/unruly"));
    Files.createDirectories(folder.resolve("project/src/main/resources"));
    Files.writeString(sources.resolve("Unruly.java"), change.apply(PROVIDER.formatted(statement)));
    if (!weight.isEmpty()) {
      Files.writeString(sources.resolve("Biased.java"), WEIGHTING.formatted(weight));
    }
    Files.writeString(
        folder.resolve("project/src/main/java/module-info.java"),
        MODULE.formatted(
            weight.isEmpty()
                ? ""
                : "provides org.pecf.api.ensemble.WeightingSchemeProvider with"
                    + " com.example.unruly.Biased;"));
    return new PluginBuild(folder.resolve("project"), List.of(), folder)
        .jar(folder.resolve("plugins/unruly.jar"));
  }

  private Outcome train() throws Exception {
    return Distribution.in(folder)
        .run(
            "--plugins",
            "plugins",
            "--filter",
            "unruly",
            "--construction",
            "single",
            "--out",
            "model");
  }

  @Test
  void anExitInTheMiddleIsAFailureOfThePlugin() throws Exception {
    jar(EXIT);
    Outcome outcome = train().expectExit(3);
    assertTrue(
        outcome
            .err()
            .endsWith(
                "pecf-run: error: "
                    + Path.of("plugins/unruly.jar")
                    + " ended the process (System.exit or Runtime.halt in"
                    + " com.example.unruly.Unruly.misbehave) before the command was done; what is"
                    + " not stored yet is lost. Tell its author.\n"),
        outcome.err());
    assertFalse(Files.exists(folder.resolve("model")), "there is no model");
  }

  /** None of this may end the process, or reach what other filters are lent. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "int items = task.shape().items(); for (int k = 0; k < 5000; k++) {"
            + " task.positives().itemAt(task.positives().count() + k * items); }",
        "var model = FactorModel.allocate(context.run().allocator(), task.shape(), 1); try (model)"
            + " { for (int k = 0; k < 5000; k++) { model.items().set(task.shape().items() + k, 0,"
            + " 1); } }",
        "var model = FactorModel.allocate(context.run().allocator(), task.shape(), 1);"
            + " model.close(); model.items().set(0, 0, 1);",
        "task.positives().close();",
        "task.positives().itemsByUser().setInt(0, 7);"
      })
  void aSlipInMemoryIsAFailureOfThePlugin(String slip) throws Exception {
    jar(slip);
    String said = train().expectExit(3).err();
    assertTrue(said.contains("pecf-run: error: filter unruly ("), said);
    assertTrue(said.contains(Path.of("plugins/unruly.jar").toString()), said);
  }

  /** What the backend notices is the fault of who called it, or whom it called. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "var problem = context.compute().leastSquares(new org.pecf.api.compute.LeastSquaresRequest("
            + "task.weights(), task.targets(), 2, new org.pecf.api.compute.Ridge(1, 1, 0)));"
            + " problem.close(); var model = FactorModel.allocate(context.run().allocator(),"
            + " task.shape(), 2); try (model) { problem.solve(Side.USERS, model); }",
        "context.compute().close();",
        "var model = FactorModel.allocate(context.run().allocator(), task.shape(), 2); try (model)"
            + " { context.compute().matrices().multiply(model.users(), model.items(),"
            + " model.users()); }",
        "context.compute().fields().sums(java.util.List.of(new org.pecf.api.field.HostField() {"
            + " @Override public float valueAt(int user, int item) { return 1; }"
            + " @Override public void fill(int user, int item, FloatMatrix tile) {"
            + " tile.set(tile.rows(), 0, 1); } }));"
      })
  void aSlipThatTheBackendNoticesIsToo(String slip) throws Exception {
    jar(slip);
    String said = train().expectExit(3).err();
    String error = said.substring(said.indexOf("pecf-run: error: "));
    String jar = Path.of("plugins/unruly.jar").toString();
    assertTrue(
        error.startsWith("pecf-run: error: filter unruly (" + jar + ") failed: ")
            || error.startsWith("pecf-run: error: " + jar + " (in com.example.unruly.Unruly"),
        said);
  }

  @Test
  void anExitOnAnotherThreadIsAsWell() throws Exception {
    jar("new Thread(() -> System.exit(0)).start(); sleepForEver();");
    Outcome outcome = train().expectExit(3);
    assertTrue(
        outcome.err().contains("unruly.jar ended the process (System.exit or Runtime.halt in "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Runtime.getRuntime().halt(0);",
        "java.util.function.IntConsumer end = Runtime.getRuntime()::halt; end.accept(0);"
      })
  void aHaltIsAsWell(String halt) throws Exception {
    jar(halt);
    Outcome outcome = train().expectExit(3);
    assertTrue(
        outcome.err().contains("unruly.jar ended the process (System.exit or Runtime.halt in "),
        outcome.err());
    assertFalse(Files.exists(folder.resolve("model")), "there is no model");
  }

  @Test
  void whatItPrintsIsNoResult() throws Exception {
    jar("System.out.println(\"made by unruly\");");
    Outcome outcome =
        Distribution.in(folder)
            .run(
                "--plugins", "plugins", "--filter", "unruly", "--construction", "single", "--quiet")
            .expectExit(0);
    assertFalse(outcome.out().contains("made by unruly"), outcome.out());
    assertTrue(outcome.out().contains("recall"), outcome.out());
  }

  @Test
  void anEstimateBeyondAllMeasureIsItsOwn() throws Exception {
    jar(
        "",
        "",
        source -> source.replace("return 4L * (shape.users() + shape.items())", "return 1L << 50"));
    String said = train().expectExit(2).err();
    assertTrue(
        said.contains(
            "pecf-run: error: A model of filter unruly ("
                + Path.of("plugins/unruly.jar")
                + ") takes about 1073741824 MiB of memory by its own estimate, of which "),
        said);
  }

  @Test
  void aThreadThatIsLeftDoesNotHoldUpTheEnd() throws Exception {
    jar(LEAVE_THREAD);
    Outcome outcome = train().expectExit(0);
    assertTrue(
        outcome
            .err()
            .lines()
            .anyMatch(
                line ->
                    line.startsWith("pecf-run: warning: ")
                        && line.contains("unruly.jar left thread 'unruly-thread' running")),
        outcome.err());
    assertTrue(Files.exists(folder.resolve("model/metrics.json")), "the results are stored");
  }

  @Test
  void aHookThatNeverEndsDoesNotEither() throws Exception {
    jar("Runtime.getRuntime().addShutdownHook(new Thread(Unruly::sleepForEver));");
    train().expectExit(0);
  }

  /** The second member is never finished, and its filter does not ask whether it should stop. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aFilterThatDoesNotStopIsNamedAndCostsNoFinishedMember(int signals) throws Exception {
    jar(
        "if (System.setProperty(\"unruly\", \"trained\") != null) {"
            + " new java.io.File(\"stuck\").mkdir();"
            + " while (task != null) { Thread.onSpinWait(); } }");
    Path said = folder.resolve("said.txt");
    Process process =
        Distribution.in(folder)
            .start(
                said,
                said,
                "--plugins",
                "plugins",
                "--filter",
                "unruly",
                "--rounds",
                "3",
                "--out",
                "model");
    try {
      while (!Files.exists(folder.resolve("stuck"))) {
        assertTrue(process.isAlive(), Files.readString(said));
        Thread.sleep(20);
      }
      int signal = InterruptionIT.heededSignal();
      for (int k = 0; k < signals; k++) {
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
      }
      assertEquals(128 + signal, process.waitFor(), Files.readString(said));
    } finally {
      process.destroyForcibly();
    }
    assertTrue(
        Files.readString(said)
            .contains(
                "pecf-run: warning: "
                    + Path.of("plugins/unruly.jar")
                    + " (in com.example.unruly.Unruly.misbehave) did not stop when it was asked to."
                    + " Its work is given up."),
        Files.readString(said));
    assertTrue(Files.readString(said).contains("interrupted; 1 member, "), Files.readString(said));
    Outcome recommended =
        Distribution.in(folder).run("recommend", "model", "--user", "5", "--top", "3");
    assertTrue(recommended.expectExit(0).err().contains("model is incomplete"), recommended.err());
  }

  private static final String OWN_MODEL =
      """
            static final class Own implements ScoreModel {
              final GridShape shape;

              Own(GridShape shape) {
                this.shape = shape;
              }

              @Override
              public GridShape shape() {
                return shape;
              }

              @Override
              public float scoreAt(int user, int item) {
                return user == 3 ? %s : item;
              }

              @Override
              public Own transferTo(org.apache.arrow.memory.BufferAllocator target) {
                return this;
              }

              @Override
              public void close() {}
            }

            static void misbehave(TrainingTask task, TrainingContext context) {
              System.err.println("training began");
      """;

  /** Pack a filter whose models are of a kind of its own, with a given score in one row. */
  private void ownModelJar(String score) throws IOException {
    Path sources =
        Files.createDirectories(folder.resolve("project/src/main/java/com/example/unruly"));
    Files.createDirectories(folder.resolve("project/src/main/resources"));
    Files.writeString(
        sources.resolve("Unruly.java"),
        PROVIDER
            .formatted("")
            .replace("FilterCapability.CELL_WEIGHTS", "FilterCapability.OWN_MODEL")
            .replace("return model;", "model.close(); return new Own(task.shape());")
            .replace(
                "static void misbehave(TrainingTask task, TrainingContext context) {",
                OWN_MODEL.formatted(score)));
    Files.writeString(
        folder.resolve("project/src/main/java/module-info.java"), MODULE.formatted(""));
    new PluginBuild(folder.resolve("project"), List.of(), folder)
        .jar(folder.resolve("plugins/unruly.jar"));
  }

  @Test
  void aModelThatCannotBeStoredIsRefusedBeforeTraining() throws Exception {
    ownModelJar("1");
    String said = train().expectExit(2).err();
    assertTrue(said.contains("Filter unruly trains models that cannot be stored."), said);
    assertFalse(said.contains("training began"), said);
    assertFalse(Files.exists(folder.resolve("model")), "there is no model");
    Outcome kept =
        Distribution.in(folder)
            .run("--plugins", "plugins", "--filter", "unruly", "--construction", "single")
            .expectExit(0);
    assertTrue(kept.err().contains("training began"), kept.err());
  }

  @Test
  void scoresThatAreNoneAreTheFaultOfTheirFilter() throws Exception {
    ownModelJar("Float.NaN");
    String said =
        Distribution.in(folder)
            .run("--plugins", "plugins", "--filter", "unruly", "--construction", "single")
            .expectExit(3)
            .err();
    assertTrue(
        said.contains(
            "filter unruly ("
                + Path.of("plugins/unruly.jar")
                + ") returned a model whose scores are not all finite numbers."),
        said);
  }

  @Test
  void weightsThatAreNoneAreTheFaultOfTheirScheme() throws Exception {
    for (String weight : List.of("Float.NaN", "-1")) {
      jar("", weight);
      String said = reweighted("dense").expectExit(3).err();
      assertTrue(
          said.contains(
              "pecf-run: error: weighting biased (" + Path.of("plugins/unruly.jar") + ") gives"),
          said);
    }
  }

  @Test
  void weightsThatCannotBeCorrectedAreRefusedBeforeTraining() throws Exception {
    jar("", "0.5f");
    String said = reweighted("corrected").expectExit(2).err();
    assertTrue(said.contains("biased (") && said.contains("have no bounded background"), said);
    assertFalse(said.contains("joined"), said);
    reweighted("auto").expectExit(0);
  }

  private Outcome reweighted(String path) throws Exception {
    return Distribution.in(folder)
        .run(
            "--plugins",
            "plugins",
            "--weighting",
            "biased",
            "--path",
            path,
            "--rounds",
            "1",
            "--rank",
            "4",
            "--iterations",
            "2");
  }

  private Outcome verify(Path jar, String... more) throws Exception {
    String[] arguments = {"plugins", "verify", "--contract", jar.toString()};
    String[] all = Arrays.copyOf(arguments, arguments.length + more.length);
    System.arraycopy(more, 0, all, arguments.length, more.length);
    return Distribution.in(folder).run(all);
  }

  private static void assertProblem(Outcome outcome, String text) {
    outcome.expectExit(3);
    assertTrue(
        outcome
            .out()
            .lines()
            .anyMatch(line -> line.matches("error +contract +.*") && line.contains(text)),
        outcome.out());
  }

  @Test
  void contractsNoticeAnExit() throws Exception {
    assertProblem(verify(jar(EXIT)), "the process ended early, with exit code 0, in Unruly: ");
  }

  @Test
  void contractsNoticeThreadsAndPrinting() throws Exception {
    Outcome outcome = verify(jar(LEAVE_THREAD + "System.out.println(\"made by unruly\");"));
    assertProblem(outcome, "Unruly: it leaves thread 'unruly-thread' running");
    assertProblem(outcome, "Unruly: it prints to standard output, where results go: 'made by");
  }

  /** Arrow logs a leak, which must not count as printing. */
  @Test
  void contractsNoticeALeakAsNothingElse() throws Exception {
    Outcome outcome = verify(jar("context.run().allocator().buffer(1000);"));
    assertProblem(outcome, "Unruly: ");
    assertFalse(outcome.out().contains("it prints"), outcome.out());
  }

  @Test
  void contractsHaveALimit() throws Exception {
    Path jar = jar("while (task != null) { Thread.onSpinWait(); }");
    assertProblem(
        verify(jar, "--contract-limit", "15"), "it was not done within 15 seconds, in Unruly: ");
  }

  @Test
  void aLimitWithoutContractsIsRefused() throws Exception {
    Outcome outcome =
        Distribution.in(folder)
            .run("plugins", "verify", "--contract-limit", "5", jar("").toString())
            .expectExit(2);
    assertTrue(outcome.err().contains("no meaning without --contract"), outcome.err());
  }

  /**
   * End the command in the middle of contracts that never end.
   *
   * @return what it said
   */
  private String endVerifying(Consumer<Process> way, int code) throws Exception {
    Path jar = jar("while (task != null) { Thread.onSpinWait(); }");
    Path said = folder.resolve("said.txt");
    Process process =
        Distribution.in(folder).start(said, said, "plugins", "verify", "--contract", jar + "");
    Optional<ProcessHandle> child = Optional.empty();
    while (child.isEmpty() && process.isAlive()) {
      Thread.sleep(50);
      child = process.children().findFirst();
    }
    way.accept(process);
    assertEquals(code, process.waitFor(), "a signal is nobody's exit");
    child.orElseThrow().onExit().get();
    return Files.readString(said);
  }

  @Test
  void endingTheCommandEndsItsContracts() throws Exception {
    String said = endVerifying(Process::destroy, 128 + 15);
    assertFalse(said.contains("ended the process"), said);
  }

  @Test
  void killingTheCommandEndsItsContracts() throws Exception {
    endVerifying(Process::destroyForcibly, 128 + 9);
  }
}
