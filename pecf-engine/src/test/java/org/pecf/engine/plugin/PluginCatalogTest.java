package org.pecf.engine.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginCatalogTest {
  @TempDir Path plugins;

  @Test
  void loadsAModularPlugin() {
    AlphaPlugin.of("acme").version("1.2.3").in(plugins);

    PluginCatalog catalog = PluginCatalog.load(List.of(plugins));

    assertEquals(List.of("acme"), catalog.ids(ProviderKind.ALPHA));
    assertEquals(0.25, catalog.alpha(ProviderChoice.parse("acme:0.25")).alpha(null, null));
  }
}
