package org.pecf.api.plugin;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.pecf.api.PecfException;

/**
 * The way from texts to values of one type of option, and back.
 *
 * @param word a word for the type: integer, number, boolean, text, choice or list
 * @param label a placeholder for a value in help texts
 * @param choices the values of a choice, else empty
 * @param reader the way from a text to a value
 */
record OptionType(String word, String label, List<String> choices, Reader reader) {
  /** A reader of texts. */
  @FunctionalInterface
  interface Reader {
    /**
     * Read a value.
     *
     * @param name the name of the option, for messages
     * @param option the range of numbers
     * @param text the text, as it was given
     * @throws PecfException if the text is no such value, or the value is out of range
     */
    Object read(String name, Option option, String text);
  }

  /**
   * Return the type of option that a Java type is.
   *
   * @param lookup the lookup of the record that has the option
   */
  static OptionType of(MethodHandles.Lookup lookup, Type type) {
    if (type instanceof ParameterizedType generic) {
      OptionType element = of(lookup, generic.getActualTypeArguments()[0]);
      if (generic.getRawType() == Optional.class) {
        return element.reading(
            (name, option, text) ->
                text.isBlank()
                    ? Optional.empty()
                    : Optional.of(element.reader.read(name, option, text)));
      }
      if (generic.getRawType() == List.class) {
        return new OptionType(
            "list", element.label + ",...", element.choices, list(element.reader));
      }
    }
    if (type == OptionalDouble.class) {
      OptionType number = plain(lookup, double.class);
      return number.reading(
          (name, option, text) ->
              text.isBlank()
                  ? OptionalDouble.empty()
                  : OptionalDouble.of((double) number.reader.read(name, option, text)));
    }
    if (type instanceof Class<?> plain) {
      return plain(lookup, plain);
    }
    throw new IllegalArgumentException("an option cannot be of " + type);
  }

  private static OptionType plain(MethodHandles.Lookup lookup, Class<?> type) {
    if (type == int.class || type == Integer.class) {
      return integer((name, option, text) -> (int) integer(name, option, text, Integer.SIZE));
    }
    if (type == long.class || type == Long.class) {
      return integer((name, option, text) -> integer(name, option, text, Long.SIZE));
    }
    if (type == float.class || type == Float.class) {
      return number((name, option, text) -> (float) number(name, option, text, Float.MAX_VALUE));
    }
    if (type == double.class || type == Double.class) {
      return number(OptionType::number);
    }
    if (type == boolean.class || type == Boolean.class) {
      return new OptionType("boolean", "true|false", List.of(), OptionType::truth);
    }
    if (type == String.class) {
      return new OptionType("text", "TEXT", List.of(), (name, option, text) -> text);
    }
    if (type == Path.class) {
      return new OptionType("text", "FILE", List.of(), (name, option, text) -> Path.of(text));
    }
    if (type.isEnum()) {
      return choice(type);
    }
    try {
      return value(lookup, type.getMethod("parse", String.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("an option cannot be of " + type, e);
    }
  }

  private OptionType reading(Reader changed) {
    return new OptionType(word, label, choices, changed);
  }

  private static OptionType integer(Reader reader) {
    return new OptionType("integer", "N", List.of(), reader);
  }

  private static OptionType number(Reader reader) {
    return new OptionType("number", "X", List.of(), reader);
  }

  private static OptionType choice(Class<?> type) {
    List<Enum<?>> constants = new ArrayList<>();
    for (Object constant : type.getEnumConstants()) {
      constants.add((Enum<?>) constant);
    }
    List<String> names = constants.stream().map(Choices::nameOf).toList();
    return new OptionType(
        "choice",
        "NAME",
        names,
        (name, option, text) -> {
          int place = names.indexOf(text.strip());
          if (place < 0) {
            throw PecfException.badOption(
                "%s cannot be '%s'.%s It is one of: %s.",
                name, text.strip(), Choices.suggestion(text, names), String.join(", ", names));
          }
          return constants.get(place);
        });
  }

  private static OptionType value(MethodHandles.Lookup lookup, Method parse)
      throws IllegalAccessException {
    if (!Modifier.isStatic(parse.getModifiers())
        || !parse.getDeclaringClass().isAssignableFrom(parse.getReturnType())) {
      throw new IllegalArgumentException(parse + " is not a static method that returns its type");
    }
    MethodHandle handle = OptionSchema.handle(lookup, parse);
    return new OptionType(
        "text",
        "VALUE",
        List.of(),
        (name, option, text) -> {
          try {
            return handle.invokeWithArguments(text.strip());
          } catch (PecfException e) {
            throw e;
          } catch (IllegalArgumentException e) {
            throw PecfException.badOption(
                    "%s cannot be '%s': %s.", name, text.strip(), e.getMessage())
                .causedBy(e);
          } catch (Throwable e) {
            throw PecfException.pluginFault("%s: %s failed.", name, parse).causedBy(e);
          }
        });
  }

  private static Reader list(Reader element) {
    return (name, option, text) ->
        Arrays.stream(text.split(",", -1))
            .map(word -> element.read(name, option, word.strip()))
            .toList();
  }

  private static boolean truth(String name, Option option, String text) {
    return switch (text.strip()) {
      case "true" -> true;
      case "false" -> false;
      default -> throw PecfException.badOption("%s must be true or false, not '%s'.", name, text);
    };
  }

  private static long integer(String name, Option option, String text, int bits) {
    BigInteger value;
    try {
      value = new BigInteger(text.strip());
    } catch (NumberFormatException e) {
      throw PecfException.badOption("%s must be a whole number, not '%s'.", name, text).causedBy(e);
    }
    boolean fits = value.bitLength() < bits;
    if (!fits || value.doubleValue() < option.min() || value.doubleValue() > option.max()) {
      throw PecfException.badOption(
          "%s must be %s, not %s.",
          name, fits ? range(option.min(), option.max()) : range(option, bits), value);
    }
    return value.longValue();
  }

  private static double number(String name, Option option, String text) {
    return number(name, option, text, Double.MAX_VALUE);
  }

  private static double number(String name, Option option, String text, double largest) {
    double value;
    try {
      value = Double.parseDouble(text.strip());
    } catch (NumberFormatException e) {
      throw PecfException.badOption("%s must be a number, not '%s'.", name, text).causedBy(e);
    }
    if (!(Math.abs(value) <= largest)) {
      throw PecfException.badOption("%s must be a finite number, not '%s'.", name, text);
    }
    if (!(value >= option.min() && value <= option.max())) {
      throw PecfException.badOption(
          "%s must be %s, not %s.", name, range(option.min(), option.max()), shortest(value));
    }
    return value;
  }

  /** Return the range of an option that holds whole numbers of some bits. */
  private static String range(Option option, int bits) {
    BigInteger half = BigInteger.ONE.shiftLeft(bits - 1);
    boolean above = option.min() > -half.doubleValue();
    boolean below = option.max() < half.doubleValue();
    return "between "
        + (above ? shortest(option.min()) : half.negate().toString())
        + " and "
        + (below ? shortest(option.max()) : half.subtract(BigInteger.ONE).toString());
  }

  private static String range(double least, double most) {
    if (most == Double.POSITIVE_INFINITY) {
      return "at least " + shortest(least);
    }
    return least == Double.NEGATIVE_INFINITY
        ? "at most " + shortest(most)
        : "between " + shortest(least) + " and " + shortest(most);
  }

  private static String shortest(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  /** Return the text that reads as a value; empty for an option that is unset. */
  static Optional<String> text(Object value) {
    if (value instanceof OptionalDouble optional) {
      return optional.isPresent()
          ? Optional.of(Double.toString(optional.getAsDouble()))
          : Optional.empty();
    }
    if (value instanceof Optional<?> optional) {
      return optional.flatMap(OptionType::text);
    }
    if (value instanceof Enum<?> constant) {
      return Optional.of(Choices.nameOf(constant));
    }
    if (value instanceof List<?> list) {
      return Optional.of(
          list.stream().map(item -> text(item).orElse("")).collect(Collectors.joining(",")));
    }
    return Optional.of(String.valueOf(value));
  }
}
