package org.pecf.benchmarks.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecallTest {
  @Test
  void countsHitsAmongItemsThatAreNotTrainedOn() {
    // The scores of the one user are 4, 3, 2, 1.
    Factors factors = new Factors(new float[][] {{1}}, new float[][] {{4}, {3}, {2}, {1}});
    Positives training = new Positives(1, 4, new int[] {0}, new int[] {0});
    Positives heldOut = new Positives(1, 4, new int[] {0, 0}, new int[] {1, 3});
    assertEquals(0.5, Recall.at(1, factors, training, heldOut));
    assertEquals(0.5, Recall.at(2, factors, training, heldOut));
    assertEquals(1, Recall.at(3, factors, training, heldOut));
  }

  @Test
  void fileHoldsWhatWasWritten(@TempDir Path folder) throws Exception {
    Positives written = new Positives(3, 9, new int[] {2, 0, 2}, new int[] {8, 1, 0});
    Path file = folder.resolve("positives.csv");
    written.write(file);
    Positives read = Positives.read(file, 3, 9);
    assertArrayEquals(written.userOf(), read.userOf());
    assertArrayEquals(written.itemOf(), read.itemOf());
    assertArrayEquals(new int[][] {{1}, {}, {8, 0}}, read.itemsByUser());
  }

  /** Keeps the harness running end to end: four kinds of users and of items. */
  @Test
  void ourOwnSweepsLearn(@TempDir Path folder) throws Exception {
    int users = 40;
    int items = 160;
    SplittableRandom random = new SplittableRandom(1);
    int[] userOf = new int[600];
    int[] itemOf = new int[600];
    boolean[][] taken = new boolean[users][items];
    for (int k = 0; k < userOf.length; ) {
      int user = random.nextInt(users);
      int item = 4 * random.nextInt(items / 4) + user % 4;
      if (!taken[user][item]) {
        taken[user][item] = true;
        userOf[k] = user;
        itemOf[k++] = item;
      }
    }
    Positives all = new Positives(users, items, userOf, itemOf);
    all.range(0, 500).write(folder.resolve("training.csv"));
    all.range(500, 600).write(folder.resolve("held-out.csv"));
    PeerTask task =
        new PeerTask(
            PecfPeer.class.getName(),
            folder.resolve("training.csv").toString(),
            folder.resolve("held-out.csv").toString(),
            "unused",
            users,
            items,
            4,
            1,
            3,
            1);
    assertEquals(task, PeerTask.of(task.words().toArray(String[]::new)));
    try (Peer peer = new PecfPeer()) {
      PeerResult result = PeerProcess.measure(peer, task);
      // Of the 160 items, 40 are of a user's kind; a random list of 50 would hold a third of them.
      assertTrue(result.recall() > 0.7, result.toString());
      assertEquals(result, PeerResult.of(result.properties()));
    }
  }
}
