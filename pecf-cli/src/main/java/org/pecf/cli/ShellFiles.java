package org.pecf.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.pecf.cli.console.Console;
import picocli.CommandLine;

/**
 * The program that writes what a shell needs to know of the command line: the script by which it
 * completes words, and the pages for man. The build runs it; the distribution ships the files.
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
    Files.writeString(completion.resolve(NAME), new CompletionScript(pages()).text());
    Path pages = Files.createDirectories(target.resolve("man").resolve("man1"));
    for (ManualPage page : pages()) {
      Files.writeString(pages.resolve(page.file()), page.text());
    }
  }

  /** Return the pages of all commands. */
  static List<ManualPage> pages() {
    List<ManualPage> pages = new ArrayList<>();
    add(pages, NAME, CommandWord.root());
    return pages;
  }

  private static void add(List<ManualPage> pages, String name, CommandWord word) {
    pages.add(new ManualPage(name, parser(name, word), word));
    word.next().forEach((next, command) -> add(pages, name + " " + next, command.get()));
  }

  private static CommandLine parser(String name, CommandWord word) {
    return Application.parser(word.create(Console.system()), name, word, COLUMNS);
  }
}
