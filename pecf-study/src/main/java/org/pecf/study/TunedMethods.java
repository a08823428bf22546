package org.pecf.study;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.pecf.api.PecfException;

/**
 * The methods that have settings of their own.
 *
 * @param files the file with the setting, by method
 */
public record TunedMethods(Map<Method, Path> files) {
  public TunedMethods {
    files = Collections.unmodifiableMap(new LinkedHashMap<>(files));
  }

  /** Read a line {@code METHOD=FILE} for each method. */
  public static TunedMethods parse(String lines) {
    Map<Method, Path> files = new LinkedHashMap<>();
    for (String text : lines.lines().toList()) {
      int equals = text.indexOf('=');
      if (equals < 1) {
        throw PecfException.badOption(
            "'%s' does not name a method and a file. Write for example wmf=search/best.yaml.",
            text);
      }
      Method method = Method.of(text.substring(0, equals).strip());
      files.put(method, Path.of(text.substring(equals + 1).strip()));
    }
    return new TunedMethods(files);
  }

  @Override
  public String toString() {
    return files.entrySet().stream()
        .map(entry -> entry.getKey().id() + "=" + entry.getValue())
        .collect(Collectors.joining("\n"));
  }
}
