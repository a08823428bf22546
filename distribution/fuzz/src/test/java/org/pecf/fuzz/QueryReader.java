package org.pecf.fuzz;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.pecf.api.run.RunListener;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.request.ComputeRequest;
import org.pecf.engine.resource.Workspace;

/** The loading of ratings by a query, which writes nothing and reads nothing but the data. */
final class QueryReader implements UntrustedReader {
  private final Path data;
  private final PluginCatalog catalog = PluginCatalog.builtIn();
  private final List<Path> before;

  QueryReader(Path folder) throws IOException {
    data = Files.createDirectories(folder.resolve("data"));
    Files.writeString(data.resolve("r.csv"), "u,i\n1,2\n3,4\n");
    Files.writeString(folder.resolve("secret.csv"), "secret\n1\n");
    before = files();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(data.getParent())) {
      return files.sorted().toList();
    }
  }

  @Override
  public void read(byte[] input) throws IOException {
    ProviderChoice query =
        new ProviderChoice("sql", Map.of("query", new String(input, StandardCharsets.UTF_8)));
    try (Workspace workspace =
        new Workspace(
            catalog,
            ComputeRequest.of(Map.of("threads", "1", "memory", "32m")),
            RunListener.none(),
            () -> false)) {
      workspace.load(DataRequest.of(data.toString()).withFormat(query)).close();
    } finally {
      if (!files().equals(before)) {
        throw new AssertionError("the query changed the files: " + files());
      }
    }
  }
}
