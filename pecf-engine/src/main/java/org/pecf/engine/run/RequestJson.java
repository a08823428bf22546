package org.pecf.engine.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
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
import org.pecf.engine.split.Confidence;
import org.pecf.engine.split.SplitRule;

/** The JSON form of the effective options of a run, as models and metrics files record them. */
public final class RequestJson {
  /**
   * The recorded options that decide the metrics of a trained model.
   *
   * @param data the ratings it was trained on
   * @param split the division of the ratings
   * @param seed the seed of the division
   * @param confidence the weights of wmse
   * @param evaluation the cutoffs and candidates that were measured
   */
  public record Recorded(
      DataRequest data,
      SplitRule split,
      long seed,
      Confidence confidence,
      EvaluationRequest evaluation) {}

  private RequestJson() {}

  /** Return the JSON text of a request. */
  public static String write(TrainingRequest request) {
    return tree(request).toString();
  }

  private static ObjectNode tree(TrainingRequest request) {
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
   * Read the options that an evaluation needs.
   *
   * @param text the text that {@link #write} returned
   * @throws PecfException if it is something else
   */
  public static Recorded read(String text) {
    try {
      return read(JsonMapper.builder().build().readTree(text));
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw PecfException.badModel(
              "The model does not record how it was evaluated (%s). Name the ratings to evaluate it"
                  + " on.",
              e.getMessage())
          .causedBy(e);
    }
  }

  private static Recorded read(JsonNode json) {
    JsonNode data = json.required("data");
    JsonNode confidence = json.required("confidence");
    JsonNode evaluation = json.required("evaluation");
    List<Integer> cutoffs = new ArrayList<>();
    evaluation.required("cutoffs").forEach(cutoff -> cutoffs.add(cutoff.asInt()));
    return new Recorded(
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
  }

  private static ProviderChoice choice(JsonNode json) {
    Map<String, String> options = new TreeMap<>();
    json.required("options")
        .properties()
        .forEach(option -> options.put(option.getKey(), option.getValue().asText()));
    return new ProviderChoice(json.required("id").asText(), options);
  }
}
