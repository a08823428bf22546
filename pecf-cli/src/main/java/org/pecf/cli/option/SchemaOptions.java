package org.pecf.cli.option;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  /** Declare an option of a schema under a heading of the help. */
  protected final void add(String heading, OptionSchema<?> schema, OptionDescription option) {
    add(heading, schema, option, otherwise(option));
  }

  /**
   * Declare an option of a schema under a heading of the help.
   *
   * @param otherwise what applies to the command if the option is not given; empty if nothing does
   */
  protected final void add(
      String heading, OptionSchema<?> schema, OptionDescription option, String otherwise) {
    String name = "--" + option.key();
    options.add(
        text(heading, option.key(), option.label(), help(option, otherwise))
            .converters(
                text -> {
                  schema.check(name, option.key(), text);
                  return text;
                })
            .build());
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

  /** Return what applies if an option of a schema is not given. */
  static String otherwise(OptionDescription option) {
    return option.unset().isEmpty() ? option.defaultValue() : option.unset();
  }

  /** Return the help of an option: its meaning, its choices and its default. */
  static String help(OptionDescription option, String otherwise) {
    StringBuilder text = new StringBuilder(option.description());
    List<String> choices = option.choices();
    if (!choices.isEmpty()) {
      int last = choices.size() - 1;
      text.append(": " + String.join(", ", choices.subList(0, last)));
      text.append(" or " + choices.get(last));
    }
    return text.append(otherwise.isEmpty() ? "." : " (default: " + otherwise + ").").toString();
  }

  /** Return the texts that were given, by key. */
  protected final Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    for (OptionSpec option : options) {
      String text = option.getValue();
      if (text != null) {
        texts.put(option.longestName().substring("--".length()), text);
      }
    }
    return Collections.unmodifiableMap(texts);
  }
}
