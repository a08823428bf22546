package org.pecf.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.pecf.cli.console.Console;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class NumberOptionsTest {
  private static final Set<Class<?>> NUMBERS =
      Set.of(
          int.class,
          long.class,
          float.class,
          double.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class);

  @Test
  void everyNumberIsReadByAReaderThatSpeaksPlainly() {
    check(CommandWord.root());
  }

  private static void check(CommandWord word) {
    CommandLine parser = new CommandLine(word.create(Console.system()));
    for (OptionSpec option : parser.getCommandSpec().options()) {
      if (NUMBERS.contains(option.type())) {
        assertFalse(
            option.converters().length == 0,
            option.longestName() + " of " + word.type().getSimpleName() + " needs a converter");
      }
    }
    word.next().values().forEach(next -> check(next.get()));
  }
}
