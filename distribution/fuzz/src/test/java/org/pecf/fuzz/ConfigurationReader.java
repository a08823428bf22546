package org.pecf.fuzz;

import java.io.IOException;
import java.nio.file.Path;
import org.pecf.cli.option.ConfigFile;
import org.pecf.engine.plugin.PluginCatalog;

/** The reading of a configuration file, up to the request of a training. */
final class ConfigurationReader implements UntrustedReader {
  private final Path file;
  private final PluginCatalog catalog = PluginCatalog.builtIn();

  ConfigurationReader(Path folder) {
    file = folder.resolve("run.yaml");
  }

  @Override
  public void read(byte[] input) throws IOException {
    Scratch.replace(file, input);
    ConfigFile.read(file).training().request(catalog);
  }
}
