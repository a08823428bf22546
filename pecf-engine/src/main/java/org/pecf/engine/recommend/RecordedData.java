package org.pecf.engine.recommend;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.run.RunEvent;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.data.Dataset;
import org.pecf.engine.data.DatasetLoader;
import org.pecf.engine.data.FormatRecogniser;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.PluginReport;
import org.pecf.engine.plugin.ProviderKind;
import org.pecf.engine.resource.Workspace;

/**
 * The data that a model records as its own.
 *
 * <p>The author of a model may have written anything there. So the data is read only if it is
 * embedded, or a plain file for a loader that comes with PECF and reads that file alone. The user
 * has to name any other data.
 */
final class RecordedData {
  private static final String EMBEDDED = "synthetic";

  /** The loaders that read the one file they are given, and run nothing. */
  private static final Set<String> OF_FILES =
      Set.of("arrow", "citeulike", "csv", "movielens", "netflix", "parquet");

  private static final Set<String> OWN_MODULES =
      Set.of("org.pecf.plugin.loaders", "org.pecf.plugin.duckdb");

  /** The folders whose entries are devices or the state of the system, although some look plain. */
  private static final List<Path> NO_FILES =
      Stream.of("/dev", "/proc", "/sys").map(Path::of).toList();

  private final DataRequest request;
  private final Path model;
  private final PluginCatalog catalog;

  /**
   * Create the description of recorded data.
   *
   * @param request the data that the model records
   * @param model the folder of the model, for messages
   * @param catalog the source of loaders
   */
  RecordedData(DataRequest request, Path model, PluginCatalog catalog) {
    this.request = request;
    this.model = model;
    this.catalog = catalog;
  }

  /**
   * The reading of a file because a model names it.
   *
   * @param file the real path of the file
   */
  record FileNamed(Path file) implements RunEvent {
    @Override
    public String summary() {
      return "reading " + file + ", which the model names as its data";
    }
  }

  /**
   * Load the data; the caller owns it.
   *
   * @throws PecfException if the user has to name the data
   */
  Dataset load(Workspace workspace) {
    List<Path> files = check();
    files.forEach(file -> workspace.listener().on(new FileNamed(file)));
    return new DatasetLoader(workspace.loaders().only(this::permitted))
        .load(request, workspace.context());
  }

  /** Check that everything may be read, and return the files. */
  private List<Path> check() {
    String format = request.format().id();
    if (!format.equals(FormatRecogniser.AUTO) && !permitted(format)) {
      throw refused(
          "its loader '%s' runs something, reads more than one file, or does not come with PECF",
          shown(format));
    }
    List<Path> files = new ArrayList<>();
    Stream.concat(
            Stream.of(request.location()),
            Stream.concat(request.validationLocation().stream(), request.testLocation().stream()))
        .forEach(location -> file(location).ifPresent(files::add));
    return files;
  }

  private Optional<Path> file(String location) {
    if (new DataSource(location).builtin().isPresent()) {
      return Optional.empty();
    }
    try {
      // A request for a file on another machine can tell that machine who asks.
      boolean local = !location.startsWith("//") && !location.startsWith("\\\\");
      Path path = Path.of(location);
      if (!local || !Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
        throw refused("'%s' does not exist or is not a plain file", shown(location));
      }
      Path real = path.toRealPath();
      if (NO_FILES.stream().anyMatch(real::startsWith)) {
        throw refused("'%s' is not a plain file", shown(location));
      }
      return Optional.of(real);
    } catch (InvalidPathException | IOException e) {
      throw refused("'%s' cannot be read", shown(location));
    }
  }

  private boolean permitted(String format) {
    if ((!OF_FILES.contains(format) && !format.equals(EMBEDDED))
        || !catalog.ids(ProviderKind.LOADER).contains(format)) {
      return false;
    }
    PluginReport origin = catalog.origin(ProviderKind.LOADER, format);
    return origin.builtIn() || origin.module().filter(OWN_MODULES::contains).isPresent();
  }

  private PecfException refused(String reason, String shown) {
    return PecfException.badOption(
        "The data that this model names is not read on its word: %s. Name the data yourself, with"
            + " the options about data that the model was trained with; they are under \"request\""
            + " in %s.",
        reason.formatted(shown), model.resolve("manifest.json"));
  }

  /** Return a text of the model as it may be shown: it may hold anything. */
  private static String shown(String text) {
    String plain = text.replaceAll("[\\p{Cntrl}\\p{Cf}]", "?");
    return plain.length() > 200 ? plain.substring(0, 200) + "…" : plain;
  }
}
