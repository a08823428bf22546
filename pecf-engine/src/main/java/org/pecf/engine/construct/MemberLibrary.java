package org.pecf.engine.construct;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.run.RunListener;

/**
 * Trained members that are kept from run to run: a member that depends on the same things as one
 * before is not trained again. Only members of plain weights and ratings are kept, for these depend
 * on no other member.
 */
public final class MemberLibrary {
  private final StateStore store;
  private final Map<String, String> common;
  private final RunListener listener;

  /**
   * The entry of a member.
   *
   * @param depends all that the member depends on: texts by key
   */
  public record Entry(Map<String, String> depends) {}

  /**
   * Open a library for a run.
   *
   * @param store where members are kept; borrowed
   * @param common the things that all members of the run depend on: data, split, versions. Not
   *     modified.
   * @param listener is notified of members that are found, or could not be kept
   */
  public MemberLibrary(StateStore store, Map<String, String> common, RunListener listener) {
    this.store = store;
    this.common = Map.copyOf(common);
    this.listener = listener;
  }

  private Entry entry(Map<String, String> own) {
    Map<String, String> depends = new TreeMap<>(common);
    depends.putAll(own);
    return new Entry(depends);
  }

  private static String section(Entry entry) {
    byte[] text = entry.depends().toString().getBytes(StandardCharsets.UTF_8);
    return "member-" + UUID.nameUUIDFromBytes(text);
  }

  /**
   * Return a member that was kept; the caller owns it.
   *
   * @param own the things that this member depends on besides the common ones. Not modified.
   */
  Optional<ScoreModel> find(String filter, Map<String, String> own) {
    Entry wanted = entry(own);
    String section = section(wanted);
    if (store.state(section, Entry.class).filter(wanted::equals).isEmpty()) {
      return Optional.empty();
    }
    listener.on(new MemberFound(filter, store.folder()));
    return Optional.of(store.model(section, 0));
  }

  /**
   * Keep a member.
   *
   * @param model the member, which does not change any more. Not modified.
   */
  void keep(Map<String, String> own, ScoreModel model) {
    Entry entry = entry(own);
    try {
      store.save(section(entry), entry, List.of(model), List.of(), List.of());
    } catch (IOException e) {
      listener.on(new CheckpointFailed(store.folder(), e.toString()));
    }
  }
}
