package org.pecf.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.cli.RecordedApplication;
import org.pecf.engine.run.Training;
import org.pecf.engine.run.TrainingResult;

class RecommendCommandTest extends RecordedApplication {
  @TempDir private static Path shared;
  private static Path model;

  @TempDir private Path folder;

  @BeforeAll
  static void train() throws IOException {
    StringBuilder rows = new StringBuilder("user,item\n");
    for (int k = 0; k < 900; k++) {
      rows.append(k % 60).append(",item ").append((k * k + k % 7) % 97).append('\n');
    }
    Path data = Files.writeString(shared.resolve("ratings.csv"), rows);
    model = shared.resolve("model");
    try (TrainingResult result =
        Training.on(data.toString()).construction("single").option("wmf.rank", "4").run()) {
      result.save(model);
    }
  }

  private int recommend(String... options) {
    List<String> words = new ArrayList<>(List.of("recommend", model.toString()));
    words.addAll(List.of(options));
    return execute(words.toArray(String[]::new));
  }

  private Path file(String name, String... lines) throws IOException {
    return Files.write(folder.resolve(name), List.of(lines));
  }

  private List<String> csv(String... options) {
    List<String> words = new ArrayList<>(List.of(options));
    words.addAll(List.of("--output-format", "csv"));
    assertEquals(0, recommend(words.toArray(String[]::new)), err());
    return out().lines().toList();
  }

  @Test
  void allUsersGetTheListsOfEachAlone() {
    List<String> all = csv("--all-users", "--top", "3");
    assertEquals("user,place,item,score", all.get(0));
    assertEquals(1 + 60 * 3, all.size());
    assertTrue(err().startsWith("60 lists in "), err());
    for (int user : new int[] {0, 31, 59}) {
      List<String> alone = csv("--user", "" + user, "--top", "3", "--unknown-users", "error");
      assertEquals(all.subList(1 + 3 * user, 4 + 3 * user), alone.subList(1, 4));
    }
  }

  /** A user all of whose positives are held out has a list that is not in the order of ids. */
  @Test
  void usersWithoutItemsInTrainingGetPopularOnes() throws IOException {
    List<String> rows = new ArrayList<>(List.of("user,item"));
    for (int k = 0; k < 200; k++) {
      rows.add("u" + k % 20 + ",i" + (k * 7 + k % 3) % 30);
      rows.add("u" + k % 20 + ",much");
    }
    Path data = Files.write(folder.resolve("train.csv"), rows);
    Path test = file("test.csv", "user,item", "late,i3");
    Path place = folder.resolve("held");
    String training = " --rank 2 --rounds 0 --iterations 2 --effort none --out " + place;
    assertEquals(
        0, execute(("train --data " + data + " --test-data " + test + training).split(" ")), err());
    for (String users : List.of("--user late", "--all-users")) {
      String[] words = ("recommend " + place + " --top 3 --output-format csv " + users).split(" ");
      assertEquals(0, execute(words), err());
      assertEquals("user,place,item,score,source", out().lines().findFirst().orElseThrow());
      assertTrue(out().matches("(?s).*late,1,much,[0-9.]+,popular\n.*"), out());
      assertFalse(out().contains("late,2,i3"), out());
    }
    assertTrue(out().contains(",model"), out());
  }

  @Test
  void severalUsersMayBeNamedAtOnce() {
    List<String> together = csv("--user", "15,30", "--user", "7", "--top", "2");
    assertEquals(csv("--user", "15", "--user", "30", "--user", "7", "--top", "2"), together);
    assertEquals(7, together.size());
    assertEquals("15,1,", together.get(1).substring(0, 5));
  }

  @Test
  void everyFormHoldsTheSameLists() throws IOException {
    Path titles = file("titles.csv", "item,title", "item 3,\"Three, the film\"");
    List<String> rows = new ArrayList<>();
    for (String form : List.of("csv", "json", "jsonl", "arrow")) {
      Path target = folder.resolve("lists." + form);
      assertEquals(
          0,
          recommend(
              "--all-users",
              "--titles",
              titles.toString(),
              "--top",
              "97",
              "--include-known",
              "--out",
              target.toString()),
          err());
      assertEquals("", out());
      assertTrue(err().contains("written to " + target), err());
    }
    for (JsonNode user : new ObjectMapper().readTree(folder.resolve("lists.json").toFile())) {
      int place = 0;
      for (JsonNode item : user.get("items")) {
        assertTrue(user.get("user").isIntegralNumber());
        String title = item.get("title").asText();
        rows.add(
            String.join(
                ",",
                user.get("user").asText(),
                "" + ++place,
                item.get("item").asText(),
                title.isEmpty() ? "" : "\"" + title + "\"",
                "" + (float) item.get("score").asDouble()));
      }
    }
    assertEquals(60 * 97, rows.size());
    assertTrue(rows.stream().anyMatch(row -> row.contains("\"Three, the film\"")));
    List<String> csv = Files.readAllLines(folder.resolve("lists.csv"));
    assertEquals("user,place,item,title,score", csv.get(0));
    assertEquals(rows, csv.subList(1, csv.size()));
    List<JsonNode> array = new ArrayList<>();
    new ObjectMapper().readTree(folder.resolve("lists.json").toFile()).forEach(array::add);
    List<JsonNode> lines = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("lists.jsonl"))) {
      lines.add(new ObjectMapper().readTree(line));
    }
    assertEquals(array, lines);
    assertEquals(rows, arrow(folder.resolve("lists.arrow")));
  }

  private static List<String> arrow(Path file) throws IOException {
    List<String> rows = new ArrayList<>();
    try (RootAllocator allocator = new RootAllocator();
        FileChannel channel = FileChannel.open(file);
        ArrowFileReader reader = new ArrowFileReader(channel, allocator)) {
      VectorSchemaRoot root = reader.getVectorSchemaRoot();
      while (reader.loadNextBatch()) {
        for (int row = 0; row < root.getRowCount(); row++) {
          int at = row;
          List<String> cells =
              IntStream.range(0, 5)
                  .mapToObj(column -> root.getVector(column).getObject(at).toString())
                  .toList();
          rows.add(
              Stream.concat(
                      cells.subList(0, 3).stream(),
                      Stream.of(
                          cells.get(3).isEmpty() ? "" : "\"" + cells.get(3) + "\"", cells.get(4)))
                  .reduce((left, right) -> left + "," + right)
                  .orElseThrow());
        }
      }
    }
    return rows;
  }

  @Test
  void onlyAndExcludeChooseTheItems() throws IOException {
    Path only = file("only.txt", "item 3", "", "  item 4 ", "item 5", "no item");
    Path exclude = file("exclude.txt", "item 4");
    List<String> rows =
        csv(
            "--all-users",
            "--include-known",
            "--only",
            only.toString(),
            "--exclude",
            exclude.toString());
    assertEquals(1 + 60 * 2, rows.size());
    assertTrue(rows.stream().skip(1).allMatch(row -> row.matches("\\d+,[12],item [35],.*")), out());
    assertTrue(err().contains("does not have 1 item in " + only), err());
    assertEquals(2, recommend("--all-users", "--only", file("none.txt", "x").toString()));
    assertTrue(err().contains("none of the items in"), err());
  }

  @Test
  void unknownUsersGetWhatIsPopularOrAreSkippedOrRefused() throws IOException {
    Path users = file("users.txt", "7", "100", "200", "3", "oops", "300");
    for (String form : List.of("csv", "json", "arrow")) {
      Path target = folder.resolve("lists." + form);
      assertEquals(0, recommend("--users", users.toString(), "--out", target.toString()), err());
      assertTrue(err().contains("does not have 4 users, such as 100, 200, oops, who get"), err());
    }
    List<String> popular = new ArrayList<>();
    for (JsonNode user : new ObjectMapper().readTree(folder.resolve("lists.json").toFile())) {
      if (user.get("source").asText().equals("popular")) {
        popular.add(user.get("user").asText());
      }
    }
    assertEquals(List.of("100", "200", "oops", "300"), popular);
    List<String> written = Files.readAllLines(folder.resolve("lists.csv"));
    assertEquals("user,place,item,score,source", written.get(0));
    assertEquals(
        List.of("popular"),
        written.stream()
            .filter(row -> row.startsWith("oops,"))
            .map(row -> row.split(",")[4])
            .distinct()
            .toList());
    assertEquals(6 * 10, arrow(folder.resolve("lists.arrow")).size());
    assertEquals(0, recommend("--user", "3"));
    assertFalse(out().contains("source"), out());
    assertEquals(0, recommend("--user", "100"));
    assertTrue(out().contains("popular"), out());
    List<String> rows = csv("--users", users.toString(), "--top", "1", "--unknown-users", "skip");
    assertEquals("user,place,item,score", rows.get(0));
    assertEquals(List.of("7", "3"), rows.stream().skip(1).map(row -> row.split(",")[0]).toList());
    assertTrue(err().contains("does not have 4 users, such as 100, 200, oops"), err());
    assertEquals(2, recommend("--users", users.toString(), "--unknown-users", "error"));
    assertTrue(err().contains("'100'"), err());
    assertEquals("", out());
    assertEquals(2, recommend("--user", "100", "--unknown-users", "error"));
    assertEquals(2, recommend("--user", "100", "--unknown-users", "skip"));
    assertTrue(err().contains("does not have the user 100"), err());
    assertEquals(2, recommend("--users", file("empty.txt").toString()));
    assertTrue(err().contains("names no user"), err());
  }

  @Test
  void optionsThatContradictAreRefused() {
    for (List<String> options :
        List.of(
            List.of("--all-users", "--user", "1"),
            List.of("--unknown-users", "skip", "--all-users"),
            List.of("--user", "1", "--weight-error", "0.1"),
            List.of("--user", "1", "--path", "dense"),
            List.of("--user", "1", "--output-format", "arrow"),
            List.of("--user", "1", "--output-format", "cvs"),
            List.of("--user", "1", "--out", folder.resolve("lists.docx").toString()),
            List.of("--user", "1", "--out", folder.resolve("none/lists.csv").toString()))) {
      assertEquals(2, recommend(options.toArray(String[]::new)), options::toString);
      assertEquals(1, err().lines().count(), err());
    }
  }

  @Test
  void aFailureLeavesTheOldFile() throws IOException {
    Path target = file("lists.csv", "old");
    assertEquals(
        2, recommend("--user", "100", "--unknown-users", "error", "--out", target.toString()));
    assertEquals(List.of("old"), Files.readAllLines(target));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(target), files.toList());
    }
    assertFalse(out().contains("list"), out());
  }
}
