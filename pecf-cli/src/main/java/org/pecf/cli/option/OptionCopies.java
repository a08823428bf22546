package org.pecf.cli.option;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.pecf.api.plugin.Choices;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Copy options by their names, as they stand on a command line or in a file. */
final class OptionCopies {
  /** What a search leaves alone, for all its trainings share the data and what is measured. */
  private static final Set<String> SHARED = Set.of("split", "seed", "select");

  /** What is no part of the description of a training. */
  private static final Set<String> ELSEWHERE =
      Set.of("set", "config", "out", "overwrite", "metrics-json");

  private OptionCopies() {}

  /** Copy the options of an ensemble and change those whose names stand without a dot. */
  static EnsembleOptions with(EnsembleOptions options, Map<String, String> changes) {
    EnsembleOptions copy = new EnsembleOptions();
    CommandSpec target = CommandSpec.forAnnotatedObject(copy);
    for (OptionSpec option : CommandSpec.forAnnotatedObject(options).options()) {
      target.findOption(option.longestName()).setValue(option.getValue());
    }
    List<String> names =
        target.options().stream()
            .map(OptionCopies::key)
            .filter(name -> !SHARED.contains(name))
            .toList();
    List<String> arguments = new ArrayList<>();
    changes.forEach(
        (name, value) -> {
          if (!name.contains(".")) {
            if (!names.contains(name)) {
              throw Values.bad(
                  "'"
                      + name
                      + "' cannot be searched."
                      + Choices.suggestion(name, names)
                      + " What can are: "
                      + String.join(", ", names)
                      + ", and options of plugins such as wmf.deviation");
            }
            arguments.add("--" + name + "=" + value);
          }
        });
    try {
      // A new description takes the copied values for the initial ones, which parsing keeps.
      new CommandLine(CommandSpec.forAnnotatedObject(copy))
          .parseArgs(arguments.toArray(String[]::new));
    } catch (CommandLine.ParameterException e) {
      throw Values.bad(e.getMessage());
    }
    return copy;
  }

  /** Return those of some values whose options were not said; settings of plugins are kept. */
  static Map<String, String> unsaid(EnsembleOptions options, Map<String, String> values) {
    CommandSpec spec = CommandSpec.forAnnotatedObject(options);
    Map<String, String> unsaid = new LinkedHashMap<>(values);
    unsaid
        .keySet()
        .removeIf(name -> !name.contains(".") && spec.findOption(name).getValue() != null);
    return unsaid;
  }

  /** Write what was said of a training as YAML that {@link ConfigFile} reads. */
  static String configuration(TrainingOptions options) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (OptionSpec option : CommandSpec.forAnnotatedObject(options).options()) {
      String name = key(option);
      boolean idle = name.equals("select") && !options.ensemble.selectsRounds();
      if (option.getValue() != null && !ELSEWHERE.contains(name) && !idle) {
        values.put(name, option.getValue().toString());
      }
    }
    if (!options.settings.values().isEmpty()) {
      values.put("set", options.settings.values());
    }
    try {
      return new ObjectMapper(
              YAMLFactory.builder()
                  .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                  .disable(YAMLGenerator.Feature.SPLIT_LINES)
                  .build())
          .writeValueAsString(values);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("texts by name can be written", e);
    }
  }

  /** Take over what a file says of a training. */
  static void read(ConfigFile file, TrainingOptions options) {
    CommandSpec spec = CommandSpec.forAnnotatedObject(options);
    List<String> names =
        spec.options().stream()
            .map(OptionCopies::key)
            .filter(name -> !ELSEWHERE.contains(name))
            .toList();
    file.check(names);
    List<String> arguments = new ArrayList<>();
    for (String name : names) {
      file.value(name).ifPresent(value -> arguments.add("--" + name + "=" + value));
    }
    try {
      new CommandLine(spec).parseArgs(arguments.toArray(String[]::new));
    } catch (CommandLine.ParameterException e) {
      String place =
          e.getArgSpec() instanceof OptionSpec option
              ? file.place(key(option)).map(where -> where + ": ").orElse("")
              : "";
      throw Values.bad(place + e.getMessage());
    }
    options.settings().fromFile(file.settings());
  }

  private static String key(OptionSpec option) {
    return option.longestName().replaceFirst("^-+", "");
  }
}
