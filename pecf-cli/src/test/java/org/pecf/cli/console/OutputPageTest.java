package org.pecf.cli.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class OutputPageTest {
  private static OutputPage detect(
      Map<String, String> environment, String terminal, String columns) {
    Properties properties = new Properties();
    properties.setProperty("pecf.page", terminal);
    properties.setProperty("pecf.columns", columns);
    return OutputPage.detect(environment, properties, () -> false);
  }

  @Test
  void aTerminalLimitsLinesToItsWidth() {
    assertEquals(new OutputPage(120, true), detect(Map.of("COLUMNS", "90"), "true", "120"));
    assertEquals(new OutputPage(90, true), detect(Map.of("COLUMNS", "90"), "true", ""));
    assertEquals(new OutputPage(80, true), detect(Map.of(), "true", ""));
  }

  @Test
  void linesInPipesAreOfAnyLengthUnlessColumnsSaysOtherwise() {
    assertEquals(OutputPage.unlimited(), detect(Map.of(), "false", "120"));
    assertEquals(new OutputPage(72, false), detect(Map.of("COLUMNS", "72"), "false", "120"));
    assertEquals(OutputPage.unlimited(), detect(Map.of("COLUMNS", "wide"), "false", ""));
  }

  @Test
  void nothingIsBoldWhereThatIsNotWelcome() {
    assertEquals(new OutputPage(80, false), detect(Map.of("NO_COLOR", "1"), "true", "80"));
    assertEquals(new OutputPage(80, true), detect(Map.of("NO_COLOR", ""), "true", "80"));
    assertEquals(new OutputPage(80, false), detect(Map.of("TERM", "dumb"), "true", "80"));
  }

  @Test
  void theJvmIsAskedWithoutTheLauncher() {
    assertEquals(
        new OutputPage(80, true), OutputPage.detect(Map.of(), new Properties(), () -> true));
    assertEquals(
        OutputPage.unlimited(), OutputPage.detect(Map.of(), new Properties(), () -> false));
  }
}
