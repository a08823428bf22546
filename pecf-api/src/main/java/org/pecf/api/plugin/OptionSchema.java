package org.pecf.api.plugin;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import org.apiguardian.api.API;
import org.pecf.api.PecfException;

/**
 * Bind texts to the components of an options record, and say what the options are.
 *
 * <p>Every component of the record carries {@link Option}. The plugin passes its own lookup, so the
 * record's package need not be exported or opened. The record's constructor may check what ranges
 * cannot say and throw {@link IllegalArgumentException}.
 *
 * @param <O> the record
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class OptionSchema<O extends Record> {
  private final List<OptionDescription> descriptions;
  private final List<Class<?>> types;
  private final Call constructor;
  private final List<Call> accessors;

  private OptionSchema(
      List<OptionDescription> descriptions,
      List<Class<?>> types,
      Call constructor,
      List<Call> accessors) {
    this.descriptions = List.copyOf(descriptions);
    this.types = List.copyOf(types);
    this.constructor = constructor;
    this.accessors = List.copyOf(accessors);
  }

  /**
   * Read the schema of a record.
   *
   * @param lookup the caller's own {@link MethodHandles#lookup()}
   * @param type the record whose components carry {@link Option}
   */
  public static <O extends Record> OptionSchema<O> of(MethodHandles.Lookup lookup, Class<O> type) {
    RecordComponent[] components = type.getRecordComponents();
    List<OptionDescription> descriptions = new ArrayList<>();
    List<Class<?>> types = new ArrayList<>();
    List<Call> accessors = new ArrayList<>();
    try {
      for (RecordComponent component : components) {
        Option option = component.getAnnotation(Option.class);
        if (option == null) {
          throw new IllegalArgumentException(
              type.getName() + "." + component.getName() + " lacks @Option");
        }
        descriptions.add(
            new OptionDescription(
                kebab(component.getName()),
                typeWord(component.getType()),
                option.value(),
                option.defaultValue(),
                option.min(),
                option.max(),
                choices(component.getType())));
        types.add(component.getType());
        accessors.add(call(lookup, component.getAccessor()));
      }
      return new OptionSchema<>(
          descriptions,
          types,
          call(lookup, type.getDeclaredConstructor(types.toArray(Class<?>[]::new))),
          accessors);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("the lookup cannot construct " + type.getName(), e);
    }
  }

  /** Call code of the record. */
  private interface Call {
    Object with(Object... arguments) throws Throwable;
  }

  /**
   * Return how to call a constructor or an accessor. Where the record is open to this module that
   * is by reflection: what Java makes at run time for a method handle takes longer than all else
   * that is done with options.
   */
  private static Call call(MethodHandles.Lookup lookup, Executable code)
      throws IllegalAccessException {
    lookup.accessClass(code.getDeclaringClass());
    if (!code.trySetAccessible()) {
      MethodHandle handle =
          code instanceof Constructor<?> constructor
              ? lookup.unreflectConstructor(constructor)
              : lookup.unreflect((Method) code);
      return handle::invokeWithArguments;
    }
    return new Call() {
      @Override
      public Object with(Object... arguments) throws Throwable {
        try {
          return code instanceof Constructor<?> constructor
              ? constructor.newInstance(arguments)
              : ((Method) code).invoke(arguments[0]);
        } catch (InvocationTargetException e) {
          throw e.getCause();
        }
      }
    };
  }

  /** Return the options in declaration order. */
  public List<OptionDescription> descriptions() {
    return descriptions;
  }

  /** Return the keys in declaration order. */
  public List<String> keys() {
    return descriptions.stream().map(OptionDescription::key).toList();
  }

  /**
   * Build the record from texts; what is not given takes its default.
   *
   * @param owner what the options belong to, for messages, such as "filter wmf"
   * @param values texts by key. Not modified.
   * @throws PecfException for an unknown key, a text that is no such value, or a value out of range
   */
  public O bind(String owner, Map<String, String> values) {
    List<String> keys = keys();
    for (String key : values.keySet()) {
      if (!keys.contains(key)) {
        throw PecfException.badOption(
            "%s has no option '%s'.%s%s",
            owner,
            key,
            Choices.suggestion(key, keys),
            (keys.isEmpty() ? " It takes none." : " It takes: " + String.join(", ", keys)));
      }
    }
    List<Object> arguments = new ArrayList<>();
    for (int i = 0; i < descriptions.size(); i++) {
      OptionDescription option = descriptions.get(i);
      String text = values.getOrDefault(option.key(), option.defaultValue());
      arguments.add(parse(owner, option, types.get(i), text));
    }
    try {
      @SuppressWarnings("unchecked")
      O bound = (O) constructor.with(arguments.toArray());
      return bound;
    } catch (IllegalArgumentException e) {
      throw PecfException.badOption("%s: %s", owner, e.getMessage()).causedBy(e);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw PecfException.pluginFault("%s: its options failed: %s", owner, e).causedBy(e);
    }
  }

  /** Return the texts that bind to an equal record; unset options are left out. */
  public Map<String, String> texts(O options) {
    Map<String, String> texts = new LinkedHashMap<>();
    try {
      for (int i = 0; i < descriptions.size(); i++) {
        Object value = accessors.get(i).with(options);
        if (value instanceof OptionalDouble optional) {
          if (optional.isPresent()) {
            texts.put(descriptions.get(i).key(), Double.toString(optional.getAsDouble()));
          }
        } else if (value instanceof Enum<?> constant) {
          texts.put(descriptions.get(i).key(), constantKey(constant));
        } else {
          texts.put(descriptions.get(i).key(), Objects.toString(value));
        }
      }
    } catch (Throwable e) {
      throw PecfException.pluginFault("Cannot read options %s", options).causedBy(e);
    }
    return texts;
  }

  private static Object parse(String owner, OptionDescription option, Class<?> type, String text) {
    String trimmed = text.strip();
    try {
      if (type == String.class) {
        return text;
      }
      if (type == boolean.class) {
        return switch (trimmed) {
          case "true" -> true;
          case "false" -> false;
          default -> throw new NumberFormatException();
        };
      }
      if (type.isEnum()) {
        return Arrays.stream(type.getEnumConstants())
            .filter(constant -> constantKey((Enum<?>) constant).equals(trimmed))
            .findFirst()
            .orElseThrow(
                () ->
                    PecfException.badOption(
                        "%s: %s cannot be '%s'.%s It is one of: %s",
                        owner,
                        option.key(),
                        trimmed,
                        Choices.suggestion(trimmed, option.choices()),
                        String.join(", ", option.choices())));
      }
      if (type == OptionalDouble.class) {
        return trimmed.isEmpty()
            ? OptionalDouble.empty()
            : OptionalDouble.of(inRange(owner, option, Double.parseDouble(trimmed)));
      }
      if (type == int.class) {
        return (int) inRange(owner, option, Integer.parseInt(trimmed));
      }
      if (type == long.class) {
        long value = Long.parseLong(trimmed);
        inRange(owner, option, value);
        return value;
      }
      double value = inRange(owner, option, Double.parseDouble(trimmed));
      if (type == float.class) {
        return (float) value;
      }
      return value;
    } catch (NumberFormatException e) {
      throw PecfException.badOption(
              "%s: %s must be %s, not '%s'.", owner, option.key(), plainly(option.type()), text)
          .causedBy(e);
    }
  }

  private static double inRange(String owner, OptionDescription option, double value) {
    if (!(value >= option.min() && value <= option.max())) {
      throw PecfException.badOption(
          "%s: %s must be %s, not %s",
          owner,
          option.key(),
          (option.max() == Double.POSITIVE_INFINITY
              ? "at least " + shortest(option.min())
              : option.min() == Double.NEGATIVE_INFINITY
                  ? "at most " + shortest(option.max())
                  : "between " + shortest(option.min()) + " and " + shortest(option.max())),
          shortest(value));
    }
    return value;
  }

  private static String shortest(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  /** Return what a value of a type is in plain words. */
  private static String plainly(String typeWord) {
    return switch (typeWord) {
      case "integer" -> "a whole number";
      case "boolean" -> "true or false";
      default -> "a " + typeWord;
    };
  }

  private static String typeWord(Class<?> type) {
    if (type == int.class || type == long.class) {
      return "integer";
    }
    if (type == float.class || type == double.class || type == OptionalDouble.class) {
      return "number";
    }
    if (type == boolean.class) {
      return "boolean";
    }
    if (type == String.class) {
      return "text";
    }
    if (type.isEnum()) {
      return "choice";
    }
    throw new IllegalArgumentException("an option cannot be of " + type);
  }

  private static List<String> choices(Class<?> type) {
    return type.isEnum()
        ? Arrays.stream(type.getEnumConstants())
            .map(constant -> constantKey((Enum<?>) constant))
            .toList()
        : List.of();
  }

  private static String constantKey(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
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
