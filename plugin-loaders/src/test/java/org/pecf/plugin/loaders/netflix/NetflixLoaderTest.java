package org.pecf.plugin.loaders.netflix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.pecf.plugin.loaders.testing.Loading.assertRefused;
import static org.pecf.plugin.loaders.testing.Loading.gzip;
import static org.pecf.plugin.loaders.testing.Loading.load;
import static org.pecf.plugin.loaders.testing.Loading.rating;
import static org.pecf.plugin.loaders.testing.Loading.write;

import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.Recognition;
import org.pecf.plugin.loaders.text.TextReader;
import org.pecf.testkit.fixture.LoadedRating;

class NetflixLoaderTest {
  private static final String EXPECTED =
      ". Expected user,rating,yyyy-mm-dd after a line 'movie:'; correct this line or leave it"
          + " out.";

  @TempDir Path folder;

  private final NetflixLoader loader = new NetflixLoader(TextReader.standard());

  private static long seconds(String date) {
    return LocalDate.parse(date).toEpochDay() * 86_400;
  }

  @Test
  void readsAFileOfOneMovie() {
    Path file = write(folder, "mv_0000001.txt", "1:\n1488844,3,2005-09-06\n822109,5,2005-05-13\n");
    assertEquals(
        List.of(rating(1488844, 1, 3, 1125964800L), rating(822109, 1, 5, seconds("2005-05-13"))),
        load(loader, file).ratings());
    assertEquals(Recognition.CERTAIN, loader.recognise(new DataSource(file.toString())));
  }

  @Test
  void readsAFolderOfMovies() {
    write(folder, "mv_0000002.txt", "2:\n7,1,1999-12-31\n");
    write(folder, "mv_0000001.txt", "1:\n5,4,2000-02-29\n");
    write(folder, "readme.txt", "not ratings");
    assertEquals(
        List.of(rating(5, 1, 4, seconds("2000-02-29")), rating(7, 2, 1, seconds("1999-12-31"))),
        load(loader, folder).ratings());
    assertEquals(Recognition.CERTAIN, loader.recognise(new DataSource(folder.toString())));
  }

  @Test
  void loadsCombinedFilesWhateverTheChunksAndThreads() {
    Random random = new Random(11);
    List<LoadedRating> rows = new ArrayList<>();
    long movie = 1;
    for (int number = 1; number <= 3; number++) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < 12; i++) {
        text.append(movie).append(":\n");
        for (int j = random.nextInt(30); j > 0; j--) {
          long user = random.nextInt(2_649_430);
          int rating = 1 + random.nextInt(5);
          LocalDate date = LocalDate.ofEpochDay(10_000 + random.nextInt(3_000));
          rows.add(rating(user, movie, rating, date.toEpochDay() * 86_400));
          text.append(user).append(',').append(rating).append(',').append(date);
          text.append(random.nextInt(9) == 0 ? "\r\n" : "\n");
        }
        movie++;
      }
      String name = "combined_data_" + number + ".txt";
      if (number == 2) {
        write(folder, name, text.toString());
      } else {
        write(folder, name, text.toString());
      }
    }
    for (int chunk : new int[] {1, 17, 100, 700, 1 << 20}) {
      for (int threads = 1; threads <= 2; threads++) {
        assertEquals(
            rows,
            load(new NetflixLoader(new TextReader(chunk)), folder.toString(), threads).ratings());
      }
    }
  }

  @Test
  void readsPackedFilesInOrder() {
    write(folder, "mv_0000001.txt.gz", gzip("1:\n5,4,2000-02-29\n6,3,2000-02-29\n"));
    write(folder, "mv_0000002.txt", "2:\n7,1,1999-12-31\n");
    for (int chunk : new int[] {4, 1 << 20}) {
      assertEquals(
          List.of(
              rating(5, 1, 4, seconds("2000-02-29")),
              rating(6, 1, 3, seconds("2000-02-29")),
              rating(7, 2, 1, seconds("1999-12-31"))),
          load(new NetflixLoader(new TextReader(chunk)), folder).ratings());
    }
  }

  @Test
  void refusesBadLines() {
    assertRefused(
        loader,
        write(folder, "date", "1:\n5,4,2001-02-29\n"),
        "PATH:2:5: time '2001-02-29' is not a date such as 2005-09-06" + EXPECTED);
    assertRefused(
        loader,
        write(folder, "rating", "1:\n5,x,2001-02-28\n"),
        "PATH:2:3: rating 'x' is not a number" + EXPECTED);
    assertRefused(
        loader,
        write(folder, "columns", "1:\n5,3\n"),
        "PATH:2:4: too few columns: 2 instead of 3 in '5,3'" + EXPECTED);
    assertRefused(
        loader,
        write(folder, "movie", "1:\n5,3,2001-02-28\nabc:\n5,3,2001-02-28\n"),
        "PATH:3:1: movie 'abc' is not a 64-bit whole number without leading zeros. Expected a line"
            + " such as '1:'; correct it.");
    assertRefused(
        loader,
        write(folder, "more", "1:\n5,3,2001-02-28\n2:,\n"),
        "PATH:3:1: movie '2:,' is not a 64-bit whole number without leading zeros. Expected a line"
            + " such as '1:'; correct it.");
    assertRefused(
        loader,
        write(folder, "headless", "5,3,2001-02-28\n"),
        "PATH:1:1: '5,3,2001-02-28' comes before any movie. Expected a first line such as '1:',"
            + " the movie's number and a colon.");
  }

  @Test
  void refusesFoldersWithoutOrWithBothKinds() {
    assertRefused(
        loader,
        folder,
        "PATH: no mv_*.txt or combined_data_*.txt in this folder. Name the folder with the"
            + " unpacked training set.");
    write(folder, "mv_0000001.txt", "1:\n5,4,2000-02-29\n");
    write(folder, "combined_data_1.txt", "1:\n5,4,2000-02-29\n");
    assertRefused(
        loader,
        folder,
        "PATH: both mv_*.txt and combined_data_*.txt are in this folder, which are the same"
            + " ratings twice. Move one kind elsewhere.");
  }
}
