package org.pecf.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.data.Part;
import org.pecf.engine.data.Interactions;
import org.pecf.engine.data.Interactions.Interaction;
import org.pecf.engine.recommend.Recommendation;
import org.pecf.engine.recommend.Recommender;
import org.pecf.engine.run.Training;
import org.pecf.engine.run.TrainingResult;

/** PECF as a library, from ratings in memory to lists, without a disk. */
class LibraryTest {
  @TempDir Path folder;

  /** Return ratings of two groups of users who like different halves of the items. */
  private static List<Interaction> ratings() {
    Random random = new Random(3);
    List<Interaction> ratings = new ArrayList<>();
    for (int user = 0; user < 60; user++) {
      for (int item = 0; item < 40; item++) {
        boolean own = user % 2 == item / 20;
        if (random.nextInt(20) < (own ? 8 : 1)) {
          ratings.add(
              new Interaction(
                  "u" + user,
                  "i" + item,
                  OptionalDouble.of(own ? 5 : 2),
                  OptionalLong.of(1_600_000_000L + item)));
        }
      }
    }
    return ratings;
  }

  private static Map<String, Double> measured(TrainingResult result) {
    return Objects.requireNonNull(result.reports().get(Part.TEST)).named();
  }

  private static Training training(Training on) {
    return on.option("positive", ">=4")
        .split("positives:3:1:1")
        .filter("wmf", Map.of("rank", "4"))
        .rounds(1)
        .seed(5);
  }

  @Test
  void ratingsInMemoryTrainTheModelThatAFileTrains() throws IOException {
    StringBuilder text = new StringBuilder("user,item,rating,timestamp\n");
    for (Interaction one : ratings()) {
      text.append(
          "%s,%s,%s,%d%n"
              .formatted(
                  one.user(), one.item(), one.value().getAsDouble(), one.time().getAsLong()));
    }
    Path file = Files.writeString(folder.resolve("ratings.csv"), text);
    try (TrainingResult read = training(Training.on(file.toString())).run();
        TrainingResult given = training(Training.on(Interactions.of(ratings()))).run();
        TrainingResult streamed =
            training(Training.on(Interactions.of(ratings().stream()))).run()) {
      assertEquals(read.dataset().fingerprint(), given.dataset().fingerprint());
      assertEquals(measured(read), measured(given));
      assertEquals(measured(read), measured(streamed));
      try (Recommender one = read.recommender();
          Recommender other = given.recommender()) {
        assertEquals(one.recommend("u1", 7), other.recommend("u1", 7));
      }
    }
  }

  @Test
  void aResultRecommendsWithoutADiskWhatItsStoredModelRecommends() {
    Path place = folder.resolve("model");
    try (TrainingResult result =
        training(Training.on(Interactions.of(ratings()))).refit(true).run()) {
      assertTrue(result.refitted().isPresent());
      result.save(place);
      try (Recommender inMemory = result.recommender();
          Recommender stored = Recommender.open(place)) {
        List<Recommendation> list = inMemory.recommend("u3", 5);
        assertEquals(5, list.size());
        assertEquals(stored.recommend("u3", 5), list);
        assertEquals(
            stored.recommendFor(List.of("i2", "i5"), 5),
            inMemory.recommendFor(List.of("i2", "i5"), 5));
        assertEquals(stored.similar("i2", 3), inMemory.similar("i2", 3));
        assertEquals(
            stored.description().metrics().keySet(), inMemory.description().metrics().keySet());
      }
    }
  }

  @Test
  void effortChoosesSettingsThatWereNotGiven() {
    Training open = Training.on(Interactions.of(ratings())).option("positive", ">=4").seed(5);
    try (TrainingResult result = open.effort("quick").rounds(1).compare().run()) {
      Map<String, String> options = result.chosen().orElseThrow().options();
      String filters = Objects.requireNonNull(options.get("filter"));
      int members = filters.split(",").length;
      assertTrue(members <= 2, "one round was allowed: " + filters);
      assertEquals(members, result.ensemble().size());
      assertEquals(
          filters.split("[:,]")[0], result.request().ensemble().filters().get(0).id(), filters);
      assertEquals(Part.TEST, result.comparison().orElseThrow().part());
    }
    Training bounded = Training.on(Interactions.of(ratings())).option("positive", ">=4");
    try (TrainingResult result = bounded.budget(Optional.of(Duration.ofSeconds(2))).run()) {
      assertTrue(result.chosen().isPresent(), "a budget alone is an effort");
    }
    try (TrainingResult result =
        training(Training.on(Interactions.of(ratings()))).effort("quick").run()) {
      assertEquals("4", result.request().ensemble().filters().get(0).options().get("rank"));
    }
    try (TrainingResult result = training(Training.on(Interactions.of(ratings()))).run()) {
      assertTrue(result.chosen().isEmpty());
      assertTrue(result.comparison().isEmpty());
    }
  }

  @Test
  void ratingsThatCannotBeUsedAreNamed() {
    assertRefused("no interactions", List.of());
    assertRefused(
        "user 'b' and item 'y' has other fields",
        List.of(new Interaction("a", "x", 1), new Interaction("b", "y")));
    assertRefused("has no user", () -> List.of(new Interaction("", "x")).iterator());
    assertRefused("is NaN", () -> List.of(new Interaction("a", "x", Double.NaN)).iterator());
  }

  private static void assertRefused(String text, Iterable<Interaction> ratings) {
    PecfException e =
        assertThrows(
            PecfException.class, () -> Training.on(Interactions.of(ratings)).run().close());
    assertEquals(ErrorCode.BAD_DATA, e.code());
    assertTrue(e.getMessage().contains(text), e.getMessage());
  }
}
