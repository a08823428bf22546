package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.distribution.Distribution.Outcome;
import org.pecf.engine.recommend.Explanation;
import org.pecf.engine.recommend.Recommendation;
import org.pecf.engine.recommend.Recommender;

/** Stored models that learn new positives, users and items. */
class UpdateIT {
  @TempDir private Path folder;

  /** Train on users 0 to 149 and items 0 to 79; users like items of their own third. */
  @BeforeEach
  void train() throws Exception {
    ratings("old.csv", 1, 0, 150, 80);
    run(
            "--data",
            "old.csv",
            "--split",
            "none",
            "--rank",
            "6",
            "--lambda",
            "2",
            "--rounds",
            "1",
            "--out",
            "model")
        .expectExit(0);
  }

  private Outcome run(String... arguments) throws Exception {
    return Distribution.in(folder).run(arguments);
  }

  private void ratings(String name, int seed, int firstUser, int endUser, int items)
      throws IOException {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder("user,item\n");
    for (int user = firstUser; user < endUser; user++) {
      TreeSet<Integer> liked = new TreeSet<>();
      while (liked.size() < 8) {
        liked.add(random.nextInt(items / 3) * 3 + user % 3);
      }
      for (int item : liked) {
        text.append(user).append(",i").append(item).append('\n');
      }
    }
    Files.writeString(folder.resolve(name), text);
  }

  @Test
  void newPositivesUsersAndItemsAreLearned() throws Exception {
    ratings("new.csv", 2, 100, 160, 90);
    byte[] before = Files.readAllBytes(folder.resolve("model/member-000-users.arrow"));

    Outcome outcome =
        Distribution.in(folder)
            .with("SOURCE_DATE_EPOCH", "1000000000")
            .run("update", "model", "--data", "new.csv", "--out", "updated")
            .expectExit(0);
    assertTrue(
        Files.readString(folder.resolve("updated/manifest.json"))
            .contains("\"created\" : \"2001-09-09T01:46:40Z\""));

    assertTrue(
        outcome.out().matches("(?s)learned \\d+ new positives beside 1,200, of 10 new users.*"),
        outcome.out());
    assertTrue(outcome.out().contains("held out for this"), outcome.out());
    String recall =
        outcome.out().lines().filter(line -> line.startsWith("recall ")).findFirst().orElseThrow();
    String[] numbers = recall.split(" +");
    // A user has some 20 items of the own third to find, in no order; 50 would find them all.
    assertTrue(
        Double.parseDouble(numbers[5]) > Double.parseDouble(numbers[2]),
        "recall@20 after the update: " + recall);
    assertEquals(
        -1,
        Files.mismatch(
            folder.resolve("model/member-000-users.arrow"),
            Files.write(folder.resolve("copy"), before)),
        "the model itself is not changed");
    Outcome list = run("recommend", "updated", "--user", "155", "--top", "3").expectExit(0);
    assertEquals(
        3,
        list.out().lines().filter(line -> line.matches(" *155 .* i\\d+ .*")).count(),
        list.out());
    for (String line : list.out().lines().filter(row -> row.matches(".* i\\d+ .*")).toList()) {
      int item = Integer.parseInt(line.replaceAll(".* i(\\d+) .*", "$1"));
      assertEquals(155 % 3, item % 3, "a new user gets items of the own group: " + line);
    }
  }

  /** A library opens a model by its path alone, without any plugin. */
  @Test
  void aMixtureOfAllKindsIsServedWithoutPluginsAndUpdated() throws Exception {
    run(
            "--data",
            "old.csv",
            "--split",
            "none",
            "--effort",
            "none",
            "--construction",
            "bagging",
            "--rounds",
            "4",
            "--filter",
            "wmf:rank=6,softmax:rank=8:iterations=20:batch=32,user-knn,graph-filter,"
                + "ease:form=sparse:lambda=5",
            "--out",
            "mixture")
        .expectExit(0);
    serves(folder.resolve("mixture"));
    ratings("new.csv", 2, 100, 160, 90);
    run("update", "mixture", "--data", "new.csv", "--out", "updated").expectExit(0);
    serves(folder.resolve("updated"));
    try (Recommender recommender = Recommender.open(folder.resolve("updated"))) {
      for (Recommendation item : recommender.recommend("155", 3)) {
        assertEquals(155 % 3, Integer.parseInt(item.item().substring(1)) % 3, item.toString());
      }
    }
  }

  /** Take in a user of one third of the items: the lists and their reasons are of that third. */
  private static void serves(Path model) {
    try (Recommender recommender = Recommender.open(model)) {
      List<String> liked = List.of("i1", "i16", "i31", "i46", "i61");
      for (Recommendation item : recommender.recommendFor(liked, 3)) {
        assertEquals(1, Integer.parseInt(item.item().substring(1)) % 3, item.toString());
      }
      Explanation reasons = recommender.explainFor(liked, "i4");
      List<String> filters =
          reasons.members().stream().map(Explanation.MemberShare::filter).toList();
      assertTrue(
          filters.containsAll(List.of("wmf", "softmax", "user-knn", "graph-filter", "ease")),
          filters.toString());
      for (Recommendation item : recommender.similar("i7", 3)) {
        assertEquals(1, Integer.parseInt(item.item().substring(1)) % 3, item.toString());
      }
    }
  }

  @Test
  void anUpdateGivesTheSameBitsAgain() throws Exception {
    ratings("new.csv", 2, 100, 160, 90);
    run("update", "model", "--data", "new.csv", "--threads", "1", "--out", "one").expectExit(0);
    run("update", "model", "--data", "new.csv", "--threads", "2", "--out", "two").expectExit(0);
    for (String file : new String[] {"member-000-users.arrow", "member-001-items.arrow"}) {
      assertEquals(
          -1,
          Files.mismatch(folder.resolve("one").resolve(file), folder.resolve("two").resolve(file)));
    }
  }

  @Test
  void anUpdateThatCannotBeDoneIsRefused() throws Exception {
    Outcome known = run("update", "model", "--data", "old.csv", "--out", "updated").expectExit(2);
    assertTrue(known.err().contains("was trained on all 1200 positives"), known.err());
    Outcome taken = run("update", "model", "--data", "old.csv", "--out", "model").expectExit(2);
    assertTrue(taken.err().contains("holds a model already"), taken.err());
    Outcome nothing = run("update", "model", "--out", "updated").expectExit(2);
    assertTrue(nothing.err().contains("--data"), nothing.err());
    run(
            "--data",
            "old.csv",
            "--split",
            "none",
            "--construction",
            "em",
            "--rank",
            "4",
            "--components",
            "2",
            "--em-iterations",
            "1",
            "--out",
            "mixture")
        .expectExit(0);
    ratings("new.csv", 2, 100, 160, 90);
    Outcome mixture =
        run("update", "mixture", "--data", "new.csv", "--out", "updated").expectExit(2);
    assertTrue(mixture.err().contains("cannot be updated member by member"), mixture.err());
    assertTrue(Files.notExists(folder.resolve("updated")));
  }
}
