package org.pecf.engine.model;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.engine.construct.CheckpointStore;
import org.pecf.engine.ensemble.MemberFit;
import org.pecf.engine.file.FileLocking;
import org.pecf.engine.file.FileProblem;
import org.pecf.engine.json.JsonText;

/**
 * The state of an unfinished run in a folder: sections by name, each a record and the models that
 * belong to it.
 *
 * <p>Every change is a new generation: the factors that are not in the folder yet, each pair of
 * files written once, then the file {@code state-NNNNNN}, which lists the sections and the size and
 * SHA-256 checksum of every file they need. That file is complete and on the disk before it gets
 * its name, so at any moment the last generation that has a name is whole. The one before it is
 * kept as well, in case a file is damaged later; older files are deleted. Nothing in the folder is
 * executed. The folder is locked as long as it is open: it stands for the output of one run.
 */
public final class CheckpointFolder implements CheckpointStore {
  private static final String FORMAT = "pecf-checkpoint";
  private static final int VERSION = 2;
  private static final int MOST_MEBIBYTES = 64;

  /** More writes than any run makes; the names of files have room for as many digits. */
  private static final int LAST_GENERATION = 900_000_000;

  private static final String LOCK = "lock";
  private static final Pattern STATE = Pattern.compile("state-([0-9]{6,9})");
  private static final Pattern MODEL =
      Pattern.compile("model-([0-9]{6,9})-(users|items|left|right)\\.arrow");
  private static final Pattern OURS = Pattern.compile(LOCK + "|" + STATE + "(\\.part)?|" + MODEL);

  private final Path folder;
  private final FileLocking lock;
  private final BufferAllocator allocator;
  private final Map<ScoreModel, ModelEntry> written = new IdentityHashMap<>();
  private int lastModel;
  private State previous;
  private State state;

  /** The entry of a model: the name of its files and what they hold. */
  record ModelEntry(
      String name,
      int users,
      int items,
      Manifest.ModelEntry content,
      List<Manifest.FileEntry> files) {
    ModelEntry {
      files = List.copyOf(files);
      if (users < 1 || items < 1 || files.isEmpty()) {
        throw new IllegalArgumentException("a model has no rows or no files");
      }
    }
  }

  /** The JSON of a record, the models that belong to it, and the JSON of how they were fitted. */
  record Section(String json, List<ModelEntry> models, List<String> fits) {
    Section {
      models = List.copyOf(models);
      fits = List.copyOf(fits);
    }
  }

  /**
   * The content of a state file.
   *
   * @param identity the values that the run depends on, by topic and then by key
   */
  record State(
      String format,
      int formatVersion,
      int generation,
      Map<String, Map<String, String>> identity,
      Map<String, Section> sections) {
    State {
      if (generation < 0
          || generation > LAST_GENERATION
          || Stream.of(sections, identity)
              .anyMatch(map -> map.values().stream().anyMatch(Objects::isNull))) {
        throw new IllegalArgumentException("its generation is no count, or a section is null");
      }
      identity = Collections.unmodifiableMap(new LinkedHashMap<>(identity));
      sections = Collections.unmodifiableMap(new LinkedHashMap<>(sections));
    }

    static State empty() {
      return new State(FORMAT, VERSION, 0, Map.of(), Map.of());
    }

    State with(Map<String, Section> changed) {
      return new State(format, formatVersion, generation + 1, identity, changed);
    }

    State with(String topic, Map<String, String> values) {
      Map<String, Map<String, String>> more = new LinkedHashMap<>(identity);
      more.put(topic, Collections.unmodifiableMap(new TreeMap<>(values)));
      return new State(format, formatVersion, generation, more, sections);
    }

    Set<String> files() {
      Set<String> names = new TreeSet<>();
      for (Section section : sections.values()) {
        for (ModelEntry model : section.models()) {
          model.files().forEach(file -> names.add(file.name()));
        }
      }
      return names;
    }
  }

  private CheckpointFolder(
      Path folder, FileLocking lock, BufferAllocator allocator, State state, State previous) {
    this.folder = folder;
    this.lock = lock;
    this.allocator = allocator;
    this.state = state;
    this.previous = previous;
  }

  /** Return whether a folder holds the state of an unfinished run. */
  public static boolean exists(Path folder) {
    return !generations(folder).isEmpty();
  }

  /**
   * Open a folder, which is created if it does not exist, and lock it.
   *
   * @param folder the folder
   * @param resume whether to go on from the state that it holds, if it holds one; else that is
   *     deleted
   * @param allocator the source of the memory of models and of working memory
   * @throws PecfException if another run has it open, it holds anything else, or it cannot be
   *     written
   */
  public static CheckpointFolder open(Path folder, boolean resume, BufferAllocator allocator) {
    try {
      Files.createDirectories(folder);
      checkContent(folder);
      FileLocking lock =
          FileLocking.tryLock(folder.resolve(LOCK))
              .orElseThrow(
                  () ->
                      PecfException.badOption(
                          "Another run is at work on %s. Wait until it has ended, or choose another"
                              + " output folder.",
                          folder));
      try {
        List<State> found =
            resume ? newest(folder, allocator) : List.of(State.empty(), State.empty());
        CheckpointFolder opened =
            new CheckpointFolder(folder, lock, allocator, found.get(0), found.get(1));
        opened.collect();
        return opened;
      } catch (IOException | RuntimeException | Error e) {
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw PecfException.resources(
              "The checkpoint %s cannot be written (%s). Check that its folder can be written to"
                  + " and has room.",
              folder, FileProblem.reason(e))
          .causedBy(e);
    }
  }

  /** Refuse a folder with files of other origin: they would be in the way, or be lost. */
  private static void checkContent(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      Optional<Path> other =
          files.filter(file -> !OURS.matcher(file.getFileName().toString()).matches()).findAny();
      if (other.isPresent()) {
        throw PecfException.badOption(
            "%s is needed for checkpoints, but holds %s. Move that away, or choose another output"
                + " folder.",
            folder, other.get().getFileName());
      }
    }
  }

  /** Return the names of state files, the newest first. */
  private static List<String> generations(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(STATE.asMatchPredicate())
          .sorted((a, b) -> Integer.compare(number(STATE, b), number(STATE, a)))
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static int number(Pattern pattern, String name) {
    Matcher matcher = pattern.matcher(name);
    return matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
  }

  /** Return the two newest generations that are intact, or empty ones in their place. */
  private static List<State> newest(Path folder, BufferAllocator allocator) {
    List<State> found = new ArrayList<>();
    Optional<PecfException> problem = Optional.empty();
    for (String name : generations(folder)) {
      try {
        found.add(read(checked(folder, allocator), name));
      } catch (PecfException e) {
        problem = Optional.of(problem.orElse(e));
      }
    }
    if (found.isEmpty() && problem.isPresent()) {
      throw problem.get();
    }
    found.addAll(List.of(State.empty(), State.empty()));
    return found;
  }

  private static CheckedFolder checked(Path folder, BufferAllocator allocator) {
    return new CheckedFolder(
        folder, "checkpoint", "Delete it, and train from the beginning.", allocator, Opening.READ);
  }

  private static State read(CheckedFolder files, String name) {
    String[] lines =
        new String(files.bytes(name, MOST_MEBIBYTES), StandardCharsets.UTF_8).split("\n", -1);
    if (lines.length != 3
        || !lines[2].isEmpty()
        || !lines[1].equals(DigestingChannel.checksum(bytes(lines[0])))) {
      throw files.damaged(name, "does not match its checksum");
    }
    State state;
    try {
      state = JsonText.read(lines[0], State.class);
    } catch (IllegalArgumentException e) {
      throw files.damaged(name, "does not describe a checkpoint: " + e.getMessage(), e);
    }
    if (!state.format().equals(FORMAT) || state.formatVersion() != VERSION) {
      throw files.damaged(name, "is of another format");
    }
    for (Section section : state.sections().values()) {
      for (ModelEntry model : section.models()) {
        model.files().forEach(file -> files.verify(file.name(), model.files()));
      }
    }
    return state;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Note the values that the run depends on, or check that they are as they were when it began.
   *
   * @param topic the topic of the values, for the message
   * @param values texts by key. Not modified.
   * @throws PecfException with {@link ErrorCode#BAD_OPTION} and the differences
   */
  public void require(String topic, Map<String, String> values) {
    Map<String, String> earlier = state.identity().get(topic);
    if (earlier == null) {
      state = state.with(topic, values);
      return;
    }
    Set<String> keys = new TreeSet<>(earlier.keySet());
    keys.addAll(values.keySet());
    List<String> differences = new ArrayList<>();
    for (String key : keys) {
      String before = Objects.requireNonNullElse(earlier.get(key), "not set");
      String now = values.getOrDefault(key, "not set");
      if (!before.equals(now)) {
        differences.add(key + " was " + before + " and is " + now);
      }
    }
    if (!differences.isEmpty()) {
      throw PecfException.badOption(
          "The run at %s cannot be resumed, because the %s changed: %s. Resume it as it was begun,"
              + " or start again in another folder.",
          folder, topic, String.join("; ", differences));
    }
  }

  /** Return whether there is a state to go on from. */
  public boolean begun() {
    return !state.sections().isEmpty();
  }

  @Override
  public Path folder() {
    return folder;
  }

  @Override
  public <S extends Record> Optional<S> state(String section, Class<S> type) {
    if (!state.sections().containsKey(section)) {
      return Optional.empty();
    }
    Section found = section(section);
    try {
      return Optional.of(JsonText.read(found.json(), type));
    } catch (IllegalArgumentException e) {
      throw checked(folder, allocator)
          .damaged("section " + section, "is unknown: " + e.getMessage(), e);
    }
  }

  private Section section(String name) {
    return Objects.requireNonNull(state.sections().get(name), name);
  }

  /** Return how many models belong to a section that exists. */
  public int models(String section) {
    return section(section).models().size();
  }

  @Override
  public Optional<MemberFit> fit(String section, int index) {
    try {
      return FitJson.fit(section(section).fits().get(index));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw checked(folder, allocator)
          .damaged("section " + section, "does not say how member " + index + " was fitted", e);
    }
  }

  @Override
  public ScoreModel model(String section, int index) {
    List<ModelEntry> models = section(section).models();
    if (index < 0 || index >= models.size()) {
      throw checked(folder, allocator)
          .damaged("section " + section, "has " + models.size() + " models, not " + (index + 1));
    }
    ModelEntry entry = models.get(index);
    GridShape shape = new GridShape(entry.users(), entry.items());
    ScoreModel model =
        checked(folder, allocator).model(entry.name(), shape, entry.content(), entry.files());
    written.put(model, entry);
    return model;
  }

  @Override
  public void save(
      String section,
      Record content,
      List<? extends ScoreModel> models,
      List<Optional<MemberFit>> fits,
      List<String> ended)
      throws IOException {
    List<ModelEntry> entries = new ArrayList<>();
    for (ScoreModel model : models) {
      ModelEntry entry = written.get(model);
      if (entry == null) {
        entry = write(model);
        written.put(model, entry);
      }
      entries.add(entry);
    }
    List<String> fitted = fits.stream().map(FitJson::text).toList();
    put(section, new Section(JsonText.line(content), entries, fitted), ended);
    written.values().removeIf(entry -> !state.files().contains(entry.files().get(0).name()));
  }

  @Override
  public void saveChanging(String section, Record content, FactorModel model) throws IOException {
    put(section, new Section(JsonText.line(content), List.of(write(model)), List.of()), List.of());
  }

  private ModelEntry write(ScoreModel model) throws IOException {
    String name = String.format(Locale.ROOT, "model-%06d", ++lastModel);
    List<Manifest.FileEntry> files = new ArrayList<>();
    Manifest.ModelEntry content =
        CheckedFolder.write(folder, name, model, allocator, files)
            .orElseThrow(
                () ->
                    PecfException.badOption(
                        "A member is a model that cannot be stored, nor can the ensemble then."
                            + " Train without storing the model, or use other filters."));
    return new ModelEntry(name, model.shape().users(), model.shape().items(), content, files);
  }

  private void put(String name, Section section, List<String> ended) throws IOException {
    Map<String, Section> sections = new LinkedHashMap<>(state.sections());
    sections.keySet().removeAll(ended);
    sections.put(name, section);
    State next = state.with(sections);
    ModelFolder.force(folder);
    String file = fileOf(next);
    Path draft = folder.resolve(file + ".part");
    String json = JsonText.line(next);
    Files.deleteIfExists(draft);
    ModelStore.write(draft, bytes(json + "\n" + DigestingChannel.checksum(bytes(json)) + "\n"));
    Files.move(draft, folder.resolve(file), StandardCopyOption.ATOMIC_MOVE);
    ModelFolder.force(folder);
    previous = state;
    state = next;
    collect();
  }

  /** Delete what neither the current generation nor the one before it needs. */
  private void collect() throws IOException {
    Set<String> needed = new TreeSet<>(List.of(LOCK));
    for (State kept : List.of(state, previous)) {
      needed.add(fileOf(kept));
      needed.addAll(kept.files());
    }
    try (Stream<Path> files = Files.list(folder)) {
      // State files go first, in this order of names: a state never lacks its files.
      for (Path file : files.sorted(Collections.reverseOrder()).toList()) {
        String name = file.getFileName().toString();
        lastModel = Math.max(lastModel, number(MODEL, name));
        if (!needed.contains(name)) {
          Files.delete(file);
        }
      }
    }
  }

  private static String fileOf(State state) {
    return String.format(Locale.ROOT, "state-%06d", state.generation());
  }

  /** Delete the folder: the run has ended. */
  @Override
  public void delete() {
    try {
      state = State.empty();
      previous = State.empty();
      collect();
      lock.deleteWith(folder);
    } catch (IOException e) {
      throw PecfException.resources(
              "The checkpoint %s, which is no longer needed, could not be deleted (%s). Delete it"
                  + " by hand.",
              folder, FileProblem.reason(e))
          .causedBy(e);
    }
  }

  /** Release the folder, which stays if it holds a state. */
  @Override
  public void close() {
    lock.close();
    try {
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      // It holds a state.
    }
  }
}
