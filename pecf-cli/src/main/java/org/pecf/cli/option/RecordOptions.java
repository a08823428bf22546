package org.pecf.cli.option;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.OptionDescription;
import org.pecf.api.plugin.OptionSchema;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Options of the command line that a record describes. Names, help, defaults and ranges are those
 * of its schema; the texts given for them become the record.
 *
 * @param <O> the record
 */
public final class RecordOptions<O extends Record> {
  /**
   * The values of an option that may be given several times.
   *
   * @param values the values, each as it was given
   */
  public record Repeated(List<String> values) {
    /** Separates the values in one text; no argument of a process can contain it. */
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

  private final Section section;
  private final OptionSchema<O> schema;
  private final Map<String, OptionDescription> described = new LinkedHashMap<>();
  private final Map<String, String> separators = new LinkedHashMap<>();
  private final Map<String, OptionSpec> specs = new LinkedHashMap<>();
  private final Map<String, List<String>> first = new LinkedHashMap<>();
  private final Map<String, String> letters = new LinkedHashMap<>();
  private final List<String> required = new ArrayList<>();
  private @Nullable O values;

  private RecordOptions(
      Section section, OptionSchema<O> schema, List<OptionDescription> descriptions) {
    this.section = section;
    this.schema = schema;
    descriptions.forEach(option -> described.put(option.key(), option));
  }

  /** Return all options of a schema. */
  public static <O extends Record> RecordOptions<O> of(Section section, OptionSchema<O> schema) {
    return of(section, schema, schema.descriptions());
  }

  /**
   * Return some options of a schema.
   *
   * @param descriptions the options; others have no effect on the command. Not modified.
   */
  public static <O extends Record> RecordOptions<O> of(
      Section section, OptionSchema<O> schema, List<OptionDescription> descriptions) {
    return new RecordOptions<>(section, schema, descriptions);
  }

  /** Leave out some options. */
  public RecordOptions<O> without(String... keys) {
    described.keySet().removeAll(List.of(keys));
    return this;
  }

  /** Leave out all options but some. Not modified. */
  public RecordOptions<O> only(Collection<String> keys) {
    described.keySet().retainAll(keys);
    return this;
  }

  /** State what applies if an option is not given. */
  public RecordOptions<O> unset(String key, String words) {
    described.computeIfPresent(key, (same, option) -> unset(option, words));
    return this;
  }

  /** State what applies if any of the options is not given. */
  public RecordOptions<O> unset(String words) {
    described.replaceAll((key, option) -> unset(option, words));
    return this;
  }

  /**
   * Let an option be given several times.
   *
   * @param separator stands between the values in the text of the option
   */
  public RecordOptions<O> repeatable(String key, String separator) {
    separators.put(key, separator);
    return this;
  }

  /** Let an option of type {@link Repeated} be given several times. */
  public RecordOptions<O> repeatable(String key) {
    return repeatable(key, Repeated.SEPARATOR);
  }

  /** Let an option be given by a letter too. */
  public RecordOptions<O> letter(String key, String letter) {
    letters.put(key, "-" + letter);
    return this;
  }

  /** Refuse a command line without an option. */
  public RecordOptions<O> require(String key) {
    required.add(key);
    return this;
  }

  /** Return an option with other words for what applies if it is not given. */
  static OptionDescription unset(OptionDescription option, String words) {
    return new OptionDescription(
        option.key(),
        option.type(),
        option.label(),
        option.description(),
        option.defaultValue(),
        words,
        option.min(),
        option.max(),
        option.choices());
  }

  /** Return the options as the parser knows them. */
  public Collection<OptionSpec> specs() {
    if (specs.isEmpty()) {
      described.forEach((key, option) -> specs.put(key, spec(option)));
    }
    return Collections.unmodifiableCollection(specs.values());
  }

  private OptionSpec spec(OptionDescription option) {
    String name = "--" + option.key();
    OptionSpec.Builder spec =
        OptionSpec.builder(name)
            .type(String.class)
            .paramLabel(option.label())
            .description(help(option).replace("%", "%%"))
            .required(required.contains(option.key()))
            .userObject(section);
    if (letters.containsKey(option.key())) {
      spec.names(letters.get(option.key()), name);
    }
    if (option.type().equals("boolean")) {
      return spec.type(Boolean.class).arity("0").build();
    }
    if (!option.choices().isEmpty()) {
      spec.completionCandidates(option.choices());
    }
    if (separators.containsKey(option.key())) {
      spec.type(List.class).auxiliaryTypes(String.class);
    }
    return spec.converters(
            text -> {
              schema.check(name, option.key(), text);
              return text;
            })
        .build();
  }

  /** Return the help of an option: its meaning, its choices and its default. */
  private static String help(OptionDescription option) {
    StringBuilder text = new StringBuilder(option.description());
    List<String> choices = option.choices();
    if (!choices.isEmpty()) {
      int last = choices.size() - 1;
      text.append(": " + String.join(", ", choices.subList(0, last)));
      text.append(" or " + choices.get(last));
    }
    String otherwise = otherwise(option);
    return otherwise.isEmpty() || option.type().equals("boolean")
        ? text.append('.').toString()
        : text.append(" (default: " + otherwise + ").").toString();
  }

  /** Return the words for what applies if an option is not given. */
  static String otherwise(OptionDescription option) {
    return option.unset().isEmpty() ? option.defaultValue() : option.unset();
  }

  /** Put values before those that are given for an option, if it is one of these. */
  public void precede(String key, List<String> texts) {
    if (described.containsKey(key)) {
      first.put(key, texts);
    }
  }

  /** Return the texts that were given, by key. */
  public Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    specs.forEach(
        (key, spec) -> {
          List<String> all = new ArrayList<>(first.getOrDefault(key, List.of()));
          if (spec.getValue() instanceof List<?> several) {
            several.forEach(text -> all.add(text.toString()));
          } else if (spec.getValue() != null) {
            all.add(spec.getValue().toString());
          }
          if (!all.isEmpty()) {
            texts.put(key, String.join(separators.getOrDefault(key, ""), all));
          }
        });
    return Collections.unmodifiableMap(texts);
  }

  /**
   * Return whether the option by which data is named was given.
   *
   * @throws PecfException if it was not, but others of these options were
   */
  public boolean names(String key) {
    Map<String, String> texts = texts();
    boolean named = texts.containsKey(key);
    if (!named && !texts.isEmpty()) {
      throw PecfException.badOption(
          "--%s has no effect here without --%s. Add it.", texts.keySet().iterator().next(), key);
    }
    return named;
  }

  /** Return the record, with defaults for the options that were not given. */
  public O get() {
    if (values == null) {
      values = schema.bind("", texts());
    }
    return Objects.requireNonNull(values);
  }
}
