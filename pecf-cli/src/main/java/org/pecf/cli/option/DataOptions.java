package org.pecf.cli.option;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.OptionDescription;
import org.pecf.engine.data.DataRequest;

/** The options about the ratings to load; those of the format are not among them. */
public final class DataOptions extends RecordOptions<DataRequest> {
  private static final String DATA = "data";
  private static final Set<String> PARTS = Set.of("validation-data", "test-data");

  private DataOptions(Optional<String> unset, Set<String> left) {
    super(Sections.DATA, DataRequest.SCHEMA, options(unset, left), List.of());
  }

  private static List<OptionDescription> options(Optional<String> unset, Set<String> left) {
    return DataRequest.SCHEMA.descriptions().stream()
        .filter(option -> !left.contains(option.key()))
        .map(
            option ->
                unset
                    .filter(text -> option.key().equals(DATA))
                    .map(text -> otherwise(option, text))
                    .orElse(option))
        .toList();
  }

  /** Return the options of a command that takes ratings and parts of them split off beforehand. */
  public static DataOptions all() {
    return new DataOptions(Optional.empty(), Set.of());
  }

  /** Return the options of a command that takes the ratings of a stored model unless named. */
  public static DataOptions ofModel() {
    return new DataOptions(Optional.of("those that the model was made from"), Set.of());
  }

  /** Return the options of a command that takes ratings of one part. */
  public static DataOptions undivided() {
    return new DataOptions(Optional.empty(), PARTS);
  }

  /** Return the options of a command that takes ratings of one part, which must be named. */
  public static DataOptions named() {
    return new DataOptions(Optional.of("none, they must be named"), PARTS);
  }

  /**
   * Return whether ratings were named.
   *
   * @throws PecfException if they were not, but other options say how to read them
   */
  public boolean given() {
    Map<String, String> texts = texts();
    boolean named = texts.containsKey(DATA);
    if (!named && !texts.isEmpty()) {
      throw PecfException.badOption(
          "--%s has no effect here without --data. Add it.", texts.keySet().iterator().next());
    }
    return named;
  }
}
