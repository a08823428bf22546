package org.pecf.cli.option;

import java.util.List;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Option;
import org.pecf.engine.data.PositiveRule;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.recommend.UnknownItems;

/** The options that describe users whom a model was not trained on. */
public record NewUserOptions(
    @Option(value = "A new user instead, by items that the user likes", label = "ID,...")
        Optional<List<String>> items,
    @Option(
            value =
                "New users instead, by data of the users and the items they like, in any format"
                    + " that train reads",
            label = "PATH")
        Optional<String> history,
    @Option(value = "The format of the history", label = "FORMAT", unset = "auto, by its content")
        Optional<ProviderChoice> historyFormat,
    @Option(
            value = "Which ratings of the history are positives, or all",
            label = "RULE",
            unset = "the rule that the model was trained with")
        Optional<PositiveRule> historyPositive,
    @Option(
            value = "What to do about items in the history that the model does not have",
            label = "CHOICE",
            unset = "skip, and say how many")
        Optional<Treatment> unknownItems) {
  /** The treatment of items that the model does not have. */
  public enum Treatment {
    /** They do not count. */
    SKIP,
    /** They end the command. */
    ERROR
  }

  /** Return whether new users are described. */
  public boolean given() {
    if (history.isEmpty()
        && (historyFormat.isPresent() || historyPositive.isPresent() || unknownItems.isPresent())) {
      throw PecfException.badOption(
          "%s has no effect without --history. Leave it out.",
          historyFormat.isPresent()
              ? "--history-format"
              : historyPositive.isPresent() ? "--history-positive" : "--unknown-items");
    }
    if (history.isPresent() && items.isPresent()) {
      throw PecfException.badOption(
          "--items describes one new user, --history describes all of them. Leave one out.");
    }
    return history.isPresent() || items.isPresent();
  }

  /** Return the items that the only new user likes; none if there is a history. */
  public List<String> liked() {
    return items.orElse(List.of());
  }

  /** Return the format of the history. */
  public ProviderChoice format() {
    return historyFormat.orElseGet(() -> ProviderChoice.of("auto"));
  }

  /** Return how to deal with items that the model does not have. */
  public UnknownItems unknown() {
    // Somebody who types an id wants to know if it is wrong.
    return items.isPresent() || unknownItems.equals(Optional.of(Treatment.ERROR))
        ? UnknownItems.REFUSE
        : UnknownItems.SKIP;
  }
}
