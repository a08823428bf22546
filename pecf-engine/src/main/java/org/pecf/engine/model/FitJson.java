package org.pecf.engine.model;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.memory.RowRule;
import org.pecf.api.memory.RowRules;
import org.pecf.engine.data.split.Confidence;
import org.pecf.engine.ensemble.MemberFit;
import org.pecf.engine.ensemble.WeightRule;

/**
 * The JSON form of how a member was fitted and takes in new rows. A rule is an object with its name
 * and a field per component; a name that is not known here is refused.
 */
public final class FitJson {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .addMixIn(RowRule.class, RowRuleNames.class)
          .addMixIn(WeightRule.class, WeightRuleNames.class)
          .enable(
              DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
              DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
              DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .build();

  /** The names of the rules by which rows are taken in. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "rule")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = RowRule.LeastSquares.class, name = "least-squares"),
    @JsonSubTypes.Type(value = RowRule.BestFit.class, name = "best-fit"),
    @JsonSubTypes.Type(value = RowRule.Positives.class, name = "positives"),
    @JsonSubTypes.Type(value = RowRule.Same.class, name = "same"),
    @JsonSubTypes.Type(value = RowRule.Pairwise.class, name = "pairwise"),
    @JsonSubTypes.Type(value = RowRule.Softmax.class, name = "softmax"),
    @JsonSubTypes.Type(value = RowRule.Neighbours.class, name = "neighbours"),
    @JsonSubTypes.Type(value = RowRule.OfFilter.class, name = "filter"),
    @JsonSubTypes.Type(value = RowRule.Impossible.class, name = "impossible")
  })
  private interface RowRuleNames {}

  /** The names of the rules for weights. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "rule")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = WeightRule.Plain.class, name = "plain"),
    @JsonSubTypes.Type(value = WeightRule.Posterior.class, name = "posterior"),
    @JsonSubTypes.Type(value = WeightRule.Mixture.class, name = "mixture"),
    @JsonSubTypes.Type(value = WeightRule.OfPlugin.class, name = "plugin")
  })
  private interface WeightRuleNames {}

  /** The fields of a fit, of which the first three are the confidence. */
  record Fields(
      float positive,
      float zero,
      float popularity,
      WeightRule weights,
      boolean residuals,
      boolean standardised,
      List<Double> before) {
    static Fields of(MemberFit fit) {
      Confidence confidence = fit.confidence();
      return new Fields(
          confidence.positive(),
          confidence.zero(),
          confidence.popularity(),
          fit.weights(),
          fit.residuals(),
          fit.standardised(),
          fit.before());
    }

    MemberFit fit() {
      return new MemberFit(
          new Confidence(positive, zero, popularity), weights, residuals, standardised, before);
    }
  }

  private FitJson() {}

  static JsonNode write(RowRules rules) {
    return JSON.valueToTree(rules);
  }

  static RowRules rules(JsonNode node) {
    return read(node, RowRules.class);
  }

  /** Write the rule of a sparse product: a list of at most one. */
  static JsonNode writeRule(Optional<RowRule.Neighbours> rule) {
    return JSON.valueToTree(rule.stream().toArray(RowRule[]::new));
  }

  static Optional<RowRule.Neighbours> rule(JsonNode node) {
    return Arrays.stream(read(node, RowRule.Neighbours[].class)).findFirst();
  }

  /** Write how a member was fitted: an empty object if that is not known. */
  static JsonNode write(Optional<MemberFit> fit) {
    return JSON.valueToTree(fit.<Object>map(Fields::of).orElse(Map.of()));
  }

  /** Return how a member was fitted, in one line. */
  public static String text(Optional<MemberFit> fit) {
    return write(fit).toString();
  }

  /**
   * Read how a member was fitted.
   *
   * @throws IllegalArgumentException if the text is something else
   */
  public static Optional<MemberFit> fit(String text) {
    try {
      return fit(JSON.readTree(text));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e.getOriginalMessage(), e);
    }
  }

  static Optional<MemberFit> fit(JsonNode node) {
    if (node.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(read(node, Fields.class).fit());
    } catch (PecfException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static <T> T read(JsonNode node, Class<T> type) {
    try {
      return JSON.treeToValue(node, type);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e.getOriginalMessage(), e);
    }
  }
}
