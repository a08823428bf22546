package org.pecf.benchmarks.peer;

import java.util.List;

/**
 * The task of a measuring process, passed on its command line.
 *
 * @param peer the class of the {@link Peer}
 * @param training the file of training positives
 * @param heldOut the file of held-out positives
 * @param result the file to write the result to
 * @param users how many users there are
 * @param items how many items there are
 * @param rank how many factors
 * @param few the sweeps of the shorter training
 * @param more the sweeps of the longer training
 * @param repetitions how often both are timed
 */
record PeerTask(
    String peer,
    String training,
    String heldOut,
    String result,
    int users,
    int items,
    int rank,
    int few,
    int more,
    int repetitions) {
  static PeerTask of(String[] words) {
    return new PeerTask(
        words[0],
        words[1],
        words[2],
        words[3],
        Integer.parseInt(words[4]),
        Integer.parseInt(words[5]),
        Integer.parseInt(words[6]),
        Integer.parseInt(words[7]),
        Integer.parseInt(words[8]),
        Integer.parseInt(words[9]));
  }

  List<String> words() {
    return List.of(
        peer,
        training,
        heldOut,
        result,
        Integer.toString(users),
        Integer.toString(items),
        Integer.toString(rank),
        Integer.toString(few),
        Integer.toString(more),
        Integer.toString(repetitions));
  }
}
