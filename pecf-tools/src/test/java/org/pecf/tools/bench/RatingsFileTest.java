package org.pecf.tools.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RatingsFileTest {
  @Test
  void hasTheFormOfMovieLens(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("ratings.csv");
    RatingsFile.write(file, 5_000);
    List<String> lines = Files.readAllLines(file);
    assertEquals("userId,movieId,rating,timestamp", lines.get(0));
    assertEquals(5_001, lines.size());
    int user = 1;
    int item = 0;
    for (String line : lines.subList(1, lines.size())) {
      assertTrue(line.matches("\\d+,\\d+,[1-5]\\.[05],\\d{9,10}"), line);
      String[] words = line.split(",");
      int nextUser = Integer.parseInt(words[0]);
      int nextItem = Integer.parseInt(words[1]);
      assertTrue(nextUser == user ? nextItem > item : nextUser == user + 1, line);
      user = nextUser;
      item = nextItem;
    }
  }
}
