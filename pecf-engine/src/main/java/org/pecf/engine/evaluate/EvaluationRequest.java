package org.pecf.engine.evaluate;

import java.lang.invoke.MethodHandles;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.engine.data.split.SplitRule;

/** The cutoffs, candidates and users of an evaluation. */
public record EvaluationRequest(
    @Option(
            value = "The lengths of ranked lists to measure, in the order of reports",
            label = "M,...",
            defaultValue = "10,20,50",
            min = 1,
            max = 999_999_999)
        List<Integer> cutoffs,
    @Option(
            value =
                "The items that are ranked for a user; known are the positives of earlier parts",
            defaultValue = "",
            unset = "all-but-known; part-cells with a split of all cells")
        CandidatePolicy candidates,
    @Option(
            value =
                "The users whose lists are measured: all, or N drawn by a seed, with standard"
                    + " errors; wmse is always over all cells",
            label = "all|N[:SEED]",
            defaultValue = "all")
        UserSample sampleUsers,
    @Option(
            value = "Metrics of plugins to measure besides those of the program, by their ids",
            label = "ID,...",
            defaultValue = "",
            unset = "none")
        List<String> metrics) {
  private static final int USUAL = 50;

  /** The options of an evaluation. */
  public static final OptionSchema<EvaluationRequest> SCHEMA =
      OptionSchema.of(MethodHandles.lookup(), EvaluationRequest.class);

  /** Return the request with the default cutoffs and the candidates that suit a split. */
  public static EvaluationRequest standard(SplitRule split) {
    return SCHEMA.bind("", Map.of("candidates", CandidatePolicy.usual(split).id()));
  }

  public EvaluationRequest {
    cutoffs = List.copyOf(new LinkedHashSet<>(cutoffs));
    if (cutoffs.isEmpty() || Collections.min(cutoffs) < 1) {
      throw new IllegalArgumentException("cutoffs must be at least 1, not " + cutoffs);
    }
    metrics = metrics.stream().filter(id -> !id.isEmpty()).distinct().toList();
  }

  /** Measure all users. */
  public EvaluationRequest(List<Integer> cutoffs, CandidatePolicy candidates) {
    this(cutoffs, candidates, UserSample.ALL, List.of());
  }

  /** Return recall at 50, or at the first cutoff if 50 is none: the usual metric to judge by. */
  public MetricKey usual() {
    return new MetricKey(MetricKey.RECALL, cutoffs.contains(USUAL) ? USUAL : cutoffs.get(0));
  }

  /** Return the protocol behind the metrics in one line: the split and the items ranked. */
  public String protocol(SplitRule split) {
    return "split " + split + "; ranked: " + candidates.description();
  }
}
