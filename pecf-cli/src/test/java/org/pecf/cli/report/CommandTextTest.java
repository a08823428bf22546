package org.pecf.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class CommandTextTest {
  @Test
  void aLongCommandGoesOnInTheNextLineAsShellsReadIt() {
    String command =
        "pecf-run --data 'a b.csv' --rank 16 --set wmf.frequency-exponent=1 --rounds 4";
    List<String> lines = CommandText.lines(command, 40);
    assertEquals(
        List.of(
            "pecf-run --data 'a b.csv' --rank 16 \\",
            "    --set wmf.frequency-exponent=1 \\",
            "    --rounds 4"),
        lines);
    assertEquals(command, String.join("\n", lines).replaceAll(" \\\\\n +", " "));
    assertEquals(List.of(command), CommandText.lines(command, Integer.MAX_VALUE));
  }

  @Test
  void aWordThatIsTooLongStandsAlone() {
    assertEquals(
        List.of("pecf-run \\", "    --data a-very-long-name-of-a-file.csv"),
        CommandText.lines("pecf-run --data a-very-long-name-of-a-file.csv", 20));
  }
}
