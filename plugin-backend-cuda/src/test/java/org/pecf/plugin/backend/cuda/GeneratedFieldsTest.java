package org.pecf.plugin.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import org.apache.arrow.memory.ArrowBuf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.data.Part;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.CellPartition;
import org.pecf.api.field.Constant;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Mixture;
import org.pecf.api.field.MixtureLogDensity;
import org.pecf.api.field.Posterior;
import org.pecf.api.field.Responsibility;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunEvent;
import org.pecf.plugin.backend.cuda.StandIn.Count;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.TestGrids;

/** Fields by kernels that are generated for them, beside the kernel that serves all of them. */
class GeneratedFieldsTest extends OnStandIn {
  private static final GridShape SHAPE = new GridShape(7, 45);

  private SparseCells positives;
  private SparseCells others;
  private FactorModel first;
  private FactorModel second;
  private FactorModel strange;

  @BeforeEach
  void open() {
    positives = TestGrids.randomCells(root, SHAPE, 0.3, 1);
    others = TestGrids.randomCells(root, SHAPE, 0.5, 2);
    first = TestGrids.randomModel(root, SHAPE, 3, 3);
    second = TestGrids.randomModel(root, SHAPE, 2, 4);
    strange = TestGrids.randomModel(root, SHAPE, 3, 5);
    // Scores at the ends of what there is.
    strange.users().set(1, 0, Float.NaN);
    strange.users().set(2, 0, 1e30f);
    strange.users().set(3, 0, Float.NEGATIVE_INFINITY);
  }

  @AfterEach
  void close() {
    positives.close();
    others.close();
    first.close();
    second.close();
    strange.close();
  }

  private CellField error(FactorModel model) {
    return CellField.difference(CellField.observed(positives, 1, 0), CellField.score(model));
  }

  private static Mixture mixture(double... shares) {
    return new Mixture(DoubleStream.of(shares).boxed().toList(), 0.4);
  }

  /** Return fields with every operation, each with all that can differ in it. */
  private Map<String, List<CellField>> fields(FactorModel model) {
    CellField error = error(model);
    CellField other = error(second);
    List<CellField> errors = List.of(error, other, new Constant(0.25f));
    CellPartition partition = new CellPartition(-7, 3, 1, 1);
    Map<String, List<CellField>> fields = new LinkedHashMap<>();
    fields.put("numbers", List.of(new Constant(0), new Constant(1), new Constant(-2.5f)));
    fields.put(
        "cells",
        List.of(CellField.observed(positives, 0.75f, -2), CellField.observed(others, 0, 1)));
    fields.put("parts", List.of(partition.mask(Part.TRAINING), partition.mask(Part.TEST), error));
    fields.put(
        "sums",
        List.of(
            new Linear(List.of(new Linear.Term(-3, CellField.observed(positives, 2, 5)))),
            new Linear(
                List.of(
                    new Linear.Term(0.5f, CellField.score(model)),
                    new Linear.Term(-1, CellField.observed(others, 3, 0.5f)),
                    new Linear.Term(1, CellField.observed(positives, 0.1f, 7)),
                    new Linear.Term(2, CellField.score(second))))));
    fields.put(
        "products",
        List.of(
            CellField.product(other, other, other, CellField.observed(others, 2, 3)),
            CellField.product(CellField.observed(positives, 1, 0.01f), other)));
    fields.put(
        "posteriors",
        List.of(
            new Apply(new Posterior(10, 0.3f, 11), List.of(error)),
            new Apply(new Posterior(3, 2, 1), List.of(other))));
    fields.put("log densities", List.of(density(errors, 0.3, 0.5, 0.2), density(errors, 1, 0, 0)));
    fields.put("one responsibility", List.of(responsibility(errors, 1, 0.3, 0.5, 0.2)));
    fields.put(
        "all responsibilities",
        List.of(
            responsibility(errors, 2, 0.3, 0.7, 0),
            responsibility(errors, 0, 0.3, 0.7, 0),
            other,
            responsibility(errors, 1, 0.3, 0.7, 0)));
    fields.put(
        "functions of plugins",
        List.of(CellField.product(other, new Apply(values -> values[0] + 2 * values[1], errors))));
    return fields;
  }

  private static CellField density(List<CellField> errors, double... shares) {
    return new Apply(new MixtureLogDensity(mixture(shares)), errors);
  }

  private static CellField responsibility(List<CellField> errors, int component, double... shares) {
    return new Apply(new Responsibility(component, mixture(shares)), errors);
  }

  /** Return the values of fields in a tile and at listed cells. */
  private float[] values(ComputeSession session, List<CellField> fields) {
    List<Float> values = new ArrayList<>();
    try (FloatMatrix tile = FloatMatrix.allocate(root, 5, 40);
        ArrowBuf listed = root.buffer(4L * others.count())) {
      for (CellField field : fields) {
        session.fields().fill(field, 1, 4, tile);
        session.fields().gather(field, others, listed);
        for (int k = 0; k < 200; k++) {
          values.add(tile.get(k / 40, k % 40));
        }
        for (int k = 0; k < others.count(); k++) {
          values.add(listed.getFloat(4L * k));
        }
      }
    }
    float[] found = new float[values.size()];
    for (int k = 0; k < found.length; k++) {
      found[k] = values.get(k);
    }
    return found;
  }

  /** Return the sums of fields that are computed together; numbers, which no other can hide. */
  private static float[] sums(ComputeSession session, List<CellField> fields) {
    double[] sums = session.fields().sums(fields);
    float[] found = new float[sums.length];
    for (int k = 0; k < found.length; k++) {
      assertTrue(Double.isFinite(sums[k]), "sum " + k);
      found[k] = (float) sums[k];
    }
    return found;
  }

  private <R> R with(String kernels, List<RunEvent> events, Function<ComputeSession, R> work) {
    SessionContext context =
        new SessionContext(
            new RunContext(root, new DirectParallelism(), () -> false, events::add),
            SHAPE,
            ComputationPath.DENSE,
            0.05);
    CudaBackendProvider provider = new CudaBackendProvider();
    CudaOptions options = provider.options().bind("cuda", Map.of("kernels", kernels));
    try (ComputeSession session = provider.create(options).open(context)) {
      return work.apply(session);
    }
  }

  private static void assertSame(float[] expected, float[] actual, String what) {
    assertEquals(expected.length, actual.length, what);
    for (int k = 0; k < expected.length; k++) {
      // Adding 0 makes -0 a 0: sums that start with nothing may differ in that.
      assertEquals(expected[k] + 0.0f, actual[k] + 0.0f, what + ", value " + k);
    }
  }

  private Map<String, float[]> all(ComputeSession session) {
    Map<String, float[]> values = new LinkedHashMap<>();
    fields(strange).forEach((name, some) -> values.put(name, values(session, some)));
    fields(first).forEach((name, some) -> values.put("sums of " + name, sums(session, some)));
    return values;
  }

  /** Not close but equal: both call the same functions in the same order. */
  @Test
  void kernelOfItsOwnComputesWhatTheGeneralOneDoes() {
    Map<String, float[]> expected = with("ptx", new ArrayList<>(), this::all);
    List<RunEvent> events = new ArrayList<>();
    long before = StandIn.count(Count.GENERATED_KERNELS);
    Map<String, float[]> actual = with("source", events, this::all);
    assertTrue(StandIn.count(Count.GENERATED_KERNELS) > before + fields(first).size());
    expected.forEach((name, values) -> assertSame(values, actual.get(name), name));
    assertEquals(List.of(), events);
  }

  /** A mixture whose shares change with every step is compiled once. */
  @Test
  void programsThatDifferInConstantsShareAKernel() {
    List<CellField> errors = List.of(error(first), error(second));
    with(
        "source",
        new ArrayList<>(),
        session -> {
          long before = StandIn.count(Count.GENERATED_KERNELS);
          float[] one = values(session, List.of(responsibility(errors, 0, 0.2, 0.8)));
          long after = StandIn.count(Count.GENERATED_KERNELS);
          float[] two = values(session, List.of(responsibility(errors, 0, 0.6, 0.4)));
          assertEquals(1, after - before);
          assertEquals(after, StandIn.count(Count.GENERATED_KERNELS));
          assertTrue(one[0] != two[0], "the shares make a difference");
          return null;
        });
  }

  @Test
  void withoutCompilerFieldsAreInterpretedAndThatIsSaid() {
    List<CellField> some = List.of(error(second));
    float[] expected = with("ptx", new ArrayList<>(), session -> values(session, some));
    List<RunEvent> events = new ArrayList<>();
    StandIn.setCompiling(false);
    float[] actual =
        with(
            "source",
            events,
            session -> {
              values(session, some);
              return values(session, some);
            });
    assertSame(expected, actual, "interpreted");
    assertEquals(
        List.of(
            "fields are computed by the general kernel, which takes longer: one of their own could"
                + " not be compiled (NVRTC_ERROR_COMPILATION: pecf.cu(1): error: asked to fail)"),
        events.stream().map(RunEvent::summary).toList(),
        "said once");
  }
}
