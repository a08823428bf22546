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
    check("pecf-run", CommandWord.root());
  }

  private static void check(String name, CommandWord word) {
    CommandLine parser = Application.parser(word.create(Console.system()), name, word, 80);
    for (OptionSpec option : parser.getCommandSpec().options()) {
      assertTrue(
          option.usageHelp() || option.versionHelp() || option.userObject() instanceof Section,
          option.longestName() + " of " + name + " is described by no record");
    }
    word.next().forEach((next, command) -> check(name + " " + next, command.get()));
  }
}
