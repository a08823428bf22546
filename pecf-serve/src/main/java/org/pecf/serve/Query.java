package org.pecf.serve;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The parameters in the query of a request. */
final class Query {
  private static final int MOST_PARAMETERS = 10_001;

  private final Map<String, List<String>> values = new LinkedHashMap<>();

  /**
   * Read a query.
   *
   * @param raw the query as it was sent, or null if there is none
   * @param known the names that parameters may have. Not modified.
   * @throws Refusal if it is not well formed, or has other parameters
   */
  Query(@Nullable String raw, Set<String> known) {
    if (raw == null || raw.isEmpty()) {
      return;
    }
    String[] parts = raw.split("&", MOST_PARAMETERS + 1);
    if (parts.length > MOST_PARAMETERS) {
      throw Refusal.bad("The query has more parameters than anybody needs. Send a body instead.");
    }
    for (String part : parts) {
      int equals = part.indexOf('=');
      String name = Percent.decode(equals < 0 ? part : part.substring(0, equals), true);
      if (!known.contains(name)) {
        throw Refusal.bad(
            "There is no parameter '%s' here. Known are: %s.",
            Ids.quoted(name), known.isEmpty() ? "none" : String.join(", ", new TreeSet<>(known)));
      }
      values
          .computeIfAbsent(name, key -> new ArrayList<>())
          .add(equals < 0 ? "" : Percent.decode(part.substring(equals + 1), true));
    }
  }

  /** Return all values of a parameter. */
  List<String> all(String name) {
    return values.getOrDefault(name, List.of());
  }

  /** Return the value of a parameter that may be given once. */
  Optional<String> one(String name) {
    List<String> given = all(name);
    if (given.size() > 1) {
      throw Refusal.bad("The parameter '%s' is given twice. Give it once.", name);
    }
    return given.stream().findFirst();
  }

  /** Return the value of a parameter that must be given. */
  String required(String name) {
    return one(name).orElseThrow(() -> Refusal.bad("The parameter '%s' is missing.", name));
  }

  /** Return the whole number that a parameter gives. */
  Optional<Integer> number(String name) {
    return one(name)
        .map(
            text -> {
              try {
                return Integer.valueOf(text);
              } catch (NumberFormatException e) {
                throw Refusal.bad("The parameter '%s' is not a whole number.", name);
              }
            });
  }

  /** Return the yes or no that a parameter gives; no if it is not given. */
  boolean flag(String name) {
    String text = one(name).orElse("false");
    if (!text.equals("true") && !text.equals("false")) {
      throw Refusal.bad("The parameter '%s' is neither true nor false.", name);
    }
    return text.equals("true");
  }

  /** Return the word that a parameter gives, the first of some words if it is not given. */
  String word(String name, List<String> words) {
    String word = one(name).orElse(words.get(0));
    if (!words.contains(word)) {
      throw Refusal.bad("The parameter '%s' is none of: %s.", name, String.join(", ", words));
    }
    return word;
  }
}
