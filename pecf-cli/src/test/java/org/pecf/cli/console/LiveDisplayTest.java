package org.pecf.cli.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveDisplayTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream stream = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private Display.Live display(boolean colour) {
    return new Display.Live(stream, new Terminal(true, 80, colour), () -> 0, () -> 3 << 20);
  }

  /** Do what a terminal does with the few escapes in use, and return what it then shows. */
  private List<String> screen() {
    List<StringBuilder> lines = new ArrayList<>(List.of(new StringBuilder()));
    int row = 0;
    int column = 0;
    String text = bytes.toString(StandardCharsets.UTF_8);
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      if (letter == '\u001b') {
        int end = i + 2;
        while (!Character.isLetter(text.charAt(end))) {
          end++;
        }
        String code = text.substring(i + 2, end + 1);
        if (code.endsWith("A")) {
          row -= Integer.parseInt(code.substring(0, code.length() - 1));
        } else if (code.equals("K")) {
          lines.get(row).setLength(column);
        } else if (code.equals("J")) {
          lines.get(row).setLength(column);
          lines.subList(row + 1, lines.size()).clear();
        } else {
          assertTrue(List.of("?25l", "?25h", "2m", "0m").contains(code), code);
        }
        i = end;
      } else if (letter == '\r') {
        column = 0;
      } else if (letter == '\n') {
        row++;
        column = 0;
        if (row == lines.size()) {
          lines.add(new StringBuilder());
        }
      } else {
        StringBuilder line = lines.get(row);
        line.replace(column, Math.min(line.length(), column + 1), String.valueOf(letter));
        column++;
      }
    }
    return lines.stream().map(StringBuilder::toString).toList();
  }

  @Test
  void longLinesAreBrokenAtBlanksAndNeverInNumbers() {
    StringBuilder text = new StringBuilder("member 1 of 6:");
    for (int k = 0; k < 20; k++) {
      text.append(" recall@").append(k).append(" 0.").append(123456 + k);
    }
    Display.Live display = display(false);
    display.line(text.toString());
    display.close();
    List<String> lines = screen();
    assertTrue(lines.stream().allMatch(line -> line.length() <= 80), lines::toString);
    assertEquals(
        text.toString(), String.join(" ", lines.stream().map(String::strip).toList()).strip());
  }

  @Test
  void stateIsReplacedAndLinesStayAboveIt() {
    Display.Live display = display(false);
    display.show(Progress.activity("loading a very long name"));
    display.redraw();
    display.line("loaded");
    display.show(Progress.activity("").startMember(1, 2, "wmf"));
    display.redraw();
    display.redraw();
    assertEquals(
        List.of(
            "loaded", "member 1/2  wmf  [                        ]", "memory 3.0 MB  elapsed 0:00"),
        screen());
  }

  @Test
  void closingLeavesOnlyTheLinesAndTheCursor() {
    Display.Live display = display(true);
    display.show(Progress.activity("").startMember(1, 2, "wmf"));
    display.redraw();
    display.line("one");
    display.close();
    display.close();
    assertEquals(List.of("one", ""), screen());
    String written = bytes.toString(StandardCharsets.UTF_8);
    assertTrue(written.endsWith("\u001b[?25h"), "the cursor is shown again");
    assertFalse(display.redraw(), "nothing is drawn any more");
    assertEquals(written, bytes.toString(StandardCharsets.UTF_8));
  }

  @Test
  void coloursAreLeftOutWhenUnwelcome() {
    Display.Live plain = display(false);
    plain.redraw();
    assertFalse(bytes.toString(StandardCharsets.UTF_8).contains("\u001b[2m"));
    display(true).redraw();
    assertTrue(bytes.toString(StandardCharsets.UTF_8).contains("\u001b[2m"));
  }
}
