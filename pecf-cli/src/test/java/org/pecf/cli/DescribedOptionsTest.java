package org.pecf.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.pecf.cli.console.Console;
import org.pecf.cli.option.Section;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class DescribedOptionsTest {
  @Test
  void everyValueIsReadByTheSchemaOfARecord() {
    check("");
  }

  private static void check(String words) {
    CommandLine parser = Application.parser(words, Commands.create(words, Console.system()), 80);
    for (OptionSpec option : parser.getCommandSpec().options()) {
      assertTrue(
          option.usageHelp() || option.versionHelp() || option.userObject() instanceof Section,
          option.longestName() + " of '" + words + "' is described by no record");
    }
    Commands.next(words).forEach(next -> check(Commands.join(words, next)));
  }
}
