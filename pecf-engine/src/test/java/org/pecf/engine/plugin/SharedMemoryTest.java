package org.pecf.engine.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.field.CellField;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunEvent;
import org.pecf.api.run.RunListener;
import org.pecf.api.run.Seed;
import org.pecf.testkit.fixture.PluginJarBuilder;
import org.pecf.testkit.fixture.ThreadedParallelism;

/** A plugin in a layer of its own works on the engine's memory, not on copies of it. */
class SharedMemoryTest {
  private static final GridShape SHAPE = new GridShape(3, 2);

  @TempDir static Path plugins;

  /** The plugin tells what it sees by events, and writes into the model it starts from. */
  @BeforeAll
  static void buildPlugin() {
    PluginJarBuilder.jar("witness.jar")
        .module(
            """
            module witness {
              requires org.pecf.api;
              provides org.pecf.api.filter.BaseFilterProvider with witness.WitnessProvider;
            }
            """)
        .source(
            "witness.WitnessProvider",
            """
            import java.lang.invoke.MethodHandles;
            import org.pecf.api.filter.*;
            import org.pecf.api.plugin.*;

            public final class WitnessProvider
                implements BaseFilterProvider<WitnessProvider.Options> {
              public record Options(
                  @Option(value = "factors", defaultValue = "2", min = 1) int rank) {}

              @Override
              public ProviderDescription describe() {
                return new ProviderDescription(
                    "witness", "Tells where memory is", SpiVersion.CURRENT);
              }

              @Override
              public OptionSchema<Options> options() {
                return OptionSchema.of(MethodHandles.lookup(), Options.class);
              }

              @Override
              public BaseFilter create(Options options) {
                return new Witness(options.rank());
              }
            }
            """)
        .source(
            "witness.Seen",
            """
            record Seen(String what, long value) implements org.pecf.api.run.RunEvent {
              @Override
              public String summary() {
                return what + " " + value;
              }
            }
            """)
        .source(
            "witness.Witness",
            """
            import java.util.Set;
            import org.pecf.api.filter.*;
            import org.pecf.api.memory.*;

            record Witness(int rank) implements BaseFilter {
              @Override
              public Set<FilterCapability> capabilities() {
                return Set.of(FilterCapability.WARM_START);
              }

              @Override
              public long memoryEstimate(GridShape shape, int positives) {
                return 0;
              }

              @Override
              public ScoreModel train(TrainingTask task, TrainingContext context) {
                FactorModel start = (FactorModel) task.start().orElseThrow();
                tell(context, "start", start.users().rowAddress(0));
                tell(context, "positives", task.positives().cellsAddress(Side.USERS));
                tell(context, "read", (long) start.users().get(2, 1));
                try {
                  start.users().set(0, 0, 42);
                } catch (IllegalStateException lent) {
                  tell(context, "refused", 42);
                }
                FactorModel model = FactorModel.allocate(context.run().allocator(), task.shape(), rank);
                tell(context, "users", model.users().buffer().memoryAddress());
                tell(context, "items", model.items().buffer().memoryAddress());
                model.users().set(1, 0, 7);
                return model;
              }

              private static void tell(TrainingContext context, String what, long value) {
                context.run().listener().on(new Seen(what, value));
              }
            }
            """)
        .in(plugins);
  }

  @Test
  void thePluginIsOutsideTheEnginesLayer() {
    PluginReport report =
        PluginCatalog.load(List.of(plugins)).origin(ProviderKind.FILTER, "witness");

    assertEquals(PluginReport.State.LOADED, report.state());
    assertEquals(Optional.empty(), ModuleLayer.boot().findModule("witness"));
  }

  @Test
  void thePluginReadsTheEnginesMemoryAndHandsItsOwnOverUncopied() {
    BaseFilter filter = PluginCatalog.load(List.of(plugins)).filter(ProviderChoice.of("witness"));
    List<String> told = new ArrayList<>();
    try (BufferAllocator engine = new RootAllocator();
        BufferAllocator ensemble = engine.newChildAllocator("ensemble", 0, Long.MAX_VALUE);
        SparseCells positives =
            SparseCells.ofSorted(engine, 3, 2, 2, new int[] {0, 2}, new int[] {1, 0});
        FactorModel start = FactorModel.allocate(engine, SHAPE, 2)) {
      start.users().set(2, 1, 11);
      FactorModel kept;
      List<String> expected = new ArrayList<>();
      try (BufferAllocator member = engine.newChildAllocator("member", 0, 1 << 20)) {
        FactorModel model =
            (FactorModel) filter.train(task(positives, start), context(member, told));
        expected.add("start " + address(start.users()));
        expected.add("positives " + positives.itemsByUser().memoryAddress());
        expected.add("read 11");
        expected.add("refused 42");
        expected.add("users " + address(model.users()));
        expected.add("items " + address(model.items()));
        assertTrue(member.getAllocatedMemory() > 0, "the model is the member's");
        kept = model.transferTo(ensemble);
        assertEquals(0, member.getAllocatedMemory(), "the member has handed everything over");
      }
      try (kept) {
        assertEquals(expected, told);
        assertEquals("users " + address(kept.users()), told.get(4));
        assertEquals("items " + address(kept.items()), told.get(5));
        assertEquals(0, start.users().get(0, 0), "what is lent stays as it is");
        assertEquals(7, kept.users().get(1, 0), "the member's layer is closed, its model lives on");
        assertSame(ensemble, kept.users().buffer().getReferenceManager().getAllocator());
      }
    }
  }

  @Test
  void thePluginSharesTheTypesOfTheSpiAndKeepsItsOwnLoader() {
    PluginCatalog catalog = PluginCatalog.load(List.of(plugins));
    List<RunEvent> events = new ArrayList<>();
    try (BufferAllocator engine = new RootAllocator();
        SparseCells positives = SparseCells.ofSorted(engine, 3, 2, 0, new int[0], new int[0]);
        FactorModel start = FactorModel.allocate(engine, SHAPE, 2)) {
      catalog
          .filter(ProviderChoice.parse("witness:1"))
          .train(task(positives, start), context(engine, events::add))
          .close();
    }

    Class<?> event = events.get(0).getClass();
    assertEquals("witness", event.getModule().getName());
    assertNotSame(PluginCatalog.class.getClassLoader(), event.getClassLoader());
    assertSame(RunEvent.class, event.getInterfaces()[0]);
  }

  @Test
  void aMemberThatOutgrowsItsBudgetIsAMatterOfResources() {
    BaseFilter filter =
        PluginCatalog.load(List.of(plugins)).filter(ProviderChoice.parse("witness:100000"));
    try (BufferAllocator engine = new RootAllocator();
        BufferAllocator member = engine.newChildAllocator("member", 0, 1000);
        SparseCells positives = SparseCells.ofSorted(engine, 3, 2, 0, new int[0], new int[0]);
        FactorModel start = FactorModel.allocate(engine, SHAPE, 2)) {

      PecfException failure =
          assertThrows(
              PecfException.class,
              () -> filter.train(task(positives, start), context(member, new ArrayList<>())));

      assertEquals(ErrorCode.RESOURCES, failure.code());
      assertTrue(failure.getMessage().startsWith("filter witness ("), failure.getMessage());
      assertEquals(0, member.getAllocatedMemory());
    }
  }

  private static TrainingTask task(SparseCells positives, FactorModel start) {
    CellField ones = CellField.constant(1);
    return new TrainingTask(SHAPE, positives, ones, ones, Optional.of(start));
  }

  private static TrainingContext context(BufferAllocator allocator, List<String> told) {
    return context(allocator, (RunEvent event) -> told.add(event.summary()));
  }

  private static TrainingContext context(BufferAllocator allocator, RunListener listener) {
    return new TrainingContext(
        new RunContext(allocator, new ThreadedParallelism(1), () -> false, listener),
        null,
        new Seed(1));
  }

  private static long address(FloatMatrix matrix) {
    return matrix.buffer().memoryAddress();
  }
}
