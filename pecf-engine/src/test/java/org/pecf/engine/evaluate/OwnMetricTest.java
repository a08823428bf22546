package org.pecf.engine.evaluate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderKind;
import org.pecf.engine.request.RequestOptions;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.testkit.fixture.PluginJarBuilder;

/** A metric of a plugin: found by its id, measured beside those of the program. */
class OwnMetricTest {
  @TempDir private Path folder;

  private PluginCatalog catalog(String value) {
    PluginJarBuilder.jar("closeness.jar")
        .module(
            """
            module closeness {
              requires org.pecf.api;
              provides org.pecf.api.evaluate.MetricProvider with closeness.Closeness;
            }
            """)
        .source(
            "closeness.Closeness",
            """
            import org.pecf.api.evaluate.*;
            import org.pecf.api.plugin.*;

            public final class Closeness implements MetricProvider {
              public ProviderDescription describe() {
                return new ProviderDescription(
                    "closeness", "sum over hits of M - place, / P", SpiVersion.CURRENT);
              }
              public Metric create(NoOptions options) {
                return hits -> {
                  double sum = 0;
                  for (int hit = 0; hit < hits.count(); hit++) {
                    sum += hits.cutoff() - hits.place(hit);
                  }
                  return %s;
                };
              }
            }
            """
                .formatted(value))
        .in(folder);
    return PluginCatalog.load(List.of(folder));
  }

  private static EvaluationRequest request(String... metrics) {
    return new EvaluationRequest(
        List.of(10, 2), CandidatePolicy.ALL, UserSample.ALL, List.of(metrics));
  }

  /** Two users: hits at 1 and 4 of 4 positives, and none of 1. */
  private static UserHits hits() {
    UserHits hits = new UserHits(2);
    hits.user(0, 4);
    hits.hit(1);
    hits.hit(4);
    hits.user(1, 1);
    return hits;
  }

  @Test
  void itIsMeasuredBesideThoseOfTheProgram() {
    Metrics metrics = Metrics.of(request("closeness"), catalog("sum / hits.positives()"));
    assertEquals(
        List.of("hit-rate@2", "closeness@10", "closeness@2", "coverage@10"),
        metrics.keys().stream().map(MetricKey::toString).toList().subList(13, 17));
    assertArrayEquals(
        new double[] {(9 + 6) / 4.0, 0}, metrics.values(MetricKey.parse("closeness@10"), hits()));
    assertArrayEquals(
        new double[] {1 / 4.0, 0}, metrics.values(MetricKey.parse("closeness@2"), hits()));
    assertEquals("sum over hits of M - place, / P", metrics.definition("closeness"));
  }

  @Test
  void whoSelectsByItWantsItMeasured() {
    PluginCatalog catalog = catalog("sum");
    assertTrue(catalog.ids(ProviderKind.METRIC).containsAll(List.of("closeness", "ndcg")));
    TrainingRequest asked =
        TrainingRequest.of(Map.of("select", "closeness@10", "patience", "2", "metrics", ""));
    assertEquals(List.of("closeness"), asked.evaluation().metrics());
    assertEquals(List.of(), TrainingRequest.of(Map.of("select", "ndcg@10")).evaluation().metrics());
  }

  @Test
  void oneThatIsNotThereIsNamedBeforeAnythingIsDone() {
    PecfException unknown =
        assertThrows(
            PecfException.class,
            () ->
                new RequestOptions(
                        Map.of("select", "closenes@10", "patience", "2", "filter", "acme"))
                    .request(catalog("sum")));
    assertEquals(ErrorCode.UNAVAILABLE, unknown.code());
    assertTrue(
        unknown.getMessage().startsWith("There is no metric 'closenes'. Did you mean 'closeness'?"),
        unknown.getMessage());
  }

  @Test
  void whatIsNoNumberIsItsFault() {
    Metrics metrics = Metrics.of(request("closeness"), catalog("sum / hits.count()"));
    PecfException fault =
        assertThrows(
            PecfException.class, () -> metrics.values(MetricKey.parse("closeness@2"), hits()));
    assertEquals(
        "metric closeness (%s) returned NaN for a user. Tell its author."
            .formatted(folder.resolve("closeness.jar")),
        fault.getMessage());
  }
}
