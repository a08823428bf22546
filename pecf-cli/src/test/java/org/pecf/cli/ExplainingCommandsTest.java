package org.pecf.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.engine.recommend.Explanation;
import org.pecf.engine.recommend.Recommendation;
import org.pecf.engine.recommend.Recommender;
import org.pecf.engine.run.Training;
import org.pecf.engine.run.TrainingResult;

/** The words similar and explain, beside the same calls of the library. */
class ExplainingCommandsTest extends RecordedApplication {
  @TempDir private Path folder;
  private Path place;

  @BeforeEach
  void train() throws IOException {
    StringBuilder rows = new StringBuilder("user,item\n");
    for (int k = 0; k < 900; k++) {
      rows.append(k % 60).append(',').append((k * k + k % 7) % 97).append('\n');
    }
    Path data = Files.writeString(folder.resolve("ratings.csv"), rows);
    place = folder.resolve("model");
    try (TrainingResult result =
        Training.on(data.toString())
            .filter("wmf", Map.of("rank", "6"))
            .rounds(2)
            .split("none")
            .run()) {
      result.save(place);
    }
  }

  private JsonNode json(String... arguments) throws IOException {
    assertEquals(0, execute(arguments), err());
    return new ObjectMapper().readTree(out());
  }

  @Test
  void similarItemsAreThoseOfTheLibrary() throws IOException {
    JsonNode printed =
        json("similar", place.toString(), "--item", "8", "--top", "4", "--output-format", "json");
    try (Recommender recommender = Recommender.open(place)) {
      List<Recommendation> expected = recommender.similar("8", 4);
      assertEquals(8, printed.at("/0/item").asInt());
      assertEquals(4, printed.at("/0/items").size());
      for (int k = 0; k < 4; k++) {
        JsonNode one = printed.at("/0/items/" + k);
        assertEquals(expected.get(k).item(), one.get("similar").asText());
        assertEquals(expected.get(k).score(), one.get("similarity").asDouble(), 1e-6);
      }
      assertEquals(0, execute("similar", place.toString(), "--liked-by", "3,4", "--top", "2"));
      assertTrue(
          out().contains(recommender.similarToNew(List.of("3", "4"), 2).get(1).item()), out());
    }
  }

  @Test
  void listsOfSeveralAndOfAllItemsAreTheSame() throws IOException {
    Path csv = folder.resolve("similar.csv");
    String options = "similar " + place + " --all-items --top 3 --out " + csv;
    assertEquals(0, execute(options.split(" ")), err());
    assertTrue(err().contains("97 lists in "), err());
    List<String> all = Files.readAllLines(csv);
    assertEquals("item,place,similar,similarity", all.get(0));
    assertEquals(1 + 97 * 3, all.size());
    assertEquals(
        0,
        execute(
            "similar", place.toString(), "--item", "8,16", "--top", "3", "--output-format", "csv"),
        err());
    List<String> two = out().lines().toList();
    assertEquals(7, two.size());
    for (String line : two) {
      assertTrue(all.contains(line), line);
    }
    Path arrow = folder.resolve("similar.arrow");
    assertEquals(0, execute("similar", place.toString(), "--all-items", "--out", arrow.toString()));
    assertTrue(Files.size(arrow) > 1000);
  }

  @Test
  void titlesStandBesideIds() throws IOException {
    Path titles = Files.writeString(folder.resolve("titles.csv"), titles());
    String[] with = {"--titles", titles.toString()};
    for (String command :
        List.of("similar MODEL --item 8", "explain MODEL --user 3", "explain MODEL --items 8,16")) {
      String[] words = (command.replace("MODEL", place.toString()) + " X X").split(" ");
      System.arraycopy(with, 0, words, words.length - 2, 2);
      assertEquals(0, execute(words), err());
      assertTrue(out().contains("The title of "), command + out());
      String[] json = Arrays.copyOf(words, words.length + 2);
      json[words.length] = "--output-format";
      json[words.length + 1] = "json";
      JsonNode printed = json(json);
      JsonNode item =
          command.startsWith("similar") ? printed.at("/0/items/0") : printed.at("/0/liked/0");
      String id = item.get(command.startsWith("similar") ? "similar" : "item").asText();
      assertEquals("The title of " + id, item.get("title").asText());
    }
    assertEquals(0, execute("explain", place.toString(), "--user", "3", with[0], with[1]), err());
    assertTrue(
        out().lines().anyMatch(line -> line.matches("liking \\d+ \\(The title of .*")), out());
  }

  private static String titles() {
    StringBuilder titles = new StringBuilder("item,title\n");
    for (int item = 0; item < 97; item++) {
      titles.append(item).append(",The title of ").append(item).append('\n');
    }
    return titles.toString();
  }

  @Test
  void anExplanationNamesMembersAndLikedItems() throws IOException {
    JsonNode printed =
        json("explain", place.toString(), "--user", "3", "--item", "8", "--output-format", "json");
    try (Recommender recommender = Recommender.open(place)) {
      Explanation expected = recommender.explain("3", "8");
      assertEquals(expected.score(), printed.at("/0/score").asDouble(), 1e-6);
      assertEquals(3, printed.at("/0/members").size());
      double total = printed.at("/0/zeros").asDouble() + printed.at("/0/rest").asDouble();
      for (JsonNode one : printed.at("/0/liked")) {
        total += one.get("share").asDouble();
      }
      assertEquals(expected.score(), total, 1e-4);
      String best = recommender.recommend("3", 1).get(0).item();
      assertEquals(0, execute("explain", place.toString(), "--user", "3"), err());
      assertTrue(out().startsWith("item " + best + " for user 3: score "), out());
      assertTrue(out().contains("rank 1 of"), out());
      assertTrue(out().contains("liking " + (expected.liked().size() - 5) + " others"), out());
      assertEquals(0, execute("explain", place.toString(), "--items", "8,16", "--top", "2"), err());
      assertTrue(out().contains("for a new user: "), out());
      assertTrue(out().contains("rank 2 of"), out());
    }
  }

  private List<String> csv(String... arguments) {
    assertEquals(0, execute(arguments), err());
    return out().lines().skip(1).map(line -> line.substring(0, line.lastIndexOf(','))).toList();
  }

  @Test
  void newUsersGetTheListsOfTheLibrary() throws IOException {
    Path history =
        Files.writeString(
            folder.resolve("new.csv"),
            "user,item\nanna,8\nanna,16\nbert,9\nbert,5000\ncarl,6000\n");
    try (Recommender recommender = Recommender.open(place)) {
      List<Recommendation> anna = recommender.recommendFor(List.of("8", "16"), 2);
      List<Recommendation> bert = recommender.recommendFor(List.of("9"), 2);
      assertEquals(
          List.of("new,1," + anna.get(0).item(), "new,2," + anna.get(1).item()),
          csv(
              "recommend",
              place.toString(),
              "--items",
              "8,16",
              "--top",
              "2",
              "--output-format",
              "csv"));
      assertEquals(
          List.of(
              "anna,1," + anna.get(0).item(),
              "anna,2," + anna.get(1).item(),
              "bert,1," + bert.get(0).item(),
              "bert,2," + bert.get(1).item()),
          csv(
              "recommend",
              place.toString(),
              "--history",
              history.toString(),
              "--unknown-users",
              "skip",
              "--top",
              "2",
              "--output-format",
              "csv"));
      assertTrue(err().contains("does not have 2 of the items"), err());
      assertTrue(err().contains("no item of 1 new users"), err());
      Path without = Files.writeString(folder.resolve("out.txt"), anna.get(0).item() + "\n");
      assertEquals(
          List.of("new,1," + anna.get(1).item()),
          csv(
              "recommend",
              place.toString(),
              "--items",
              "8,16",
              "--top",
              "1",
              "--output-format",
              "csv",
              "--exclude",
              without.toString()));
    }
    assertEquals(
        2,
        execute(
            "recommend",
            place.toString(),
            "--history",
            history.toString(),
            "--unknown-items",
            "error"));
    assertTrue(err().contains("No item has the id '5000'"), err());
    assertEquals(2, execute("recommend", place.toString(), "--items", "8,5000"));
    assertTrue(err().contains("No item has the id '5000'"), err());
    assertEquals(2, execute("recommend", place.toString(), "--items", "8", "--user", "3"));
    assertTrue(err().contains("stand for new users"), err());
    assertEquals(
        2, execute("recommend", place.toString(), "--user", "3", "--unknown-items", "skip"));
    assertTrue(err().contains("no effect without --history"), err());
  }

  @Test
  void whatIsMissingIsSaidInOneLine() {
    assertEquals(2, execute("similar", place.toString()));
    assertTrue(err().contains("--item ID"), err());
    assertEquals(2, execute("similar", place.toString(), "--item", "8", "--all-items"));
    assertTrue(err().contains("--all-items"), err());
    assertEquals(2, execute("similar", place.toString(), "--item", "100000"));
    assertTrue(err().contains("No item has the id '100000'"), err());
    assertEquals(2, execute("explain", place.toString(), "--user", "3", "--items", "8"));
    assertTrue(err().contains("--items ID,ID"), err());
    assertEquals(
        2, execute("explain", place.toString(), "--user", "3", "--item", "8", "--top", "2"));
    assertTrue(err().contains("--top has no effect"), err());
  }
}
