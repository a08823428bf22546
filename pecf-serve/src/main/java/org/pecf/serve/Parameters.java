package org.pecf.serve;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.UrlEncoded;
import org.eclipse.jetty.util.Utf8StringBuilder;
import org.jspecify.annotations.Nullable;

/** What a request asks for: the parameters of its query, or the fields of its body. */
final class Parameters {
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

  private final JsonNode values;
  private final boolean inQuery;
  private final int mostIds;

  private Parameters(JsonNode values, boolean inQuery, Set<String> known, int mostIds) {
    this.values = values;
    this.inQuery = inQuery;
    this.mostIds = mostIds;
    for (Iterator<String> names = values.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!known.contains(name)) {
        throw Refusal.bad(
            "There is no %s '%s' here. Known are: %s.",
            noun(),
            Refusal.quoted(name),
            known.isEmpty() ? "none" : String.join(", ", new TreeSet<>(known)));
      }
    }
  }

  /**
   * Read a query.
   *
   * @param query the query as it was sent, or null if there is none
   * @param known the names that parameters may have. Not modified.
   * @param mostIds the most ids that a list may have
   * @throws Refusal if it is not well formed, or has other parameters
   */
  static Parameters ofQuery(@Nullable String query, Set<String> known, int mostIds) {
    ObjectNode values = JSON.createObjectNode();
    for (Fields.Field field : decode(query == null ? "" : query)) {
      field.getValues().forEach(values.putArray(field.getName())::add);
    }
    return new Parameters(values, true, known, mostIds);
  }

  /**
   * Read a body.
   *
   * @param body the body. Not modified.
   * @param known the names that fields may have. Not modified.
   * @param mostIds the most ids that a list may have
   * @throws Refusal if it is not a JSON object, or has other fields
   */
  static Parameters ofBody(byte[] body, Set<String> known, int mostIds) {
    JsonNode values;
    try {
      values = JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw Refusal.bad("The body is not JSON: %s.", Refusal.quoted(e.getOriginalMessage()));
    } catch (IOException e) {
      throw Refusal.bad("The body is not JSON in UTF-8.");
    }
    if (!values.isObject()) {
      throw Refusal.bad("The body is not a JSON object, such as {\"history\": [\"7\"]}.");
    }
    return new Parameters(values, false, known, mostIds);
  }

  /**
   * Decode a part of a path.
   *
   * @throws Refusal if it is not well formed
   */
  static String decoded(String part) {
    return decode("=" + part.replace("+", "%2B").replace("&", "%26")).getValue("");
  }

  private static Fields decode(String query) {
    Fields fields = new Fields(true);
    try {
      UrlEncoded.decodeUtf8To(query, 0, query.length(), fields::add, false, false, false);
    } catch (Utf8StringBuilder.Utf8IllegalArgumentException e) {
      throw Refusal.bad("The address is not encoded in UTF-8.");
    } catch (IllegalArgumentException e) {
      throw Refusal.bad("A percent sign in the address is not followed by two hexadecimal digits.");
    }
    return fields;
  }

  private String noun() {
    return inQuery ? "parameter" : "field";
  }

  private Optional<JsonNode> all(String name) {
    return Optional.ofNullable((@Nullable JsonNode) values.get(name))
        .filter(node -> !node.isNull());
  }

  private Optional<JsonNode> one(String name) {
    Optional<JsonNode> given = all(name);
    if (inQuery && given.isPresent()) {
      if (given.get().size() > 1) {
        throw Refusal.bad("The parameter '%s' is given twice. Give it once.", name);
      }
      return Optional.of(given.get().get(0));
    }
    return given;
  }

  /** Return the ids in a list, if it is given. */
  Optional<List<String>> ids(String name) {
    return all(name)
        .map(
            node -> {
              if (!node.isArray()) {
                throw Refusal.bad("The field '%s' is not a list of ids.", name);
              }
              if (node.size() > mostIds) {
                throw Refusal.bad(
                    "The %s '%s' has %d ids. %d or fewer are allowed.",
                    noun(), name, node.size(), mostIds);
              }
              List<String> ids = new ArrayList<>(node.size());
              node.forEach(one -> ids.add(id(name, one)));
              return ids;
            });
  }

  /** Return the id, or the text to look for, that is given. */
  Optional<String> id(String name) {
    return one(name).map(node -> id(name, node));
  }

  /** Return the id that must be given. */
  String requiredId(String name) {
    return id(name).orElseThrow(() -> Refusal.bad("The %s '%s' is missing.", noun(), name));
  }

  private static String id(String name, JsonNode node) {
    if (!node.isTextual() && !node.isIntegralNumber()) {
      throw Refusal.bad("The field '%s' has an id that is neither a text nor a number.", name);
    }
    return node.asText();
  }

  /** Return the whole number that is given. */
  Optional<Integer> number(String name) {
    return one(name)
        .map(
            node -> {
              try {
                return Integer.valueOf(inQuery || node.isIntegralNumber() ? node.asText() : "");
              } catch (NumberFormatException e) {
                throw Refusal.bad("The %s '%s' is not a whole number.", noun(), name);
              }
            });
  }

  /** Return the yes or no that is given; no if none is. */
  boolean flag(String name) {
    JsonNode node = one(name).orElse(BooleanNode.FALSE);
    if (!node.isBoolean() && !(inQuery && node.asText().matches("true|false"))) {
      throw Refusal.bad("The %s '%s' is neither true nor false.", noun(), name);
    }
    return node.asBoolean();
  }

  /** Return the word that is given, the first of some words if none is. */
  String word(String name, List<String> words) {
    String word = one(name).map(JsonNode::asText).orElse(words.get(0));
    if (!words.contains(word)) {
      throw Refusal.bad("The %s '%s' is none of: %s.", noun(), name, String.join(", ", words));
    }
    return word;
  }
}
