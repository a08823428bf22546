package org.pecf.cli.option;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.pecf.api.plugin.OptionDescription;
import org.pecf.api.plugin.OptionSchema;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Options of the command line that a schema describes, and the texts given for them. Names, help,
 * defaults and ranges are those of the schema.
 */
@CommandLine.Command
public abstract class SchemaOptions {
  private final List<OptionSpec> options = new ArrayList<>();

  /** Create no options yet. */
  protected SchemaOptions() {}

  /** Add the options of all mixins of a command that a schema describes. */
  public static void addAll(CommandSpec command) {
    addAll(command, command);
  }

  private static void addAll(CommandSpec holder, CommandSpec command) {
    for (CommandSpec mixin : holder.mixins().values()) {
      if (mixin.userObject() instanceof SchemaOptions described) {
        described.options.forEach(command::addOption);
      }
      addAll(mixin, command);
    }
  }

  /**
   * Declare an option of a schema under a heading of the help.
   *
   * @param repeatable whether it may be given several times, each time with one line of its text
   */
  protected final void add(
      String heading, OptionSchema<?> schema, OptionDescription option, boolean repeatable) {
    String name = "--" + option.key();
    OptionSpec.Builder spec = text(heading, option.key(), option.label(), help(option));
    if (option.type().equals("boolean")) {
      options.add(spec.type(Boolean.class).arity("0").build());
      return;
    }
    if (!option.choices().isEmpty()) {
      spec.completionCandidates(option.choices());
    }
    if (repeatable) {
      spec.type(List.class).auxiliaryTypes(String.class);
    }
    options.add(
        spec.converters(
                text -> {
                  schema.check(name, option.key(), text);
                  return text;
                })
            .build());
  }

  /** Return the settings of plugins that a command takes, if it does. */
  public static Optional<SettingOptions> settings(CommandSpec command) {
    return command.mixins().values().stream()
        .map(
            mixin ->
                mixin.userObject() instanceof SettingOptions found
                    ? Optional.of(found)
                    : settings(mixin))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** Declare an option whose value is checked by others. */
  protected final void add(String heading, String key, String label, String help) {
    options.add(text(heading, key, label, help + ".").build());
  }

  private static OptionSpec.Builder text(String heading, String key, String label, String help) {
    return OptionSpec.builder("--" + key)
        .type(String.class)
        .paramLabel(label)
        .description(help.replace("%", "%%"))
        .userObject(heading);
  }

  /** Return an option with other words on what applies to a command if it is not given. */
  static OptionDescription otherwise(OptionDescription option, String unset) {
    return new OptionDescription(
        option.key(),
        option.type(),
        option.label(),
        option.description(),
        option.defaultValue(),
        unset,
        option.min(),
        option.max(),
        option.choices());
  }

  /** Return the value of an option that is not given. */
  static String otherwise(OptionDescription option) {
    return option.unset().isEmpty() ? option.defaultValue() : option.unset();
  }

  /** Return the help of an option: its meaning, its choices and its default. */
  static String help(OptionDescription option) {
    StringBuilder text = new StringBuilder(option.description());
    List<String> choices = option.choices();
    if (!choices.isEmpty()) {
      int last = choices.size() - 1;
      text.append(": " + String.join(", ", choices.subList(0, last)));
      text.append(" or " + choices.get(last));
    }
    if (option.type().equals("boolean")) {
      return text.append('.').toString();
    }
    String otherwise = otherwise(option);
    return text.append(otherwise.isEmpty() ? "." : " (default: " + otherwise + ").").toString();
  }

  /** Return the texts that were given, by key. */
  protected final Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    for (OptionSpec option : options) {
      Object value = option.getValue();
      if (value != null) {
        String text = value instanceof List<?> lines ? joined(lines) : value.toString();
        texts.put(option.longestName().substring("--".length()), text);
      }
    }
    return Collections.unmodifiableMap(texts);
  }

  private static String joined(List<?> lines) {
    return lines.stream().map(Object::toString).collect(Collectors.joining("\n"));
  }
}
