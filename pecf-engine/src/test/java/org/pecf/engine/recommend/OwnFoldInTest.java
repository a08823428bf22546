package org.pecf.engine.recommend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.CellField;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunListener;
import org.pecf.api.run.Seed;
import org.pecf.engine.data.split.Confidence;
import org.pecf.engine.ensemble.Combination;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.ensemble.MemberFit;
import org.pecf.engine.ensemble.WeightRule;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.model.StoredModel;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.recommend.foldin.FoldedRow;
import org.pecf.engine.request.ComputeRequest;
import org.pecf.engine.resource.Workspace;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.PluginJarBuilder;
import org.pecf.testkit.reference.ReferenceComputeSession;

/** A stored model of a plugin's filter that fits new rows in its own way. */
class OwnFoldInTest {
  private static final GridShape SHAPE = new GridShape(40, 30);

  @TempDir private Path folder;
  private final BufferAllocator allocator = new RootAllocator();

  /** A user is the sum of the vectors of the user's items, which are drawn. */
  private PluginCatalog catalog(String name, String fitter) {
    PluginJarBuilder.jar(name + ".jar")
        .module(
            """
            module sums {
              requires org.pecf.api;
              provides org.pecf.api.filter.BaseFilterProvider with sums.SumsProvider;
            }
            """)
        .source(
            "sums.SumsProvider",
            """
            import java.util.*;
            import org.pecf.api.filter.*;
            import org.pecf.api.memory.*;
            import org.pecf.api.plugin.*;

            public final class SumsProvider implements BaseFilterProvider<NoOptions> {
              public ProviderDescription describe() {
                return new ProviderDescription("sums", "Sums of vectors", SpiVersion.CURRENT);
              }
              public OptionSchema<NoOptions> options() {
                return NoOptions.schema();
              }
              public BaseFilter create(NoOptions options) {
                return new Sums();
              }
              %s
            }

            final class Sums implements BaseFilter {
              public Set<FilterCapability> capabilities() {
                return Set.of(FilterCapability.DETERMINISTIC);
              }
              public long memoryEstimate(GridShape shape, int positives) {
                return 0;
              }
              public ScoreModel train(TrainingTask task, TrainingContext context) {
                FactorModel model =
                    FactorModel.allocate(context.run().allocator(), task.shape(), 4);
                float[] values = new float[task.shape().items() * 4];
                context.seed().fillNormal(values, 1);
                model.items().writeRows(0, task.shape().items(), values);
                for (int user = 0; user < task.shape().users(); user++) {
                  int first = task.positives().userStart(user);
                  int[] items = new int[task.positives().userCount(user)];
                  for (int k = 0; k < items.length; k++) {
                    items[k] = task.positives().itemAt(first + k);
                  }
                  model.users().writeRows(user, 1, sum(items, model.items(), 0.5f));
                }
                return model.withRules(
                    new RowRules(
                        new RowRule.OfFilter(Map.of("scale", "0.5")), new RowRule.BestFit()));
              }
              static float[] sum(int[] items, FloatMatrix vectors, float scale) {
                float[] sum = new float[4];
                for (int item : items) {
                  for (int k = 0; k < 4; k++) {
                    sum[k] += scale * vectors.get(item, k);
                  }
                }
                return sum;
              }
            }
            """
                .formatted(fitter))
        .in(folder.resolve("plugins-" + name));
    return PluginCatalog.load(List.of(folder.resolve("plugins-" + name)));
  }

  private static String fitter(String body) {
    return "public Optional<RowFitter> rowFitter() { return Optional.of(row -> { %s }); }"
        .formatted(body);
  }

  private static final String SUM =
      """
      return Sums.sum(
          row.positives(), row.others(), Float.parseFloat(row.settings().get("scale")));
      """;

  /** Train the filter, and store its model beside the data of a random one. */
  @BeforeEach
  void store() {
    try (StoredModel data = RandomModel.of(SHAPE.users(), SHAPE.items(), 1, allocator, 1);
        Ensemble ensemble = new Ensemble(SHAPE)) {
      ensemble.add(
          train(catalog("trained", fitter(SUM)), data.training()),
          "sums",
          Combination.CONVEX,
          1,
          Optional.of(
              MemberFit.of(new Confidence(1, 0.1f), new WeightRule.Plain(), false, List.of())));
      ModelStore.save(
          place(),
          new StoredModel(
              ensemble,
              data.users(),
              data.items(),
              data.training(),
              data.alsoKnown(),
              data.description()),
          false,
          allocator);
    }
  }

  private Path place() {
    return folder.resolve("model");
  }

  private ScoreModel train(PluginCatalog catalog, SparseCells training) {
    RunContext run =
        new RunContext(allocator, new DirectParallelism(), () -> false, RunListener.none());
    try (ComputeSession session =
        new ReferenceComputeSession(new SessionContext(run, SHAPE, ComputationPath.AUTO, 0))) {
      return catalog
          .filter(ProviderChoice.of("sums"))
          .train(
              new TrainingTask(
                  SHAPE,
                  training,
                  CellField.constant(1),
                  CellField.observed(training, 1, 0),
                  Optional.empty()),
              new TrainingContext(run, session, new Seed(5)));
    }
  }

  @AfterEach
  void closeAllocator() {
    allocator.close();
  }

  private static Workspace workspace(PluginCatalog catalog) {
    return new Workspace(
        catalog, ComputeRequest.of(Map.of("memory", "16m")), RunListener.none(), () -> false);
  }

  /** Open the model with a plugin, and take in a user whom nothing but a refusal awaits. */
  private PecfException refusal(PluginCatalog catalog) {
    try (Recommender recommender = Recommender.open(place(), workspace(catalog))) {
      return assertThrows(
          PecfException.class, () -> recommender.recommendFor(List.of("10", "50"), 3));
    }
  }

  @Test
  void takesInItsUsersAgain() {
    try (Workspace workspace = workspace(catalog("again", fitter(SUM)));
        StoredModel model = ModelStore.open(place(), workspace.allocator())) {
      NewRows rows = new NewRows(model, Optional.of(workspace));
      FactorModel factors = (FactorModel) model.ensemble().members().get(0).model();
      for (int user = 0; user < SHAPE.users(); user++) {
        SparseCells training = model.training();
        int[] items =
            IntStream.range(training.userStart(user), training.userStart(user + 1))
                .map(training::itemAt)
                .toArray();
        FoldedRow row = rows.users().fit(items);
        float[] trained = new float[4];
        factors.users().readRow(user, trained);
        assertArrayEquals(trained, row.factors().get(0));
      }
    }
  }

  @Test
  void recommendsToANewUserAndTakesInANewItemWithoutThePlugin() {
    try (Recommender with = Recommender.open(place(), workspace(catalog("with", fitter(SUM))))) {
      assertEquals(3, with.recommendFor(List.of("10", "50"), 3).size());
    }
    try (Recommender without = Recommender.open(place())) {
      assertEquals(3, without.recommend("1000", 3).size());
      assertEquals(3, without.audienceOfNew(List.of("1000", "1003"), 3).size());
      PecfException missing =
          assertThrows(PecfException.class, () -> without.recommendFor(List.of("10", "50"), 3));
      assertTrue(missing.getMessage().contains("the plugin of filter sums"), missing.getMessage());
    }
  }

  @Test
  void saysWhichPluginIsMissing() {
    PecfException missing = refusal(PluginCatalog.builtIn());
    assertEquals(ErrorCode.UNAVAILABLE, missing.code());
    assertTrue(
        missing
            .getMessage()
            .startsWith(
                "New users and items of this model are fitted by the plugin of filter 'sums', so"
                    + " put it among the plugins. There is no filter 'sums'."),
        missing.getMessage());
  }

  @Test
  void namesAPluginThatFailsToFit() {
    PecfException none = refusal(catalog("none", ""));
    assertEquals(ErrorCode.PLUGIN_FAULT, none.code());
    assertTrue(none.getMessage().contains("none.jar) trained a model"), none.getMessage());
    PecfException broken =
        refusal(catalog("broken", fitter("throw new IllegalStateException(\"too new\");")));
    assertEquals(ErrorCode.PLUGIN_FAULT, broken.code());
    assertTrue(broken.getMessage().contains("broken.jar) failed"), broken.getMessage());
    PecfException wrong = refusal(catalog("wrong", fitter("return new float[3];")));
    assertTrue(
        wrong.getMessage().contains("wrong.jar) fitted a row that is not of 4"),
        wrong.getMessage());
  }
}
