package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.distribution.Distribution.Outcome;

class MistakesIT {
  @TempDir private Path folder;

  /** Return the one line of the error, after what was said of reading. */
  private static String error(Outcome outcome) {
    List<String> errors =
        outcome.err().lines().filter(line -> line.startsWith("pecf-run: error: ")).toList();
    assertEquals(1, errors.size(), outcome.err());
    assertTrue(outcome.err().endsWith(errors.get(0) + "\n"), outcome.err());
    return errors.get(0).substring("pecf-run: error: ".length());
  }

  @Test
  void wrongFlagIsExplained() throws Exception {
    Outcome outcome = Distribution.in(folder).run("--ranks", "5").expectExit(2);
    assertEquals(
        "There is no option '--ranks'. Did you mean '--rank'? See 'pecf-run --help'.",
        error(outcome));
    assertEquals("", outcome.out());
  }

  @Test
  void rubbishInAFileIsNamedWithFileAndLine() throws Exception {
    StringBuilder ratings = new StringBuilder("user,item,rating\n");
    for (int user = 1; user <= 2000; user++) {
      ratings.append(user + "," + user % 50 + ",4\n");
    }
    Files.writeString(folder.resolve("ratings.csv"), ratings + "7,8,good\n");
    assertEquals(
        "ratings.csv:2002:5: rating 'good' is not a number. Expected user,item,rating; correct"
            + " this line or leave it out.",
        error(
            Distribution.in(folder).run("--data", "ratings.csv", "--out", "model").expectExit(2)));
    assertTrue(Files.notExists(folder.resolve("model")), "no half-written model");
  }

  @Test
  void fileOfNoKnownFormatIsRefused() throws Exception {
    Files.write(folder.resolve("noise.bin"), new byte[] {0, 1, 2, (byte) 0xff, 7, 0, 0, 10});
    Outcome outcome = Distribution.in(folder).run("--data", "noise.bin").expectExit(2);
    assertTrue(error(outcome).contains("noise.bin"), outcome.err());
  }

  @Test
  void backendThatIsNotThereEndsWithCodeThree() throws Exception {
    Outcome outcome = Distribution.in(folder).run("--backend", "cup").expectExit(3);
    assertEquals(
        "There is no backend 'cup'. Did you mean 'cpu'? Known are: cpu, cuda.", error(outcome));
  }

  /** Numbers are bounded by the data and the memory, not by what an int can hold. */
  @Test
  void numbersBeyondAllMeasureAreRefused() throws Exception {
    String[] common = {"--effort", "none", "--rank", "4", "--iterations", "2"};
    for (String[] more :
        new String[][] {
          {"--construction", "em", "--components", "2147483647"},
          {"--chains", "2147483647"},
          {"--rounds", "2147483647"},
          {"--construction", "single", "--chains", "2147483647"}
        }) {
      String error =
          error(
              Distribution.in(folder)
                  .run(Stream.of(common, more).flatMap(Stream::of).toArray(String[]::new))
                  .expectExit(2));
      assertTrue(
          error.matches("The models of \\d+ members take about \\d+ MiB of memory, .*"), error);
    }
    for (String[] option : new String[][] {{"--nu", "1e300"}, {"--cutoffs", "1,2147483647"}}) {
      String error = error(Distribution.in(folder).run(option).expectExit(2));
      assertTrue(error.contains("must be between"), error);
    }
    Outcome whole =
        Distribution.in(folder)
            .run("--rounds", "1", "--rank", "4", "--effort", "none", "--cutoffs", "1,999999999")
            .expectExit(0);
    assertTrue(whole.out().contains("999999999"), whole.out());
  }

  @Test
  void nothingIsLeftBehindByMistakes() throws Exception {
    Distribution.in(folder).run("--rank", "0", "--out", "model").expectExit(2);
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(List.of(), left.toList());
    }
  }
}
