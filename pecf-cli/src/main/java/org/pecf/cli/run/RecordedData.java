package org.pecf.cli.run;

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
import org.pecf.api.data.RatingLoader;
import org.pecf.api.run.RunEvent;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.data.Dataset;
import org.pecf.engine.data.DatasetLoader;
import org.pecf.engine.data.FormatRecogniser;
import org.pecf.engine.data.RatingLoaders;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.PluginReport;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.plugin.ProviderKind;
import org.pecf.engine.run.Workspace;

/**
 * The data that a model says it was trained on.
 *
 * <p>Who made a model may have written anything there. Without being asked for, it is read again
 * only if it is embedded, or a plain file for a loader that comes with PECF and reads nothing else;
 * all else has to be named on the command line.
 */
public final class RecordedData {
  private static final String EMBEDDED = "synthetic";

  /** The loaders that read the one file they are given, and run nothing. */
  private static final Set<String> OF_FILES =
      Set.of("arrow", "citeulike", "csv", "movielens", "netflix", "parquet");

  private static final Set<String> OWN_MODULES =
      Set.of("org.pecf.plugin.loaders", "org.pecf.plugin.duckdb");

  /** What looks like files there are devices and the state of the system. */
  private static final List<Path> NO_FILES =
      Stream.of("/dev", "/proc", "/sys").map(Path::of).toList();

  private final DataRequest request;
  private final Path model;
  private final PluginCatalog catalog;

  /**
   * Create it.
   *
   * @param request what the model says
   * @param model the folder of the model, for messages
   * @param catalog where loaders are found
   */
  public RecordedData(DataRequest request, Path model, PluginCatalog catalog) {
    this.request = request;
    this.model = model;
    this.catalog = catalog;
  }

  /**
   * A file that is read because a model names it.
   *
   * @param file where it is in truth
   */
  public record FileNamed(Path file) implements RunEvent {
    @Override
    public String summary() {
      return "reading " + file + ", which the model names as its data";
    }
  }

  /**
   * Load the data, if it may be; the caller owns it.
   *
   * @throws PecfException if it has to be named on the command line
   */
  public Dataset load(Workspace workspace) {
    List<Path> files = check();
    files.forEach(file -> workspace.listener().on(new FileNamed(file)));
    return new DatasetLoader(loaders(workspace.loaders())).load(request, workspace.context());
  }

  /** Check that all may be read, and return the files. */
  List<Path> check() {
    String format = request.format().id();
    if (!format.equals(FormatRecogniser.AUTO) && !permitted(format)) {
      throw refused(
          "the loader '"
              + shown(format)
              + "' runs or reads more than one file, or does not come with PECF",
          format);
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
      // Asking for a file of another machine can tell it who asks.
      boolean local = !location.startsWith("//") && !location.startsWith("\\\\");
      Path path = Path.of(location);
      if (!local || !Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
        throw refused("'" + shown(location) + "' is not there, or is no plain file", "");
      }
      Path real = path.toRealPath();
      if (NO_FILES.stream().anyMatch(real::startsWith)) {
        throw refused("'" + shown(location) + "' is no plain file", "");
      }
      return Optional.of(real);
    } catch (InvalidPathException | IOException e) {
      throw refused("'" + shown(location) + "' cannot be read", "");
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

  /** Leave the loaders out that may not be used, so that they are not asked for the format. */
  private RatingLoaders loaders(RatingLoaders all) {
    return new RatingLoaders() {
      @Override
      public List<String> ids() {
        return all.ids().stream().filter(RecordedData.this::permitted).toList();
      }

      @Override
      public RatingLoader loader(ProviderChoice choice) {
        return all.loader(choice);
      }
    };
  }

  private PecfException refused(String reason, String format) {
    return PecfException.badOption(
        "The data of this model is not read again unless you name it: %s. Name it with --data"
            + " PATH%s%s and the other options about data that it was trained with; they are under"
            + " \"request\" in %s.",
        reason,
        (format.isEmpty() ? "" : " --format " + shown(format)),
        (format.equals("sql") ? " --set sql.query=QUERY" : ""),
        model.resolve("manifest.json"));
  }

  /** Return a text of the model as it may be shown: it may hold anything. */
  private static String shown(String text) {
    String plain = text.replaceAll("[\\p{Cntrl}\\p{Cf}]", "?");
    return plain.length() > 200 ? plain.substring(0, 200) + "…" : plain;
  }
}
