package org.pecf.engine.data.split;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Choices;
import org.pecf.api.run.Seed;
import org.pecf.engine.data.Dataset;

/**
 * A rule that divides a dataset into training, validation and test.
 *
 * <p>Rules are values with a text form: {@code toString} gives a text from which {@link #parse}
 * reads an equal rule.
 */
public sealed interface SplitRule
    permits CellSplit, PositiveSplit, LeaveOneOut, TemporalSplit, FileSplit, NoSplit {
  /** The word for a validation part that is given to training. */
  String JOINED = "joined";

  /** Return the default rule: positives 3:1:1, every zero for training. */
  static SplitRule usual() {
    return new PositiveSplit(Shares.USUAL);
  }

  /**
   * Divide a dataset.
   *
   * @param dataset the dataset to divide. Not modified.
   * @param seed distinguishes one random division from another; where chance decides, the part of a
   *     cell depends only on this seed and the indexes of its user and item
   * @param allocator the source of the parts' memory
   * @return three parts that together hold every positive once; the memory passes to the caller
   * @throws PecfException if the rule does not suit the dataset or leaves nothing to train or test
   *     on
   */
  Split split(Dataset dataset, Seed seed, BufferAllocator allocator);

  /** Return whether zeros are divided as positives are; else every zero is a training cell. */
  default boolean dividesZeros() {
    return false;
  }

  /**
   * Return the rule that gives validation to training and the same test part.
   *
   * @throws PecfException if nothing is held out
   */
  SplitRule joined();

  /** Return whether a test part is held out; else all data is for training. */
  default boolean holdsOut() {
    return true;
  }

  /** Return the rule that holds nothing out. */
  static SplitRule none() {
    return new NoSplit();
  }

  /** Return a sentence that describes the division. */
  String description();

  /**
   * Read a rule: {@code paper} (the same as {@code cells:3:1:1}), {@code cells:T:V:E}, {@code
   * positives:T:V:E}, {@code leave-one-out}, {@code temporal:T:V:E}, {@code files}, {@code none},
   * with relative shares of training, validation and test. Without shares they are 3:1:1. The rules
   * {@code leave-one-out:joined} and {@code files:joined} give validation to training.
   *
   * @throws PecfException if the text is not a rule
   */
  static SplitRule parse(String text) {
    String[] words = text.strip().split(":", -1);
    List<String> shares = Arrays.asList(words).subList(1, words.length);
    return switch (words[0]) {
      case "paper" -> {
        refuseShares(text, shares);
        yield new CellSplit(Shares.USUAL);
      }
      case "cells" -> new CellSplit(Shares.parse(text, shares));
      case "positives" -> new PositiveSplit(Shares.parse(text, shares));
      case "leave-one-out" -> new LeaveOneOut(joined(text, shares));
      case "temporal" -> new TemporalSplit(Shares.parse(text, shares));
      case "files" -> new FileSplit(joined(text, shares));
      case "none" -> {
        refuseShares(text, shares);
        yield new NoSplit();
      }
      default ->
          throw PecfException.badOption(
              "There is no split '%s'.%s Known: %s.",
              text, Choices.suggestion(words[0], names()), String.join(", ", forms()));
    };
  }

  /** Return the forms that {@link #parse} reads, for help texts. */
  static List<String> forms() {
    return List.of(
        "positives:3:1:1",
        "leave-one-out",
        "temporal:3:1:1",
        "files",
        "paper",
        "cells:3:1:1",
        "none");
  }

  private static List<String> names() {
    List<String> names = new ArrayList<>();
    for (String form : forms()) {
      names.add(form.split(":", 2)[0]);
    }
    return names;
  }

  /** Return whether a rule without shares gives validation to training. */
  private static boolean joined(String text, List<String> words) {
    boolean joined = words.equals(List.of(JOINED));
    if (!joined) {
      refuseShares(text, words);
    }
    return joined;
  }

  private static void refuseShares(String text, List<String> shares) {
    if (!shares.isEmpty()) {
      throw PecfException.badOption(
          "The split '%s' has shares, which '%s' does not take. Leave them out, or write for"
              + " example 'positives:3:1:1'.",
          text, text.strip().split(":", 2)[0]);
    }
  }
}
