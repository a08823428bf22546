package org.pecf.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.pecf.engine.run.Training;
import org.pecf.engine.run.TrainingResult;

/** A small bookshop: 200 readers, 100 books on five subjects, and models of who bought what. */
public final class Bookshop {
  static final int READERS = 200;
  static final int SHELF = 20;
  private static final int BOUGHT = 14;

  private static final List<List<String>> SUBJECTS =
      List.of(
          List.of("Garden", "Orchard", "Roses", "Beehive", "Greenhouse"),
          List.of("Galaxy", "Rocket", "Comet", "Moonbase", "Telescope"),
          List.of("Murder", "Alibi", "Inspector", "Poison", "Verdict"),
          List.of("Kitchen", "Bread", "Pepper", "Picnic", "Preserves"),
          List.of("Harbour", "Compass", "Lighthouse", "Voyage", "Tide"));
  private static final List<String> FORMS =
      List.of("The Winter %s", "A History of the %s", "The Last %s", "My Grandmother’s %s");

  private Bookshop() {}

  /** Return the title of a book; books with neighbouring numbers share a subject. */
  static String title(int book) {
    List<String> words = SUBJECTS.get(book / SHELF);
    return String.format(FORMS.get(book % FORMS.size()), words.get(book % SHELF / FORMS.size()));
  }

  /** Return the id of a book. */
  static String id(int book) {
    return "b" + (100 + book);
  }

  /** Write the titles of all books but the last, and one with markup to be shown as it is. */
  static Path writeTitles(Path folder) throws IOException {
    StringBuilder rows = new StringBuilder("book,title\n");
    for (int book = 0; book < 5 * SHELF - 1; book++) {
      rows.append(id(book)).append(",\"");
      rows.append(book == 0 ? "<b>Bold</b> & <script>alert(1)</script>" : title(book));
      rows.append("\"\n");
    }
    return Files.writeString(folder.resolve("titles.csv"), rows);
  }

  /** Train a model; another seed gives another one. */
  public static Path train(Path folder, String name, int seed) throws IOException {
    Random chance = new Random(7);
    StringBuilder rows = new StringBuilder("user,item\n");
    for (int reader = 0; reader < READERS; reader++) {
      for (int k = 0; k < BOUGHT; k++) {
        int shelf = k < 10 ? reader % 5 : chance.nextInt(5);
        int book = shelf * SHELF + (int) (SHELF * Math.pow(chance.nextDouble(), 1.5));
        rows.append("reader").append(100 + reader).append(',').append(id(book)).append('\n');
      }
    }
    // Books that nobody bought would not be in the model.
    for (int book = 0; book < 5 * SHELF; book++) {
      rows.append("reader").append(100 + book).append(',').append(id(book)).append('\n');
    }
    Path data = Files.writeString(folder.resolve("bought.csv"), rows);
    Path place = folder.resolve(name);
    try (TrainingResult result =
        Training.on(data.toString())
            .filter("wmf", Map.of("rank", "8"))
            .rounds(3)
            .seed(seed)
            .run()) {
      result.save(place);
    }
    return place;
  }
}
