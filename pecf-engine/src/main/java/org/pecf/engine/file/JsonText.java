package org.pecf.engine.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The JSON text of values, readable by every program: JSON has no infinity and no NaN, so null
 * stands for them.
 */
public final class JsonText {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private JsonText() {}

  /**
   * Return the indented text of a value, ending with a line end.
   *
   * @param value a JSON tree, or anything that data binding turns into one. Not modified.
   */
  public static String of(Object value) {
    try {
      return JSON.writeValueAsString(finite(JSON.<JsonNode>valueToTree(value).deepCopy())) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("a tree of JSON can be written", e);
    }
  }

  private static JsonNode finite(JsonNode json) {
    if (json instanceof ObjectNode object) {
      object.properties().forEach(entry -> entry.setValue(finite(entry.getValue())));
    } else if (json instanceof ArrayNode array) {
      for (int k = 0; k < array.size(); k++) {
        array.set(k, finite(array.get(k)));
      }
    }
    boolean floating = json.isDouble() || json.isFloat();
    return floating && !Double.isFinite(json.doubleValue()) ? NullNode.instance : json;
  }
}
