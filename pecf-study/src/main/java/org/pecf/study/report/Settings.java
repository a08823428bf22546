package org.pecf.study.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The options of a run as plain texts by key, from their JSON. */
final class Settings {
  /** The text of an option without a value. */
  static final String NONE = "–";

  private Settings() {}

  /** Return all values of a tree of objects, their keys joined by dots. */
  static Map<String, String> flat(Map<?, ?> tree) {
    Map<String, String> flat = new LinkedHashMap<>();
    add("", tree, flat);
    return flat;
  }

  private static void add(String prefix, Map<?, ?> tree, Map<String, String> flat) {
    tree.forEach(
        (name, value) -> {
          String key = prefix.isEmpty() ? String.valueOf(name) : prefix + "." + name;
          if (value instanceof Map<?, ?> branch) {
            add(key, branch, flat);
          } else if (value instanceof List<?> list
              && list.size() == 1
              && list.get(0) instanceof Map<?, ?> only) {
            add(key, only, flat);
          } else {
            flat.put(key, text(value));
          }
        });
  }

  private static String text(@Nullable Object value) {
    if (value instanceof List<?> list) {
      return list.stream().map(Settings::text).collect(Collectors.joining(", "));
    }
    if (value instanceof Map<?, ?> map) {
      return flat(map).entrySet().stream()
          .map(entry -> entry.getKey() + "=" + entry.getValue())
          .collect(Collectors.joining(" "));
    }
    return value == null ? NONE : String.valueOf(value);
  }
}
