package org.pecf.cli.option;

import java.util.List;

/**
 * The values of an option that may be given several times.
 *
 * @param values the values, each as it was given
 */
public record Repeated(List<String> values) {
  /** Stands between the values in one text; no argument of a process can hold it. */
  static final String SEPARATOR = "\0";

  public Repeated {
    values = List.copyOf(values);
  }

  /** Read the values from one text. */
  public static Repeated parse(String text) {
    return new Repeated(text.isEmpty() ? List.of() : List.of(text.split(SEPARATOR)));
  }

  @Override
  public String toString() {
    return String.join(SEPARATOR, values);
  }
}
