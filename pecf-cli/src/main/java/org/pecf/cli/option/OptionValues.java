package org.pecf.cli.option;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Choices;
import picocli.CommandLine.TypeConversionException;

/** Readers of the values of options that no schema describes. */
public final class OptionValues {
  private OptionValues() {}

  /**
   * Read a constant written in lower case with hyphens.
   *
   * @param option the name of the option, for messages
   */
  public static <E extends Enum<E>> E choice(String option, String text, E[] constants) {
    List<String> names = Arrays.stream(constants).map(Choices::nameOf).toList();
    int place = names.indexOf(text.strip());
    if (place < 0) {
      throw PecfException.badOption(
          "%s cannot be '%s'.%s It is one of: %s.",
          option, text, Choices.suggestion(text, names), String.join(", ", names));
    }
    return constants[place];
  }

  /** Read a whole number for an option; the parser adds the option's name to the error message. */
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

  /** Read a number for an option; the parser adds the option's name to the error message. */
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
}
