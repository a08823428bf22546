package org.pecf.engine.construct;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.PluginReport;
import org.pecf.engine.plugin.PluginTrust;
import org.pecf.engine.plugin.ProviderKind;
import org.pecf.testkit.fixture.AlphaPlugin;

/** The weighting schemes and alpha strategies that the engine itself provides. */
class BuiltInProvidersTest {
  @Test
  void theEngineByItselfProvidesTheSchemesAndStrategiesOfTheAlgorithm() {
    PluginCatalog catalog = PluginCatalog.builtIn();

    assertEquals(List.of("posterior", "rankboost", "uniform"), catalog.ids(ProviderKind.WEIGHTING));
    assertEquals(List.of("dynamic", "fixed", "uniform"), catalog.ids(ProviderKind.ALPHA));
    assertEquals(
        List.of("hit-rate", "map", "mrr", "ndcg", "precision", "recall", "truncated-recall"),
        catalog.ids(ProviderKind.METRIC));
    assertEquals(List.of(), catalog.ids(ProviderKind.FILTER));
    assertEquals(List.of(), catalog.ids(ProviderKind.BACKEND));
    assertEquals(List.of(), catalog.ids(ProviderKind.LOADER));
    assertEquals(1, catalog.plugins().size(), catalog.plugins().toString());
    PluginReport engine = catalog.plugins().get(0);
    assertTrue(engine.builtIn());
    assertEquals(Optional.of("org.pecf.engine"), engine.module());
    assertEquals(PluginReport.State.LOADED, engine.state());
    assertEquals(List.of(), engine.diagnostics());
  }

  @Test
  void pluginsComeBesideThem(@TempDir Path plugins) {
    AlphaPlugin.of("acme", AlphaPlugin.provider("even")).in(plugins);

    PluginCatalog catalog = PluginCatalog.load(List.of(plugins));

    assertEquals(List.of("dynamic", "even", "fixed", "uniform"), catalog.ids(ProviderKind.ALPHA));
    assertEquals(PluginCatalog.builtIn().plugins().get(0), catalog.plugins().get(0));
    assertEquals(2, catalog.plugins().size(), catalog.plugins().toString());
  }

  @Test
  void theyNeedNoTrust(@TempDir Path home) throws IOException {
    Path plugins = home.resolve("plugins");
    AlphaPlugin.of("acme").in(plugins);
    Path strict = Files.writeString(home.resolve("trusted-plugins"), "strict\n");

    PluginCatalog catalog = PluginCatalog.load(List.of(plugins), PluginTrust.read(strict));

    assertEquals(List.of("dynamic", "fixed", "uniform"), catalog.ids(ProviderKind.ALPHA));
  }
}
