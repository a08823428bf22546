package org.pecf.cli.option;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.engine.data.PositiveRule;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.recommend.UnknownItems;
import picocli.CommandLine.Option;

/** The options that describe users whom a model was not trained on. */
public final class NewUserOptions {
  /** The treatment of items that the model does not have. */
  private enum Treatment {
    SKIP,
    ERROR
  }

  @Option(
      names = "--items",
      paramLabel = "ID,...",
      split = ",",
      hideParamSyntax = true,
      description = "A new user instead, by items that the user likes.")
  private List<String> items = new ArrayList<>();

  @Option(
      names = "--history",
      paramLabel = "PATH",
      description =
          "New users instead, by data of the users and the items they like, in any format that"
              + " train reads.")
  private Path history;

  @Option(
      names = "--history-format",
      paramLabel = "FORMAT",
      description = "The format of the history (default: auto, by its content).")
  private String format;

  @Option(
      names = "--history-positive",
      paramLabel = "RULE",
      description =
          "Which ratings of the history are positives, or all (default: the rule that the model was"
              + " trained with).")
  private String positive;

  @Option(
      names = "--unknown-items",
      paramLabel = "CHOICE",
      description =
          "What to do about items in the history that the model does not have: skip or error"
              + " (default: skip, and say how many).")
  private String unknown;

  /** Return whether new users are described. */
  public boolean given() {
    if (history == null && (format != null || positive != null || unknown != null)) {
      throw PecfException.badOption(
          "%s has no effect without --history. Leave it out.",
          format != null
              ? "--history-format"
              : positive != null ? "--history-positive" : "--unknown-items");
    }
    if (history != null && !items.isEmpty()) {
      throw PecfException.badOption(
          "--items describes one new user, --history describes all of them. Leave one out.");
    }
    return history != null || !items.isEmpty();
  }

  /** Return the items that the only new user likes; none if there is a history. */
  public List<String> items() {
    return items;
  }

  /** Return the place of the data of new users, if it was named. */
  public Optional<String> history() {
    return Optional.ofNullable(history).map(Path::toString);
  }

  /** Return the format of that data. */
  public ProviderChoice format() {
    return ProviderChoice.parse(format == null ? "auto" : format);
  }

  /** Return the rule for its positives, if it is not the model's. */
  public Optional<PositiveRule> positive() {
    return Optional.ofNullable(positive).map(PositiveRule::parse);
  }

  /** Return how to deal with items that the model does not have. */
  public UnknownItems unknown() {
    if (!items.isEmpty()) {
      // Who types an id wants to know that it is wrong.
      return UnknownItems.REFUSE;
    }
    return unknown != null
            && OptionValues.choice("--unknown-items", unknown, Treatment.values())
                == Treatment.ERROR
        ? UnknownItems.REFUSE
        : UnknownItems.SKIP;
  }
}
