package org.pecf.cli.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class TerminalTest {
  private static Properties launcher(String terminal, String columns) {
    Properties properties = new Properties();
    properties.setProperty("pecf.terminal", terminal);
    properties.setProperty("pecf.columns", columns);
    return properties;
  }

  private static Terminal detect(Map<String, String> environment, Properties properties) {
    return Terminal.detect(
        environment, properties, () -> fail("the JVM must not be asked: that is slow"));
  }

  @Test
  void launcherKnowsTheTerminal() {
    assertEquals(
        new Terminal(true, 120, true), detect(Map.of("TERM", "xterm"), launcher("true", "120")));
  }

  @Test
  void pipeGetsPlainLines() {
    assertEquals(
        new Terminal(false, 80, false), detect(Map.of("TERM", "xterm"), launcher("false", "")));
  }

  @Test
  void dumbTerminalsAndBuildServersGetPlainLines() {
    assertFalse(detect(Map.of("TERM", "dumb"), launcher("true", "80")).live());
    assertFalse(detect(Map.of("CI", "true"), launcher("true", "80")).live());
  }

  @Test
  void noColorIsRespectedWhenItIsNotEmpty() {
    assertEquals(
        new Terminal(true, 80, false), detect(Map.of("NO_COLOR", "1"), launcher("true", "80")));
    assertEquals(
        new Terminal(true, 80, true), detect(Map.of("NO_COLOR", ""), launcher("true", "80")));
  }

  @Test
  void columnsFallBackToTheEnvironmentAndThenToEighty() {
    assertEquals(100, detect(Map.of("COLUMNS", "100"), launcher("true", "")).columns());
    assertEquals(80, detect(Map.of("COLUMNS", "wide"), launcher("true", "0")).columns());
  }

  @Test
  void withoutTheLauncherTheJvmIsAsked() {
    assertEquals(
        new Terminal(true, 80, true), Terminal.detect(Map.of(), new Properties(), () -> true));
    assertFalse(Terminal.detect(Map.of(), new Properties(), () -> false).live());
  }
}
