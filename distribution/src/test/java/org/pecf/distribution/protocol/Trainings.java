package org.pecf.distribution.protocol;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.run.RunListener;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.construct.EmSettings;
import org.pecf.engine.construct.EnsembleRequest;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.data.split.Confidence;
import org.pecf.engine.data.split.SplitRule;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.ensemble.Member;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.plugin.ProviderKind;
import org.pecf.engine.request.ComputeRequest;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.engine.resource.Workspace;
import org.pecf.engine.run.PreparedData;
import org.pecf.testkit.fixture.Buffers;

/** The trainings that tests of protocols go through: small ones, of every built-in filter. */
final class Trainings {
  static final long SEED = 5;
  static final Confidence CONFIDENCE = new Confidence(1, 0.1f);

  private static final PluginCatalog CATALOG = PluginCatalog.load(List.of());

  /** What makes the training of a filter a matter of milliseconds. */
  private static final Map<String, Map<String, String>> OPTIONS =
      Map.of(
          "wmf", Map.of("rank", "20", "iterations", "4", "lambda", "0.1"),
          "bpr", Map.of("rank", "6", "iterations", "5"),
          "softmax", Map.of("rank", "6", "iterations", "5", "batch", "50"),
          "accams", Map.of("stencils", "2", "clusters", "4", "iterations", "2", "negatives", "0.5"),
          "baccams", Map.of("stencils", "2", "burn-in", "2", "samples", "2", "negatives", "0.5"),
          "ease", Map.of("lambda", "5"));

  /** The filters that weigh cells by their place, residuals of which need the dense path. */
  private static final Set<String> LOCAL = Set.of("cccf", "llorma");

  private Trainings() {}

  static PreparedData load(DataRequest data, ComputationPath path) {
    ComputeRequest compute =
        ComputeRequest.of(Map.of("backend", "cpu", "threads", "1", "memory", "1g")).withPath(path);
    return PreparedData.load(
        data, new Workspace(CATALOG, compute, RunListener.none(), () -> false));
  }

  /** Return all filters that are built in. */
  static List<ProviderChoice> filters() {
    return CATALOG.ids(ProviderKind.FILTER).stream()
        .sorted()
        .map(id -> new ProviderChoice(id, OPTIONS.getOrDefault(id, Map.of())))
        .toList();
  }

  /** Return whether a filter can do what a construction asks of it on a path. */
  static boolean allowed(Construction construction, ProviderChoice filter, ComputationPath path) {
    if (path != ComputationPath.DENSE
        && construction.fitsResiduals()
        && LOCAL.contains(filter.id())) {
      return false;
    }
    Set<FilterCapability> capabilities = CATALOG.filter(filter).capabilities();
    return capabilities.containsAll(
        switch (construction) {
          case SINGLE, BAGGING, GREEDY -> Set.of();
          case PROGRESSIVE -> Set.of(FilterCapability.CELL_WEIGHTS);
          case L2BOOST -> Set.of(FilterCapability.ANY_TARGET);
          case BOOSTED -> Set.of(FilterCapability.ANY_TARGET, FilterCapability.CELL_WEIGHTS);
          case EM -> Set.of(FilterCapability.CELL_WEIGHTS, FilterCapability.WARM_START);
        });
  }

  /** Return a training of three members without patience. */
  static TrainingRequest request(
      PreparedData data,
      SplitRule split,
      EvaluationRequest evaluation,
      Construction construction,
      ProviderChoice filter) {
    return new TrainingRequest(
        // The data is loaded already.
        DataRequest.of("memory"),
        split,
        new EnsembleRequest(
            construction,
            List.of(filter),
            2,
            0,
            new MetricKey(MetricKey.RECALL, evaluation.cutoffs().get(0)),
            CONFIDENCE,
            construction.defaultWeighting(),
            construction.defaultAlpha(),
            construction.defaultWeights(),
            1,
            new EmSettings(2, EmSettings.Start.RANDOM, OptionalDouble.empty(), 2, 0)),
        evaluation,
        data.workspace().compute(),
        SEED);
  }

  /** Return a digest of every bit of the factors or, of other models, of the scores. */
  static String digest(Ensemble ensemble) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (double weight : ensemble.weights()) {
        digest.update(ByteBuffer.allocate(Double.BYTES).putDouble(0, weight));
      }
      for (Member member : ensemble.members()) {
        float[] values = Buffers.values(member.model());
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Float.BYTES);
        bytes.asFloatBuffer().put(values);
        digest.update(bytes);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
