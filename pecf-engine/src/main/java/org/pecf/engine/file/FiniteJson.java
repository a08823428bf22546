package org.pecf.engine.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A tree of JSON that every program can read: JSON has no word for infinity or for what is not a
 * number, so null stands there.
 */
public final class FiniteJson {
  private FiniteJson() {}

  /**
   * Return a copy of a tree with null for each number that is not finite.
   *
   * @param json Not modified.
   */
  public static JsonNode of(JsonNode json) {
    return finite(json.deepCopy());
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
