package org.pecf.benchmarks.peer;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Positives as pairs of indexes.
 *
 * @param users how many users there are
 * @param items how many items there are
 * @param userOf the user of each positive
 * @param itemOf the item of each positive
 */
public record Positives(int users, int items, int[] userOf, int[] itemOf) {
  /** Return how many there are. */
  public int count() {
    return userOf.length;
  }

  /** Return some of the positives. */
  Positives range(int from, int to) {
    return new Positives(
        users, items, Arrays.copyOfRange(userOf, from, to), Arrays.copyOfRange(itemOf, from, to));
  }

  /** Write lines of {@code user,item}. */
  void write(Path file) throws IOException {
    try (BufferedWriter writer = Files.newBufferedWriter(file)) {
      writer.write("user,item\n");
      for (int k = 0; k < userOf.length; k++) {
        writer.write(userOf[k] + "," + itemOf[k] + "\n");
      }
    }
  }

  /** Read positives that {@link #write} wrote. */
  static Positives read(Path file, int users, int items) throws IOException {
    int[] userOf = new int[1 << 16];
    int[] itemOf = new int[1 << 16];
    int count = 0;
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      reader.readLine();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (count == userOf.length) {
          userOf = Arrays.copyOf(userOf, 2 * count);
          itemOf = Arrays.copyOf(itemOf, 2 * count);
        }
        int comma = line.indexOf(',');
        userOf[count] = Integer.parseInt(line, 0, comma, 10);
        itemOf[count++] = Integer.parseInt(line, comma + 1, line.length(), 10);
      }
    }
    return new Positives(users, items, Arrays.copyOf(userOf, count), Arrays.copyOf(itemOf, count));
  }

  /** Return the items of each user. */
  int[][] itemsByUser() {
    int[] counts = new int[users];
    for (int user : userOf) {
      counts[user]++;
    }
    int[][] rows = new int[users][];
    for (int user = 0; user < users; user++) {
      rows[user] = new int[counts[user]];
    }
    for (int k = userOf.length - 1; k >= 0; k--) {
      rows[userOf[k]][--counts[userOf[k]]] = itemOf[k];
    }
    return rows;
  }
}
