package org.pecf.cli.option;

import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.plugin.ProviderKind;
import org.pecf.engine.request.ProviderSelection;
import org.pecf.engine.request.RequestOptions;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A backend by its id, and its options. */
public final class BackendOptions {
  @Parameters(paramLabel = "ID", description = "The backend; see 'pecf-run backends'.")
  String backend;

  @Mixin SettingOptions settings = new SettingOptions();

  /** Return the backend with all its options spelt out and checked. */
  public ProviderChoice choice(PluginCatalog catalog) {
    ProviderSelection providers = new ProviderSelection(catalog);
    providers.use(ProviderKind.BACKEND, ProviderChoice.parse(backend));
    providers.set(new RequestOptions(settings.values()));
    return providers.choice(ProviderKind.BACKEND);
  }
}
