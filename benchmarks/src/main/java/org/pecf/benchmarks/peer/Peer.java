package org.pecf.benchmarks.peer;

import java.nio.file.Path;

/** The factorisation of one library. It runs in a process of its own, with its own class path. */
public interface Peer extends AutoCloseable {
  /** Return the library, its version and its algorithm, for the table. */
  String name();

  /**
   * Take in the training positives. Not timed.
   *
   * @param file lines of {@code user,item}
   * @param positives the same, already read. Not modified.
   * @param rank how many factors
   */
  void load(Path file, Positives positives, int rank) throws Exception;

  /** Train from a fresh start. Timed. */
  void train(int sweeps) throws Exception;

  /** Return the factors that the last training ended with. Not timed. */
  Factors factors() throws Exception;

  @Override
  default void close() {}
}
