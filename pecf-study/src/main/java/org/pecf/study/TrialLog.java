package org.pecf.study;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.pecf.api.PecfException;
import org.pecf.engine.json.JsonText;

/**
 * The finished trials of a search in a file, one JSON object per line, each on the disk before the
 * next is begun. The rest of a line that a crash cut short is removed.
 */
final class TrialLog implements AutoCloseable {
  /** The name of the file in the folder of a search. */
  static final String NAME = "trials.jsonl";

  private final Path file;
  private final FileChannel channel;
  private final List<Trial> trials;

  private TrialLog(Path file, FileChannel channel, List<Trial> trials) {
    this.file = file;
    this.channel = channel;
    this.trials = trials;
  }

  /** Open the log of a folder, which exists. */
  static TrialLog open(Path folder) {
    Path file = folder.resolve(NAME);
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      byte[] bytes = Files.readAllBytes(file);
      int end = bytes.length;
      while (end > 0 && bytes[end - 1] != '\n') {
        end--;
      }
      channel.truncate(end);
      channel.position(end);
      return new TrialLog(
          file, channel, read(file, new String(bytes, 0, end, StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw StudyFiles.cannotWrite(file, e);
    }
  }

  private static List<Trial> read(Path file, String text) {
    List<Trial> trials = new ArrayList<>();
    for (String line : text.lines().toList()) {
      try {
        trials.add(JsonText.read(line, Trial.class));
      } catch (IllegalArgumentException e) {
        throw PecfException.badData(
                "%s:%d is not a trial: %s. Delete the line, and the trial is run again.",
                file, trials.size() + 1, e.getMessage())
            .causedBy(e);
      }
    }
    return trials;
  }

  /** Return the trials finished so far, in the order of the file; a view. */
  List<Trial> trials() {
    return Collections.unmodifiableList(trials);
  }

  /**
   * Find the last finished trial of a setting with some work.
   *
   * @param limit the processor seconds that a trial may take now; one that was given up after fewer
   *     is not finished
   */
  Optional<Trial> find(int number, int budget, OptionalDouble limit) {
    return trials.stream()
        .filter(trial -> trial.number() == number && trial.budget() == budget)
        .filter(
            trial ->
                trial.limit().isEmpty()
                    || trial.limit().get() >= limit.orElse(Double.POSITIVE_INFINITY))
        .reduce((earlier, later) -> later);
  }

  /** Add a finished trial. */
  void add(Trial trial) {
    try {
      ByteBuffer line = StandardCharsets.UTF_8.encode(JsonText.line(trial) + "\n");
      while (line.hasRemaining()) {
        channel.write(line);
      }
      channel.force(true);
    } catch (IOException e) {
      throw StudyFiles.cannotWrite(file, e);
    }
    trials.add(trial);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw StudyFiles.cannotWrite(file, e);
    }
  }
}
