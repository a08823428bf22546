package org.pecf.engine.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.memory.RowRule;
import org.pecf.api.memory.RowRules;
import org.pecf.engine.ensemble.MemberFit;
import org.pecf.engine.ensemble.WeightRule;
import org.pecf.engine.split.Confidence;

/**
 * The JSON form of how a member was fitted and takes in new rows. A rule is an object with its name
 * and a field per component; a name that is not known here is refused.
 */
public final class FitJson {
  private static final String RULE = "rule";

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(
              DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
              DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
              DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private static final Map<String, Class<? extends RowRule>> ROW_RULES = new LinkedHashMap<>();
  private static final Map<String, Class<? extends WeightRule>> WEIGHT_RULES =
      new LinkedHashMap<>();

  static {
    ROW_RULES.put("least-squares", RowRule.LeastSquares.class);
    ROW_RULES.put("best-fit", RowRule.BestFit.class);
    ROW_RULES.put("positives", RowRule.Positives.class);
    ROW_RULES.put("same", RowRule.Same.class);
    ROW_RULES.put("pairwise", RowRule.Pairwise.class);
    ROW_RULES.put("impossible", RowRule.Impossible.class);
    WEIGHT_RULES.put("plain", WeightRule.Plain.class);
    WEIGHT_RULES.put("posterior", WeightRule.Posterior.class);
    WEIGHT_RULES.put("mixture", WeightRule.Mixture.class);
    WEIGHT_RULES.put("plugin", WeightRule.OfPlugin.class);
  }

  private FitJson() {}

  static JsonNode write(RowRules rules) {
    ObjectNode node = JSON.createObjectNode();
    node.set("users", write(ROW_RULES, rules.users()));
    node.set("items", write(ROW_RULES, rules.items()));
    return node;
  }

  static RowRules rules(JsonNode node) {
    return new RowRules(read(ROW_RULES, node.path("users")), read(ROW_RULES, node.path("items")));
  }

  /** Write how a member was fitted: an empty object if that is not known. */
  static JsonNode write(Optional<MemberFit> fit) {
    ObjectNode node = JSON.createObjectNode();
    fit.ifPresent(
        known -> {
          node.put("positive", known.confidence().positive());
          node.put("zero", known.confidence().zero());
          node.put("popularity", known.confidence().popularity());
          node.set("weights", write(WEIGHT_RULES, known.weights()));
          node.put("residuals", known.residuals());
          node.put("standardised", known.standardised());
          node.set("before", JSON.valueToTree(known.before()));
        });
    return node;
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
    List<Double> before = new ArrayList<>();
    node.path("before").forEach(weight -> before.add(number(weight)));
    try {
      return Optional.of(
          new MemberFit(
              new Confidence(
                  (float) number(node.path("positive")),
                  (float) number(node.path("zero")),
                  (float) number(node.path("popularity"))),
              read(WEIGHT_RULES, node.path("weights")),
              node.path("residuals").asBoolean(),
              node.path("standardised").asBoolean(),
              before));
    } catch (PecfException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static double number(JsonNode node) {
    if (!node.isNumber()) {
      throw new IllegalArgumentException("a member's fit holds '" + node + "' for a number");
    }
    return node.asDouble();
  }

  private static <T> JsonNode write(Map<String, Class<? extends T>> names, T rule) {
    ObjectNode node = JSON.createObjectNode();
    names.forEach(
        (name, type) -> {
          if (type.isInstance(rule)) {
            node.put(RULE, name);
          }
        });
    node.setAll((ObjectNode) JSON.valueToTree(rule));
    return node;
  }

  private static <T> T read(Map<String, Class<? extends T>> names, JsonNode node) {
    Class<? extends T> type = names.get(node.path(RULE).asText());
    if (type == null) {
      throw new IllegalArgumentException("there is no rule '" + node.path(RULE).asText() + "'");
    }
    try {
      return JSON.treeToValue(node, type);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e.getOriginalMessage(), e);
    }
  }
}
