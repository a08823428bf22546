package org.pecf.engine.data;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.Recognition;
import org.pecf.api.run.RunListener;
import org.pecf.engine.plugin.ProviderChoice;

/** The choice of a loader for a source: by name, or the one that recognises the content best. */
public final class FormatRecogniser {
  /** The name of the format that is to be recognised. */
  public static final String AUTO = "auto";

  private final RatingLoaders loaders;
  private final RunListener listener;

  /**
   * Create a recogniser.
   *
   * @param loaders all loaders
   * @param listener is notified of the recognised format
   */
  public FormatRecogniser(RatingLoaders loaders, RunListener listener) {
    this.loaders = loaders;
    this.listener = listener;
  }

  /**
   * Return the loader of a source.
   *
   * @param format the loader and its options, or {@code auto}
   * @throws PecfException if the source does not exist, or no single format is the likeliest
   */
  public RatingLoader loader(DataSource source, ProviderChoice format) {
    return loaders.loader(choice(source, format));
  }

  /**
   * Return the choice of the loader of a source.
   *
   * @param format the loader and its options, or {@code auto}; options given with {@code auto} are
   *     those of the recognised loader
   * @throws PecfException if the source does not exist, or no single format is the likeliest. A
   *     source that no loader can read goes to the one that can explain why.
   */
  ProviderChoice choice(DataSource source, ProviderChoice format) {
    checkExistence(source);
    if (!format.id().equals(AUTO)) {
      return format;
    }
    List<String> surest = new ArrayList<>();
    List<String> silent = new ArrayList<>();
    Recognition sureness = Recognition.BROKEN;
    for (String id : new TreeSet<>(loaders.ids())) {
      Recognition recognition = recognise(source, id, silent);
      if (recognition.compareTo(sureness) > 0) {
        sureness = recognition;
        surest.clear();
      }
      if (recognition == sureness) {
        surest.add(id);
      }
    }
    // The first of several that the source may be meant for explains why it cannot be read.
    if (surest.isEmpty() || surest.size() > 1 && sureness != Recognition.BROKEN) {
      throw undecided(source, surest, silent);
    }
    listener.on(new FormatRecognised(source.location(), surest.get(0), sureness));
    return new ProviderChoice(surest.get(0), format.options());
  }

  /** Ask one loader; its failure must not keep the others from being asked. */
  private Recognition recognise(DataSource source, String id, List<String> silent) {
    try {
      return loaders.recognise(id, source);
    } catch (RuntimeException | LinkageError e) {
      silent.add(id + " could not tell (" + e.getMessage() + ")");
      return Recognition.NO;
    }
  }

  private static void checkExistence(DataSource source) {
    if (source.builtin().isEmpty() && !Files.exists(source.requiredPath())) {
      throw PecfException.badData(
          "There is no file or folder %s (looked for %s). Check the path, or use embedded data"
              + " such as builtin:NAME.",
          source.location(), source.requiredPath().toAbsolutePath().normalize());
    }
  }

  private PecfException undecided(DataSource source, List<String> surest, List<String> silent) {
    String failures = silent.isEmpty() ? "" : " Of the loaders, " + String.join("; ", silent) + ".";
    if (!surest.isEmpty()) {
      return PecfException.badData(
          "%s could be in the format %s. Name the one it is in.%s",
          source.location(), String.join(" or ", surest), failures);
    }
    return PecfException.badData(
        "No loader recognises %s. Name its format, one of %s, or add a plugin that reads it.%s%s",
        source.location(),
        String.join(", ", new TreeSet<>(loaders.ids())),
        source.path().filter(Files::isDirectory).isPresent()
            ? " If the folder holds several sources, name one of its files."
            : "",
        failures);
  }
}
