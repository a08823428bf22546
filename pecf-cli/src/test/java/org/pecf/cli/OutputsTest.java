package org.pecf.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.cli.console.Console;
import org.pecf.cli.console.Page;
import org.pecf.cli.console.Terminal;

/** Where results go is tried before any work, and what does not arrive there is said. */
class OutputsTest extends RecordedApplication {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"--help", "plugins list", "backends --help"})
  void whatDoesNotArriveIsSaid(String arguments) {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int value) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    Application application =
        new Application(
            new Console(
                new PrintStream(full, true, StandardCharsets.UTF_8),
                new PrintStream(said, true, StandardCharsets.UTF_8),
                Page.unlimited(),
                Terminal.plain()));
    assertEquals(2, application.execute(arguments.split(" ")));
    assertTrue(
        said.toString(StandardCharsets.UTF_8)
            .startsWith(
                "pecf-run: error: the results could not all be written to standard output."),
        said.toString(StandardCharsets.UTF_8));
  }

  private void assertRefused(String destination, String... arguments) throws IOException {
    assertEquals(2, execute(arguments));
    assertTrue(err().startsWith("pecf-run: error: Cannot write"), err());
    assertTrue(err().contains(destination), err());
    assertEquals(1, err().lines().count(), err());
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(folder.resolve("file")), files.toList(), "nothing was made");
    }
  }

  @Test
  void destinationsAreTriedFirst() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "user,item\n1,2\n");
    String metrics = folder.resolve("missing").resolve("metrics.json").toString();
    String within = file.resolve("out").toString();
    assertRefused(metrics, "--data", "nothing", "--metrics-json", metrics);
    assertRefused(folder.toString(), "--data", "nothing", "--metrics-json", folder.toString());
    assertRefused(metrics, "evaluate", "nothing", "--metrics-json", metrics);
    assertRefused(within, "--data", "nothing", "--out", within);
    assertRefused(within, "tune", "--search", "nu=1..2", "--out", within);
    assertRefused(within, "reproduce", "--out", within);
    assertRefused(within, "bench", "--scaling", "--out", within);
    String csv = folder.resolve("missing").resolve("a.csv").toString();
    assertRefused(csv, "data", "convert", "nothing", csv);
  }

  @Test
  void logsAreNotWrittenThroughLinks() throws Exception {
    Path precious = Files.writeString(folder.resolve("precious"), "precious");
    Files.createSymbolicLink(folder.resolve("model.run.log"), precious);
    assertEquals(2, execute("--data", "nothing", "--out", folder.resolve("model").toString()));
    assertTrue(err().contains("model.run.log is needed for the log"), err());
    assertEquals("precious", Files.readString(precious));
    assertFalse(Files.exists(folder.resolve("model")));
  }
}
