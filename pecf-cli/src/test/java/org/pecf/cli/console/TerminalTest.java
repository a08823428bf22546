package org.pecf.cli.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class TerminalTest {
  private static final String STREAM = "pecf.terminal";

  private static Terminal detect(Map<String, String> environment, String terminal, String columns) {
    Properties launcher = new Properties();
    launcher.setProperty(STREAM, terminal);
    launcher.setProperty("pecf.columns", columns);
    return Terminal.detect(
        STREAM, environment, launcher, () -> fail("the JVM must not be asked: that is slow"));
  }

  @Test
  void launcherKnowsTheTerminalAndItsWidth() {
    assertEquals(new Terminal(true, 120, true), detect(Map.of("TERM", "xterm"), "true", "120"));
    assertEquals(120, detect(Map.of("COLUMNS", "90"), "true", "120").columns());
  }

  @Test
  void columnsFallBackToTheEnvironmentAndThenToEighty() {
    assertEquals(100, detect(Map.of("COLUMNS", "100"), "true", "").columns());
    assertEquals(80, detect(Map.of("COLUMNS", "wide"), "true", "0").columns());
    assertEquals(80, detect(Map.of(), "true", "").columns());
  }

  @Test
  void linesInPipesAreOfAnyLengthUnlessColumnsSaysOtherwise() {
    assertEquals(Terminal.none(), detect(Map.of("TERM", "xterm"), "false", "120"));
    assertEquals(new Terminal(false, 72, false), detect(Map.of("COLUMNS", "72"), "false", "120"));
    assertEquals(Terminal.none(), detect(Map.of("COLUMNS", "wide"), "false", ""));
  }

  @Test
  void nothingIsRedrawnOnDumbTerminalsAndBuildServers() {
    assertEquals(new Terminal(false, 80, false), detect(Map.of("TERM", "dumb"), "true", "80"));
    assertEquals(new Terminal(false, 80, true), detect(Map.of("CI", "true"), "true", "80"));
  }

  @Test
  void noColorIsRespectedWhenItIsNotEmpty() {
    assertEquals(new Terminal(true, 80, false), detect(Map.of("NO_COLOR", "1"), "true", "80"));
    assertEquals(new Terminal(true, 80, true), detect(Map.of("NO_COLOR", ""), "true", "80"));
  }

  @Test
  void withoutTheLauncherTheJvmIsAsked() {
    Properties none = new Properties();
    assertEquals(new Terminal(true, 80, true), Terminal.detect(STREAM, Map.of(), none, () -> true));
    assertFalse(Terminal.detect(STREAM, Map.of(), none, () -> false).live());
  }
}
