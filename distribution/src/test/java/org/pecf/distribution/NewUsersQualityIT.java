package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.engine.recommend.NewUser;
import org.pecf.engine.recommend.Recommendation;
import org.pecf.engine.recommend.RecommendationRequest;
import org.pecf.engine.recommend.Recommender;
import org.pecf.engine.recommend.UnknownItems;
import org.pecf.engine.run.Training;
import org.pecf.engine.run.TrainingResult;

/**
 * New users beside the same users trained. A tenth of the users have 60 % of their positives in the
 * data; recall is measured on the other 40 %: as trained, when the same model takes them in by
 * those 60 % once more, and when a model takes them in that was trained without them.
 *
 * <p>The second must not be below the first: taking in a user is as good as training. The third
 * also has fewer data for its items, which tells where items have few users, as those of CiteULike
 * do.
 *
 * <p>Users who are known by four items are another matter, and so is what is similar to one item:
 * both must show what goes with the items, not what is popular.
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
      assertTrue(again >= trained - ALLOWED, figures);
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

  /**
   * Measure lists made from few items on a fifth of the users, who are not in training: how often
   * of two items that a user has one is among the five most similar to the other, beside fifty
   * items of like popularity; and the recall of twenty items recommended by four.
   */
  private void fewItems(String name, Map<String, List<String>> positives, double similarity)
      throws IOException {
    Random random = new Random(7);
    Map<String, List<String>> heldOut = new TreeMap<>();
    Map<String, Integer> counts = new TreeMap<>();
    List<String> lines = new ArrayList<>(List.of("user,item"));
    positives.forEach(
        (user, items) -> {
          if (random.nextInt(5) == 0) {
            heldOut.put(user, items);
          } else {
            items.forEach(item -> lines.add(user + "," + item));
            items.forEach(item -> counts.merge(item, 1, Integer::sum));
          }
        });
    List<String> byPopularity = new ArrayList<>(counts.keySet());
    byPopularity.sort(Comparator.comparing(item -> -counts.get(item)));
    Path place = model(Files.write(folder.resolve("few.csv"), lines), "single", Map.of());
    int hits = 0;
    int pairs = 0;
    double recall = 0;
    double popular = 0;
    int users = 0;
    try (Recommender recommender = Recommender.open(place)) {
      for (List<String> all : heldOut.values()) {
        List<String> items = new ArrayList<>(all);
        items.retainAll(counts.keySet());
        Collections.shuffle(items, random);
        if (items.size() < 8) {
          continue;
        }
        Map<String, Float> similar = new HashMap<>();
        recommender
            .similar(items.get(0), counts.size())
            .forEach(one -> similar.put(one.item(), one.score()));
        for (String other : items.subList(1, 4)) {
          int place0 = byPopularity.indexOf(other);
          List<String> rivals =
              new ArrayList<>(
                  byPopularity.subList(
                      Math.max(0, place0 - 60), Math.min(byPopularity.size(), place0 + 61)));
          rivals.removeAll(items);
          Collections.shuffle(rivals, random);
          long ahead =
              rivals.stream()
                  .limit(50)
                  .filter(rival -> similar.get(rival) > similar.get(other))
                  .count();
          hits += ahead < 5 ? 1 : 0;
          pairs++;
        }
        List<String> known = items.subList(0, 4);
        Set<String> rest = new TreeSet<>(items.subList(4, items.size()));
        double most = Math.min(20, rest.size());
        recall +=
            recommender.recommendFor(known, 20).stream()
                    .filter(one -> rest.contains(one.item()))
                    .count()
                / most;
        popular +=
            byPopularity.stream()
                    .filter(item -> !known.contains(item))
                    .limit(20)
                    .filter(rest::contains)
                    .count()
                / most;
        users++;
      }
    }
    String figures =
        String.format(
            Locale.ROOT,
            "%s, %d users: similar items found %.4f; by four items truncated-recall@20 %.4f,"
                + " popularity %.4f",
            name,
            users,
            hits / (double) pairs,
            recall / users,
            popular / users);
    System.out.println(figures);
    assertTrue(hits > similarity * pairs, figures);
    assertTrue(recall > 1.1 * popular, figures);
  }

  @Test
  void fewItemsOfMovieLensSayMoreThanPopularity() throws IOException {
    Path file = data("ml-100k");
    fewItems("ml-100k", positives(Training.on(file.toString()).option("positive", ">=4")), 0.3);
  }

  /** Where every rating is a positive, lists tell most of all who watches much and who little. */
  @Test
  void sequelsAreSimilarAmongAllRatings() throws IOException {
    Path file = data("ml-100k");
    Map<String, List<String>> positives = positives(Training.on(file.toString()));
    fewItems("ml-100k, all ratings", positives, 0.3);
    List<String> lines = new ArrayList<>(List.of("user,item"));
    positives.forEach((user, items) -> items.forEach(item -> lines.add(user + "," + item)));
    Path all = Files.write(folder.resolve("all.csv"), lines);
    try (Recommender recommender = Recommender.open(model(all, "single", Map.of()))) {
      List<String> starWars =
          recommender.similar("50", 8).stream().map(Recommendation::item).toList();
      System.out.println("similar to Star Wars: " + starWars);
      assertTrue(starWars.containsAll(List.of("181", "172")), starWars.toString());
    }
  }

  @Test
  void fewItemsOfCiteULikeSayMoreThanPopularity() throws IOException {
    fewItems("CiteULike-a", positives(Training.on(data("citeulike-a/users.dat").toString())), 0.6);
  }

  /** The table of similar films in docs/results/similar.md, and a newcomer who likes four films. */
  @Test
  void similarFilmsAreNotThePopularOnes() throws IOException, InterruptedException {
    Path file = folder.resolve("ml-1m.csv");
    Distribution.in(folder)
        .run("data", "convert", data("ml-1m/ratings.parquet").toString(), file.toString())
        .expectExit(0);
    fewItems("ml-1m", positives(Training.on(file.toString())), 0.26);
    Map<String, String> titles = new HashMap<>();
    for (String line : Files.readAllLines(data("ml-1m/movies.dat"), StandardCharsets.ISO_8859_1)) {
      String[] fields = line.split("::");
      titles.put(fields[0], fields[1]);
    }
    List<String> table = new ArrayList<>();
    try (Recommender recommender = Recommender.open(model(file, "single", Map.of()))) {
      for (String film :
          ("1 260 858 2858 1198 593 296 2571 1210 318 364 588 1097 589 1721 1265 1387 1258 912"
                  + " 2396")
              .split(" ")) {
        table.add(row(titles.get(film), recommender.similar(film, 6), titles));
      }
      List<Recommendation> list = recommender.recommendFor(List.of("1", "588", "364", "2355"), 10);
      table.add(row("Toy Story, Aladdin, The Lion King, A Bug's Life", list, titles));
      assertTrue(
          list.stream().noneMatch(one -> Set.of("593", "296").contains(one.item())),
          String.join("\n", table));
    }
    String text = String.join("\n", table);
    System.out.println(text);
    assertTrue(
        Files.readString(Path.of(System.getProperty("pecf.root"), "docs", "results", "similar.md"))
            .contains(text),
        () -> "docs/results/similar.md does not have these rows:\n" + text);
  }

  private static String row(String name, List<Recommendation> list, Map<String, String> titles) {
    return list.stream()
        .map(one -> titles.get(one.item()))
        .collect(Collectors.joining("; ", "| " + name + " | ", " |"));
  }
}
