package org.pecf.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.pecf.api.PecfException;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.data.DuplicatePolicy;
import org.pecf.engine.data.PositiveRule;
import org.pecf.engine.evaluate.CandidatePolicy;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.run.ComputeRequest;
import org.pecf.engine.run.TrainingRequest;
import org.pecf.engine.split.Confidence;
import org.pecf.engine.split.SplitRule;

/** Write the effective options of a run as JSON, and read back what an evaluation needs. */
public final class RequestJson {
  /**
   * Hold what decides the figures of a trained model: enough to measure it again.
   *
   * @param data which ratings
   * @param split how they were divided
   * @param seed by which the division goes
   * @param confidence the weights of wmse
   * @param evaluation what was measured
   */
  public record Measured(
      DataRequest data,
      SplitRule split,
      long seed,
      Confidence confidence,
      EvaluationRequest evaluation) {}

  private RequestJson() {}

  /** Write a request. */
  public static ObjectNode write(TrainingRequest request) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.set("data", write(request.data()));
    json.put("split", request.split().toString());
    ArrayNode filters = json.putArray("filters");
    request.filters().forEach(filter -> filters.add(write(filter)));
    json.put("construction", request.construction().id());
    json.set("weighting", write(request.weighting()));
    json.set("alpha", write(request.alpha()));
    json.put("rounds", request.construction().rounds(request.rounds()));
    json.put("patience", request.patience());
    json.put("select", request.selection().toString());
    if (request.construction() == Construction.EM) {
      ObjectNode em =
          json.putObject("em")
              .put("components", request.em().components())
              .put("start", request.em().start().name())
              .put("iterations", request.em().iterations())
              .put("tolerance", request.em().tolerance());
      request.em().deviation().ifPresent(deviation -> em.put("deviation", deviation));
    }
    json.put("chains", request.chains());
    json.putObject("confidence")
        .put("positive", request.confidence().positive())
        .put("zero", request.confidence().zero());
    json.put("seed", request.seed());
    json.set("compute", write(request.compute()));
    ObjectNode evaluation = json.putObject("evaluation");
    ArrayNode cutoffs = evaluation.putArray("cutoffs");
    request.evaluation().cutoffs().forEach(cutoffs::add);
    evaluation.put("candidates", request.evaluation().candidates().name());
    return json;
  }

  private static ObjectNode write(DataRequest data) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("location", data.location());
    data.validationLocation().ifPresent(location -> json.put("validation", location));
    data.testLocation().ifPresent(location -> json.put("test", location));
    json.set("format", write(data.format()));
    json.put("positive", data.positive().toString());
    json.put("minUser", data.minUser());
    json.put("minItem", data.minItem());
    json.put("duplicates", data.duplicates().name());
    return json;
  }

  private static ObjectNode write(ComputeRequest compute) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.set("backend", write(compute.backend()));
    json.put("threads", compute.threads());
    json.put("memoryBytes", compute.memoryBytes());
    json.put("path", compute.path().name());
    json.put("weightError", compute.weightError());
    return json;
  }

  private static ObjectNode write(ProviderChoice choice) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("id", choice.id());
    ObjectNode options = json.putObject("options");
    choice.options().forEach(options::put);
    return json;
  }

  /**
   * Read what an evaluation needs.
   *
   * @param json what {@link #write} wrote. Not modified.
   * @throws PecfException if it is something else
   */
  public static Measured read(JsonNode json) {
    try {
      JsonNode data = json.required("data");
      JsonNode confidence = json.required("confidence");
      JsonNode evaluation = json.required("evaluation");
      List<Integer> cutoffs = new ArrayList<>();
      evaluation.required("cutoffs").forEach(cutoff -> cutoffs.add(cutoff.asInt()));
      return new Measured(
          new DataRequest(
              data.required("location").asText(),
              Optional.ofNullable(data.get("validation")).map(JsonNode::asText),
              Optional.ofNullable(data.get("test")).map(JsonNode::asText),
              choice(data.required("format")),
              PositiveRule.parse(data.required("positive").asText()),
              data.required("minUser").asInt(),
              data.required("minItem").asInt(),
              DuplicatePolicy.valueOf(data.required("duplicates").asText())),
          SplitRule.parse(json.required("split").asText()),
          json.required("seed").asLong(),
          new Confidence(
              (float) confidence.required("positive").asDouble(),
              (float) confidence.required("zero").asDouble()),
          new EvaluationRequest(
              cutoffs, CandidatePolicy.valueOf(evaluation.required("candidates").asText())));
    } catch (IllegalArgumentException e) {
      throw PecfException.badModel(
              "The model does not say how it was evaluated (%s). Name the ratings with --data.",
              e.getMessage())
          .causedBy(e);
    }
  }

  private static ProviderChoice choice(JsonNode json) {
    Map<String, String> options = new TreeMap<>();
    json.required("options")
        .properties()
        .forEach(option -> options.put(option.getKey(), option.getValue().asText()));
    return new ProviderChoice(json.required("id").asText(), options);
  }
}
