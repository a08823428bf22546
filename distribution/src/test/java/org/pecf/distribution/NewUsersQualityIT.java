package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.engine.run.Training;
import org.pecf.engine.run.TrainingResult;
import org.pecf.recommend.NewUser;
import org.pecf.recommend.Recommendation;
import org.pecf.recommend.RecommendationRequest;
import org.pecf.recommend.Recommender;
import org.pecf.recommend.UnknownItems;

/**
 * New users beside the same users trained. A tenth of the users have 60 % of their positives in the
 * data; recall is measured on the other 40 %: as trained, when the same model takes them in by
 * those 60 % once more, and when a model takes them in that was trained without them.
 *
 * <p>The second must be the first: taking in a user is as good as training. The third also has
 * fewer data for its items, which tells where items have few users, as those of CiteULike do.
 */
class NewUsersQualityIT {
  private static final double ALLOWED = 0.01;

  @TempDir private Path folder;

  private static Path data(String name) {
    Path root =
        Optional.ofNullable(System.getenv("PECF_DATA"))
            .map(Path::of)
            .orElse(Path.of(System.getProperty("pecf.root"), "..", "shared", "data"));
    Path file = root.resolve(name).toAbsolutePath().normalize();
    Assumptions.assumeTrue(
        Files.exists(file), () -> "skipped: " + file + " is not there; set PECF_DATA");
    return file;
  }

  /** Return the items of each user. */
  private static Map<String, List<String>> positives(Training training) {
    Map<String, List<String>> items = new LinkedHashMap<>();
    try (TrainingResult result =
        training
            .construction("single")
            .filter("popularity", Map.of())
            .option("split", "none")
            .run()) {
      var cells = result.dataset().positives();
      for (int user = 0; user < cells.users(); user++) {
        List<String> own = new ArrayList<>();
        for (int k = cells.userStart(user); k < cells.userStart(user + 1); k++) {
          own.add(result.dataset().items().textAt(cells.itemAt(k)));
        }
        items.put(result.dataset().users().textAt(user), own);
      }
    }
    return items;
  }

  private void compare(
      String name, Map<String, List<String>> positives, Map<String, String> wmf, double lost)
      throws IOException {
    Random random = new Random(7);
    Map<String, List<String>> histories = new TreeMap<>();
    Map<String, Set<String>> heldOut = new TreeMap<>();
    List<String> without = new ArrayList<>(List.of("user,item"));
    List<String> with = new ArrayList<>(List.of("user,item"));
    positives.forEach(
        (user, items) -> {
          List<String> history = new ArrayList<>(items);
          if (items.size() >= 5 && random.nextInt(10) == 0) {
            Collections.shuffle(history, random);
            int kept = (int) Math.round(0.6 * items.size());
            heldOut.put(user, new TreeSet<>(history.subList(kept, history.size())));
            history = history.subList(0, kept);
            histories.put(user, history);
          } else {
            items.forEach(item -> without.add(user + "," + item));
          }
          history.forEach(item -> with.add(user + "," + item));
        });
    Path known = Files.write(folder.resolve("known.csv"), with);
    Path others = Files.write(folder.resolve("others.csv"), without);
    for (String construction : List.of("single", "progressive", "boosted")) {
      Path complete = model(known, construction, wmf);
      double trained = trained(complete, histories.keySet(), heldOut);
      double again = takenIn(complete, histories, heldOut);
      double unseen = takenIn(model(others, construction, wmf), histories, heldOut);
      String figures =
          String.format(
              Locale.ROOT,
              "%s, %s, %d users: recall@50 trained %.4f, taken in again %.4f, unseen %.4f",
              name,
              construction,
              heldOut.size(),
              trained,
              again,
              unseen);
      System.out.println(figures);
      assertTrue(Math.abs(again - trained) <= ALLOWED, figures);
      assertTrue(unseen >= trained - lost, figures);
    }
  }

  private Path model(Path data, String construction, Map<String, String> wmf) throws IOException {
    Path place = Files.createTempDirectory(folder, "run").resolve("model");
    Training training =
        Training.on(data.toString())
            .construction(construction)
            .filter("wmf", wmf)
            .option("split", "none");
    if (!construction.equals("single")) {
      training.rounds(2);
    }
    try (TrainingResult result = training.run()) {
      result.save(place);
    }
    return place;
  }

  private static double trained(Path model, Set<String> users, Map<String, Set<String>> heldOut) {
    double recall = 0;
    try (Recommender recommender = Recommender.open(model)) {
      for (String user : users) {
        recall += recall(recommender.recommend(user, 50), heldOut.get(user));
      }
    }
    return recall / users.size();
  }

  private static double takenIn(
      Path model, Map<String, List<String>> histories, Map<String, Set<String>> heldOut) {
    List<NewUser> users =
        histories.entrySet().stream()
            .map(entry -> new NewUser(entry.getKey(), entry.getValue()))
            .toList();
    try (Recommender recommender = Recommender.open(model)) {
      return recommender
          .recommendFor(users, RecommendationRequest.top(50), UnknownItems.SKIP)
          .lists()
          .mapToDouble(list -> recall(list.items(), heldOut.get(list.user())))
          .average()
          .orElseThrow();
    }
  }

  private static double recall(List<Recommendation> list, Set<String> heldOut) {
    return list.stream().filter(one -> heldOut.contains(one.item())).count()
        / (double) heldOut.size();
  }

  @Test
  void newUsersOfTheDemoAreServedAsTrainedOnes() throws IOException {
    compare(
        "demo",
        positives(Training.on("builtin:demo")),
        Map.of("rank", "8", "iterations", "6"),
        0.03);
  }

  @Test
  void newUsersOfMovieLensAreServedAsTrainedOnes() throws IOException {
    Path file = data("ml-100k");
    compare(
        "ml-100k",
        positives(Training.on(file.toString()).option("positive", ">=4")),
        Map.of("rank", "30", "iterations", "8"),
        ALLOWED);
  }

  @Test
  void newUsersOfCiteULikeAreServedAsTrainedOnes() throws IOException {
    Path file = data("citeulike-a/users.dat");
    compare(
        "CiteULike-a",
        positives(Training.on(file.toString())),
        Map.of("rank", "50", "iterations", "6"),
        0.025);
  }
}
