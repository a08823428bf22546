package org.pecf.cli.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Displays for files, pipes and programs. */
class DisplayTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream stream = new PrintStream(bytes, true, StandardCharsets.UTF_8);
  private final AtomicLong clock = new AtomicLong();

  private List<String> lines() {
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static Progress step(int step) {
    return Progress.activity("")
        .startMember(1, 2, "wmf")
        .finishStep("wmf", step, 8, Map.of("objective", 5.0, "strange", Double.NaN))
        .withRate(1000);
  }

  private void seconds(long seconds) {
    clock.set(seconds * 1_000_000_000L);
  }

  @Test
  void linesArePlainAndTheStateIsOneNowAndThen() {
    Display.Lines display = new Display.Lines(stream, clock::get);
    display.line("loaded");
    for (int second = 1; second <= 70; second++) {
      seconds(second);
      display.show(step(1 + second / 10));
    }
    display.close();
    assertEquals(3, lines().size(), lines()::toString);
    assertEquals("loaded", lines().get(0));
    assertTrue(
        lines().get(1).matches("member 1/2  wmf  \\[=+ +]  step 4/8  .*elapsed 0:30.*left"),
        lines().get(1));
    assertFalse(bytes.toString(StandardCharsets.UTF_8).contains("\u001b"), "no escapes");
  }

  @Test
  void programsGetAnObjectPerLine() throws IOException {
    Display.Json display = new Display.Json(stream, clock::get);
    display.line("loaded \"it\"");
    display.show(step(1));
    display.show(step(1));
    seconds(4);
    display.show(step(2));
    display.show(Progress.activity("evaluating"));
    ObjectMapper json = new ObjectMapper();
    assertEquals(4, lines().size(), lines()::toString);
    assertEquals("loaded \"it\"", json.readTree(lines().get(0)).get("line").asText());
    JsonNode state = json.readTree(lines().get(2));
    assertEquals(4, state.get("seconds").asDouble());
    assertEquals(1, state.get("member").asInt());
    assertEquals(2, state.get("members").asInt());
    assertEquals(2, state.get("step").asInt());
    assertEquals(0.125, state.get("fraction").asDouble());
    assertEquals(28, state.get("secondsLeft").asDouble(), 0.1);
    assertEquals(1000, state.get("positivesPerSecond").asDouble());
    assertEquals(5, state.get("figures").get("objective").asDouble());
    assertTrue(state.get("figures").get("strange").isNull());
    assertTrue(state.get("memoryBytes").asLong() > 0);
    assertEquals("evaluating", json.readTree(lines().get(3)).get("activity").asText());
  }

  @Test
  void formsAreChosen() {
    Console file = new Console(stream, stream, Terminal.none(), Terminal.none());
    assertTrue(Display.on(file, Display.Form.AUTO) instanceof Display.Lines);
    assertTrue(Display.on(file, Display.Form.JSON) instanceof Display.Json);
    Console terminal = new Console(stream, stream, Terminal.none(), new Terminal(true, 80, false));
    try (Display live = Display.on(terminal, Display.Form.AUTO)) {
      assertTrue(live instanceof Display.Live);
    }
    assertTrue(Display.on(terminal, Display.Form.LINES) instanceof Display.Lines);
    bytes.reset();
    try (Display none = Display.on(terminal, Display.Form.NONE)) {
      none.line("x");
      none.show(step(1));
    }
    assertEquals(0, bytes.size());
  }
}
