package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same seed gives the same bits, whatever the number of threads. */
class DeterminismIT {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"dense", "corrected"})
  void modelsAreBitIdenticalAtAnyNumberOfThreads(String path) throws Exception {
    List<Path> one = train("one", "1", path, "1");
    List<Path> two = train("two", "2", path, "1");
    assertTrue(one.size() >= 9, "too few files to compare: " + one);
    assertEquals(
        one.stream().map(Path::getFileName).toList(), two.stream().map(Path::getFileName).toList());
    for (int k = 0; k < one.size(); k++) {
      assertArrayEquals(
          Files.readAllBytes(one.get(k)), Files.readAllBytes(two.get(k)), one.get(k).toString());
    }
  }

  @Test
  void anotherSeedGivesAnotherModel() throws Exception {
    List<Path> one = train("one", "2", "auto", "1");
    List<Path> two = train("two", "2", "auto", "2");
    int member = one.indexOf(folder.resolve("one/member-000-items.arrow"));
    assertTrue(member >= 0, "no factors among " + one);
    assertFalse(
        Arrays.equals(Files.readAllBytes(one.get(member)), Files.readAllBytes(two.get(member))));
  }

  /** Train three members, and list the files of the model that hold numbers. */
  private List<Path> train(String name, String threads, String path, String seed) throws Exception {
    Distribution.in(folder)
        .run(
            "--rounds",
            "2",
            "--rank",
            "7",
            "--iterations",
            "3",
            "--path",
            path,
            "--threads",
            threads,
            "--seed",
            seed,
            "--out",
            name)
        .expectExit(0);
    return arrowFiles(folder.resolve(name));
  }

  private static List<Path> arrowFiles(Path model) throws IOException {
    try (Stream<Path> files = Files.walk(model)) {
      return files.filter(file -> file.toString().endsWith(".arrow")).sorted().toList();
    }
  }
}
