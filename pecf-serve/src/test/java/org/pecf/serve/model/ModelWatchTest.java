package org.pecf.serve.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.serve.Bookshop;

/** The watch over the folder of a model, whatever opening it throws. */
class ModelWatchTest {
  @TempDir private Path folder;

  @Test
  void noFailureEndsTheWatch() throws Exception {
    Path first = Bookshop.train(folder, "first", 1);
    Path second = Bookshop.train(folder, "second", 2);
    Path place = Files.createSymbolicLink(folder.resolve("served"), first);
    AtomicInteger openings = new AtomicInteger();
    try (CurrentModel current =
        new CurrentModel(
            place,
            () -> {
              switch (openings.incrementAndGet()) {
                case 2 -> throw new OutOfMemoryError("Java heap space");
                case 3 -> throw new IllegalStateException("a slip");
                default -> {
                  return ServedModel.open(place, Optional.empty());
                }
              }
            })) {
      Files.delete(place);
      Files.createSymbolicLink(place, second);
      ModelWatch watch = new ModelWatch(current, Duration.ofMillis(20));
      try {
        while (current.failures() < 1 || current.problem().isEmpty()) {
          Thread.sleep(1);
        }
        String problem = current.problem().orElseThrow();
        assertTrue(problem.contains("cannot be opened (java.lang."), problem);
        while (current.reloads() < 1) {
          Thread.sleep(1);
        }
      } finally {
        watch.close();
      }
      assertEquals(2, current.failures());
      assertEquals(Optional.empty(), current.problem());
    }
  }
}
