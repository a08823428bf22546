package org.pecf.fuzz;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.pecf.api.run.RunListener;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.data.Dataset;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.request.ComputeRequest;
import org.pecf.engine.resource.Workspace;

/** The loading of a file of ratings into a dataset. */
final class RatingsReader implements UntrustedReader {
  /** Little, so that memory taken by a number in a file would show. */
  private static final Map<String, String> SMALL = Map.of("threads", "1", "memory", "32m");

  private final Path file;
  private final String format;
  private final PluginCatalog catalog = PluginCatalog.builtIn();

  RatingsReader(Path folder, String format, String name) {
    this.file = folder.resolve(name);
    this.format = format;
  }

  @Override
  public void read(byte[] input) throws IOException {
    Scratch.replace(file, input);
    try (Workspace workspace =
            new Workspace(catalog, ComputeRequest.of(SMALL), RunListener.none(), () -> false);
        Dataset dataset =
            workspace.load(
                DataRequest.of(file.toString()).withFormat(ProviderChoice.parse(format)))) {
      long cells = (long) dataset.shape().users() * dataset.shape().items();
      if (dataset.positives().count() > cells) {
        throw new AssertionError(dataset.positives().count() + " positives in " + cells + " cells");
      }
      for (int user = 0; user < dataset.shape().users(); user++) {
        String id = dataset.users().textAt(user);
        if (dataset.users().indexOf(id) != user) {
          throw new AssertionError("user " + user + " is not found by its id " + id);
        }
      }
      dataset.fingerprint();
    }
  }
}
