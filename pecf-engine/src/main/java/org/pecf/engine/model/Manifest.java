package org.pecf.engine.model;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.pecf.api.memory.Side;
import org.pecf.engine.ensemble.Combination;

/** The content of {@code manifest.json}, field by field. */
record Manifest(
    String format,
    int formatVersion,
    String pecfVersion,
    String created,
    boolean complete,
    long seed,
    String dataFingerprint,
    JsonNode request,
    Map<String, String> plugins,
    Map<String, Map<String, Double>> metrics,
    String metricsOf,
    int users,
    int items,
    int trainingPositives,
    int alsoKnown,
    List<MemberEntry> members,
    List<FileEntry> files) {
  static final String FORMAT = "pecf-model";
  static final int VERSION = 5;

  /** A manifest takes about a kibibyte for each member. */
  static final int MOST_MEBIBYTES = 4;

  private static final int MOST_TOKENS = 400_000;

  private static final ObjectMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxTokenCount(MOST_TOKENS).build())
                  .build())
          .enable(
              DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
              DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
              DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  /**
   * A member: how it joined, from which its weight follows, and the weight itself for readers.
   *
   * @param model the kind and size of its model
   * @param fit how it was fitted; empty if that is not known
   */
  record MemberEntry(
      String filter,
      Combination combination,
      double alpha,
      double weight,
      ModelEntry model,
      JsonNode fit) {}

  /** The model of a member, by its kind. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = FactorEntry.class, name = "factors"),
    @JsonSubTypes.Type(value = SparseProductEntry.class, name = "sparse-product")
  })
  sealed interface ModelEntry permits FactorEntry, SparseProductEntry {}

  /**
   * A factor model.
   *
   * @param rank the number of factors in its files
   * @param rules how it takes in new rows
   */
  record FactorEntry(int rank, JsonNode rules) implements ModelEntry {}

  /**
   * A sparse product model.
   *
   * @param inner the side that the inner index runs over
   * @param intercept the score where the product is zero
   * @param left the number of entries of the left matrix
   * @param right the number of entries of the right matrix
   * @param newUsers how it takes in new users; an empty list if it does not say
   */
  record SparseProductEntry(Side inner, float intercept, int left, int right, JsonNode newUsers)
      implements ModelEntry {}

  /** A file, with the size and checksum it must have. */
  record FileEntry(String name, long bytes, String sha256) {}

  Manifest {
    members = List.copyOf(members);
    files = List.copyOf(files);
  }

  static Manifest of(StoredModel model, List<FileEntry> files, List<MemberEntry> members) {
    ModelDescription description = model.description();
    return new Manifest(
        FORMAT,
        VERSION,
        description.pecfVersion(),
        description.created().toString(),
        description.complete(),
        description.seed(),
        description.dataFingerprint(),
        request(description.request()),
        description.plugins(),
        description.metrics(),
        description.metricsOf(),
        model.ensemble().shape().users(),
        model.ensemble().shape().items(),
        model.training().count(),
        model.alsoKnown().count(),
        members,
        files);
  }

  private static JsonNode request(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the options of the run are not JSON: " + text, e);
    }
  }

  ModelDescription description() {
    return new ModelDescription(
        pecfVersion,
        Instant.parse(created),
        complete,
        seed,
        dataFingerprint,
        request.toString(),
        plugins,
        metrics,
        metricsOf);
  }

  byte[] bytes() {
    DefaultIndenter lines = new DefaultIndenter("  ", "\n");
    try {
      String text =
          JSON.writer(new DefaultPrettyPrinter().withObjectIndenter(lines).withArrayIndenter(lines))
              .writeValueAsString(this);
      return (text + "\n").getBytes(StandardCharsets.UTF_8);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the model's description cannot be written as JSON", e);
    }
  }

  /** Parse any JSON, from which the format and its version can be told. */
  static JsonNode tree(byte[] bytes) throws JsonProcessingException {
    return Objects.requireNonNullElse(
        JSON.readTree(new String(bytes, StandardCharsets.UTF_8)), JSON.nullNode());
  }

  static Manifest of(JsonNode tree) throws JsonProcessingException {
    return JSON.treeToValue(tree, Manifest.class);
  }
}
