package org.pecf.study;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/** The first difference of two JSON objects, for messages. */
final class JsonDifference {
  private JsonDifference() {}

  /** Describe the first member that differs: {@code trials is 10 there, 20 here}. */
  static String first(JsonNode there, JsonNode here) {
    Set<String> names = new LinkedHashSet<>();
    for (JsonNode node : new JsonNode[] {there, here}) {
      for (Iterator<String> fields = node.fieldNames(); fields.hasNext(); ) {
        names.add(fields.next());
      }
    }
    for (String name : names) {
      if (!there.path(name).equals(here.path(name))) {
        return name
            + " is "
            + text(there.path(name))
            + " there, "
            + text(here.path(name))
            + " here";
      }
    }
    return "it cannot be told from this one";
  }

  private static String text(JsonNode node) {
    return node.isMissingNode() ? "not said" : node.isValueNode() ? node.asText() : node.toString();
  }
}
