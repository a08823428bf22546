package org.pecf.study;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Choices;
import org.pecf.api.run.Seed;
import org.pecf.engine.construct.EnsembleRequest;
import org.pecf.engine.request.ShortForm;

/**
 * The options that are searched, and their ranges.
 *
 * @param parameters the options, in the order to show them
 */
public record SearchSpace(List<Parameter> parameters) {
  /**
   * An option and its values.
   *
   * @param key the name of the option
   * @param spec the range as it was written
   * @param range the values
   */
  public record Parameter(String key, String spec, Range range) {}

  public SearchSpace {
    parameters = List.copyOf(parameters);
    if (parameters.isEmpty()) {
      throw PecfException.badOption(
          "There is nothing to search. Name an option and its range, such as lambda=log:0.01..10.");
    }
    parameters.forEach(parameter -> check(parameter.key()));
  }

  /** Refuse an option that all trainings of a search share. */
  private static void check(String key) {
    List<String> keys = new ArrayList<>(EnsembleRequest.SCHEMA.keys());
    keys.remove("select");
    ShortForm.all().forEach(form -> keys.add(form.key()));
    if (!key.contains(".") && !keys.contains(key)) {
      throw PecfException.badOption(
          "'%s' cannot be searched.%s Searchable are %s, and options of plugins such as"
              + " wmf.deviation.",
          key, Choices.suggestion(key, keys), String.join(", ", keys));
    }
  }

  /** Read a line {@code KEY=RANGE} for each option, with or without hyphens before the key. */
  public static SearchSpace parse(String lines) {
    List<Parameter> parameters = new ArrayList<>();
    for (String text : lines.lines().toList()) {
      int equals = text.indexOf('=');
      String key = text.substring(0, Math.max(0, equals)).strip().replaceFirst("^--", "");
      if (key.isEmpty()) {
        throw PecfException.badOption(
            "'%s' is not a search. Write an option and its range, such as rank=int:10..100.", text);
      }
      if (parameters.stream().anyMatch(earlier -> earlier.key().equals(key))) {
        throw PecfException.badOption(
            "'%s' repeats a search: '%s' is searched already. Leave one out.", text, key);
      }
      String spec = text.substring(equals + 1).strip();
      parameters.add(new Parameter(key, spec, Range.parse(spec)));
    }
    return new SearchSpace(parameters);
  }

  /** Return the options that are drawn evenly on a logarithmic scale. */
  public Set<String> logarithmic() {
    return parameters.stream()
        .filter(parameter -> parameter.range() instanceof Range.LogUniform)
        .map(Parameter::key)
        .collect(Collectors.toSet());
  }

  @Override
  public String toString() {
    return parameters.stream()
        .map(parameter -> parameter.key() + "=" + parameter.spec())
        .collect(Collectors.joining("\n"));
  }

  /**
   * Draw the setting of a trial: values by key. It depends on the seed, the trial's number and the
   * keys only, so a longer search begins as a shorter one does.
   */
  public Map<String, String> draw(Seed seed, int trial) {
    Map<String, String> setting = new LinkedHashMap<>();
    for (Parameter parameter : parameters) {
      Seed own = seed.child("trial", trial).child(parameter.key());
      setting.put(parameter.key(), parameter.range().draw(own.random()));
    }
    return Collections.unmodifiableMap(setting);
  }
}
