package org.pecf.engine.construct;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.run.RunListener;
import org.pecf.api.run.TrainingStep;
import org.pecf.engine.construct.ConstructionEvent.CheckpointFailed;
import org.pecf.engine.construct.ConstructionEvent.MemberFound;

/**
 * Trained members that are kept from run to run: a member that depends on the same things as one
 * before is not trained again. Only members of plain weights and ratings are kept, for these depend
 * on no other member.
 */
public final class MemberLibrary {
  private final CheckpointStore store;
  private final Map<String, String> common;
  private final RunListener listener;

  /**
   * The account of a training.
   *
   * @param lastStep its last step, if the filter reported any
   * @param plans how its problems were computed, in order
   */
  public record Report(Optional<TrainingStep> lastStep, List<LeastSquaresPlan> plans) {
    static final Report NONE = new Report(Optional.empty(), List.of());

    public Report {
      plans = List.copyOf(plans);
    }
  }

  /**
   * The entry of a member.
   *
   * @param depends all that the member depends on: texts by key
   * @param report the account of its training
   */
  public record Entry(Map<String, String> depends, Report report) {}

  /**
   * A member that was kept.
   *
   * @param model owned by whoever receives it
   * @param report the account of its training
   */
  record Found(ScoreModel model, Report report) {}

  /**
   * Open a library for a run.
   *
   * @param store where members are kept; borrowed
   * @param common the things that all members of the run depend on: data, split, versions. Not
   *     modified.
   * @param listener is notified of members that are found, or could not be kept
   */
  public MemberLibrary(CheckpointStore store, Map<String, String> common, RunListener listener) {
    this.store = store;
    this.common = Map.copyOf(common);
    this.listener = listener;
  }

  private Map<String, String> all(Map<String, String> own) {
    Map<String, String> depends = new TreeMap<>(common);
    depends.putAll(own);
    return depends;
  }

  private static String section(Map<String, String> depends) {
    byte[] text = depends.toString().getBytes(StandardCharsets.UTF_8);
    return "member-" + UUID.nameUUIDFromBytes(text);
  }

  /**
   * Return a member that was kept; the caller owns it.
   *
   * @param own the things that this member depends on besides the common ones. Not modified.
   */
  Optional<Found> find(String filter, Map<String, String> own) {
    Map<String, String> wanted = all(own);
    String section = section(wanted);
    return store
        .state(section, Entry.class)
        .filter(entry -> entry.depends().equals(wanted))
        .map(
            entry -> {
              listener.on(new MemberFound(filter, store.folder()));
              return new Found(store.model(section, 0), entry.report());
            });
  }

  /**
   * Keep a member.
   *
   * @param model the member, which does not change any more. Not modified.
   * @param report the account of its training
   */
  void keep(Map<String, String> own, ScoreModel model, Report report) {
    Entry entry = new Entry(all(own), report);
    try {
      store.save(section(entry.depends()), entry, List.of(model), List.of(), List.of());
    } catch (IOException e) {
      listener.on(new CheckpointFailed(store.folder(), e.toString()));
    }
  }
}
