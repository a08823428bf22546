package org.pecf.api.plugin;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;

/**
 * The options that a record consists of: their descriptions, and the way from texts to the record.
 *
 * <p>Every component of the record carries {@link Option}, or is itself a record of options. The
 * plugin passes its own lookup, so the record's package need not be exported or opened. The
 * record's constructor may check what ranges cannot say and throw {@link IllegalArgumentException}.
 *
 * @param <O> the record
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class OptionSchema<O extends Record> {
  private final List<Part> parts;
  private final MethodHandle constructor;

  private OptionSchema(List<Part> parts, MethodHandle constructor) {
    this.parts = List.copyOf(parts);
    this.constructor = constructor;
  }

  /** A component of the record. */
  private sealed interface Part {
    /** Return the way to the component's value. */
    MethodHandle accessor();

    /** Return the options that the component holds. */
    Stream<OptionDescription> descriptions();
  }

  /**
   * A component that is one option.
   *
   * @param option its annotation
   * @param type its type
   * @param description its description
   */
  private record Single(
      Option option, OptionType type, OptionDescription description, MethodHandle accessor)
      implements Part {
    @Override
    public Stream<OptionDescription> descriptions() {
      return Stream.of(description);
    }

    String key() {
      return description.key();
    }
  }

  /**
   * A component that is a record of options.
   *
   * @param name the component's name
   * @param schema its options
   */
  private record Group(String name, OptionSchema<?> schema, MethodHandle accessor) implements Part {
    @Override
    public Stream<OptionDescription> descriptions() {
      return schema.descriptions().stream();
    }
  }

  /**
   * Read the schema of a record.
   *
   * @param lookup the caller's own {@link MethodHandles#lookup()}
   * @param type the record whose components carry {@link Option}
   */
  public static <O extends Record> OptionSchema<O> of(MethodHandles.Lookup lookup, Class<O> type) {
    List<Part> parts = new ArrayList<>();
    try {
      for (RecordComponent component : type.getRecordComponents()) {
        parts.add(part(lookup, component));
      }
      Class<?>[] types =
          Arrays.stream(type.getRecordComponents())
              .map(RecordComponent::getType)
              .toArray(Class<?>[]::new);
      return new OptionSchema<>(parts, handle(lookup, type.getDeclaredConstructor(types)));
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("the lookup cannot construct " + type.getName(), e);
    }
  }

  private static Part part(MethodHandles.Lookup lookup, RecordComponent component)
      throws IllegalAccessException {
    Option option = component.getAnnotation(Option.class);
    MethodHandle accessor = handle(lookup, component.getAccessor());
    if (option != null) {
      OptionType type = OptionType.of(lookup, component.getGenericType());
      OptionDescription description =
          new OptionDescription(
              option.key().isEmpty() ? kebab(component.getName()) : option.key(),
              type.word(),
              option.label().isEmpty() ? type.label() : option.label(),
              option.value(),
              option.defaultValue(),
              option.unset(),
              option.min(),
              option.max(),
              type.choices());
      return new Single(option, type, description, accessor);
    }
    if (component.getType().isRecord()) {
      return new Group(
          component.getName(), of(lookup, component.getType().asSubclass(Record.class)), accessor);
    }
    throw new IllegalArgumentException(
        component.getDeclaringRecord().getName() + "." + component.getName() + " lacks @Option");
  }

  /** Return a handle to a constructor, an accessor or a static method. */
  static MethodHandle handle(MethodHandles.Lookup lookup, Executable code)
      throws IllegalAccessException {
    return code instanceof Constructor<?> constructor
        ? lookup.unreflectConstructor(constructor)
        : lookup.unreflect((Method) code);
  }

  /** Return the options in declaration order. */
  public List<OptionDescription> descriptions() {
    return parts.stream().flatMap(Part::descriptions).toList();
  }

  /**
   * Return the options by the name of the component that holds them, if that is a record of
   * options, else by the empty name; both in declaration order.
   */
  public Map<String, List<OptionDescription>> groups() {
    Map<String, List<OptionDescription>> groups = new LinkedHashMap<>();
    for (Part part : parts) {
      groups
          .computeIfAbsent(part instanceof Group group ? group.name() : "", n -> new ArrayList<>())
          .addAll(part.descriptions().toList());
    }
    return groups;
  }

  /** Return the keys in declaration order. */
  public List<String> keys() {
    return descriptions().stream().map(OptionDescription::key).toList();
  }

  /**
   * Build the record from texts; options that are not given take their defaults.
   *
   * @param owner the owner of the options, for messages, such as "filter wmf"; may be empty
   * @param values texts by key. Not modified.
   * @throws PecfException for an unknown key, a text that is no such value, or a value out of range
   */
  public O bind(String owner, Map<String, String> values) {
    checkKeys(owner, values);
    return build(
        owner,
        part ->
            part.type()
                .reader()
                .read(
                    named(owner, part.key()),
                    part.option(),
                    values.getOrDefault(part.key(), part.option().defaultValue())));
  }

  /**
   * Return a copy of a record with some options changed by texts.
   *
   * @param owner the owner of the options, for messages; may be empty
   * @param options the record to change. Not modified.
   * @param changes texts by key. Not modified.
   * @throws PecfException for an unknown key, a text that is no such value, or a value out of range
   */
  public O with(String owner, O options, Map<String, String> changes) {
    checkKeys(owner, changes);
    Map<String, Object> values = values(options);
    return build(
        owner,
        part ->
            changes.containsKey(part.key())
                ? part.type()
                    .reader()
                    .read(named(owner, part.key()), part.option(), changes.get(part.key()))
                : Objects.requireNonNull(values.get(part.key())));
  }

  /**
   * Check a text that is to set an option.
   *
   * @param name the name that messages call the option by, such as "--rank"
   * @param key the key of the option
   * @throws PecfException if the text is no such value or the value is out of range
   */
  public void check(String name, String key, String text) {
    for (Part part : parts) {
      if (part instanceof Single single && single.key().equals(key)) {
        single.type().reader().read(name, single.option(), text);
      } else if (part instanceof Group group && group.schema().keys().contains(key)) {
        group.schema().check(name, key, text);
      }
    }
  }

  /** Return the texts that bind to an equal record; unset options are left out. */
  public Map<String, String> texts(O options) {
    Map<String, String> texts = new LinkedHashMap<>();
    values(options)
        .forEach((key, value) -> OptionType.text(value).ifPresent(text -> texts.put(key, text)));
    return texts;
  }

  private Map<String, Object> values(Record options) {
    Map<String, Object> values = new LinkedHashMap<>();
    try {
      for (Part part : parts) {
        Object value = part.accessor().invokeWithArguments(options);
        if (part instanceof Group group) {
          values.putAll(group.schema().values((Record) value));
        } else if (part instanceof Single single) {
          values.put(single.key(), value);
        }
      }
    } catch (Throwable e) {
      throw PecfException.pluginFault("Cannot read the options %s.", options).causedBy(e);
    }
    return values;
  }

  /** A source of the values of options. */
  @FunctionalInterface
  private interface TextLookup {
    Object of(Single part);
  }

  private O build(String owner, TextLookup values) {
    List<Object> arguments = new ArrayList<>();
    for (Part part : parts) {
      if (part instanceof Group group) {
        arguments.add(group.schema().build(owner, values));
      } else if (part instanceof Single single) {
        arguments.add(values.of(single));
      }
    }
    try {
      @SuppressWarnings("unchecked")
      O built = (O) constructor.invokeWithArguments(arguments);
      return built;
    } catch (IllegalArgumentException e) {
      throw PecfException.badOption("%s", named(owner, e.getMessage())).causedBy(e);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw PecfException.pluginFault("%s", named(owner, "its options failed: " + e)).causedBy(e);
    }
  }

  private void checkKeys(String owner, Map<String, String> values) {
    List<String> keys = keys();
    for (String key : values.keySet()) {
      if (!keys.contains(key)) {
        throw PecfException.badOption(
            "%s option '%s'.%s%s",
            owner.isEmpty() ? "There is no" : owner + " has no",
            key,
            Choices.suggestion(key, keys),
            keys.isEmpty()
                ? " It takes none."
                : (owner.isEmpty() ? " Options are: " : " It takes: ")
                    + String.join(", ", keys)
                    + ".");
      }
    }
  }

  private static String named(String owner, @Nullable String what) {
    return Optional.of(owner).filter(text -> !text.isEmpty()).map(text -> text + ": ").orElse("")
        + what;
  }

  private static String kebab(String camel) {
    StringBuilder key = new StringBuilder();
    for (char letter : camel.toCharArray()) {
      if (Character.isUpperCase(letter)) {
        key.append('-').append(Character.toLowerCase(letter));
      } else {
        key.append(letter);
      }
    }
    return key.toString();
  }
}
