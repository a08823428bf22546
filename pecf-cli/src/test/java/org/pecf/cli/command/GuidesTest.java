package org.pecf.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.cli.RecordedApplication;

/** Run what the guides to studies and protocols tell people to run. */
class GuidesTest extends RecordedApplication {
  @TempDir private Path folder;

  /** Return the commands of a guide's shell blocks, with their places in our folder. */
  private List<List<String>> commands(String guide) throws IOException {
    List<List<String>> commands = new ArrayList<>();
    Matcher blocks =
        Pattern.compile("```sh\\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Path.of("../docs", guide)));
    while (blocks.find()) {
      for (String line : blocks.group(1).replace("\\\n", " ").split("\n")) {
        List<String> words = new ArrayList<>();
        for (String word : line.strip().split("\\s+")) {
          String option = words.isEmpty() ? "" : words.get(words.size() - 1);
          String plain = word.replace("'", "");
          words.add(
              switch (option) {
                case "--out", "--config" -> folder.resolve(plain).toString();
                case "--tuned" -> plain.replaceFirst("=", "=" + folder + "/");
                default -> plain.endsWith(".csv") ? folder.resolve(plain).toString() : plain;
              });
        }
        assertEquals("pecf-run", words.remove(0), line);
        commands.add(words);
      }
    }
    return commands;
  }

  @ParameterizedTest
  @ValueSource(strings = {"study.md", "protocols.md"})
  void everyCommandWorks(String guide) throws IOException {
    List<List<String>> commands = commands(guide);
    assertTrue(commands.size() >= 3, commands::toString);
    for (List<String> command : commands) {
      assertEquals(0, execute(command.toArray(String[]::new)), () -> command + ": " + err());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tune", "reproduce"})
  void helpFitsTheScreen(String command) {
    assertEquals(0, execute(command, "--help"));
    String help = out();
    assertTrue(help.startsWith("Usage: pecf-run " + command), help);
    help.lines().forEach(line -> assertTrue(line.length() <= 100, line));
  }
}
