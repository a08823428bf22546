package org.pecf.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.pecf.cli.console.Console;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The program that writes the files for shells: the script that completes words, and the pages for
 * man. The build runs it; the distribution ships the files.
 */
public final class ShellFiles {
  private static final String NAME = "pecf-run";
  private static final int COLUMNS = 80;

  private ShellFiles() {}

  /**
   * Write the files.
   *
   * @param folder the folder to write them to; one argument
   */
  public static void main(String[] folder) throws IOException {
    Path target = Path.of(folder[0]);
    Path completion = Files.createDirectories(target.resolve("completion"));
    CommandLine labelled = command("");
    labelChoices(labelled);
    Files.writeString(completion.resolve(NAME), AutoComplete.bash(NAME, labelled));
    write(command(""), Files.createDirectories(target.resolve("man").resolve("man1")));
  }

  private static void write(CommandLine command, Path pages) throws IOException {
    ManualPage page = new ManualPage(command);
    Files.writeString(pages.resolve(page.file()), page.text());
    for (CommandLine next : command.getSubcommands().values()) {
      write(next, pages);
    }
  }

  /** Return a command with all that may follow it. */
  static CommandLine command(String words) {
    CommandLine command =
        Application.parser(words, Commands.create(words, Console.system()), COLUMNS);
    for (String next : Commands.next(words)) {
      command.addSubcommand(next, command(Commands.join(words, next)));
    }
    return command;
  }

  /**
   * Label options that have choices by their own names, since the script tells choices apart by
   * labels.
   */
  private static void labelChoices(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    for (OptionSpec option : List.copyOf(spec.options())) {
      if (option.completionCandidates() != null) {
        spec.remove(option);
        spec.addOption(option.toBuilder().paramLabel(option.longestName().substring(2)).build());
      }
    }
    command.getSubcommands().values().forEach(ShellFiles::labelChoices);
  }
}
