package org.pecf.cli.option;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Choices;
import picocli.CommandLine.TypeConversionException;

/** Read the values of options, and say what is wrong with those that cannot be read. */
public final class Values {
  private static final Pattern BYTES =
      Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*([kmgt]?)i?b?", Pattern.CASE_INSENSITIVE);

  private Values() {}

  /** Read a constant written in lower case with hyphens. */
  public static <E extends Enum<E>> E choice(String option, String text, E[] constants) {
    List<String> names = Arrays.stream(constants).map(Values::name).toList();
    int place = names.indexOf(text.strip());
    if (place < 0) {
      throw bad(
          option
              + " cannot be '"
              + text
              + "'."
              + Choices.suggestion(text, names)
              + " It is one of: "
              + String.join(", ", names));
    }
    return constants[place];
  }

  /** Return how a constant is written in options. */
  static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Check a whole number, or return the default if there is none. */
  static int atLeast(String option, Integer value, int least, int otherwise) {
    if (value != null && value < least) {
      throw bad(option + " must be at least " + least + ", not " + value);
    }
    return value == null ? otherwise : value;
  }

  /** Read an amount of memory such as 8g or 512m. */
  static long bytes(String option, String text) {
    Matcher matcher = BYTES.matcher(text.strip());
    if (matcher.matches()) {
      int power = " kmgt".indexOf((matcher.group(2) + " ").toLowerCase(Locale.ROOT).charAt(0));
      double bytes = Double.parseDouble(matcher.group(1)) * Math.pow(1024, Math.max(0, power));
      if (bytes >= 1 && bytes < Long.MAX_VALUE) {
        return (long) bytes;
      }
    }
    throw bad(option + " must be an amount of memory such as 8g or 512m, not '" + text + "'");
  }

  /** Read a whole number for an option, whose name the parser adds to what is wrong. */
  static long wholeNumber(String text, long least, long largest) {
    BigInteger number;
    try {
      number = new BigInteger(text.strip());
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + text + "' is not a whole number");
    }
    if (number.compareTo(BigInteger.valueOf(least)) < 0
        || number.compareTo(BigInteger.valueOf(largest)) > 0) {
      throw new TypeConversionException(
          "'" + text + "' is not a whole number from " + least + " to " + largest);
    }
    return number.longValue();
  }

  /** Read a number for an option, whose name the parser adds to what is wrong. */
  static double number(String text, double largest) {
    double number;
    try {
      number = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + text + "' is not a number");
    }
    if (!(Math.abs(number) <= largest)) {
      throw new TypeConversionException("'" + text + "' is not a finite number");
    }
    return number;
  }

  /** Read whole numbers apart by commas. */
  static List<Integer> positiveIntegers(String option, String text) {
    List<Integer> numbers = new ArrayList<>();
    for (String word : text.split(",", -1)) {
      try {
        numbers.add(Integer.parseInt(word.strip()));
      } catch (NumberFormatException e) {
        numbers.add(0);
      }
      if (numbers.get(numbers.size() - 1) < 1) {
        throw bad(
            option + " must be whole numbers from 1 on such as 50,100,200, not '" + text + "'");
      }
    }
    return numbers;
  }

  static PecfException bad(String message) {
    return PecfException.badOption("%s", message);
  }
}
