package org.pecf.serve;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The JSON object in the body of a request. */
final class Body {
  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(8)
                          .maxStringLength(8_192)
                          .maxNameLength(128)
                          .maxNumberLength(64)
                          .build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final JsonNode fields;
  private final int mostIds;

  /**
   * Read a body.
   *
   * @param bytes the body. Not modified.
   * @param known the names that fields may have. Not modified.
   * @param mostIds the most ids that a list may have
   * @throws Refusal if it is not a JSON object, or has other fields
   */
  Body(byte[] bytes, Set<String> known, int mostIds) {
    this.mostIds = mostIds;
    try {
      this.fields = JSON.readTree(bytes);
    } catch (JsonProcessingException e) {
      throw Refusal.bad("The body is not JSON: %s.", Ids.quoted(e.getOriginalMessage()));
    } catch (IOException e) {
      throw Refusal.bad("The body is not JSON in UTF-8.");
    }
    if (!fields.isObject()) {
      throw Refusal.bad("The body is not a JSON object, such as {\"history\": [\"7\"]}.");
    }
    for (Iterator<String> names = fields.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!known.contains(name)) {
        throw Refusal.bad(
            "There is no field '%s' here. Known are: %s.",
            Ids.quoted(name), String.join(", ", new TreeSet<>(known)));
      }
    }
  }

  private Optional<JsonNode> field(String name) {
    return Optional.ofNullable((@Nullable JsonNode) fields.get(name))
        .filter(node -> !node.isNull());
  }

  /** Return the ids in a field, if it is given. */
  Optional<List<String>> ids(String name) {
    return field(name)
        .map(
            node -> {
              if (!node.isArray()) {
                throw Refusal.bad("The field '%s' is not a list of ids.", name);
              }
              if (node.size() > mostIds) {
                throw Refusal.bad(
                    "The field '%s' has %d ids. %d or fewer are allowed.",
                    name, node.size(), mostIds);
              }
              List<String> ids = new ArrayList<>(node.size());
              node.forEach(one -> ids.add(id(name, one)));
              return ids;
            });
  }

  /** Return the id in a field, if it is given. */
  Optional<String> id(String name) {
    return field(name).map(node -> id(name, node));
  }

  private static String id(String name, JsonNode node) {
    if (!node.isTextual() && !node.isIntegralNumber()) {
      throw Refusal.bad("The field '%s' has an id that is neither a text nor a number.", name);
    }
    return node.asText();
  }

  /** Return the whole number in a field, if it is given. */
  Optional<Integer> number(String name) {
    return field(name)
        .map(
            node -> {
              if (!node.isIntegralNumber() || !node.canConvertToInt()) {
                throw Refusal.bad("The field '%s' is not a whole number.", name);
              }
              return node.intValue();
            });
  }

  /** Return the yes or no in a field; no if it is not given. */
  boolean flag(String name) {
    return field(name)
        .map(
            node -> {
              if (!node.isBoolean()) {
                throw Refusal.bad("The field '%s' is neither true nor false.", name);
              }
              return node.booleanValue();
            })
        .orElse(false);
  }

  /** Return the word in a field, which is the first of some words if it is not given. */
  String word(String name, List<String> words) {
    String word = field(name).map(JsonNode::asText).orElse(words.get(0));
    if (!words.contains(word)) {
      throw Refusal.bad("The field '%s' is none of: %s.", name, String.join(", ", words));
    }
    return word;
  }
}
